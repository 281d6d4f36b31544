// SPDX-License-Identifier: GPL-2.0
/*
 * ONE_REG: the registers of a vCPU as KVM's clients name them.
 *
 * A register that exists is found in a table (place.h), and most are then one
 * load or store; only what is not in it is decoded, to say why.
 */
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../arch/pstate.h"
#include "../arch/sysreg.h"
#include "../host/caps.h"
#include "../host/compat.h"
#include "ident.h"
#include "ref.h"
#include "regid.h"
#include "sve.h"
#include "vcpu.h"

/* Ids that no register has */

static int core_missing(u64 id)
{
	u64 off = id & ~(KVM_REG_ARCH_MASK | KVM_REG_SIZE_MASK | KVM_REG_ARM_CORE);

	/* KVM's bound: a register that ends with the structure is out, too. */
	return off >= REGID_WORDS || off + KVM_REG_SIZE(id) / 4 >= REGID_WORDS ? -ENOENT : -EINVAL;
}

/*
 * Of scalable vectors, what the vCPU has not got (all, or registers of later
 * slices) does not exist, and the rest is no id at all.
 */
static int sve_missing(u64 id)
{
	if (id == KVM_REG_ARM64_SVE_VLS ||
	    (id >= KVM_REG_ARM64_SVE_ZREG(0, 0) &&
	     id <= KVM_REG_ARM64_SVE_ZREG(KVM_ARM64_SVE_NUM_ZREGS - 1,
					  KVM_ARM64_SVE_MAX_SLICES - 1)) ||
	    (id >= KVM_REG_ARM64_SVE_PREG(0, 0) &&
	     id <= KVM_REG_ARM64_SVE_FFR(KVM_ARM64_SVE_MAX_SLICES - 1)))
		return -ENOENT;
	return -EINVAL;
}

/* Only the low half of an id is ours, but for the size and the architecture. */
static bool id_is_arm64(u64 id)
{
	return (id & ~KVM_REG_SIZE_MASK) >> 32 == KVM_REG_ARM64 >> 32;
}

int vcpu_ref_missing(u64 id)
{
	if (!id_is_arm64(id))
		return -EINVAL;
	switch (id & KVM_REG_ARM_COPROC_MASK) {
	case KVM_REG_ARM_CORE:
		return core_missing(id);
	case KVM_REG_ARM64_SVE:
		return sve_missing(id);
	}
	return -ENOENT;
}

/* Values */

int vcpu_ref_get(struct tern_vcpu *v, const struct vcpu_place *p, union vcpu_value *val)
{
	switch (p->kind) {
	case PLACE_U32:
		val->w = *(const u32 *)vcpu_place_at(v, p);
		return 0;
	case PLACE_V:
		val->q = *(const __uint128_t *)vcpu_place_at(v, p);
		return 0;
	case PLACE_CONST:
		val->x = p->fixed;
		return 0;
	case PLACE_FW:
		return vcpu_fw->get_reg(v, p->id, &val->x);
	case PLACE_TIMER:
		return timer_get_reg(&v->timer, p->id, &val->x);
	case PLACE_PMU_FREE:
		val->x = 0;
		return 0;
	case PLACE_PMU:
		pmu_settle(&v->pmu);
		fallthrough;
	default:
		val->x = *(const u64 *)vcpu_place_at(v, p);
		return 0;
	}
}

/* A vCPU in AArch32 user mode has 32-bit r0 to r14 and PC. */
void vcpu_narrow32(struct tern_vcpu *v)
{
	unsigned int i;

	if (!(v->hyp.pstate & SPSR_M32))
		return;
	for (i = 0; i < 15; i++)
		v->hyp.x[i] = (u32)v->hyp.x[i];
	v->hyp.pc = (u32)v->hyp.pc;
}

static int set_pstate(struct tern_vcpu *v, u64 val)
{
	if (!vcpu_regid_pstate_ok(val, host_caps.el0_32))
		return -EINVAL;
	v->hyp.pstate = val;
	vcpu_narrow32(v);
	return 0;
}

