// SPDX-License-Identifier: GPL-2.0
/*
 * A vCPU that waits: its thread sleeps, and all of it is in memory meanwhile.
 */
#include <linux/rcuwait.h>
#include <linux/sched/signal.h>
#include "exit.h"

void exit_wait_for(struct tern_vcpu *v, bool (*over)(struct tern_vcpu *v))
{
	prepare_to_rcuwait(&v->kick.wait);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (over(v) || READ_ONCE(v->kick.requests) || signal_pending(current))
			break;
		schedule();
	}
	finish_rcuwait(&v->kick.wait);
}

static bool parked_over(struct tern_vcpu *v)
{
	return !READ_ONCE(v->paused) || test_bit(VCPU_REQ_DEAD, &v->kick.requests) || signal_pending(current);
}

/*
 * Requests wait, too: whoever works on the vCPU's state meanwhile shall not
 * find its mutex taken. The flag keeps other threads' KVM_RUN away, which the
 * mutex does otherwise.
 */
void exit_park(struct tern_vcpu *v)
{
	v->parked = true;
	mutex_unlock(&v->mutex);
	prepare_to_rcuwait(&v->kick.wait);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (parked_over(v))
			break;
		schedule();
	}
	finish_rcuwait(&v->kick.wait);
	mutex_lock(&v->mutex);
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

void exit_wait(struct tern_vcpu *v)
{
	vcpu_put(v);
	timer_block(&v->timer);
	exit_wait_for(v, exit_wfi_over);
	timer_unblock(&v->timer);
	vcpu_load(v);
}

void exit_wait_until(struct tern_vcpu *v, u64 cntvct)
{
	vcpu_put(v);
	timer_block_until(&v->timer, cntvct);
	exit_wait_for(v, wfit_over);
	timer_unblock(&v->timer);
	vcpu_load(v);
}
