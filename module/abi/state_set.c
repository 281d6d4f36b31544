// SPDX-License-Identifier: GPL-2.0
/*
 * TERN_SET_STATE: an image of vCPUs' and the GIC's state takes effect
 * (uapi/tern.h; tern-state(5) is the format).
 *
 * Everything is looked at before the first register changes; what may fail
 * after that, registers that are the VM's, is undone.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/kvm_arm.h>
#include "../arch/esr.h"
#include "../host/caps.h"
#include "../vcpu/bulk.h"
#include "../vcpu/plan.h"
#include "abi.h"
#include "state.h"

/**
 * struct set - one TERN_SET_STATE
 * @part: [index of vCPU] registers, the GIC's registers, the record; NULL: the image has none
 * @plan, @gic_list: [index of vCPU] what their values are of
 * @made: plans, [vcpu_place_set()] of the list @made_of
 * @gic_made: likewise; a list of the distributor's names is made for it alone
 * @with_its: sections of ITSes are not passed over
 * @failed, @failed_id: what is at fault
 */
struct set {
	struct tern_vm *vm;
	struct image *img;
	DECLARE_BITMAP(which, VM_MAX_VCPUS);
	const struct image_part *regs[VM_MAX_VCPUS];
	const struct image_part *gic[VM_MAX_VCPUS];
	const struct image_part *record[VM_MAX_VCPUS];
	const struct image_part *dist;
	bool has_gic;
	const struct vcpu_plan *plan[VM_MAX_VCPUS];
	const struct gic_list *gic_list[VM_MAX_VCPUS];
	const struct gic_list *dist_list;
	const struct vcpu_plan *made[PLACE_SETS][IMAGE_MAX_LISTS];
	u32 made_of[PLACE_SETS][IMAGE_MAX_LISTS];
	u32 nr_made[PLACE_SETS];
	const struct gic_list *gic_made[2][IMAGE_MAX_LISTS];
	u32 gic_made_of[2][IMAGE_MAX_LISTS];
	u32 nr_gic_made[2];
	bool with_its;
	struct state_its_set its;
	struct vcpu_saved saved;
	struct plan_vm common;
	u32 failed;
	u64 failed_id;
};

static int sort_part(struct set *s, const struct image_part *p)
{
	struct tern_vcpu *v;

	switch (p->kind) {
	case TERN_SECTION_GIC_DIST:
		s->dist = p;
		s->has_gic = true;
		return 0;
	case TERN_SECTION_ITS:
		s->has_gic |= s->with_its;
		return s->with_its ? state_its_sort(&s->its, s->vm, p) : 0;
	case TERN_SECTION_VCPU:
	case TERN_SECTION_GIC_CPU:
	case TERN_SECTION_RECORD:
		break;
	default:
		return 0;
	}
	v = vm_vcpu_by_id(s->vm, p->index);
	if (!v)
		return -ENOENT;
	__set_bit(v->index, s->which);
	if (p->kind == TERN_SECTION_VCPU) {
		s->regs[v->index] = p;
	} else if (p->kind == TERN_SECTION_RECORD) {
		s->record[v->index] = p;
	} else {
		s->gic[v->index] = p;
		s->has_gic = true;
	}
	return 0;
}

static int sort_parts(struct set *s)
{
	u32 i;
	int err;

	for (i = 0; i < s->img->nr; i++) {
		err = sort_part(s, &s->img->part[i]);
		if (err) {
			s->failed = i;
			return err;
		}
	}
	return 0;
}

static u32 list_of(const struct image_part *p)
{
	return le32_to_cpu(*(const __le32 *)p->data);
}

static const __le64 *vcpu_values(const struct image_part *p)
{
	return p->data + sizeof(struct tern_vcpu_values);
}

static const __le64 *gic_values(const struct image_part *p)
{
	return p->data + sizeof(struct tern_values);
}

