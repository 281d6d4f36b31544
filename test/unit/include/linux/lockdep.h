/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: lock assertions. */
#ifndef TERN_SHIM_LOCKDEP_H
#define TERN_SHIM_LOCKDEP_H

#include <linux/bug.h>

#define lockdep_assert_held(l)	BUG_ON(!(l)->held)

#endif
