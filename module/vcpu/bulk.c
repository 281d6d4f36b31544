// SPDX-License-Identifier: GPL-2.0
/*
 * Many registers of a vCPU at once, all or none.
 *
 * What is needed before anything changes is cheap: ids are looked up and
 * values read first. What may still fail, a value that is refused, is undone
 * from a copy of the whole vCPU, a few kilobytes.
 */
#include <linux/delay.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../arch/pstate.h"
#include "bulk.h"
#include "ident.h"
#include "ref.h"
#include "sve.h"
#include "vm.h"

#define PFR0_CRM 4	/* ID_AA64PFR0_EL1 is (3, 0, 0, 4, 0) */

void vcpu_save(struct tern_vcpu *v, struct vcpu_saved *s)
{
	struct tern_vm *vm = v->vm;
	unsigned int i;

	pmu_settle(&v->pmu);
	memcpy(s->x, v->hyp.x, sizeof(s->x));
	s->pc = v->hyp.pc;
	s->pstate = v->hyp.pstate;
	s->sp_el0 = v->hyp.sp_el0;
	s->fp = v->hyp.fp;
	memcpy(s->reg, v->hyp.reg, sizeof(s->reg));
	for (i = 0; i < TIMER_NR; i++) {
		s->timer_ctl[i] = v->timer.one[i].ctl;
		s->timer_cval[i] = v->timer.one[i].cval;
	}
	s->cntvoff = READ_ONCE(vm->timer.cntvoff);
	s->smccc[0] = READ_ONCE(vm->smccc_std_bmap);
	s->smccc[1] = READ_ONCE(vm->smccc_std_hyp_bmap);
	s->smccc[2] = READ_ONCE(vm->smccc_vendor_hyp_bmap);
	s->pfr0 = hyp_id(&v->hyp, PFR0_CRM, 0);
	s->psci_version = READ_ONCE(vm->psci_version);
}

static void restore_vm(struct tern_vcpu *v, const struct vcpu_saved *s)
{
	struct tern_vm *vm = v->vm;
	struct tern_vcpu *other;
	u32 i;

	if (READ_ONCE(vm->timer.cntvoff) != s->cntvoff) {
		mutex_lock(&vm->timer.lock);
		WRITE_ONCE(vm->timer.cntvoff, s->cntvoff);
		mutex_unlock(&vm->timer.lock);
	}
	WRITE_ONCE(vm->smccc_std_bmap, s->smccc[0]);
	WRITE_ONCE(vm->smccc_std_hyp_bmap, s->smccc[1]);
	WRITE_ONCE(vm->smccc_vendor_hyp_bmap, s->smccc[2]);
	if (hyp_id(&v->hyp, PFR0_CRM, 0) != s->pfr0)
		vcpu_ident_set_pfr0(v, s->pfr0);
	if (READ_ONCE(vm->psci_version) == s->psci_version)
		return;
	WRITE_ONCE(vm->psci_version, s->psci_version);
	vm_for_each_vcpu(i, other, vm)
		vcpu_fw->vcpu_init(other);
}

void vcpu_restore(struct tern_vcpu *v, const struct vcpu_saved *s)
{
	unsigned int i;

	memcpy(v->hyp.x, s->x, sizeof(s->x));
	v->hyp.pc = s->pc;
	v->hyp.pstate = s->pstate;
	v->hyp.sp_el0 = s->sp_el0;
	v->hyp.fp = s->fp;
	pmu_settle(&v->pmu);
	memcpy(v->hyp.reg, s->reg, sizeof(s->reg));
	hyp_debug_update(&v->hyp);
	pmu_changed(&v->pmu);
	for (i = 0; i < TIMER_NR; i++) {
		v->timer.one[i].ctl = s->timer_ctl[i];
		v->timer.one[i].cval = s->timer_cval[i];
	}
	restore_vm(v, s);
}

static noinline int get_other(struct tern_vcpu *v, const struct vcpu_place *p, u64 addr)
{
	union vcpu_value val = { .q = 0 };
	int err;

	if (vcpu_place_is_sve(p))
		return vcpu_sve_get_one(v, p, addr);
	err = vcpu_ref_get(v, p, &val);
	return err ?: vcpu_value_out(addr, &val, p->size);
}

/* Most registers are 64 bits at a place, and next most 128. @p: the one before, and then this one */
static __always_inline int get_one(struct tern_vcpu *v, u32 set, const struct kvm_one_reg *reg,
				   const struct vcpu_place **p)
{
	const struct vcpu_place *now = vcpu_place_after(set, *p, reg->id);

	if (unlikely(!now))
		return vcpu_ref_missing(reg->id);
	*p = now;
	if (likely(now->kind <= PLACE_OSLSR))
		return put_user(*(const u64 *)vcpu_place_at(v, now), (u64 __user *)u64_to_user_ptr(reg->addr));
	if (now->kind == PLACE_V)
		return vcpu_vector_out(reg->addr, vcpu_place_at(v, now));
	return get_other(v, now, reg->addr);
}

int vcpu_get_regs(struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n, u32 *failed)
{
	const struct vcpu_place *p = vcpu_places;
	u32 i, set = vcpu_place_set(v);
	int err;

	for (i = 0; i < n; i++) {
		err = get_one(v, set, &reg[i], &p);
		if (unlikely(err)) {
			*failed = i;
			return err;
		}
	}
	return 0;
}

