/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU's Scalable Vector Extension: its vector lengths, chosen before
 * KVM_ARM_VCPU_FINALIZE, and its registers, which are there after it.
 */
#ifndef TERN_VCPU_SVE_H
#define TERN_VCPU_SVE_H

#include "place.h"

#define VCPU_SVE_MAX_BYTES 256	/* of the longest value that KVM's ids have */

/** vcpu_sve_init() - KVM_ARM_VCPU_INIT, again or for the first time; not loaded */
void vcpu_sve_init(struct tern_vcpu *v, bool on);

/** vcpu_sve_finalize() - KVM_ARM_VCPU_FINALIZE; evicted. Return: 0, -EINVAL it has none, -EPERM done before, -ENOMEM */
int vcpu_sve_finalize(struct tern_vcpu *v);

void vcpu_sve_free(struct tern_vcpu *v);

/** vcpu_sve_ready() - a vCPU that has SVE is finalized */
static inline bool vcpu_sve_ready(const struct tern_vcpu *v)
{
	return likely(!v->hyp.sve.vq) || v->hyp.sve.state;
}

/* Registers. vCPU lock held, evicted; @p is of kind PLACE_SVE or PLACE_SVE_VLS, and values are @p->size bytes. */

/** vcpu_sve_get() - Return: 0, -EPERM it is not finalized */
int vcpu_sve_get(const struct tern_vcpu *v, const struct vcpu_place *p, void *to);
/** vcpu_sve_check() - would vcpu_sve_set() be right? Return: 0, -EPERM too early or too late, -EINVAL lengths that cannot be */
int vcpu_sve_check(const struct tern_vcpu *v, const struct vcpu_place *p, const void *from);
/** vcpu_sve_set() - what vcpu_sve_check() has let pass */
void vcpu_sve_set(struct tern_vcpu *v, const struct vcpu_place *p, const void *from);
/** vcpu_sve_same() - are these the lengths that it has? (@p of kind PLACE_SVE_VLS) */
bool vcpu_sve_same(const struct tern_vcpu *v, const void *from);

/* KVM_GET_ONE_REG and KVM_SET_ONE_REG, from and to the client's memory at @addr; take: to the kernel's, checked */
int vcpu_sve_get_one(const struct tern_vcpu *v, const struct vcpu_place *p, u64 addr);
int vcpu_sve_take(const struct tern_vcpu *v, const struct vcpu_place *p, u64 addr, void *to);
int vcpu_sve_set_one(struct tern_vcpu *v, const struct vcpu_place *p, u64 addr);

/* The V registers of a vCPU, two words each, wherever they are: part of the Z registers or of their own */
void vcpu_get_v(const struct tern_vcpu *v, u64 *half);
void vcpu_set_v(struct tern_vcpu *v, const u64 *half);

#endif
