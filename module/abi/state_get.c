// SPDX-License-Identifier: GPL-2.0
/*
 * TERN_GET_STATE: the state of vCPUs and of the GIC as one image
 * (uapi/tern.h; tern-state(5) is the format).
 *
 * It works on vCPUs that it has claimed, so different vCPUs' states are copied
 * in parallel, with no lock that they share. The GIC's part has vm->lock in
 * addition.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/kvm_arm.h>
#include "../host/caps.h"
#include "../vcpu/plan.h"
#include "abi.h"
#include "state.h"

/**
 * struct get - one TERN_GET_STATE
 * @which: vCPUs named, by index
 * @records: of those, who has one where memory is now
 * @plan: [vcpu_place_set()]; NULL when there are no such vCPUs
 * @dist, @cpu: the GIC's registers; NULL: not asked for
 * @its: ITSes asked for
 */
struct get {
	struct tern_vm *vm;
	u32 what;
	u32 nr_vcpus;
	DECLARE_BITMAP(which, VM_MAX_VCPUS);
	DECLARE_BITMAP(records, VM_MAX_VCPUS);
	const struct vcpu_plan *plan[PLACE_SETS];
	const struct gic_list *dist;
	const struct gic_list *cpu;
	struct state_its its;
	struct plan_vm common;
};

static bool is_named(const struct tern_state *s, u32 id)
{
	return id >= s->first && (!s->count || id - s->first < s->count);
}

static int name_vcpus(struct get *g, const struct tern_state *s)
{
	struct tern_vcpu *v;
	u32 i;

	vm_for_each_vcpu(i, v, g->vm) {
		if (!is_named(s, v->id))
			continue;
		__set_bit(i, g->which);
		g->nr_vcpus++;
	}
	return g->nr_vcpus ? 0 : -EINVAL;
}

/* Slots may change at any time; the image's size may not. */
static void list_record(struct get *g, struct tern_vcpu *v)
{
	if (v->record.ipa != VCPU_NO_RECORD && !vcpu_record_check(v, v->record.ipa))
		__set_bit(v->index, g->records);
}

static int list_vcpus(struct get *g)
{
	struct tern_vcpu *v;
	u32 i;
	int err;

	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		v = g->vm->vcpu[i];
		err = state_ready_vcpu(v);
		if (err)
			return err;
		if (!(g->what & TERN_STATE_VCPUS))
			continue;
		g->plan[vcpu_place_set(v)] = plan_own(v);
		list_record(g, v);
	}
	return 0;
}

static int list_gic(struct get *g)
{
	int err = g->what & TERN_STATE_ITS ? state_its_find(g->vm, &g->its) : 0;

	if (err)
		return err;
	if (g->what & TERN_STATE_GIC_DIST)
		g->dist = gic_list_own(g->vm, true);
	if (g->what & TERN_STATE_GIC_CPUS)
		g->cpu = gic_list_own(g->vm, false);
	return (g->what & TERN_STATE_GIC_DIST && !g->dist) || (g->what & TERN_STATE_GIC_CPUS && !g->cpu) ? -ENOMEM : 0;
}

/* Numbers of the GIC's lists in an image of ours */
#define LIST_DIST 0
#define LIST_CPU 1

static u64 values_length(u32 words)
{
	return sizeof(struct tern_values) + 8ULL * words;
}

static u64 vcpu_length(const struct vcpu_plan *p)
{
	return sizeof(struct tern_vcpu_values) + 8ULL * p->words;
}

static u64 image_size(const struct get *g, u32 *nr)
{
	u64 size = sizeof(struct tern_image);
	u32 i, set;

	*nr = 0;
	for (set = 0; set < PLACE_SETS; set++) {
		*nr += !!g->plan[set];
		size += g->plan[set] ? 8 * g->plan[set]->nr_ids : 0;
	}
	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		if (g->what & TERN_STATE_VCPUS)
			size += vcpu_length(g->plan[vcpu_place_set(g->vm->vcpu[i])]);
		if (test_bit(i, g->records)) {
			size += sizeof(__le64);
			*nr += 1;
		}
		if (g->what & TERN_STATE_GIC_CPUS)
			size += values_length(g->cpu->n);
		*nr += !!(g->what & TERN_STATE_VCPUS) + !!(g->what & TERN_STATE_GIC_CPUS);
	}
	if (g->dist) {
		*nr += 2;
		size += 8 * g->dist->n + values_length(g->dist->n);
	}
	if (g->cpu) {
		*nr += 1;
		size += 8 * g->cpu->n;
	}
	*nr += g->its.nr;
	size += state_its_size(&g->its);
	return size + *nr * sizeof(struct tern_section);
}

static void *put_list(void *at, u32 kind, u32 index, const __le64 *names, u32 n)
{
	void *data = image_section(at, kind, index, 8ULL * n);

	memcpy(data, names, 8 * n);
	image_seal(at);
	return data + 8 * n;
}

