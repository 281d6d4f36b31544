// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual generic timers. See timer.h.
 *
 * Output of a timer (Arm ARM D11.2.4): CTL.ENABLE && !CTL.IMASK && counter >=
 * CVAL, the last being CTL.ISTATUS.
 */
#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/uaccess.h>
#include <asm/arch_timer.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "../host/compat.h"
#include "../host/irq.h"
#include "timer.h"

#define CTL_ENABLE	1UL
#define CTL_IMASK	2UL
#define CTL_ISTATUS	4UL
#define CTL_WRITABLE	(CTL_ENABLE | CTL_IMASK)
#define CTL_ALL		(CTL_ENABLE | CTL_IMASK | CTL_ISTATUS)

/* CNTHCTL_EL2 with HCR_EL2.E2H=1: EL1 may use the physical counter and timer */
#define CNTHCTL_VHE_EL1PCTEN	BIT(10)
#define CNTHCTL_VHE_EL1PTEN		BIT(11)

/* The hrtimer looks again at least this often, so that no sum overflows */
#define BG_MAX_SECONDS	3600

/**
 * struct timer_host - what one CPU's timer hardware is used for
 * @cpu:    the vCPU loaded here, or NULL
 * @active: the PPI is active in the GIC, as far as we know. Wrongly true heals
 *          itself (the interrupt is taken and served again); wrongly false
 *          would lose interrupts, so it is cleared only on proof.
 */
struct timer_host {
	struct timer_cpu *cpu;
	bool active[TIMER_NR];
};

static DEFINE_PER_CPU(struct timer_host, timer_host);

/**
 * struct timer_direct - timer_take() in force
 * @desc: Linux's, of each PPI
 */
static struct timer_direct {
	bool on;
	struct irq_desc *desc[TIMER_NR];
} timer_direct __ro_after_init = { .on = true };

module_param_named(timer_direct, timer_direct.on, bool, 0444);
MODULE_PARM_DESC(timer_direct, "a guest's timer interrupts are taken without Linux's interrupt code (y)");

static int timer_host_irq(enum timer_id id)
{
	return id == TIMER_VIRT ? host_caps.vtimer_irq : host_caps.ptimer_irq;
}

u64 timer_counter(void)
{
	return arch_timer_read_counter();
}

/* CNTVOFF_EL2 offsets the virtual timer; the physical one has none. */
static u64 timer_offset(const struct timer_one *o)
{
	return o->id == TIMER_VIRT ? READ_ONCE(o->cpu->vm->cntvoff) : 0;
}

static u64 timer_now(const struct timer_one *o)
{
	return timer_counter() - timer_offset(o);
}

static __always_inline u64 hw_ctl(const struct timer_one *o)
{
	if (o->id == TIMER_VIRT)
		return read_sysreg_s(SYS_CNTV_CTL_EL02);
	return read_sysreg_s(SYS_CNTP_CTL_EL02);
}

static __always_inline void hw_set_ctl(const struct timer_one *o, u64 ctl)
{
	if (o->id == TIMER_VIRT)
		write_sysreg_s(ctl, SYS_CNTV_CTL_EL02);
	else
		write_sysreg_s(ctl, SYS_CNTP_CTL_EL02);
}

static __always_inline u64 hw_cval(const struct timer_one *o)
{
	if (o->id == TIMER_VIRT)
		return read_sysreg_s(SYS_CNTV_CVAL_EL02);
	return read_sysreg_s(SYS_CNTP_CVAL_EL02);
}

static __always_inline void hw_set_cval(const struct timer_one *o, u64 cval)
{
	if (o->id == TIMER_VIRT)
		write_sysreg_s(cval, SYS_CNTV_CVAL_EL02);
	else
		write_sysreg_s(cval, SYS_CNTP_CVAL_EL02);
}

static bool timer_can_fire(const struct timer_one *o)
{
	return (o->ctl & CTL_WRITABLE) == CTL_ENABLE;
}

static __always_inline bool hw_level(const struct timer_one *o)
{
	return (hw_ctl(o) & CTL_ALL) == (CTL_ENABLE | CTL_ISTATUS);
}

