/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: operations on bitmaps. */
#ifndef TERN_SHIM_BITOPS_H
#define TERN_SHIM_BITOPS_H

#include <stdbool.h>
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/types.h>

#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BIT_WORD(n)	((n) / BITS_PER_LONG)
#define BIT_MASK(n)	(1UL << ((n) % BITS_PER_LONG))
#define BITS_PER_BYTE	8

static inline bool test_bit(unsigned long n, const unsigned long *p)
{
	shim_point();
	return __atomic_load_n(&p[BIT_WORD(n)], __ATOMIC_RELAXED) & BIT_MASK(n);
}

static inline void set_bit(unsigned long n, unsigned long *p)
{
	shim_point();
	__atomic_fetch_or(&p[BIT_WORD(n)], BIT_MASK(n), __ATOMIC_RELAXED);
}

static inline void clear_bit(unsigned long n, unsigned long *p)
{
	shim_point();
	__atomic_fetch_and(&p[BIT_WORD(n)], ~BIT_MASK(n), __ATOMIC_RELAXED);
}

static inline bool test_and_set_bit(unsigned long n, unsigned long *p)
{
	shim_point();
	return __atomic_fetch_or(&p[BIT_WORD(n)], BIT_MASK(n), __ATOMIC_SEQ_CST) & BIT_MASK(n);
}

static inline bool test_and_clear_bit(unsigned long n, unsigned long *p)
{
	shim_point();
	return __atomic_fetch_and(&p[BIT_WORD(n)], ~BIT_MASK(n), __ATOMIC_SEQ_CST) & BIT_MASK(n);
}

static inline void __set_bit(unsigned long n, unsigned long *p)
{
	p[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void __clear_bit(unsigned long n, unsigned long *p)
{
	p[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline bool __test_and_set_bit(unsigned long n, unsigned long *p)
{
	bool was = p[BIT_WORD(n)] & BIT_MASK(n);

	__set_bit(n, p);
	return was;
}

static inline unsigned long __ffs(unsigned long x)
{
	return __builtin_ctzl(x);
}

static inline unsigned long __fls(unsigned long x)
{
	return 63 - __builtin_clzl(x);
}


static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned int hweight32(u32 x)
{
	return __builtin_popcount(x);
}

static inline unsigned int hweight64(u64 x)
{
	return __builtin_popcountll(x);
}

static inline unsigned long find_next_bit(const unsigned long *p, unsigned long size,
					  unsigned long from)
{
	for (; from < size; from++)
		if (test_bit(from, p))
			return from;
	return size;
}

static inline unsigned long find_next_zero_bit(const unsigned long *p, unsigned long size,
					       unsigned long from)
{
	for (; from < size; from++)
		if (!test_bit(from, p))
			return from;
	return size;
}

#define find_first_bit(p, size)		find_next_bit(p, size, 0)
#define find_first_zero_bit(p, size)	find_next_zero_bit(p, size, 0)
#define for_each_set_bit(n, p, size)						\
	for ((n) = find_first_bit(p, size); (n) < (size); (n) = find_next_bit(p, size, (n) + 1))

#endif
