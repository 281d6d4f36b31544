// SPDX-License-Identifier: GPL-2.0
/*
 * The host's side of the timers: their PPIs and the CPUs. See timer.h and hw.h.
 */
#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include "../host/caps.h"
#include "../host/compat.h"
#include "../host/irq.h"
#include "hw.h"

/* CNTHCTL_EL2 with HCR_EL2.E2H=1: EL1 may use the physical counter and timer */
#define CNTHCTL_VHE_EL1PCTEN	BIT(10)
#define CNTHCTL_VHE_EL1PTEN		BIT(11)

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
