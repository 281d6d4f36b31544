/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: cache lines. */
#ifndef TERN_SHIM_CACHE_H
#define TERN_SHIM_CACHE_H

#define SMP_CACHE_BYTES		64
#define L1_CACHE_BYTES		64
#define ____cacheline_aligned	__attribute__((aligned(64)))
#define ____cacheline_aligned_in_smp

#endif
