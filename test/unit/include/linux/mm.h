/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: large allocations. */
#ifndef TERN_SHIM_MM_H
#define TERN_SHIM_MM_H

#include <linux/slab.h>

#endif