/* Most images have tern's own list. */
static const struct vcpu_plan *make_plan(struct set *s, struct tern_vcpu *v, u32 list)
{
	const struct image_part *p = image_find(s->img, TERN_SECTION_REG_LIST, list);

	if (plan_is_for(plan_own(v), p->data, p->names))
		return plan_own(v);
	return plan_make(v, p->data, p->names, &s->failed_id);
}

static const struct vcpu_plan *plan_for(struct set *s, struct tern_vcpu *v, u32 list)
{
	u32 set = vcpu_place_set(v), i;
	const struct vcpu_plan *plan;

	for (i = 0; i < s->nr_made[set]; i++)
		if (s->made_of[set][i] == list)
			return s->made[set][i];
	plan = make_plan(s, v, list);
	if (!IS_ERR(plan)) {
		s->made[set][i] = plan;
		s->made_of[set][i] = list;
		s->nr_made[set]++;
	}
	return plan;
}

static const struct gic_list *gic_list_for(struct set *s, bool dist, u32 list)
{
	const struct image_part *p;
	const struct gic_list *l;
	u32 i;

	for (i = 0; i < s->nr_gic_made[dist]; i++)
		if (s->gic_made_of[dist][i] == list)
			return s->gic_made[dist][i];
	p = image_find(s->img, TERN_SECTION_GIC_LIST, list);
	l = gic_list_make(s->vm, dist, p->data, p->names, &s->failed_id);
	if (!IS_ERR(l)) {
		s->gic_made[dist][i] = l;
		s->gic_made_of[dist][i] = list;
		s->nr_gic_made[dist]++;
	}
	return l;
}

static int check_fields(const struct tern_vcpu_values *f)
{
	u32 mp = le32_to_cpu(f->mp_state);

	if (mp != KVM_MP_STATE_RUNNABLE && mp != KVM_MP_STATE_STOPPED && mp != KVM_MP_STATE_SUSPENDED)
		return -EINVAL;
	if (f->serror_pending && f->serror_has_esr &&
	    (!host_caps.ras || le64_to_cpu(f->serror_esr) & ~ESR_ISS_MASK))
		return -EINVAL;
	return 0;
}

static int check_vcpu(struct set *s, struct tern_vcpu *v, const struct image_part *p)
{
	const struct vcpu_plan *plan;
	int err = check_fields(p->data);

	if (err)
		return err;
	plan = plan_for(s, v, list_of(p));
	if (IS_ERR(plan))
		return PTR_ERR(plan);
	s->plan[v->index] = plan;
	return plan_check(v, plan, vcpu_values(p), &s->failed_id);
}

static int check_gic(struct set *s, struct vgic_cpu *c, const struct image_part *p)
{
	const struct gic_list *l = gic_list_for(s, !c, list_of(p));

	if (IS_ERR(l))
		return PTR_ERR(l);
	if (c)
		s->gic_list[c->index] = l;
	else
		s->dist_list = l;
	return gic_check(s->vm, c, l, gic_values(p), &s->failed_id);
}

static u64 record_of(const struct image_part *p)
{
	return le64_to_cpu(*(const __le64 *)p->data);
}

/* Whatever is wrong with @p is told as that. */
static int at_fault(struct set *s, const struct image_part *p, int err)
{
	if (err)
		s->failed = p - s->img->part;
	else
		s->failed_id = 0;
	return err;
}

static int check_its(struct set *s)
{
	const struct image_part *bad;
	int err = state_its_check(&s->its, &bad, &s->failed_id);

	return err ? at_fault(s, bad, err) : 0;
}

static int check_all(struct set *s)
{
	struct tern_vcpu *v;
	u32 i;
	int err = 0;

	for_each_set_bit(i, s->which, VM_MAX_VCPUS) {
		v = s->vm->vcpu[i];
		err = state_ready_vcpu(v);
		if (!err && s->regs[i])
			err = at_fault(s, s->regs[i], check_vcpu(s, v, s->regs[i]));
		if (!err && s->gic[i])
			err = at_fault(s, s->gic[i], check_gic(s, &v->vgic, s->gic[i]));
		if (!err && s->record[i])
			err = at_fault(s, s->record[i], vcpu_record_check(v, record_of(s->record[i])));
		if (err)
			return err;
	}
	if (s->dist)
		err = at_fault(s, s->dist, check_gic(s, NULL, s->dist));
	return err ?: check_its(s);
}

