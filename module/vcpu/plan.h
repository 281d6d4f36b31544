/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of KVM register ids, looked up once so that the values of many vCPUs
 * are copied to and from it without looking at ids again.
 */
#ifndef TERN_VCPU_PLAN_H
#define TERN_VCPU_PLAN_H

#include "place.h"

/**
 * struct plan_run - 64-bit words that follow each other in struct tern_vcpu and in the list of values
 * @offset: in struct tern_vcpu
 * @at:     of the first value, in 8-byte words
 * @kind:   plan.c's: what a write does
 */
struct plan_run {
	u16 offset;
	u16 at;
	u16 words;
	u16 kind;
};

/** struct plan_one - a register that needs a look */
struct plan_one {
	const struct vcpu_place *place;
	u32 at;
};

/**
 * struct vcpu_plan - the whole list
 * @words:  that the values take
 * @id:     the list itself, little-endian
 */
struct vcpu_plan {
	u32 words;
	u32 nr_ids;
	u32 nr_runs;
	u32 nr_ones;
	const __le64 *id;
	struct plan_run *run;
	struct plan_one *one;
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
/** plan_get() - values to @to; @cnt is what the virtual counter is said to be */
void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, u64 cnt);
/** plan_check() - would plan_set() be right? Nothing changes. Return: 0 or -EINVAL */
int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed);
/** plan_set_vm() - those that are the VM's; the caller undoes. @cnt: raised to the virtual counter's value. 0 or an errno */
int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *cnt, bool *has_cnt, u64 *failed);
/** plan_set() - all others; cannot fail */
void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from);

#endif
