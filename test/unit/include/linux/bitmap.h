/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: bitmaps. */
#ifndef TERN_SHIM_BITMAP_H
#define TERN_SHIM_BITMAP_H

#include <string.h>
#include <linux/bitops.h>
#include <linux/slab.h>

#define DECLARE_BITMAP(name, n)	unsigned long name[BITS_TO_LONGS(n)]

static inline void bitmap_zero(unsigned long *p, unsigned int n)
{
	memset(p, 0, BITS_TO_LONGS(n) * sizeof(long));
}

static inline void bitmap_set(unsigned long *p, unsigned int from, unsigned int n)
{
	while (n--)
		__set_bit(from++, p);
}

static inline unsigned long *bitmap_zalloc(unsigned int n, unsigned int gfp)
{
	return kcalloc(BITS_TO_LONGS(n), sizeof(long), gfp);
}

static inline void bitmap_free(unsigned long *p)
{
	kfree(p);
}

#endif
