// SPDX-License-Identifier: GPL-2.0
/*
 * Getting a vCPU's attention.
 */
#include <linux/sched/task.h>
#include "kick.h"

void kick_init(struct kick *k)
{
	atomic_set(&k->mode, KICK_OUTSIDE);
	k->requests = 0;
	RCU_INIT_POINTER(k->task, NULL);
	rcuwait_init(&k->wait);
}

/* Nobody posts any more. */
void kick_fini(struct kick *k)
{
	struct task_struct *task = rcu_dereference_protected(k->task, true);

	if (task)
		put_task_struct(task);
}

/*
 * Posters look at the thread in an RCU read-side section, so the previous
 * thread's reference is dropped after a grace period.
 */
void kick_rebind(struct kick *k)
{
	struct task_struct *old = rcu_dereference_protected(k->task, true);

	rcu_assign_pointer(k->task, get_task_struct(current));
	if (old) {
		synchronize_rcu();
		put_task_struct(old);
	}
}

static __always_inline void interrupt(struct kick *k)
{
	struct task_struct *task;

	/*
	 * Others take LEAVING for an IPI that is as good as sent, and may wait
	 * for its effect on this CPU with preemption off.
	 */
	preempt_disable();
	rcu_read_lock();
	if (atomic_cmpxchg(&k->mode, KICK_IN_GUEST, KICK_LEAVING) == KICK_IN_GUEST) {
		task = rcu_dereference(k->task);
		if (task)
			kick_process(task);
	}
	rcu_read_unlock();
	preempt_enable();
}

/* notrace: tier (b) calls it, with the guest's context loaded */
void notrace kick_post(struct kick *k)
{
	/* Pairs with kick_enter(): the work is visible before the mode is read. */
	smp_mb();
	switch (atomic_read(&k->mode)) {
	case KICK_IN_GUEST:
		interrupt(k);
		break;
	case KICK_LEAVING:
		/* Nor does it sleep before it has looked for work: going to sleep has a full barrier. */
		break;
	default:
		rcuwait_wake_up(&k->wait);
	}
}

void kick_request(struct kick *k, unsigned int bit)
{
	set_bit(bit, &k->requests);
	kick_post(k);
}

bool kick_test_clear(struct kick *k, unsigned int bit)
{
	if (!test_bit(bit, &k->requests))
		return false;
	clear_bit(bit, &k->requests);
	smp_mb__after_atomic();
	return true;
}
