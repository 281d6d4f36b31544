/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: locks that know whether they are held. */
#ifndef TERN_SHIM_SPINLOCK_H
#define TERN_SHIM_SPINLOCK_H

#include <pthread.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <linux/types.h>

typedef struct {
	pthread_mutex_t mutex;
	int held;
} spinlock_t, raw_spinlock_t;

#define spin_lock_init(l) do { pthread_mutex_init(&(l)->mutex, NULL); (l)->held = 0; } while (0)

static inline void spin_lock(spinlock_t *l)
{
	pthread_mutex_lock(&l->mutex);
	l->held = 1;
}

static inline void spin_unlock(spinlock_t *l)
{
	BUG_ON(!l->held);
	l->held = 0;
	pthread_mutex_unlock(&l->mutex);
}

#define spin_lock_irqsave(l, f)		do { (f) = 0; spin_lock(l); } while (0)
#define spin_unlock_irqrestore(l, f)	do { (void)(f); spin_unlock(l); } while (0)
#define raw_spin_lock_init(l)		spin_lock_init(l)
#define raw_spin_lock(l)		spin_lock(l)
#define raw_spin_unlock(l)		spin_unlock(l)
#define raw_spin_lock_irqsave(l, f)	spin_lock_irqsave(l, f)
#define raw_spin_unlock_irqrestore(l, f) spin_unlock_irqrestore(l, f)

#endif
