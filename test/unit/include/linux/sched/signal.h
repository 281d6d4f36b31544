/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: signals, which a test can have waiting. */
#ifndef TERN_SHIM_SCHED_SIGNAL_H
#define TERN_SHIM_SCHED_SIGNAL_H

#include <stdbool.h>
#include <linux/sched.h>

__attribute__((weak)) bool shim_signal;

#define signal_pending(task)		(shim_signal)
#define fatal_signal_pending(task)	(false)

#endif
