/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: tasks are opaque. */
#ifndef TERN_SHIM_SCHED_H
#define TERN_SHIM_SCHED_H

#include <stddef.h>

struct task_struct;

#define current			((struct task_struct *)NULL)
#define cond_resched()		((void)0)
#define rcu_access_pointer(p)	(p)

#endif