static int set_its(struct set *s)
{
	const struct image_part *bad;
	int err = state_its_set(&s->its, &bad);

	return err ? at_fault(s, bad, err) : 0;
}

/* Registers of the VM, which may depend on each other or on the moment: set, and undone if one is refused. */
static int set_vm(struct set *s)
{
	u32 i, first = find_first_bit(s->which, VM_MAX_VCPUS);
	struct tern_vcpu *v;
	int err;

	if (first < VM_MAX_VCPUS)
		vcpu_save(s->vm->vcpu[first], &s->saved);
	for_each_set_bit(i, s->which, VM_MAX_VCPUS) {
		if (!s->regs[i])
			continue;
		v = s->vm->vcpu[i];
		err = plan_set_vm(v, s->plan[i], vcpu_values(s->regs[i]), &s->common, &s->failed_id);
		if (at_fault(s, s->regs[i], err)) {
			vcpu_restore(s->vm->vcpu[first], &s->saved);
			return err;
		}
	}
	return 0;
}

static void set_fields(struct tern_vcpu *v, const struct tern_vcpu_values *f)
{
	hyp_set_vse(&v->hyp, false);
	if (f->serror_pending)
		vcpu_inject_serror(v, f->serror_has_esr ? le64_to_cpu(f->serror_esr) : ESR_SERROR_IDS);
	if (f->has_ptimer) {
		timer_set_reg(&v->timer, KVM_REG_ARM_PTIMER_CTL, le64_to_cpu(f->ptimer_ctl));
		timer_set_reg(&v->timer, KVM_REG_ARM_PTIMER_CVAL, le64_to_cpu(f->ptimer_cval));
	}
	spin_lock(&v->power_lock);
	WRITE_ONCE(v->mp_state, le32_to_cpu(f->mp_state));
	spin_unlock(&v->power_lock);
	kick_request(&v->kick, VCPU_REQ_PAUSE);
}

/* Return: its MPIDR is another now */
static bool set_vcpu(struct set *s, struct tern_vcpu *v, const struct image_part *p)
{
	u64 mpidr = v->hyp.reg[REG_MPIDR_EL1];

	plan_set(v, s->plan[v->index], vcpu_values(p));
	set_fields(v, p->data);
	return v->hyp.reg[REG_MPIDR_EL1] != mpidr;
}

/*
 * Registers that come from elsewhere come without a TLB, and what was flushed
 * there may be here. Two vCPUs may have exchanged their records.
 */
static void set_records(struct set *s)
{
	u32 i;

	for_each_set_bit(i, s->which, VM_MAX_VCPUS) {
		if (!s->regs[i] && !s->record[i])
			continue;
		vcpu_record_drop(s->vm->vcpu[i]);
		vcpu_flush_due(s->vm->vcpu[i]);
	}
	/* A page that is gone by now is the guest's loss alone: the vCPU looks as if it ran. */
	for_each_set_bit(i, s->which, VM_MAX_VCPUS)
		if (s->record[i])
			(void)vcpu_record_set(s->vm->vcpu[i], record_of(s->record[i]));
}

static void set_gic(struct set *s)
{
	u32 phase, i;

	/* Guest memory says which LPIs pend, and is read when they are enabled. */
	if (s->its.nr)
		for_each_set_bit(i, s->which, VM_MAX_VCPUS)
			if (s->gic[i])
				gic_disable_lpis(&s->vm->vcpu[i]->vgic);
	for (phase = 0; phase < GIC_PHASES; phase++) {
		for_each_set_bit(i, s->which, VM_MAX_VCPUS)
			if (s->gic[i])
				gic_write(s->vm, &s->vm->vcpu[i]->vgic, s->gic_list[i], gic_values(s->gic[i]), phase);
		if (s->dist)
			gic_write(s->vm, NULL, s->dist_list, gic_values(s->dist), phase);
	}
}

