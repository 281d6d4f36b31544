/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What Linux wants of a thread before it goes to a guest, as it would before
 * going to user space: reschedule, signals, task work.
 */
#ifndef TERN_HOST_WORK_H
#define TERN_HOST_WORK_H

#include <linux/entry-kvm.h>

/** host_work_pending() - something waits; interrupts on or masked */
static inline bool host_work_pending(void)
{
	return __xfer_to_guest_mode_work_pending();
}

/** host_work_put_off() - what host_work_do() would put off. Return: nothing else waits */
bool host_work_put_off(bool *later);

/**
 * host_work_do() - do it; interrupts on
 * @later: set when some of it was put off: host_work_later() before the thread returns to user space
 * Return: 0, or -EINTR when a signal must be handled first
 */
int host_work_do(bool *later);

/** host_work_later() - what was put off is due on the way to user space */
static inline void host_work_later(bool *later)
{
	*later = false;
	set_thread_flag(TIF_NOTIFY_RESUME);
}

#endif
