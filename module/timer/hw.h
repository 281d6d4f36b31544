/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Within module/timer: the timers of the CPU, and what they are used for.
 *
 * Output of a timer (Arm ARM D11.2.4): CTL.ENABLE && !CTL.IMASK && counter >=
 * CVAL, the last being CTL.ISTATUS.
 */
#ifndef TERN_TIMER_HW_H
#define TERN_TIMER_HW_H

#include <linux/percpu.h>
#include <asm/sysreg.h>
#include "timer.h"

#define CTL_ENABLE	1UL
#define CTL_IMASK	2UL
#define CTL_ISTATUS	4UL
#define CTL_WRITABLE	(CTL_ENABLE | CTL_IMASK)
#define CTL_ALL		(CTL_ENABLE | CTL_IMASK | CTL_ISTATUS)

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

DECLARE_PER_CPU(struct timer_host, timer_host);

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

static __always_inline bool hw_level(const struct timer_one *o)
{
	return (hw_ctl(o) & CTL_ALL) == (CTL_ENABLE | CTL_ISTATUS);
}

/** timer_can_fire() - whether it only takes time; unloaded */
static inline bool timer_can_fire(const struct timer_one *o)
{
	return (o->ctl & CTL_WRITABLE) == CTL_ENABLE;
}

/** timer_host_irq() - Linux's number of the PPI */
int timer_host_irq(enum timer_id id);

/** timer_now() - the counter that the timer compares with */
u64 timer_now(const struct timer_one *o);

/** host_set_active() - make the PPI's active state on this CPU what it should be; preemption off */
void host_set_active(enum timer_id id, bool active);

/** timer_level() - the output of a timer; its vCPU does not move to another CPU meanwhile */
bool timer_level(const struct timer_one *o);

/** timer_tell() - the output of a timer is now @level: to the virtual GIC, or its client is told */
void timer_tell(struct timer_one *o, bool level);

#endif