static int set_oslsr(struct tern_vcpu *v, const struct vcpu_place *p, u64 val)
{
	if ((val ^ p->fixed) & ~SYSREG_OSLSR_OSLK)
		return -EINVAL;
	*(u64 *)vcpu_place_at(v, p) = val;
	hyp_debug_update(&v->hyp);
	return 0;
}

/* As built-in KVM: whatever the client says. */
static int set_pmu(struct tern_vcpu *v, const struct vcpu_place *p, u64 val)
{
	pmu_settle(&v->pmu);
	*(u64 *)vcpu_place_at(v, p) = val;
	pmu_changed(&v->pmu);
	return 0;
}

/* Those that are more than a store */
static int set_rare(struct tern_vcpu *v, const struct vcpu_place *p, const union vcpu_value *val)
{
	switch (p->kind) {
	case PLACE_ID:
		return val->x == *(const u64 *)vcpu_place_at(v, p) ? 0 : -EINVAL;
	case PLACE_ID_VM:
		return vcpu_ident_set_pfr0(v, val->x);
	case PLACE_PSTATE:
		return set_pstate(v, val->x);
	case PLACE_OSLSR:
		return set_oslsr(v, p, val->x);
	case PLACE_CONST:
		return (p->size == 4 ? val->w : val->x) == p->fixed ? 0 : -EINVAL;
	case PLACE_FW:
		return vcpu_fw->set_reg(v, p->id, val->x);
	case PLACE_TIMER:
		return timer_set_reg(&v->timer, p->id, val->x);
	case PLACE_PMU:
		return set_pmu(v, p, val->x);
	}
	return 0;	/* PLACE_ID_FREE, PLACE_PMU_FREE */
}

int vcpu_ref_set(struct tern_vcpu *v, const struct vcpu_place *p, const union vcpu_value *val)
{
	switch (p->kind) {
	case PLACE_U64:
	case PLACE_AUTH:
	case PLACE_ZCR:
		*(u64 *)vcpu_place_at(v, p) = val->x;
		return 0;
	case PLACE_X:
		*(u64 *)vcpu_place_at(v, p) = val->x;
		vcpu_narrow32(v);
		return 0;
	case PLACE_V:
		*(__uint128_t *)vcpu_place_at(v, p) = val->q;
		return 0;
	case PLACE_DEBUG:
		*(u64 *)vcpu_place_at(v, p) = val->x;
		hyp_debug_update(&v->hyp);
		return 0;
	case PLACE_U32:
		*(u32 *)vcpu_place_at(v, p) = val->w;
		return 0;
	}
	return set_rare(v, p, val);
}

/* One word at a time: to move so little by copy_to_user() costs several times more. */

int vcpu_value_out(u64 addr, const union vcpu_value *val, unsigned int size)
{
	u64 __user *to = u64_to_user_ptr(addr);

	switch (size) {
	case sizeof(u32):
		return put_user(val->w, (u32 __user *)to);
	case sizeof(u64):
		return put_user(val->x, to);
	default:
		return vcpu_vector_out(addr, val->half);
	}
}

int vcpu_value_in(u64 addr, union vcpu_value *val, unsigned int size)
{
	const u64 __user *from = u64_to_user_ptr(addr);

	val->q = 0;
	switch (size) {
	case sizeof(u32):
		return get_user(val->w, (const u32 __user *)from);
	case sizeof(u64):
		return get_user(val->x, from);
	default:
		return vcpu_vector_in(addr, val->half);
	}
}

/*
 * KVM_GET_ONE_REG and KVM_SET_ONE_REG: what most registers need is all there is
 * on the way.
 */

static noinline int get_other(struct tern_vcpu *v, const struct vcpu_place *p, u64 id, u64 addr)
{
	union vcpu_value val = { .q = 0 };
	int err;

	if (!p || !vcpu_place_visible(v, p))
		return vcpu_ref_missing(id);
	if (p->kind == PLACE_V)
		return vcpu_vector_out(addr, vcpu_place_at(v, p));
	if (vcpu_place_is_sve(p))
		return vcpu_sve_get_one(v, p, addr);
	err = vcpu_ref_get(v, p, &val);
	return err ?: vcpu_value_out(addr, &val, p->size);
}

