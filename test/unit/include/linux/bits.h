/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: masks. */
#ifndef TERN_SHIM_BITS_H
#define TERN_SHIM_BITS_H

#include <limits.h>

#ifndef BITS_PER_LONG
#define BITS_PER_LONG	64
#endif
#define BITS_PER_LONG_LONG 64
#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define GENMASK(h, l)	((~0UL << (l)) & (~0UL >> (63 - (h))))
#define GENMASK_ULL(h, l) ((~0ULL << (l)) & (~0ULL >> (63 - (h))))

#endif