static void *put_vcpu(struct get *g, void *at, struct tern_vcpu *v)
{
	const struct vcpu_plan *p = g->plan[vcpu_place_set(v)];
	struct tern_vcpu_values *f = image_section(at, TERN_SECTION_VCPU, v->id, vcpu_length(p));
	const struct timer_one *t = &v->timer.one[TIMER_PHYS];
	bool serror = v->hyp.hcr & HCR_VSE;

	memset(f, 0, sizeof(*f));
	f->list = cpu_to_le32(vcpu_place_set(v));
	f->mp_state = cpu_to_le32(READ_ONCE(v->mp_state));
	f->serror_pending = serror;
	f->serror_has_esr = host_caps.ras;
	f->serror_esr = cpu_to_le64(serror && host_caps.ras ? v->hyp.vsesr : 0);
	f->has_ptimer = 1;
	f->ptimer_ctl = cpu_to_le64(t->ctl);
	f->ptimer_cval = cpu_to_le64(t->cval);
	plan_get(v, p, (__le64 *)(f + 1), &g->common);
	image_seal(at);
	return (void *)(f + 1) + 8 * p->words;
}

static void *put_record(void *at, const struct tern_vcpu *v)
{
	__le64 *ipa = image_section(at, TERN_SECTION_RECORD, v->id, sizeof(*ipa));

	*ipa = cpu_to_le64(v->record.ipa);
	image_may_skip(at);
	image_seal(at);
	return ipa + 1;
}

static void *put_gic(const struct get *g, void *at, struct tern_vcpu *v)
{
	const struct gic_list *l = v ? g->cpu : g->dist;
	struct tern_values *f = image_section(at, v ? TERN_SECTION_GIC_CPU : TERN_SECTION_GIC_DIST,
					      v ? v->id : 0, values_length(l->n));

	f->list = cpu_to_le32(v ? LIST_CPU : LIST_DIST);
	f->reserved = 0;
	gic_read(g->vm, v ? &v->vgic : NULL, l, (__le64 *)(f + 1));
	image_seal(at);
	return (void *)(f + 1) + 8 * l->n;
}

static void put_all(struct get *g, void *at, u32 nr, u64 size)
{
	u32 i, set;

	at = image_begin(at, nr, size);
	for (set = 0; set < PLACE_SETS; set++)
		if (g->plan[set])
			at = put_list(at, TERN_SECTION_REG_LIST, set, g->plan[set]->id, g->plan[set]->nr_ids);
	if (g->dist)
		at = put_list(at, TERN_SECTION_GIC_LIST, LIST_DIST, g->dist->name, g->dist->n);
	if (g->cpu)
		at = put_list(at, TERN_SECTION_GIC_LIST, LIST_CPU, g->cpu->name, g->cpu->n);
	if (g->dist)
		at = put_gic(g, at, NULL);
	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		if (g->what & TERN_STATE_VCPUS)
			at = put_vcpu(g, at, g->vm->vcpu[i]);
		if (test_bit(i, g->records))
			at = put_record(at, g->vm->vcpu[i]);
		if (g->what & TERN_STATE_GIC_CPUS)
			at = put_gic(g, at, g->vm->vcpu[i]);
	}
	state_its_put(&g->its, at);
}

static int get_claimed(struct get *g, struct tern_state *s, void **image)
{
	u64 room = s->size;
	u32 nr;
	int err = list_vcpus(g);

	if (!err)
		err = list_gic(g);
	if (err)
		return err;
	s->size = image_size(g, &nr);
	if (room < s->size)
		return -E2BIG;
	*image = kvmalloc(s->size, GFP_KERNEL);
	if (!*image)
		return -ENOMEM;
	err = state_its_save(g->vm, &g->its);
	if (err)
		return err;
	timer_get_reg(&g->vm->vcpu[find_first_bit(g->which, VM_MAX_VCPUS)]->timer, KVM_REG_ARM_TIMER_CNT, &g->common.cnt);
	put_all(g, *image, nr, s->size);
	return 0;
}

/* For the GIC every vCPU stands still, whichever are named. */
static int get_locked(struct get *g, struct tern_state *s, void **image)
{
	bool gic = g->what & (TERN_STATE_GIC | TERN_STATE_ITS);
	int err;

	if (gic && !vgic_initialized(&g->vm->vgic))
		return -ENODEV;
	err = gic ? abi_claim_all(g->vm) : abi_claim(g->vm, g->which);
	if (err)
		return err;
	if (gic)
		mutex_lock(&g->vm->lock);
	err = get_claimed(g, s, image);
	if (gic) {
		mutex_unlock(&g->vm->lock);
		abi_unclaim_all(g->vm);
	} else {
		abi_unclaim(g->vm, g->which, VM_MAX_VCPUS);
	}
	return err;
}

int state_get(struct tern_vm *vm, struct tern_state *s)
{
	struct get *g = kzalloc(sizeof(*g), GFP_KERNEL);
	void *image = NULL;
	int err;

	if (!g)
		return -ENOMEM;
	g->vm = vm;
	g->what = s->what;
	err = name_vcpus(g, s);
	if (!err)
		err = get_locked(g, s, &image);
	if (!err && copy_to_user(u64_to_user_ptr(s->addr), image, s->size))
		err = -EFAULT;
	kvfree(image);
	kfree(g);
	return err;
}
