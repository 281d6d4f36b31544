/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lock that every vCPU ioctl holds. Next to nobody ever waits for it, and
 * what takes and frees it is a good part of KVM_RUN or KVM_GET_ONE_REG: so it
 * is a mutex whose common case is two instructions in line.
 */
#ifndef TERN_VCPU_LOCK_H
#define TERN_VCPU_LOCK_H

#include <linux/atomic.h>
#include <linux/instruction_pointer.h>
#include <linux/lockdep.h>
#include <linux/wait.h>

/** struct vcpu_lock - @state: VCPU_LOCK_*; @wait: those who sleep until it is free */
struct vcpu_lock {
	atomic_t state;
	wait_queue_head_t wait;
#ifdef CONFIG_DEBUG_LOCK_ALLOC
	struct lockdep_map dep_map;
#endif
};

#define VCPU_LOCK_FREE		0
#define VCPU_LOCK_HELD		1
#define VCPU_LOCK_AWAITED	2	/* held, and somebody sleeps */

void vcpu_lock_init(struct vcpu_lock *l);

/** vcpu_lock_wait() - sleep in task state @state until it is ours. Return: 0, or -EINTR a signal that this state minds */
int vcpu_lock_wait(struct vcpu_lock *l, unsigned int state);
void vcpu_unlock_awaited(struct vcpu_lock *l);

static __always_inline bool vcpu_lock_grab(struct vcpu_lock *l)
{
	int free = VCPU_LOCK_FREE;

	return likely(atomic_try_cmpxchg_acquire(&l->state, &free, VCPU_LOCK_HELD));
}

/** vcpu_trylock() - Return: it was free */
static __always_inline bool vcpu_trylock(struct vcpu_lock *l)
{
	if (!vcpu_lock_grab(l))
		return false;
	mutex_acquire(&l->dep_map, 0, 1, _THIS_IP_);
	return true;
}

/** vcpu_lock() - @state: TASK_UNINTERRUPTIBLE, TASK_KILLABLE or TASK_INTERRUPTIBLE. Return: 0 or -EINTR */
static __always_inline int vcpu_lock(struct vcpu_lock *l, unsigned int state)
{
	int err = 0;

	mutex_acquire(&l->dep_map, 0, 0, _THIS_IP_);
	if (!vcpu_lock_grab(l))
		err = vcpu_lock_wait(l, state);
	if (err)
		mutex_release(&l->dep_map, _THIS_IP_);
	return err;
}

static __always_inline void vcpu_unlock(struct vcpu_lock *l)
{
	mutex_release(&l->dep_map, _THIS_IP_);
	if (unlikely(atomic_cmpxchg_release(&l->state, VCPU_LOCK_HELD, VCPU_LOCK_FREE) != VCPU_LOCK_HELD))
		vcpu_unlock_awaited(l);
}

#endif
