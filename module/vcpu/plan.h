/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A list of KVM register ids, looked up once so that the values of many vCPUs
 * are copied to and from it without looking at ids again.
 */
#ifndef TERN_VCPU_PLAN_H
#define TERN_VCPU_PLAN_H

#include "vcpu.h"

/**
 * struct plan_reg - one register
 * @id:     its KVM id
 * @fixed:  the only value that it has, or the part that is fixed
 * @offset: in struct tern_vcpu
 * @at:     place of its value, in 8-byte words
 * @kind:   plan.c's
 */
struct plan_reg {
	u64 id;
	u64 fixed;
	u16 offset;
	u16 at;
	u8 kind;
};

/**
 * struct vcpu_plan - the whole list
 * @auth:  for vCPUs with pointer authentication
 * @words: that the values take
 * @nr_copied, @nr: reg[0..nr_copied) are just copied, those up to @nr need a look
 */
struct vcpu_plan {
	bool auth;
	u32 words;
	u32 nr_copied;
	u32 nr;
	struct plan_reg reg[];
};

/**
 * plan_make() - for @n ids at @ids, little-endian, and vCPUs that have pointer authentication or not as @v
 * @failed: the id at fault
 * Return: the plan, to be freed by kvfree(), or an error pointer: -ENOENT, -EEXIST, -ENOMEM
 */
struct vcpu_plan *plan_make(struct tern_vcpu *v, const __le64 *ids, u32 n, u64 *failed);

/* vCPU mutex held, initialised, evicted */
/** plan_get() - values to @to; @cnt is what the virtual counter is said to be */
void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, u64 cnt);
/** plan_check() - would plan_set() be right? Nothing changes. Return: 0 or -EINVAL */
int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed);
/** plan_set_vm() - those that are the VM's; the caller undoes. @cnt: raised to the virtual counter's value. 0 or an errno */
int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *cnt, bool *has_cnt, u64 *failed);
/** plan_set() - all others; cannot fail */
void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from);

#endif