static int set_claimed(struct set *s)
{
	bool moved = false;
	u32 i;
	int err = check_all(s);

	if (!err)
		err = set_its(s);
	if (err)
		return err;
	err = set_vm(s);
	if (err) {
		state_its_undo(&s->its);
		return err;
	}
	for_each_set_bit(i, s->which, VM_MAX_VCPUS)
		if (s->regs[i])
			moved |= set_vcpu(s, s->vm->vcpu[i], s->regs[i]);
	set_records(s);
	if (s->common.has_cnt)
		timer_set_reg(&s->vm->vcpu[find_first_bit(s->which, VM_MAX_VCPUS)]->timer,
			      KVM_REG_ARM_TIMER_CNT, s->common.cnt);
	/* Affinities come before the routes that lead to them. */
	if (s->has_gic)
		set_gic(s);
	if (s->has_gic && moved)
		gic_reroute(s->vm);
	state_its_start(&s->its);
	return 0;
}

static int set_locked(struct set *s)
{
	int err;

	if (s->has_gic && (!vgic_initialized(&s->vm->vgic) || !vm_nr_vcpus(s->vm)))
		return -ENODEV;
	err = s->has_gic ? abi_claim_all(s->vm) : abi_claim(s->vm, s->which);
	if (err)
		return err;
	if (s->has_gic)
		mutex_lock(&s->vm->lock);
	err = set_claimed(s);
	if (s->has_gic) {
		mutex_unlock(&s->vm->lock);
		abi_unclaim_all(s->vm);
	} else {
		abi_unclaim(s->vm, s->which, VM_MAX_VCPUS);
	}
	return err;
}

static int set_image(struct set *s, struct tern_state *st, const void *data)
{
	int err = image_check(s->img, data, st->size, &s->failed);

	if (!err)
		err = sort_parts(s);
	return err ?: set_locked(s);
}

static void set_free(struct set *s)
{
	u32 i, k;

	for (k = 0; k < PLACE_SETS; k++)
		for (i = 0; i < s->nr_made[k]; i++)
			plan_free(s->made[k][i]);
	for (k = 0; k < 2; k++)
		for (i = 0; i < s->nr_gic_made[k]; i++)
			gic_list_free(s->gic_made[k][i]);
	kvfree(s->img);
	kvfree(s);
}

/* Return: the image, copied once, or an error pointer */
static void *take_image(const struct tern_state *st)
{
	void *data;

	if (st->size > TERN_STATE_MAX_SIZE)
		return ERR_PTR(-E2BIG);
	if (st->size < sizeof(struct tern_image))
		return ERR_PTR(-EBADMSG);
	data = kvmalloc(st->size, GFP_KERNEL);
	if (!data)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(data, u64_to_user_ptr(st->addr), st->size))
		return data;
	kvfree(data);
	return ERR_PTR(-EFAULT);
}

static struct set *set_alloc(struct tern_vm *vm)
{
	struct set *s = kvzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	s->vm = vm;
	s->failed = TERN_NO_INDEX;
	s->img = kvmalloc(sizeof(*s->img), GFP_KERNEL);
	if (s->img)
		return s;
	kvfree(s);
	return NULL;
}

int state_set(struct tern_vm *vm, struct tern_state *st)
{
	void *data = take_image(st);
	struct set *s;
	int err = -ENOMEM;

	if (IS_ERR(data))
		return PTR_ERR(data);
	s = set_alloc(vm);
	if (s) {
		s->with_its = st->what & TERN_STATE_ITS;
		err = set_image(s, st, data);
		if (err) {
			st->failed = s->failed;
			st->failed_id = s->failed == TERN_NO_INDEX ? 0 : s->failed_id;
		}
		set_free(s);
	}
	kvfree(data);
	return err;
}
