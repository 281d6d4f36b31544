/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where each register that KVM_GET_REG_LIST can list is in struct tern_vcpu,
 * and what a write to it has to heed. Made once, at load: everything that reads
 * or writes registers by their KVM ids goes by it.
 */
#ifndef TERN_VCPU_PLACE_H
#define TERN_VCPU_PLACE_H

#include "vcpu.h"

/**
 * enum vcpu_place_kind - what there is to heed
 *
 * Up to PLACE_OSLSR every vCPU has the register, and the 64 bits at the place are
 * its value. Up to PLACE_PSTATE they are in memory even while the vCPU is
 * resident in a CPU.
 */
enum vcpu_place_kind {
	PLACE_ID,	/* may be written with what it is */
	PLACE_ID_VM,	/* ID_AA64PFR0_EL1: partly the VM's choice */
	PLACE_ID_FREE,	/* read as zero, and writes ignored */
	PLACE_X,	/* general registers, PC, SP_EL0: AArch32 has only the lower halves */
	PLACE_PSTATE,
	PLACE_U64,
	PLACE_DEBUG,	/* hyp_debug_update() after a write */
	PLACE_OSLSR,	/* ... and only the lock bit may differ from @fixed */
	PLACE_AUTH,	/* as PLACE_U64; only vCPUs with pointer authentication have it */
	PLACE_PMU,	/* 64 bits; only vCPUs with performance monitors have it, which pmu/ is to be told of */
	PLACE_PMU_FREE,	/* ... read as zero, and writes ignored */
	PLACE_ZCR,	/* 64 bits; only vCPUs with scalable vectors have it */
	PLACE_SVE,	/* ... and these, up to 2048 bits; @fixed: the number, as hyp/sve.h counts */
	PLACE_SVE_VLS,	/* ... and their lengths: eight words */
	PLACE_U32,
	PLACE_V,	/* 128 bits; only vCPUs without scalable vectors, whose Z registers these are part of */
	PLACE_CONST,	/* @fixed, and nothing else */
	PLACE_FW,	/* the VM's; firmware answers */
	PLACE_TIMER,	/* the timers answer */
};

/**
 * struct vcpu_place - one register
 * @id:     its KVM id
 * @fixed:  the only value that it has, or the part that is fixed, or what its kind says
 * @offset: in struct tern_vcpu, or 0
 * @kind:   enum vcpu_place_kind
 * @size:   in bytes
 * @asked, @wanted: vCPUs have it whose PLACE_SET_* bits of @asked are @wanted
 */
struct vcpu_place {
	u64 id;
	u64 fixed;
	u16 offset;
	u16 size;
	u8 kind;
	u8 asked;
	u8 wanted;
};

#define PLACE_MAX 512

/** vcpu_place_init() - at load, once the host is known. Return: 0 or -EINVAL (with a message) */
int vcpu_place_init(void);

/* In the order of KVM_GET_REG_LIST; those that not all vCPUs have are among them. The last is never used. */
extern struct vcpu_place vcpu_places[PLACE_MAX + 1];
extern unsigned int vcpu_nr_places;

#define PLACE_SLOTS 2048

/* NULL: no more to look for. Ids that meet here are in the next slots. */
extern const struct vcpu_place *vcpu_place_slot[PLACE_SLOTS];

/* The low 16 bits tell registers of a kind apart, and some above tell the kinds. */
static inline u32 vcpu_place_hash(u64 id)
{
	return (u32)(id ^ id >> 11) * 0x9e3779b1U >> 21;
}

/** vcpu_place_probe() - a vCPU's register @id, if it is one that all have, or NULL when no vCPU has such */
static __always_inline const struct vcpu_place *vcpu_place_probe(u64 id)
{
	u32 i = vcpu_place_hash(id);
	const struct vcpu_place *p;

	for (; (p = vcpu_place_slot[i]); i = (i + 1) % PLACE_SLOTS)
		if (likely(p->id == id))
			return p;
	return NULL;
}

/* vCPUs with and without pointer authentication, performance monitors, scalable vectors: each has its registers */
#define PLACE_SETS	8
#define PLACE_SET_AUTH	1
#define PLACE_SET_PMU	2
#define PLACE_SET_SVE	4

/** vcpu_place_set() - which of them @v is */
static inline u32 vcpu_place_set(const struct tern_vcpu *v)
{
	return (v->hyp.ptrauth ? PLACE_SET_AUTH : 0) | (v->pmu.present ? PLACE_SET_PMU : 0) |
	       (v->hyp.sve.vq ? PLACE_SET_SVE : 0);
}

/** vcpu_place_in() - do they have the register @p? */
static inline bool vcpu_place_in(const struct vcpu_place *p, u32 set)
{
	return (set & p->asked) == p->wanted;
}

static inline bool vcpu_place_visible(const struct tern_vcpu *v, const struct vcpu_place *p)
{
	return vcpu_place_in(p, vcpu_place_set(v));
}

/** vcpu_place_find() - of @v's register @id, or NULL when it has none such */
static inline const struct vcpu_place *vcpu_place_find(const struct tern_vcpu *v, u64 id)
{
	const struct vcpu_place *p = vcpu_place_probe(id);

	return p && vcpu_place_visible(v, p) ? p : NULL;
}

/** vcpu_place_after() - as vcpu_place_find(), for vCPUs that are @set; cheaper when it is the one listed after @before */
static __always_inline const struct vcpu_place *vcpu_place_after(u32 set, const struct vcpu_place *before, u64 id)
{
	const struct vcpu_place *p = before + 1;

	if (unlikely(p->id != id))
		p = vcpu_place_probe(id);
	return likely(p && vcpu_place_in(p, set)) ? p : NULL;
}

/** vcpu_place_words() - how many 64-bit words its value takes in a list */
static inline u32 vcpu_place_words(const struct vcpu_place *p)
{
	return DIV_ROUND_UP(p->size, 8);
}

/** vcpu_place_is_sve() - vcpu/sve.c reads and writes it */
static inline bool vcpu_place_is_sve(const struct vcpu_place *p)
{
	return p->kind == PLACE_SVE || p->kind == PLACE_SVE_VLS;
}

static inline void *vcpu_place_at(struct tern_vcpu *v, const struct vcpu_place *p)
{
	return (void *)v + p->offset;
}

/** vcpu_place_resident() - the value may be in a CPU's registers unless the vCPU is evicted */
static inline bool vcpu_place_resident(const struct vcpu_place *p)
{
	return p->kind > PLACE_PSTATE;
}

#endif
