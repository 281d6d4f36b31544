/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of KVM register ids, looked up once so that the values of many vCPUs
 * are copied to and from it without looking at ids again.
 */
#ifndef TERN_VCPU_PLAN_H
#define TERN_VCPU_PLAN_H

#include "place.h"

/* What a write to the words of a run does */
enum plan_run_kind {
	RUN_COPY,
	RUN_SAME,	/* they are that already, or it is refused */
	RUN_FREE,	/* nothing */
	RUN_FIXED,	/* as RUN_SAME, and the words are the plan's: every vCPU has the same */
	RUN_KINDS,
};

/**
 * struct plan_run - 64-bit words that follow each other in struct tern_vcpu and in the list of values
 * @offset: in struct tern_vcpu; RUN_FIXED: in the plan's @fixed
 * @at:     of the first value, in 8-byte words
 * @kind:   enum plan_run_kind
 */
struct plan_run {
	u16 offset;
	u16 at;
	u16 words;
	u16 kind;
};

enum plan_one_kind {
	ONE_WORD,	/* 64 bits at its place */
	ONE_HALF,	/* 32 */
	ONE_VM,		/* alike for all vCPUs of a VM that have the same features */
	ONE_OTHER,
	ONE_KINDS,
};

/** struct plan_one - a register that needs a look */
struct plan_one {
	const struct vcpu_place *place;
	u16 at;
	u16 kind;
};

#define PLAN_VM_MAX	24	/* firmware's registers and ID_AA64PFR0_EL1 */

/**
 * struct vcpu_plan - the whole list
 * @words:  that the values take
 * @id:     the list itself, little-endian
 * @run, @one: by kind, and then in order; those of kind k end before @run_end[k], @one_end[k]
 * @fixed:  see RUN_FIXED
 */
struct vcpu_plan {
	u32 words;
	u32 nr_ids;
	u16 run_end[RUN_KINDS];
	u16 one_end[ONE_KINDS];
	u16 nr_fixed;
	const __le64 *id;
	struct plan_run *run;
	struct plan_one *one;
	u64 *fixed;
};

/**
 * struct plan_vm - what vCPUs of a VM have in common, while one after the other is read or written
 * @plan, @features: of the last vCPU; @plan is NULL before there was one
 * @val: the values of its ONE_VM registers
 * @cnt: the virtual counter: what plan_get() says it is; the greatest that plan_set_vm() saw
 * @has_cnt: plan_set_vm() saw one
 */
struct plan_vm {
	const struct vcpu_plan *plan;
	u64 features;
	u64 val[PLAN_VM_MAX];
	u64 cnt;
	bool has_cnt;
};

/**
 * plan_make() - for @n ids at @ids, little-endian, which must stay; for vCPUs with the registers that @v has
 * @failed: the id at fault
 * Return: the plan, for plan_free(), or an error pointer: -ENOENT, -EEXIST, -ENOMEM
 */
struct vcpu_plan *plan_make(const struct tern_vcpu *v, const __le64 *ids, u32 n, u64 *failed);
/** plan_free() - plans of plan_own() stay */
void plan_free(const struct vcpu_plan *p);

/** plan_own() - of all registers that @v has, in the order of KVM_GET_REG_LIST */
const struct vcpu_plan *plan_own(const struct tern_vcpu *v);

/** plan_is_for() - are those its ids? */
bool plan_is_for(const struct vcpu_plan *p, const __le64 *ids, u32 n);

/* At load, after vcpu_place_init(), and at unload. Return: 0 or -ENOMEM */
int plan_init(void);
void plan_fini(void);

/* vCPU lock held, initialised, evicted */
/** plan_get() - values to @to; of one VM's vCPUs each with the same @m */
void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, struct plan_vm *m);
/** plan_check() - would plan_set() be right? Nothing changes. Return: 0 or -EINVAL */
int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed);
/** plan_set_vm() - those that are the VM's, @m as for plan_get(); the caller undoes. Return: 0 or an errno */
int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, struct plan_vm *m, u64 *failed);
/** plan_set() - all others; cannot fail */
void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from);

#endif
