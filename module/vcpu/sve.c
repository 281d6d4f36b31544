// SPDX-License-Identifier: GPL-2.0
/*
 * Vector lengths and registers of the Scalable Vector Extension
 * (Documentation/virt/kvm/api, KVM_ARM_VCPU_SVE and KVM_REG_ARM64_SVE_VLS).
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/kvm.h>
#include "../host/sve.h"
#include "../hyp/sve.h"
#include "sve.h"

/* KVM_REG_ARM64_SVE_VLS: bit n - 1 of the first word tells of n * 128 bits; the other words are of no length there can be. */
static_assert(KVM_ARM64_SVE_VQ_MIN == 1 && KVM_ARM64_SVE_VQ_MAX == 512 && SVE_MAX_VQ <= 64);

void vcpu_sve_init(struct tern_vcpu *v, bool on)
{
	struct hyp_sve *s = &v->hyp.sve;

	if (s->state)
		memset(s->state, 0, sve_reg_offset(s->vq, SVE_NR));
	else
		s->vq = on ? host_sve.max_vq : 0;
}

int vcpu_sve_finalize(struct tern_vcpu *v)
{
	struct hyp_sve *s = &v->hyp.sve;

	if (!s->vq)
		return -EINVAL;
	if (s->state)
		return -EPERM;
	s->state = kvzalloc(sve_reg_offset(s->vq, SVE_NR), GFP_KERNEL_ACCOUNT);
	return s->state ? 0 : -ENOMEM;
}

void vcpu_sve_free(struct tern_vcpu *v)
{
	kvfree(v->hyp.sve.state);
}

/* Lengths of up to @vq units, of those that the host has */
static void lengths(u32 vq, u64 *words)
{
	memset(words, 0, KVM_ARM64_SVE_VLS_WORDS * sizeof(*words));
	words[0] = host_sve.vqs & GENMASK_ULL(vq - 1, 0);
}

/* A guest's lengths are the host's up to some longest one: no single one can be taken away. */
static int check_lengths(const u64 *words)
{
	u64 had[KVM_ARM64_SVE_VLS_WORDS];
	u32 vq = fls64(words[0]);

	if (!vq || vq > host_sve.max_vq)
		return -EINVAL;
	lengths(vq, had);
	return memcmp(words, had, sizeof(had)) ? -EINVAL : 0;
}

/* @p->fixed: number of the register, as hyp/sve.h counts */
static void *at(const struct tern_vcpu *v, const struct vcpu_place *p, u32 *bytes)
{
	*bytes = sve_reg_bytes(v->hyp.sve.vq, p->fixed);
	return v->hyp.sve.state + sve_reg_offset(v->hyp.sve.vq, p->fixed);
}

int vcpu_sve_get(const struct tern_vcpu *v, const struct vcpu_place *p, void *to)
{
	const void *from;
	u32 bytes;

	if (p->kind == PLACE_SVE_VLS) {
		lengths(v->hyp.sve.vq, to);
		return 0;
	}
	if (!v->hyp.sve.state)
		return -EPERM;
	from = at(v, p, &bytes);
	memcpy(to, from, bytes);
	memset(to + bytes, 0, p->size - bytes);
	return 0;
}

static bool too_early_or_late(const struct tern_vcpu *v, const struct vcpu_place *p)
{
	return !v->hyp.sve.state == (p->kind == PLACE_SVE);
}

int vcpu_sve_check(const struct tern_vcpu *v, const struct vcpu_place *p, const void *from)
{
	if (too_early_or_late(v, p))
		return -EPERM;
	return p->kind == PLACE_SVE_VLS ? check_lengths(from) : 0;
}

void vcpu_sve_set(struct tern_vcpu *v, const struct vcpu_place *p, const void *from)
{
	u32 bytes;
	void *to;

	if (p->kind == PLACE_SVE_VLS) {
		v->hyp.sve.vq = fls64(*(const u64 *)from);
		return;
	}
	to = at(v, p, &bytes);
	memcpy(to, from, bytes);
}

bool vcpu_sve_same(const struct tern_vcpu *v, const void *from)
{
	u64 now[KVM_ARM64_SVE_VLS_WORDS];

	lengths(v->hyp.sve.vq, now);
	return !memcmp(from, now, sizeof(now));
}

int vcpu_sve_get_one(const struct tern_vcpu *v, const struct vcpu_place *p, u64 addr)
{
	u64 val[VCPU_SVE_MAX_BYTES / 8];
	int err = vcpu_sve_get(v, p, val);

	if (err)
		return err;
	return copy_to_user(u64_to_user_ptr(addr), val, p->size) ? -EFAULT : 0;
}

int vcpu_sve_take(const struct tern_vcpu *v, const struct vcpu_place *p, u64 addr, void *to)
{
	if (too_early_or_late(v, p))
		return -EPERM;
	if (copy_from_user(to, u64_to_user_ptr(addr), p->size))
		return -EFAULT;
	return vcpu_sve_check(v, p, to);
}

int vcpu_sve_set_one(struct tern_vcpu *v, const struct vcpu_place *p, u64 addr)
{
	u64 val[VCPU_SVE_MAX_BYTES / 8];
	int err = vcpu_sve_take(v, p, addr, val);

	if (!err)
		vcpu_sve_set(v, p, val);
	return err;
}

#define V_BYTES sizeof(__uint128_t)

void vcpu_get_v(const struct tern_vcpu *v, u64 *half)
{
	u32 n;

	if (!v->hyp.sve.state) {
		memcpy(half, v->hyp.fp.v, sizeof(v->hyp.fp.v));
		return;
	}
	for (n = 0; n < SVE_NR_Z; n++)
		memcpy(&half[2 * n], v->hyp.sve.state + sve_reg_offset(v->hyp.sve.vq, n), V_BYTES);
}

/* A write to Vn clears the rest of Zn (Arm ARM B1.2.2). */
void vcpu_set_v(struct tern_vcpu *v, const u64 *half)
{
	u32 n, vq = v->hyp.sve.vq;
	void *z;

	if (!v->hyp.sve.state) {
		memcpy(v->hyp.fp.v, half, sizeof(v->hyp.fp.v));
		return;
	}
	for (n = 0; n < SVE_NR_Z; n++) {
		z = v->hyp.sve.state + sve_reg_offset(vq, n);
		memcpy(z, &half[2 * n], V_BYTES);
		memset(z + V_BYTES, 0, sve_reg_bytes(vq, n) - V_BYTES);
	}
}
