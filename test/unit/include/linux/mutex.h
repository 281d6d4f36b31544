/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: mutexes, as the locks that know whether they are held. */
#ifndef TERN_SHIM_MUTEX_H
#define TERN_SHIM_MUTEX_H

#include <linux/spinlock.h>

struct mutex {
	spinlock_t lock;
};

#define mutex_init(m)	spin_lock_init(&(m)->lock)
#define mutex_lock(m)	spin_lock(&(m)->lock)
#define mutex_unlock(m)	spin_unlock(&(m)->lock)

#endif
