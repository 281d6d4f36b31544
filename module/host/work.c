// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel does this work for its own KVM, and notes a signal in that KVM's
 * vCPU: exit reason and a counter. Here they go to a vCPU that nobody reads.
 * This file alone includes KVM's own structures.
 */
#include <linux/kvm_host.h>
#include <linux/task_work.h>
#include "compat.h"
#include "work.h"

static struct kvm_run sink_run;
static struct kvm_vcpu sink = { .run = &sink_run };

/* Throttling would be in vain if a guest could go on allocating or reading without it. */
static bool throttled(void)
{
#ifdef CONFIG_MEMCG
	if (current->memcg_nr_pages_over_high)
		return true;
#endif
#ifdef CONFIG_BLK_CGROUP
	if (compat_throttled())
		return true;
#endif
	return false;
}

/*
 * Most often "notify" stands for restartable sequences alone: each time the
 * thread was scheduled in. User space learns its CPU from them, so they can
 * wait until it runs. Not so the work of others, who see the flag or interrupt
 * us: it is looked for after the flag was taken, as resume_user_mode_work() does.
 */
bool host_work_put_off(bool *later)
{
	if ((read_thread_flags() & XFER_TO_GUEST_MODE_WORK) != _TIF_NOTIFY_RESUME || throttled())
		return false;
	clear_thread_flag(TIF_NOTIFY_RESUME);
	smp_mb__after_atomic();	/* pairs with task_work_add() */
	*later = true;
	if (likely(!task_work_pending(current)))
		return true;
	set_thread_flag(TIF_NOTIFY_RESUME);
	return false;
}

int host_work_do(bool *later)
{
	return host_work_put_off(later) ? 0 : xfer_to_guest_mode_handle_work(&sink);
}
