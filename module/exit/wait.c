// SPDX-License-Identifier: GPL-2.0
/*
 * A vCPU that waits: its thread sleeps, and all of it is in memory meanwhile.
 * For what it waits may come at once, so before that it is looked for a while,
 * with the vCPU loaded, if nobody else wants the CPU. How long follows from how
 * long the vCPU's waits are, by the rules and parameters of kvm.ko
 * (Documentation/virt/kvm/halt-polling.rst).
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/rcuwait.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>
#include <linux/sched/signal.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "../host/work.h"
#include "exit.h"

bool exit_wait_for(struct tern_vcpu *v, bool (*over)(struct tern_vcpu *v))
{
	bool slept = false;

	prepare_to_rcuwait(&v->kick.wait);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (over(v) || READ_ONCE(v->kick.requests) || signal_pending(current))
			break;
		schedule();
		slept = true;
	}
	finish_rcuwait(&v->kick.wait);
	return slept;
}

static bool parked_over(struct tern_vcpu *v)
{
	return !READ_ONCE(v->paused) || test_bit(VCPU_REQ_DEAD, &v->kick.requests) || signal_pending(current);
}

/*
 * Requests wait, too: whoever works on the vCPU's state meanwhile shall not
 * find its lock taken. The flag keeps other threads' KVM_RUN away, which the
 * lock does otherwise.
 */
void exit_park(struct tern_vcpu *v)
{
	v->parked = true;
	vcpu_unlock(&v->lock);
	prepare_to_rcuwait(&v->kick.wait);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (parked_over(v))
			break;
		schedule();
	}
	finish_rcuwait(&v->kick.wait);
	vcpu_lock(&v->lock, TASK_UNINTERRUPTIBLE);
	v->parked = false;
}

/* With an in-kernel GIC a timer counts as far as its interrupt does. */
bool exit_wfi_over(struct tern_vcpu *v)
{
	return vcpu_runnable(v) || (!v->vm->vgic.created && timer_any_expired(&v->timer));
}

static bool wfit_over(struct tern_vcpu *v)
{
	return exit_wfi_over(v) || timer_wfit_over(&v->timer);
}

static unsigned int halt_poll_ns = 500000;
module_param(halt_poll_ns, uint, 0644);
MODULE_PARM_DESC(halt_poll_ns, "how long at most a vCPU looks for an interrupt before its thread sleeps (500000)");

static unsigned int halt_poll_ns_grow = 2;
module_param(halt_poll_ns_grow, uint, 0644);
MODULE_PARM_DESC(halt_poll_ns_grow, "factor by which that time grows, 0: never (2)");

static unsigned int halt_poll_ns_grow_start = 10000;
module_param(halt_poll_ns_grow_start, uint, 0644);
MODULE_PARM_DESC(halt_poll_ns_grow_start, "what it grows from (10000)");

static unsigned int halt_poll_ns_shrink;
module_param(halt_poll_ns_shrink, uint, 0644);
MODULE_PARM_DESC(halt_poll_ns_shrink, "divisor by which it shrinks, 0: to nothing (0)");

static u32 poll_most(const struct tern_vcpu *v)
{
	return READ_ONCE(v->vm->has_poll_ns) ? READ_ONCE(v->vm->poll_ns) : READ_ONCE(halt_poll_ns);
}

static bool poll_over(struct tern_vcpu *v)
{
	return exit_wfi_over(v) || READ_ONCE(v->kick.requests) || signal_pending(current);
}

/* Loaded, interrupts on: timers expire and posters post as ever. */
static bool poll(struct tern_vcpu *v, ktime_t begun)
{
	ktime_t end = ktime_add_ns(begun, v->poll_ns), now = begun;
	bool over = false;

	while (single_task_running() && !need_resched() && ktime_before(now, end)) {
		over = poll_over(v);
		if (over)
			break;
		cpu_relax();
		now = ktime_get();
	}
	stat_polled(&v->stat, over, ktime_to_ns(ktime_sub(now, begun)));
	return over;
}

static void poll_grow(struct tern_vcpu *v, u32 most)
{
	u32 grow = READ_ONCE(halt_poll_ns_grow);

	if (grow)
		v->poll_ns = min_t(u64, max_t(u64, (u64)v->poll_ns * grow, READ_ONCE(halt_poll_ns_grow_start)), most);
}

static void poll_shrink(struct tern_vcpu *v)
{
	u32 shrink = READ_ONCE(halt_poll_ns_shrink);

	v->poll_ns = shrink ? v->poll_ns / shrink : 0;
	if (v->poll_ns < READ_ONCE(halt_poll_ns_grow_start))
		v->poll_ns = 0;
}

/* A wait took @ns, or had an end that was none: would a longer look have met it? */
static void poll_learn(struct tern_vcpu *v, u32 most, u64 ns)
{
	if (!exit_wfi_over(v))
		poll_shrink(v);
	else if (ns <= v->poll_ns)
		return;
	else if (ns > most)
		poll_shrink(v);
	else
		poll_grow(v, most);
}

/* Timed by the bare counter (the host's: CNTVOFF_EL2 is not in force): asking Linux would cost more than all else. */
static void sleep(struct tern_vcpu *v, bool (*over)(struct tern_vcpu *v))
{
	u64 begun = read_sysreg(cntvct_el0);

	WRITE_ONCE(v->stat.blocking, 1);
	if (exit_wait_for(v, over))
		stat_slept(&v->stat, mul_u64_u32_div(read_sysreg(cntvct_el0) - begun, NSEC_PER_SEC,
						      host_caps.cntfrq));
	WRITE_ONCE(v->stat.blocking, 0);
}

static void sleep_for_interrupt(struct tern_vcpu *v)
{
	vcpu_put(v);
	timer_block(&v->timer);
	sleep(v, exit_wfi_over);
	timer_unblock(&v->timer);
	vcpu_load(v);
	host_work_put_off(&v->work_later);	/* each wake-up brings some: the next entry need not stumble over it */
}

void exit_wait(struct tern_vcpu *v)
{
	u32 most = poll_most(v);
	ktime_t begun;

	if (exit_wfi_over(v))
		return;
	/* Where others want the CPU there is nothing to gain, nor to learn. */
	if (!most || !single_task_running()) {
		sleep_for_interrupt(v);
		return;
	}
	v->poll_ns = min(v->poll_ns, most);
	begun = ktime_get();
	if (!v->poll_ns || !poll(v, begun))
		sleep_for_interrupt(v);
	poll_learn(v, most, ktime_to_ns(ktime_sub(ktime_get(), begun)));
}

void exit_wait_until(struct tern_vcpu *v, u64 cntvct)
{
	vcpu_put(v);
	timer_block_until(&v->timer, cntvct);
	sleep(v, wfit_over);
	timer_unblock(&v->timer);
	vcpu_load(v);
}
