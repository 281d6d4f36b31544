/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the Scalable Vector Extension in memory: the Z registers, each
 * as long as the vCPU's longest vector, then P0 to P15 and FFR, an eighth of
 * that each; the low 128 bits of Zn are Vn (Arm ARM B1.2.2).
 */
#ifndef TERN_HYP_SVE_H
#define TERN_HYP_SVE_H

#include <linux/types.h>

#define SVE_NR_Z	32
#define SVE_NR_P	16
#define SVE_NR		(SVE_NR_Z + SVE_NR_P + 1)	/* the last is FFR */
#define SVE_FFR		(SVE_NR - 1)

/** sve_reg_bytes() - how long register @n (Z, then P, then FFR) is with vectors of @vq * 128 bits */
static inline u32 sve_reg_bytes(u32 vq, u32 n)
{
	return n < SVE_NR_Z ? 16 * vq : 2 * vq;
}

/** sve_reg_offset() - where it is; of SVE_NR, how long the whole state is */
static inline u32 sve_reg_offset(u32 vq, u32 n)
{
	return n <= SVE_NR_Z ? 16 * vq * n : 16 * vq * SVE_NR_Z + 2 * vq * (n - SVE_NR_Z);
}

#endif
