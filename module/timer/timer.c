// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual generic timers. See timer.h.
 */
#include <linux/math64.h>
#include <linux/uaccess.h>
#include <asm/arch_timer.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "hw.h"

/* The hrtimer looks again at least this often, so that no sum overflows */
#define BG_MAX_SECONDS	3600

/* What the virtual GIC asks of the device behind a mapped interrupt */
static bool timer_hw_level(void *opaque)
{
	return timer_level(opaque);
}

static void timer_hw_set_active(void *opaque, bool active)
{
	struct timer_one *o = opaque;
	unsigned long flags;

	if (!o->cpu->loaded)
		return;
	local_irq_save(flags);	/* the handler changes the same words */
	if (active)
		o->cpu->up |= BIT(o->id);
	host_set_active(o->id, active);
	local_irq_restore(flags);
}

static const struct vgic_hw_ops timer_hw_ops = {
	.level = timer_hw_level,
	.set_active = timer_hw_set_active,
};

/* This interrupt's bit in a word of the virtual GIC's bank 0 */
static bool virt_word(const struct timer_one *o, const atomic_t *word)
{
	return atomic_read(word) & BIT(o->intid);
}

static bool timer_virt_active(const struct timer_one *o)
{
	return o->cpu->gic && vgic_hw_active(o->cpu->vgic, o->intid);
}

/* The line is up, or was, or the guest has the interrupt active: virtual GIC and PPI must agree with it. */
static noinline void timer_load_up(struct timer_one *o)
{
	bool level = timer_level(o);
	bool was_up = o->cpu->up & BIT(o->id);

	if (level || was_up)
		timer_tell(o, level);
	if (level || timer_virt_active(o)) {
		o->cpu->up |= BIT(o->id);
		host_set_active(o->id, true);
	} else {
		o->cpu->up &= ~BIT(o->id);
		host_set_active(o->id, false);
	}
}

static __always_inline void timer_load_one(struct timer_one *o, const struct timer_host *host)
{
	if (unlikely(o->cpu->up & BIT(o->id) || host->active[o->id] || timer_virt_active(o) ||
		     (timer_can_fire(o) && timer_now(o) >= o->cval)))
		timer_load_up(o);
	hw_set_cval(o, o->cval);
	isb();	/* ENABLE must not meet the previous owner's CVAL */
	hw_set_ctl(o, o->ctl & CTL_WRITABLE);
}

void timer_load(struct timer_cpu *t)
{
	u64 off = READ_ONCE(t->vm->cntvoff);
	struct timer_host *host;

	if (!t->ready)
		return;
	t->hyp->cntvoff = off;
	write_sysreg(off, cntvoff_el2);	/* the host, with HCR_EL2.TGE set, does not see it */

	/* The handler must see either no vCPU here or a complete one. */
	lockdep_assert_irqs_disabled();
	host = this_cpu_ptr(&timer_host);
	timer_load_one(&t->one[TIMER_VIRT], host);
	timer_load_one(&t->one[TIMER_PHYS], host);
	t->loaded = true;
	host->cpu = t;
}

static __always_inline void timer_unload_one(struct timer_one *o)
{
	o->ctl = hw_ctl(o);
	o->cval = hw_cval(o);
	if (o->ctl & CTL_ENABLE) {
		hw_set_ctl(o, 0);
		isb();	/* the line is down before anybody else is loaded here */
	}
	o->ctl &= CTL_WRITABLE;
}

void timer_unload(struct timer_cpu *t)
{
	lockdep_assert_irqs_disabled();
	if (!t->loaded)
		return;
	timer_unload_one(&t->one[TIMER_VIRT]);
	timer_unload_one(&t->one[TIMER_PHYS]);
	t->loaded = false;
	this_cpu_ptr(&timer_host)->cpu = NULL;
}

/*
 * The guest ran with a line up or with the PPI active. With the line still up
 * everything stays as it is: should the guest have deactivated the PPI, the
 * GIC has made it pending again and the host's handler is about to run.
 */
