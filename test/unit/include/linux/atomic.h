/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: atomic operations. */
#ifndef TERN_SHIM_ATOMIC_H
#define TERN_SHIM_ATOMIC_H

#include <stdbool.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* A test with threads may be called at each operation that others can see, to let them in. */
__attribute__((weak)) void (*shim_race)(void);

static inline void shim_point(void)
{
	if (shim_race)
		shim_race();
}

#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb__after_atomic()	smp_mb()
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)

#define xchg(p, v)	__atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define try_cmpxchg(p, old, new) \
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define cmpxchg(p, old, new) ({						\
	__typeof__(*(p)) old_ = (old);					\
	try_cmpxchg(p, &old_, new);					\
	old_;								\
})

#define ATOMIC_INIT(i)	{ (i) }

#define atomic_read(a)		(shim_point(), __atomic_load_n(&(a)->counter, __ATOMIC_RELAXED))
#define atomic_set(a, v)	__atomic_store_n(&(a)->counter, v, __ATOMIC_RELAXED)
#define atomic_set_release(a, v) smp_store_release(&(a)->counter, v)
#define atomic_xchg(a, v)	xchg(&(a)->counter, v)
#define atomic_cmpxchg(a, o, n)	cmpxchg(&(a)->counter, o, n)
#define atomic_inc(a)		((void)__atomic_add_fetch(&(a)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic_dec(a)		((void)__atomic_sub_fetch(&(a)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic_inc_return(a)	__atomic_add_fetch(&(a)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_dec_and_test(a)	(!__atomic_sub_fetch(&(a)->counter, 1, __ATOMIC_SEQ_CST))

#define atomic_or(v, a)		(shim_point(), (void)__atomic_fetch_or(&(a)->counter, (int)(v), __ATOMIC_RELAXED))
#define atomic_andnot(v, a)	(shim_point(), (void)__atomic_fetch_and(&(a)->counter, ~(int)(v), __ATOMIC_RELAXED))
#define atomic_fetch_or(v, a)	(shim_point(), __atomic_fetch_or(&(a)->counter, (int)(v), __ATOMIC_SEQ_CST))
#define atomic_fetch_andnot(v, a) (shim_point(), __atomic_fetch_and(&(a)->counter, ~(int)(v), __ATOMIC_SEQ_CST))
#define cpu_relax()		barrier()

#define atomic_read_acquire(a)	(shim_point(), smp_load_acquire(&(a)->counter))

#define atomic64_read(a)	(shim_point(), __atomic_load_n(&(a)->counter, __ATOMIC_RELAXED))
#define atomic64_or(v, a)	(shim_point(), (void)__atomic_fetch_or(&(a)->counter, (s64)(v), __ATOMIC_RELAXED))
#define atomic64_set(a, v)	__atomic_store_n(&(a)->counter, v, __ATOMIC_RELAXED)
#define atomic64_xchg(a, v)	xchg(&(a)->counter, v)
#define atomic64_cmpxchg(a, o, n) cmpxchg(&(a)->counter, o, n)
#define atomic64_add(v, a)	((void)__atomic_add_fetch(&(a)->counter, v, __ATOMIC_SEQ_CST))

#endif
