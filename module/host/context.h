/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Telling Linux when this CPU runs a guest: time accounting, context tracking
 * (nohz_full), lockdep, RCU. Interrupts masked throughout.
 */
#ifndef TERN_HOST_CONTEXT_H
#define TERN_HOST_CONTEXT_H

#include <linux/context_tracking.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/rcutree.h>
#include <linux/vtime.h>

/*
 * context_time_enter() / context_time_exit() - time between them is the guest's
 *
 * Where time is measured. Elsewhere ticks are counted, and one that falls on
 * the guest comes as the interrupt that ends its run (context_tick_begin()).
 */
static __always_inline void context_time_enter(void)
{
	if (vtime_accounting_enabled_this_cpu())
		vtime_guest_enter(current);
}

static __always_inline void context_time_exit(void)
{
	if (vtime_accounting_enabled_this_cpu())
		vtime_guest_exit(current);
}

/** context_tick_begin() / context_tick_end() - a tick between them is the guest's */
static __always_inline void context_tick_begin(void)
{
	if (!vtime_accounting_enabled_this_cpu())
		current->flags |= PF_VCPU;
}

static __always_inline void context_tick_end(void)
{
	if (!vtime_accounting_enabled_this_cpu())
		current->flags &= ~PF_VCPU;
}

/** context_guest_enter() / context_guest_exit() - the CPU is in a guest, where RCU need not watch it */
static __always_inline void context_guest_enter(void)
{
	trace_hardirqs_on_prepare();
	lockdep_hardirqs_on_prepare();
	if (context_tracking_enabled())
		context_tracking_guest_enter();
	lockdep_hardirqs_on(CALLER_ADDR0);
}

static __always_inline void context_guest_exit(void)
{
	lockdep_hardirqs_off(CALLER_ADDR0);
	context_tracking_guest_exit();
	trace_hardirqs_off_finish();
}

/** context_rcu_watches() - code between the two above may use RCU on this kernel (no nohz_full) */
static inline bool context_rcu_watches(void)
{
	return !context_tracking_enabled();
}

/**
 * context_quiescent() - this CPU holds no RCU reference
 *
 * A vCPU that only runs its guest would otherwise look like a kernel loop to
 * RCU. Once for each host interrupt is enough: grace periods ask by interrupt.
 */
static inline void context_quiescent(void)
{
	rcu_note_context_switch(false);
}

#endif
