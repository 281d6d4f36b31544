// SPDX-License-Identifier: GPL-2.0
/*
 * TERN_GET_STATE and TERN_SET_STATE: the state of vCPUs and of the GIC as one
 * image (uapi/tern.h; tern-state(5) is the format).
 *
 * Both work on vCPUs that they have claimed, so different vCPUs' states are
 * copied in parallel. The GIC's part has vm->lock in addition. SET looks at
 * everything before it changes the first register; what may fail after that,
 * registers that are the VM's, is undone.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/kvm_arm.h>
#include "../../uapi/tern.h"
#include "../arch/esr.h"
#include "../host/caps.h"
#include "../vcpu/bulk.h"
#include "../vcpu/image.h"
#include "../vcpu/plan.h"
#include "../vcpu/ref.h"
#include "abi.h"
#include "state.h"

/* GET */

/**
 * struct get - one TERN_GET_STATE
 * @which: vCPUs named, by index
 * @plan: [1] of vCPUs with pointer authentication, [0] of those without; NULL when there are none
 * @dist, @cpu: names of the GIC's registers
 */
struct get {
	struct tern_vm *vm;
	u32 what;
	u32 nr_vcpus;
	DECLARE_BITMAP(which, VM_MAX_VCPUS);
	const struct vcpu_plan *plan[2];
	__le64 *dist;
	__le64 *cpu;
	u32 nr_dist;
	u32 nr_cpu;
	u64 cnt;
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

/* A reset that CPU_ON owes a vCPU is part of its state. */
static int ready_vcpu(struct tern_vcpu *v)
{
	if (!v->initialized)
		return -ENOEXEC;
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
	return 0;
}

static int list_vcpus(struct get *g)
{
	u32 i;
	int err;

	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		err = ready_vcpu(g->vm->vcpu[i]);
		if (err)
			return err;
		if (g->what & TERN_STATE_VCPUS)
			g->plan[g->vm->vcpu[i]->hyp.ptrauth] = plan_own(g->vm->vcpu[i]);
	}
	return 0;
}

static int list_gic(struct get *g)
{
	u32 i;

	if (g->what & TERN_STATE_GIC_DIST) {
		g->dist = kvmalloc_array(GIC_DIST_NAMES_MAX, sizeof(__le64), GFP_KERNEL);
		if (!g->dist)
			return -ENOMEM;
		g->nr_dist = gic_dist_names(&g->vm->vgic, (u64 *)g->dist);
		for (i = 0; i < g->nr_dist; i++)
			cpu_to_le64s((u64 *)&g->dist[i]);
	}
	if (g->what & TERN_STATE_GIC_CPUS) {
		g->cpu = kvmalloc_array(GIC_CPU_NAMES_MAX, sizeof(__le64), GFP_KERNEL);
		if (!g->cpu)
			return -ENOMEM;
		g->nr_cpu = gic_cpu_names(&g->vm->vgic, (u64 *)g->cpu);
		for (i = 0; i < g->nr_cpu; i++)
			cpu_to_le64s((u64 *)&g->cpu[i]);
	}
	return 0;
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
	u32 i, auth;

	*nr = 0;
	for (auth = 0; auth < 2; auth++) {
		*nr += !!g->plan[auth];
		size += g->plan[auth] ? 8 * g->plan[auth]->nr_ids : 0;
	}
	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		if (g->what & TERN_STATE_VCPUS)
			size += vcpu_length(g->plan[g->vm->vcpu[i]->hyp.ptrauth]);
		if (g->what & TERN_STATE_GIC_CPUS)
			size += values_length(g->nr_cpu);
		*nr += !!(g->what & TERN_STATE_VCPUS) + !!(g->what & TERN_STATE_GIC_CPUS);
	}
	if (g->dist) {
		*nr += 2;
		size += 8 * g->nr_dist + values_length(g->nr_dist);
	}
	if (g->cpu) {
		*nr += 1;
		size += 8 * g->nr_cpu;
	}
	return size + *nr * sizeof(struct tern_section);
}

static void *put_list(void *at, u32 kind, u32 index, const __le64 *names, u32 n)
{
	void *data = image_section(at, kind, index, 8ULL * n);

	memcpy(data, names, 8 * n);
	image_seal(at);
	return data + 8 * n;
}

static void *put_vcpu(const struct get *g, void *at, struct tern_vcpu *v)
{
	const struct vcpu_plan *p = g->plan[v->hyp.ptrauth];
	struct tern_vcpu_values *f = image_section(at, TERN_SECTION_VCPU, v->id, vcpu_length(p));
	const struct timer_one *t = &v->timer.one[TIMER_PHYS];
	bool serror = v->hyp.hcr & HCR_VSE;

	memset(f, 0, sizeof(*f));
	f->list = cpu_to_le32(v->hyp.ptrauth);
	f->mp_state = cpu_to_le32(READ_ONCE(v->mp_state));
	f->serror_pending = serror;
	f->serror_has_esr = host_caps.ras;
	f->serror_esr = cpu_to_le64(serror && host_caps.ras ? v->hyp.vsesr : 0);
	f->has_ptimer = 1;
	f->ptimer_ctl = cpu_to_le64(t->ctl);
	f->ptimer_cval = cpu_to_le64(t->cval);
	plan_get(v, p, (__le64 *)(f + 1), g->cnt);
	image_seal(at);
	return (void *)(f + 1) + 8 * p->words;
}

