// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for a vCPU's lock. See lock.h.
 */
#include <linux/sched/signal.h>
#include "lock.h"

void vcpu_lock_init(struct vcpu_lock *l)
{
	static struct lock_class_key key;

	atomic_set(&l->state, VCPU_LOCK_FREE);
	init_waitqueue_head(&l->wait);
	lockdep_init_map(&l->dep_map, "vcpu.lock", &key, 0);
}

/*
 * Who takes the lock here leaves it marked as awaited, since others may sleep.
 * All are woken when it is freed: one that leaves for a signal takes no one's turn.
 */
int vcpu_lock_wait(struct vcpu_lock *l, unsigned int state)
{
	DEFINE_WAIT(wait);
	int err = 0;

	for (;;) {
		prepare_to_wait(&l->wait, &wait, state);
		if (atomic_xchg_acquire(&l->state, VCPU_LOCK_AWAITED) == VCPU_LOCK_FREE)
			break;
		if (signal_pending_state(state, current)) {
			err = -EINTR;
			break;
		}
		schedule();
	}
	finish_wait(&l->wait, &wait);
	return err;
}

void vcpu_unlock_awaited(struct vcpu_lock *l)
{
	atomic_set_release(&l->state, VCPU_LOCK_FREE);
	wake_up_all(&l->wait);
}
