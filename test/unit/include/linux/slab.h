/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: allocation, which a test can make fail. */
#ifndef TERN_SHIM_SLAB_H
#define TERN_SHIM_SLAB_H

#include <stdbool.h>
#include <stdlib.h>

#define GFP_KERNEL		1
#define GFP_KERNEL_ACCOUNT	1
#define GFP_ATOMIC		0
#define GFP_NOWAIT		0
#define __GFP_ZERO		0

/* Allocations that still succeed; negative: all do. Copies of a weak definition are one. */
__attribute__((weak)) int shim_alloc_left = -1;

static inline bool shim_alloc_fails(void)
{
	if (shim_alloc_left < 0)
		return false;
	if (!shim_alloc_left)
		return true;
	shim_alloc_left--;
	return false;
}

static inline void *kcalloc(size_t n, size_t size, unsigned int gfp)
{
	return shim_alloc_fails() ? NULL : calloc(n, size);
}

static inline void *kzalloc(size_t size, unsigned int gfp)
{
	return kcalloc(1, size, gfp);
}

static inline void *kmalloc(size_t size, unsigned int gfp)
{
	return kcalloc(1, size, gfp);
}

static inline void *krealloc(const void *p, size_t size, unsigned int gfp)
{
	return shim_alloc_fails() ? NULL : realloc((void *)p, size);
}

static inline void kfree(const void *p)
{
	free((void *)p);
}

#define kvcalloc(n, size, gfp)	kcalloc(n, size, gfp)
#define kvzalloc(size, gfp)	kzalloc(size, gfp)
#define kvfree(p)		kfree(p)

#endif