static noinline int set_other(struct tern_vcpu *v, const struct vcpu_place *p, u64 id, u64 addr)
{
	union vcpu_value val;
	int err;

	if (!p || !vcpu_place_visible(v, p))
		return vcpu_ref_missing(id);
	if (vcpu_place_is_sve(p))
		return vcpu_sve_set_one(v, p, addr);
	err = vcpu_value_in(addr, &val, p->size);
	return err ?: vcpu_ref_set(v, p, &val);
}

/* A reset that PSCI CPU_ON owes this vCPU comes before anybody looks at its registers. */
static noinline void settle(struct tern_vcpu *v)
{
	vcpu_evict(v);
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
}

/* Return: 0, -ENOEXEC, -EFAULT */
static __always_inline int begin(struct tern_vcpu *v, const struct kvm_one_reg __user *arg, u64 *id, u64 *addr)
{
	if (unlikely(!v->initialized))
		return -ENOEXEC;
	static_assert(offsetof(struct kvm_one_reg, id) == 0 && offsetof(struct kvm_one_reg, addr) == sizeof(u64));
	if (unlikely(compat_get_pair(arg, id, addr)))
		return -EFAULT;
	if (unlikely(test_bit(VCPU_REQ_RESET, &v->kick.requests)))
		settle(v);
	return 0;
}

int vcpu_get_one_reg(struct tern_vcpu *v, const struct kvm_one_reg __user *arg)
{
	const struct vcpu_place *p;
	u64 id, addr;
	int err = begin(v, arg, &id, &addr);

	if (unlikely(err))
		return err;
	p = vcpu_place_probe(id);
	if (unlikely(smp_load_acquire(&v->home) >= 0) && (!p || vcpu_place_resident(p)))
		vcpu_evict(v);
	if (likely(p && p->kind <= PLACE_OSLSR))
		return put_user(*(const u64 *)vcpu_place_at(v, p), (u64 __user *)u64_to_user_ptr(addr));
	return get_other(v, p, id, addr);
}

int vcpu_set_one_reg(struct tern_vcpu *v, const struct kvm_one_reg __user *arg)
{
	const struct vcpu_place *p;
	u64 id, addr, val, *at;
	int err = begin(v, arg, &id, &addr);

	if (unlikely(err))
		return err;
	p = vcpu_place_probe(id);
	if (unlikely(smp_load_acquire(&v->home) >= 0))
		vcpu_evict(v);
	if (unlikely(!p || (p->kind != PLACE_U64 && p->kind != PLACE_X && p->kind != PLACE_ID)))
		return set_other(v, p, id, addr);
	if (get_user(val, (const u64 __user *)u64_to_user_ptr(addr)))
		return -EFAULT;
	at = vcpu_place_at(v, p);
	if (unlikely(p->kind == PLACE_ID))
		return val == *at ? 0 : -EINVAL;
	*at = val;
	if (p->kind == PLACE_X && unlikely(v->hyp.pstate & SPSR_M32))
		vcpu_narrow32(v);
	return 0;
}

/* KVM_GET_REG_LIST */

unsigned int vcpu_reg_ids(struct tern_vcpu *v, u64 *ids)
{
	const struct vcpu_place *p;
	unsigned int n = 0;

	for (p = vcpu_places; p < vcpu_places + vcpu_nr_places; p++) {
		if (!vcpu_place_visible(v, p))
			continue;
		if (ids)
			ids[n] = p->id;
		n++;
	}
	return n;
}

static int list_out(struct tern_vcpu *v, u64 __user *to, u64 n)
{
	u64 *ids = kvmalloc_array(n, sizeof(*ids), GFP_KERNEL);
	int ret = 0;

	if (!ids)
		return -ENOMEM;
	vcpu_reg_ids(v, ids);
	if (copy_to_user(to, ids, n * sizeof(*ids)))
		ret = -EFAULT;
	kvfree(ids);
	return ret;
}

int vcpu_reg_list(struct tern_vcpu *v, struct kvm_reg_list __user *list)
{
	u64 room, n;

	if (get_user(room, &list->n))
		return -EFAULT;
	n = vcpu_reg_ids(v, NULL);
	if (put_user(n, &list->n))
		return -EFAULT;
	return room < n ? -E2BIG : list_out(v, list->reg, n);
}