static void *put_gic(const struct get *g, void *at, struct tern_vcpu *v)
{
	u32 n = v ? g->nr_cpu : g->nr_dist;
	struct tern_values *f = image_section(at, v ? TERN_SECTION_GIC_CPU : TERN_SECTION_GIC_DIST,
					      v ? v->id : 0, values_length(n));

	f->list = cpu_to_le32(v ? LIST_CPU : LIST_DIST);
	f->reserved = 0;
	gic_read(g->vm, v ? &v->vgic : NULL, v ? g->cpu : g->dist, n, (__le64 *)(f + 1));
	image_seal(at);
	return (void *)(f + 1) + 8 * n;
}

static void put_all(const struct get *g, void *at, u32 nr, u64 size)
{
	u32 i, auth;

	at = image_begin(at, nr, size);
	for (auth = 0; auth < 2; auth++)
		if (g->plan[auth])
			at = put_list(at, TERN_SECTION_REG_LIST, auth, g->plan[auth]->id, g->plan[auth]->nr_ids);
	if (g->dist)
		at = put_list(at, TERN_SECTION_GIC_LIST, LIST_DIST, g->dist, g->nr_dist);
	if (g->cpu)
		at = put_list(at, TERN_SECTION_GIC_LIST, LIST_CPU, g->cpu, g->nr_cpu);
	if (g->dist)
		at = put_gic(g, at, NULL);
	for_each_set_bit(i, g->which, VM_MAX_VCPUS) {
		if (g->what & TERN_STATE_VCPUS)
			at = put_vcpu(g, at, g->vm->vcpu[i]);
		if (g->what & TERN_STATE_GIC_CPUS)
			at = put_gic(g, at, g->vm->vcpu[i]);
	}
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
	timer_get_reg(&g->vm->vcpu[find_first_bit(g->which, VM_MAX_VCPUS)]->timer, KVM_REG_ARM_TIMER_CNT, &g->cnt);
	put_all(g, *image, nr, s->size);
	return 0;
}

/* For the GIC every vCPU stands still, whichever are named. */
static int get_locked(struct get *g, struct tern_state *s, void **image)
{
	bool gic = g->what & TERN_STATE_GIC;
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

static void get_free(struct get *g)
{
	kvfree(g->dist);
	kvfree(g->cpu);
	kfree(g);
}

static int get_state(struct tern_vm *vm, struct tern_state *s)
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
	get_free(g);
	return err;
}

/* SET */

/**
 * struct set - one TERN_SET_STATE
 * @part: [index of vCPU] registers, and the GIC's registers; NULL: the image has none
 * @plan: [list section's number among the image's sections][pointer authentication]
 * @failed, @failed_id: what is at fault
 */
