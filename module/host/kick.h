/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Getting a vCPU's attention: leave the guest, or wake up.
 *
 * Whoever posts work for a vCPU (an interrupt, a request bit) makes the work
 * visible first and then calls kick_post(). The vCPU thread announces IN_GUEST
 * with a full barrier and looks for work afterwards, so either the poster sees
 * IN_GUEST and sends an IPI, or the thread sees the work and does not enter.
 */
#ifndef TERN_HOST_KICK_H
#define TERN_HOST_KICK_H

#include <linux/atomic.h>
#include <linux/rcuwait.h>
#include <linux/sched.h>

enum kick_mode {
	KICK_OUTSIDE,	/* not in guest context; looks for work before it enters */
	KICK_IN_GUEST,	/* in the guest, or committed to enter it with interrupts masked */
	KICK_LEAVING,	/* an IPI is on its way already */
};

/**
 * struct kick - the attention state of one vCPU
 * @mode:     enum kick_mode
 * @requests: bits of work for the vCPU thread (enum vcpu_request)
 * @task:     the thread in KVM_RUN, referenced; NULL before the first run
 * @wait:     where that thread sleeps in kick_sleep()
 */
struct kick {
	atomic_t mode;
	unsigned long requests;
	struct task_struct __rcu *task;
	struct rcuwait wait;
};

void kick_init(struct kick *k);
void kick_fini(struct kick *k);

/** kick_rebind() - @k is served by the current task from now on; called by the vCPU thread only */
void kick_rebind(struct kick *k);

/** kick_bound() - is @k served by the current task already? */
static inline bool kick_bound(const struct kick *k)
{
	return rcu_access_pointer(k->task) == current;
}

/** kick_post() - make the vCPU look for work: wake it when asleep, IPI when in the guest; any context */
void kick_post(struct kick *k);

/** kick_request() - set request bit @bit, then kick_post() */
void kick_request(struct kick *k, unsigned int bit);

/** kick_test_clear() - the vCPU thread takes request @bit; full barrier when it was set */
bool kick_test_clear(struct kick *k, unsigned int bit);

/** kick_enter() - announce IN_GUEST; interrupts masked. The caller looks for work after this. */
static inline void kick_enter(struct kick *k)
{
	atomic_set(&k->mode, KICK_IN_GUEST);
	smp_mb();	/* pairs with the one in kick_post() */
}

/** kick_leave() - guest left */
static inline void kick_leave(struct kick *k)
{
	atomic_set_release(&k->mode, KICK_OUTSIDE);
}

#endif
