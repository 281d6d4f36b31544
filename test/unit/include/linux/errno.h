/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: error numbers. */
#ifndef TERN_SHIM_ERRNO_H
#define TERN_SHIM_ERRNO_H

#include <errno.h>
#include_next <linux/errno.h>

#endif