/* The output of a timer; its vCPU does not move to another CPU meanwhile. */
static bool timer_level(const struct timer_one *o)
{
	if (o->cpu->loaded)
		return hw_level(o);
	return timer_can_fire(o) && timer_now(o) >= o->cval;
}

/* Make the PPI's active state on this CPU what it should be; preemption off. */
static void host_set_active(enum timer_id id, bool active)
{
	struct timer_host *host = this_cpu_ptr(&timer_host);

	if (host->active[id] == active)
		return;
	host->active[id] = active;
	WARN_ON_ONCE(irq_set_irqchip_state(timer_host_irq(id), IRQCHIP_STATE_ACTIVE, active));
}

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

static void timer_tell(struct timer_one *o, bool level)
{
	if (o->cpu->gic)
		vgic_set_ppi(o->cpu->vgic, o->intid, level);
	else if (level)
		kick_post(o->cpu->kick);
}

/* This interrupt's bit in a word of the virtual GIC's bank 0 */
static bool virt_word(const struct timer_one *o, const atomic_t *word)
{
	return atomic_read(word) & BIT(o->intid);
}

static bool timer_virt_active(const struct timer_one *o)
{
	return o->cpu->gic && vgic_hw_active(o->cpu->vgic, o->intid);
}

/*
 * The PPI was acknowledged on this CPU, and nobody but us deactivates it.
 * @level: the line of the vCPU that is loaded here; if it fell before we came,
 * the vCPU is gone, or has turned the timer off
 */
static __always_inline bool timer_acked(struct timer_host *host, enum timer_id id, bool level)
{
	host->active[id] = true;
	if (likely(level))
		host->cpu->up |= BIT(id);
	else
		host_set_active(id, false);
	return level;
}

/*
 * The host's PPI. It is forwarded (irq_set_vcpu_affinity), so the irqchip does
 * not deactivate it when we return: it stays active, and silent, until the
 * guest deactivates it through a list register or timer_sync_up() sees the
 * line down.
 */
