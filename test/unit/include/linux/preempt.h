/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: threads here are always preemptible. */
#ifndef TERN_SHIM_PREEMPT_H
#define TERN_SHIM_PREEMPT_H

#define preempt_disable()	((void)0)
#define preempt_enable()	((void)0)

#endif