static void timer_sync_one(struct timer_one *o)
{
	const struct vgic_bank *own = &o->cpu->vgic->own;
	bool busy;

	if (timer_level(o))
		return;
	if (!o->cpu->gic) {
		host_set_active(o->id, false);
		o->cpu->up &= ~BIT(o->id);
		return;
	}

	/*
	 * The virtual GIC takes the line when it fills a list register, and
	 * asks for it again when the interrupt returns unacknowledged. If it
	 * still believes the line is up, the interrupt was in no list register
	 * and no guest can have deactivated the PPI. One made pending by hand
	 * (latch) keeps the PPI active until it has been in a list register.
	 */
	busy = virt_word(o, &own->active) || virt_word(o, &own->latch);
	if (virt_word(o, &own->line)) {
		timer_tell(o, false);
		if (!busy)
			host_set_active(o->id, false);
	}
	if (!busy) {
		this_cpu_ptr(&timer_host)->active[o->id] = false;
		o->cpu->up &= ~BIT(o->id);
	}
}

void timer_sync_up(struct timer_cpu *t)
{
	if (t->up & BIT(TIMER_VIRT))
		timer_sync_one(&t->one[TIMER_VIRT]);
	if (t->up & BIT(TIMER_PHYS))
		timer_sync_one(&t->one[TIMER_PHYS]);
}

bool timer_any_expired(struct timer_cpu *t)
{
	bool pending;

	preempt_disable();
	pending = timer_level(&t->one[TIMER_VIRT]) || timer_level(&t->one[TIMER_PHYS]);
	preempt_enable();
	return pending;
}

u64 timer_user_levels(struct timer_cpu *t)
{
	u64 levels = 0;

	if (t->gic || !t->ready)
		return 0;
	preempt_disable();
	if (timer_level(&t->one[TIMER_VIRT]))
		levels |= KVM_ARM_DEV_EL1_VTIMER;
	if (timer_level(&t->one[TIMER_PHYS]))
		levels |= KVM_ARM_DEV_EL1_PTIMER;
	preempt_enable();
	return levels;
}

/* Sleeping */

static u64 ticks_to_ns(u64 ticks)
{
	u64 rest;
	u64 seconds = div64_u64_rem(ticks, host_caps.cntfrq, &rest);

	if (seconds >= BG_MAX_SECONDS)
		return BG_MAX_SECONDS * NSEC_PER_SEC;
	return seconds * NSEC_PER_SEC + div_u64(rest * NSEC_PER_SEC, host_caps.cntfrq) + 1;
}

bool timer_wfit_over(const struct timer_cpu *t)
{
	return t->wfit_on && timer_now(&t->one[TIMER_VIRT]) >= t->wfit;
}

/*
 * Raise what has expired; how long until the next event?
 * Return: nanoseconds, or 0 when nothing is to come.
 */
static u64 timer_expire(struct timer_cpu *t)
{
	u64 next = U64_MAX;
	enum timer_id id;

	for (id = 0; id < TIMER_NR; id++) {
		struct timer_one *o = &t->one[id];
		u64 now = timer_now(o);

		if (!timer_can_fire(o))
			continue;
		if (now < o->cval) {
			next = min(next, o->cval - now);
			continue;
		}
		t->up |= BIT(id);
		timer_tell(o, true);
	}
	if (t->wfit_on) {
		u64 now = timer_now(&t->one[TIMER_VIRT]);

		if (now < t->wfit)
			next = min(next, t->wfit - now);
		else
			kick_post(t->kick);
	}
	return next == U64_MAX ? 0 : ticks_to_ns(next);
}

static enum hrtimer_restart timer_bg_expired(struct hrtimer *bg)
{
	struct timer_cpu *t = container_of(bg, struct timer_cpu, bg);
	u64 ns = timer_expire(t);

	if (!ns)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(bg, ns_to_ktime(ns));
	return HRTIMER_RESTART;
}

static void timer_sleep(struct timer_cpu *t)
{
	u64 ns;

	if (!t->wfit_on && (!t->ready || (!timer_can_fire(&t->one[TIMER_VIRT]) &&
					  !timer_can_fire(&t->one[TIMER_PHYS]))))
		return;
	ns = timer_expire(t);
	t->bg_used = ns;
	if (ns)
		hrtimer_start(&t->bg, ns_to_ktime(ns), HRTIMER_MODE_REL_HARD);
}

