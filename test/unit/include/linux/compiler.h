/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: attributes and single accesses. */
#ifndef TERN_SHIM_COMPILER_H
#define TERN_SHIM_COMPILER_H

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#ifndef __packed
#define __packed	__attribute__((packed))
#endif
#ifndef __aligned
#define __aligned(n)	__attribute__((aligned(n)))
#endif
#define __always_unused	__attribute__((unused))
#define __maybe_unused	__attribute__((unused))
#define __must_check	__attribute__((warn_unused_result))
#define notrace
#define noinline	__attribute__((noinline))
#define fallthrough	__attribute__((fallthrough))
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif
#define __user
#define __percpu
#define __rcu
#define __iomem
#define __init
#define __exit
#define __read_mostly
#define __ro_after_init
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)

#define barrier()	asm volatile("" ::: "memory")
#define READ_ONCE(x)	(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) do { *(volatile __typeof__(x) *)&(x) = (v); } while (0)

#endif