struct set {
	struct tern_vm *vm;
	struct image *img;
	DECLARE_BITMAP(which, VM_MAX_VCPUS);
	const struct image_part *regs[VM_MAX_VCPUS];
	const struct image_part *gic[VM_MAX_VCPUS];
	const struct image_part *dist;
	bool has_gic;
	struct vcpu_plan *plan[IMAGE_MAX_LISTS][2];
	u32 plan_list[IMAGE_MAX_LISTS];
	u32 nr_plans;
	struct vcpu_saved saved;
	u64 cnt;
	bool has_cnt;
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
	case TERN_SECTION_VCPU:
	case TERN_SECTION_GIC_CPU:
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

/* Most images have one list, and that is made for the first vCPU. */
static const struct vcpu_plan *plan_for(struct set *s, struct tern_vcpu *v, u32 list)
{
	const struct image_part *p;
	struct vcpu_plan *plan;
	u32 i;

	for (i = 0; i < s->nr_plans && s->plan_list[i] != list; i++)
		;
	if (i < s->nr_plans && s->plan[i][v->hyp.ptrauth])
		return s->plan[i][v->hyp.ptrauth];
	p = image_find(s->img, TERN_SECTION_REG_LIST, list);
	if (plan_is_for(plan_own(v), p->data, p->names))
		return plan_own(v);
	if (i == s->nr_plans) {
		s->plan_list[i] = list;
		s->nr_plans++;
	}
	plan = plan_make(v, p->data, p->names, &s->failed_id);
	if (!IS_ERR(plan))
		s->plan[i][v->hyp.ptrauth] = plan;
	return plan;
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
	return plan_check(v, plan, vcpu_values(p), &s->failed_id);
}

static int check_gic(struct set *s, struct vgic_cpu *c, const struct image_part *p)
{
	const struct image_part *list = image_find(s->img, TERN_SECTION_GIC_LIST, list_of(p));

	return gic_check(s->vm, c, list->data, list->names, gic_values(p), &s->failed_id);
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

static int check_all(struct set *s)
{
	struct tern_vcpu *v;
	u32 i;
	int err = 0;

	for_each_set_bit(i, s->which, VM_MAX_VCPUS) {
		v = s->vm->vcpu[i];
		err = ready_vcpu(v);
		if (!err && s->regs[i])
			err = at_fault(s, s->regs[i], check_vcpu(s, v, s->regs[i]));
		if (!err && s->gic[i])
			err = at_fault(s, s->gic[i], check_gic(s, &v->vgic, s->gic[i]));
		if (err)
			return err;
	}
	return s->dist ? at_fault(s, s->dist, check_gic(s, NULL, s->dist)) : 0;
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
		err = plan_set_vm(v, plan_for(s, v, list_of(s->regs[i])), vcpu_values(s->regs[i]),
				  &s->cnt, &s->has_cnt, &s->failed_id);
		if (at_fault(s, s->regs[i], err)) {
			vcpu_restore(s->vm->vcpu[first], &s->saved);
			return err;
		}
	}
	return 0;
}

static void set_fields(struct tern_vcpu *v, const struct tern_vcpu_values *f)
{
	v->hyp.hcr &= ~HCR_VSE;
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

	plan_set(v, plan_for(s, v, list_of(p)), vcpu_values(p));
	set_fields(v, p->data);
	return v->hyp.reg[REG_MPIDR_EL1] != mpidr;
}

static void write_gic(struct set *s, struct vgic_cpu *c, const struct image_part *p, u32 phase)
{
	const struct image_part *list = image_find(s->img, TERN_SECTION_GIC_LIST, list_of(p));

	gic_write(s->vm, c, list->data, list->names, gic_values(p), phase);
}

static void set_gic(struct set *s)
{
	u32 phase, i;

	for (phase = 0; phase < GIC_PHASES; phase++) {
		for_each_set_bit(i, s->which, VM_MAX_VCPUS)
			if (s->gic[i])
				write_gic(s, &s->vm->vcpu[i]->vgic, s->gic[i], phase);
		if (s->dist)
			write_gic(s, NULL, s->dist, phase);
	}
}

static int set_claimed(struct set *s)
{
	bool moved = false;
	u32 i;
	int err = check_all(s);

	if (!err)
		err = set_vm(s);
	if (err)
		return err;
	for_each_set_bit(i, s->which, VM_MAX_VCPUS)
		if (s->regs[i])
			moved |= set_vcpu(s, s->vm->vcpu[i], s->regs[i]);
	if (s->has_cnt)
		timer_set_reg(&s->vm->vcpu[find_first_bit(s->which, VM_MAX_VCPUS)]->timer,
			      KVM_REG_ARM_TIMER_CNT, s->cnt);
	/* Affinities come before the routes that lead to them. */
	if (s->has_gic)
		set_gic(s);
	if (s->has_gic && moved)
		gic_reroute(s->vm);
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
	u32 i;

	for (i = 0; s && i < s->nr_plans; i++) {
		plan_free(s->plan[i][0]);
		plan_free(s->plan[i][1]);
	}
	if (s)
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

static int set_state(struct tern_vm *vm, struct tern_state *st)
{
	void *data = take_image(st);
	struct set *s;
	int err = -ENOMEM;

	if (IS_ERR(data))
		return PTR_ERR(data);
	s = kvzalloc(sizeof(*s), GFP_KERNEL);
	if (s) {
		s->vm = vm;
		s->failed = TERN_NO_INDEX;
		s->img = kvmalloc(sizeof(*s->img), GFP_KERNEL);
	}
	if (s && s->img)
		err = set_image(s, st, data);
	if (s && err) {
		st->failed = s->failed;
		st->failed_id = s->failed == TERN_NO_INDEX ? 0 : s->failed_id;
	}
	set_free(s);
	kvfree(data);
	return err;
}

/* Both */

static int take_header(struct tern_state *s, struct tern_state __user *arg)
{
	if (copy_from_user(s, arg, sizeof(*s)))
		return -EFAULT;
	s->error = 0;
	s->failed = TERN_NO_INDEX;
	s->failed_id = 0;
	/* After this nothing hinders a result that says "done". */
	if (copy_to_user(arg, s, sizeof(*s)))
		return -EFAULT;
	return s->flags ? -EINVAL : 0;
}

static long give_header(struct tern_state *s, struct tern_state __user *arg, int err)
{
	s->error = err;
	if (copy_to_user(arg, s, sizeof(*s)) && !err)
		return -EFAULT;
	return err;
}

long abi_get_state(struct tern_vm *vm, void __user *arg)
{
	struct tern_state s;
	int err = take_header(&s, arg);

	if (err == -EFAULT)
		return err;
	if (!err && (!s.what || s.what & ~TERN_STATE_VM))
		err = -EINVAL;
	if (!err)
		err = get_state(vm, &s);
	return give_header(&s, arg, err);
}

long abi_set_state(struct tern_vm *vm, void __user *arg)
{
	struct tern_state s;
	int err = take_header(&s, arg);

	if (err == -EFAULT)
		return err;
	if (!err && (s.what || s.first || s.count))
		err = -EINVAL;
	if (!err)
		err = set_state(vm, &s);
	return err ? give_header(&s, arg, err) : 0;
}
