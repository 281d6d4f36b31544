/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: errors in pointers. */
#ifndef TERN_SHIM_ERR_H
#define TERN_SHIM_ERR_H

#include <stdbool.h>

static inline void *ERR_PTR(long err)
{
	return (void *)err;
}

static inline long PTR_ERR(const void *p)
{
	return (long)p;
}

static inline bool IS_ERR(const void *p)
{
	return (unsigned long)p >= (unsigned long)-4095;
}

#endif
