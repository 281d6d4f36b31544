/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU's registers one by one, found by KVM's ids (place.h) and with values
 * in the kernel's memory.
 */
#ifndef TERN_VCPU_REF_H
#define TERN_VCPU_REF_H

#include <linux/uaccess.h>
#include "../host/compat.h"
#include "place.h"
#include "regid.h"

/** union vcpu_value - one register's value, as wide as the widest */
union vcpu_value {
	u32 w;
	u64 x;
	u64 half[2];
	__uint128_t q;
	const void *wide;	/* of vcpu/sve.c's registers, where it is */
};

/* vCPU lock held, vCPU initialised, evicted. Return: 0 or KVM_{GET,SET}_ONE_REG's errno */
int vcpu_ref_get(struct tern_vcpu *v, const struct vcpu_place *p, union vcpu_value *val);
int vcpu_ref_set(struct tern_vcpu *v, const struct vcpu_place *p, const union vcpu_value *val);

/** vcpu_ref_missing() - why there is no register @id: -ENOENT or, no id at all, -EINVAL */
int vcpu_ref_missing(u64 id);

/** vcpu_narrow32() - after PSTATE or registers changed: AArch32 has only their lower halves */
void vcpu_narrow32(struct tern_vcpu *v);

/* To and from the client's memory at @addr. Return: 0 or -EFAULT */

static __always_inline int vcpu_vector_out(u64 addr, const u64 *half)
{
	u64 __user *to = u64_to_user_ptr(addr);

	return put_user(half[0], to) || put_user(half[1], to + 1) ? -EFAULT : 0;
}

static __always_inline int vcpu_vector_in(u64 addr, u64 *half)
{
	const u64 __user *from = u64_to_user_ptr(addr);

	return compat_get_pair(from, &half[0], &half[1]);
}

int vcpu_value_out(u64 addr, const union vcpu_value *val, unsigned int size);
int vcpu_value_in(u64 addr, union vcpu_value *val, unsigned int size);

/** vcpu_reg_ids() - store the ids of KVM_GET_REG_LIST at @ids, or only count them when it is NULL */
unsigned int vcpu_reg_ids(struct tern_vcpu *v, u64 *ids);

#endif