struct item {
	union vcpu_value val;
	const struct vcpu_place *p;
};

/* Values of scalable vectors are kept apart: @wide, room for one each. */
struct wide {
	u8 byte[VCPU_SVE_MAX_BYTES];
};

static noinline int find_wide(struct tern_vcpu *v, const struct kvm_one_reg *reg, struct item *item,
			      struct wide **wide)
{
	item->val.wide = *wide;
	return vcpu_sve_take(v, item->p, reg->addr, (*wide)++);
}

static __always_inline int find_one(struct tern_vcpu *v, u32 set, const struct kvm_one_reg *reg, struct item *item,
				    const struct vcpu_place **p, struct wide **wide)
{
	const struct vcpu_place *now = vcpu_place_after(set, *p, reg->id);

	if (unlikely(!now))
		return vcpu_ref_missing(reg->id);
	*p = now;
	item->p = now;
	if (likely(now->size == sizeof(u64)))
		return get_user(item->val.x, (const u64 __user *)u64_to_user_ptr(reg->addr));
	if (now->kind == PLACE_V)
		return vcpu_vector_in(reg->addr, item->val.half);
	if (unlikely(vcpu_place_is_sve(now)))
		return find_wide(v, reg, item, wide);
	return vcpu_value_in(reg->addr, &item->val, now->size);
}

static int find_all(struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n, struct item *item,
		    struct wide *wide, u32 *failed)
{
	const struct vcpu_place *p = vcpu_places;
	u32 i, set = vcpu_place_set(v);
	int err;

	for (i = 0; i < n; i++) {
		err = find_one(v, set, &reg[i], &item[i], &p, &wide);
		if (unlikely(err)) {
			*failed = i;
			return err;
		}
	}
	return 0;
}

/* vcpu_ref_set() but for what is done once, after all: @debug is set when hyp_debug_update() is due. */
static __always_inline int set_one(struct tern_vcpu *v, const struct item *item, bool *debug)
{
	u64 *at = vcpu_place_at(v, item->p);

	switch (item->p->kind) {
	case PLACE_ID:
		return item->val.x == *at ? 0 : -EINVAL;
	case PLACE_DEBUG:
		*debug = true;
		fallthrough;
	case PLACE_U64:
	case PLACE_AUTH:
	case PLACE_ZCR:
		*at = item->val.x;
		return 0;
	case PLACE_X:
		*at = item->val.x;
		if (unlikely(v->hyp.pstate & SPSR_M32))
			vcpu_narrow32(v);
		return 0;
	case PLACE_V:
		*(__uint128_t *)at = item->val.q;
		return 0;
	case PLACE_SVE:
	case PLACE_SVE_VLS:
		return 0;	/* set_wide() */
	default:
		return vcpu_ref_set(v, item->p, &item->val);
	}
}

/* Checked before, these cannot fail, and so come last: there is nothing to undo. */
static void set_wide(struct tern_vcpu *v, const struct item *item, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (vcpu_place_is_sve(item[i].p))
			vcpu_sve_set(v, item[i].p, item[i].val.wide);
}

static int set_all(struct tern_vcpu *v, const struct item *item, u32 n, struct vcpu_saved *saved, u32 *failed)
{
	bool debug = false;
	u32 i;
	int err;

	vcpu_save(v, saved);
	for (i = 0; i < n; i++) {
		err = set_one(v, &item[i], &debug);
		if (unlikely(err)) {
			vcpu_restore(v, saved);
			*failed = i;
			return err;
		}
	}
	if (debug)
		hyp_debug_update(&v->hyp);
	return 0;
}

/* Room for the values that are longer than others, of a vCPU that can have such; with none, no room but no failure */
static struct wide *wide_alloc(const struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n)
{
	u32 i, wide = 0;

	if (likely(!v->hyp.sve.vq))
		return NULL;
	for (i = 0; i < n; i++)
		wide += KVM_REG_SIZE(reg[i].id) > sizeof(__uint128_t);
	return wide ? kvmalloc_array(wide, sizeof(struct wide), GFP_KERNEL) : ZERO_SIZE_PTR;
}

int vcpu_set_regs(struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n, u32 *failed)
{
	struct vcpu_saved *saved = kmalloc(sizeof(*saved), GFP_KERNEL);
	struct item *item = kvmalloc_array(n, sizeof(*item), GFP_KERNEL);
	struct wide *wide = wide_alloc(v, reg, n);
	int err = -ENOMEM;

	if (saved && item && (wide || !v->hyp.sve.vq)) {
		err = find_all(v, reg, n, item, wide, failed);
		if (!err)
			err = set_all(v, item, n, saved, failed);
		if (!err && v->hyp.sve.vq)
			set_wide(v, item, n);
	}
	kvfree(wide);
	kvfree(item);
	kfree(saved);
	return err;
}

/* A thread in KVM_RUN is loaded or sleeps, but for moments that end by themselves. */
static bool in_run(struct tern_vcpu *v)
{
	return !READ_ONCE(v->paused) && (READ_ONCE(v->loaded) || READ_ONCE(v->hyp.running) || rcuwait_active(&v->kick.wait));
}

int vcpu_claim(struct tern_vcpu *v)
{
	while (!vcpu_trylock(&v->lock)) {
		if (in_run(v))
			return -EBUSY;
		if (signal_pending(current))
			return -EINTR;
		usleep_range(20, 100);
	}
	vcpu_evict(v);
	return 0;
}