static irqreturn_t timer_interrupt(int irq, void *dev)
{
	enum timer_id id = irq == host_caps.vtimer_irq ? TIMER_VIRT : TIMER_PHYS;
	struct timer_host *host = dev;

	if (timer_acked(host, id, host->cpu && timer_level(&host->cpu->one[id])))
		timer_tell(&host->cpu->one[id], true);
	return IRQ_HANDLED;
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

/*
 * Taken as timer_interrupt() would be, but whoever runs the guest needs no
 * telling. Return: true when done, and timer_sync_one() would do nothing
 */
static __always_inline bool timer_take_one(struct timer_cpu *t, enum timer_id id, u32 intid)
{
	struct timer_one *o = &t->one[id];

	if (!host_irq_take(intid, timer_direct.desc[id]) ||
	    !timer_acked(this_cpu_ptr(&timer_host), id, hw_level(o)))
		return false;
	if (likely(t->gic))
		vgic_raise_own(t->vgic, o->intid);
	return true;
}

/*
 * What else is pending goes to Linux now, not after the guest's next exit, of
 * which a guest's timer could be the reason each time.
 */
bool timer_take(struct timer_cpu *t)
{
	u32 intid = timer_direct.on ? host_irq_next() : HOST_IRQ_NONE;
	unsigned long rest = t->up;

	if (likely(intid == host_caps.vtimer_ppi) && timer_take_one(t, TIMER_VIRT, intid))
		rest &= ~BIT(TIMER_VIRT);
	else if (intid == host_caps.ptimer_ppi && timer_take_one(t, TIMER_PHYS, intid))
		rest &= ~BIT(TIMER_PHYS);
	else
		intid = HOST_IRQ_NONE;
	if (rest)
		timer_sync_up(t);
	return intid != HOST_IRQ_NONE && !host_irq_waits();
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

/* The CPUs of the host */

/* Both timers off, and theirs and the physical counter open to guests. No vCPU is loaded here. */
static void timer_cpu_open(void)
{
	write_sysreg_s(0, SYS_CNTV_CTL_EL02);
	write_sysreg_s(0, SYS_CNTP_CTL_EL02);
	write_sysreg(read_sysreg(cnthctl_el2) | CNTHCTL_VHE_EL1PCTEN | CNTHCTL_VHE_EL1PTEN, cnthctl_el2);
	isb();
}

/* A CPU that was powered down in idle has lost its registers. */
static int timer_cpu_pm(struct notifier_block *nb, unsigned long cmd, void *unused)
{
	if ((cmd == CPU_PM_EXIT || cmd == CPU_PM_ENTER_FAILED) && !this_cpu_ptr(&timer_host)->cpu)
		timer_cpu_open();
	return NOTIFY_OK;
}

static struct notifier_block timer_pm = { .notifier_call = timer_cpu_pm };

static int timer_cpu_starting(unsigned int cpu)
{
	enum timer_id id;

	timer_cpu_open();
	for (id = 0; id < TIMER_NR; id++) {
		int irq = timer_host_irq(id);

		/* Unknown until now: whoever booted the machine may have left it active. */
		this_cpu_ptr(&timer_host)->active[id] = true;
		host_set_active(id, false);
		enable_percpu_irq(irq, irq_get_trigger_type(irq));
	}
	return 0;
}

static int timer_cpu_dying(unsigned int cpu)
{
	enum timer_id id;

	for (id = 0; id < TIMER_NR; id++) {
		disable_percpu_irq(timer_host_irq(id));
		host_set_active(id, false);
	}
	write_sysreg(read_sysreg(cnthctl_el2) & ~(CNTHCTL_VHE_EL1PCTEN | CNTHCTL_VHE_EL1PTEN), cnthctl_el2);
	return 0;
}

static int timer_request(enum timer_id id, const char *name)
{
	int irq = timer_host_irq(id);
	int err = request_percpu_irq(irq, timer_interrupt, name, &timer_host);

	if (err) {
		pr_err("%s interrupt %d is taken (%d): is another hypervisor loaded?\n", name, irq, err);
		return err;
	}
	/* Any pointer does: what counts is that the PPI is not deactivated after its handler. */
	err = irq_set_vcpu_affinity(irq, &host_caps);
	if (err) {
		pr_err("%s interrupt %d cannot be forwarded to a guest (%d): a GICv3 is needed\n",
		       name, irq, err);
		free_percpu_irq(irq, &timer_host);
	}
	return err;
}

static void timer_release(enum timer_id id)
{
	irq_set_vcpu_affinity(timer_host_irq(id), NULL);
	free_percpu_irq(timer_host_irq(id), &timer_host);
}

static void timer_direct_init(void)
{
	enum timer_id id;

	timer_direct.on = timer_direct.on && host_irq_may_take();
	for (id = 0; id < TIMER_NR; id++)
		timer_direct.desc[id] = irq_data_to_desc(irq_get_irq_data(timer_host_irq(id)));
}

int timer_init(void)
{
	int err;

	timer_direct_init();
	err = timer_request(TIMER_VIRT, "tern vtimer");
	if (err)
		return err;
	err = timer_request(TIMER_PHYS, "tern ptimer");
	if (err)
		goto free_virt;

	err = cpuhp_setup_state(COMPAT_CPUHP_TIMER, "tern/timer:starting",
				timer_cpu_starting, timer_cpu_dying);
	if (err < 0)
		goto free_phys;
	err = cpu_pm_register_notifier(&timer_pm);
	if (err)
		goto remove_state;
	return 0;

remove_state:
	cpuhp_remove_state(COMPAT_CPUHP_TIMER);
free_phys:
	timer_release(TIMER_PHYS);
free_virt:
	timer_release(TIMER_VIRT);
	return err;
}

void timer_fini(void)
{
	cpu_pm_unregister_notifier(&timer_pm);
	cpuhp_remove_state(COMPAT_CPUHP_TIMER);
	timer_release(TIMER_PHYS);
	timer_release(TIMER_VIRT);
}
