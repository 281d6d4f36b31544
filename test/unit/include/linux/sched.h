/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: tasks are opaque. */
#ifndef TERN_SHIM_SCHED_H
#define TERN_SHIM_SCHED_H

struct task_struct;

#endif