void timer_block(struct timer_cpu *t)
{
	t->wfit_on = false;
	timer_sleep(t);
}

void timer_block_until(struct timer_cpu *t, u64 cntvct)
{
	t->wfit = cntvct;
	t->wfit_on = true;
	timer_sleep(t);
}

void timer_unblock(struct timer_cpu *t)
{
	if (t->bg_used)
		hrtimer_cancel(&t->bg);
	t->bg_used = false;
	t->wfit_on = false;
}

/* Life of a vCPU's timers */

void timer_vm_init(struct timer_vm *tv)
{
	mutex_init(&tv->lock);
	tv->intid[TIMER_VIRT] = TIMER_VIRT_INTID;
	tv->intid[TIMER_PHYS] = TIMER_PHYS_INTID;
	tv->fixed = false;
	tv->cntvoff = timer_counter();
}

void timer_cpu_init(struct timer_cpu *t, struct timer_vm *tv, struct vgic_cpu *vgic,
		    struct hyp_vcpu *h, struct kick *k)
{
	enum timer_id id;

	memset(t, 0, sizeof(*t));
	t->vm = tv;
	t->vgic = vgic;
	t->hyp = h;
	t->kick = k;
	for (id = 0; id < TIMER_NR; id++) {
		t->one[id].cpu = t;
		t->one[id].id = id;
	}
	hrtimer_init(&t->bg, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	t->bg.function = timer_bg_expired;

	/* As built-in KVM: time starts with the last new vCPU, but never again once the guest runs. */
	mutex_lock(&tv->lock);
	if (!tv->fixed)
		WRITE_ONCE(tv->cntvoff, timer_counter());
	mutex_unlock(&tv->lock);
	h->cntvoff = READ_ONCE(tv->cntvoff);
}

void timer_cpu_fini(struct timer_cpu *t)
{
	hrtimer_cancel(&t->bg);
	if (!t->ready || !t->gic)
		return;
	vgic_unmap_hw(t->vgic, t->one[TIMER_VIRT].intid);
	vgic_unmap_hw(t->vgic, t->one[TIMER_PHYS].intid);
}

static void timer_reset_one(struct timer_one *o)
{
	o->ctl = 0;
	if (o->cpu->loaded) {
		hw_set_ctl(o, 0);
		isb();
	}
	if (!o->cpu->ready)
		return;
	timer_tell(o, false);
	if (o->cpu->loaded && !timer_virt_active(o)) {
		host_set_active(o->id, false);
		o->cpu->up &= ~BIT(o->id);
	}
}

void timer_cpu_reset(struct timer_cpu *t)
{
	unsigned long flags;

	local_irq_save(flags);
	timer_reset_one(&t->one[TIMER_VIRT]);
	timer_reset_one(&t->one[TIMER_PHYS]);
	local_irq_restore(flags);
}

static int timer_connect(struct timer_cpu *t)
{
	u32 v = t->one[TIMER_VIRT].intid, p = t->one[TIMER_PHYS].intid;
	int err;

	if (v == p || vgic_own(t->vgic, v) || vgic_own(t->vgic, p))
		return -EINVAL;
	err = vgic_map_hw(t->vgic, v, host_caps.vtimer_ppi, &timer_hw_ops, &t->one[TIMER_VIRT]);
	if (err)
		return err;
	err = vgic_map_hw(t->vgic, p, host_caps.ptimer_ppi, &timer_hw_ops, &t->one[TIMER_PHYS]);
	if (err)
		vgic_unmap_hw(t->vgic, v);
	return err;
}

int timer_enable(struct timer_cpu *t, bool has_gic)
{
	int err = 0;

	if (t->ready)
		return 0;
	mutex_lock(&t->vm->lock);
	t->one[TIMER_VIRT].intid = t->vm->intid[TIMER_VIRT];
	t->one[TIMER_PHYS].intid = t->vm->intid[TIMER_PHYS];
	if (has_gic)
		err = timer_connect(t);
	if (!err) {
		t->vm->fixed = true;
		t->gic = has_gic;
		t->ready = true;
	}
	mutex_unlock(&t->vm->lock);
	return err;
}
