/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PSTATE as SPSR_ELx holds it (Arm ARM C5.2.18), for exceptions from AArch64
 * and from AArch32, and the fields of SCTLR_EL1 that exception entry reads.
 */
#ifndef TERN_ARCH_PSTATE_H
#define TERN_ARCH_PSTATE_H

#include <linux/types.h>

#define SPSR_N		(1ULL << 31)
#define SPSR_Z		(1ULL << 30)
#define SPSR_C		(1ULL << 29)
#define SPSR_V		(1ULL << 28)
#define SPSR_NZCV	(SPSR_N | SPSR_Z | SPSR_C | SPSR_V)
#define SPSR_TCO	(1ULL << 25)
#define SPSR_DIT	(1ULL << 24)
#define SPSR_UAO	(1ULL << 23)
#define SPSR_PAN	(1ULL << 22)
#define SPSR_SS		(1ULL << 21)
#define SPSR_IL		(1ULL << 20)
#define SPSR_SSBS	(1ULL << 12)
#define SPSR_BTYPE	(3ULL << 10)
#define SPSR_D		(1ULL << 9)
#define SPSR_A		(1ULL << 8)
#define SPSR_I		(1ULL << 7)
#define SPSR_F		(1ULL << 6)
#define SPSR_DAIF	(SPSR_D | SPSR_A | SPSR_I | SPSR_F)
#define SPSR_M32	(1ULL << 4)	/* taken from AArch32 */
#define SPSR_MODE	0xfULL

#define SPSR_EL0t	0x0ULL
#define SPSR_EL1t	0x4ULL
#define SPSR_EL1h	0x5ULL
#define SPSR_EL2t	0x8ULL

/* AArch32: T32 state, the IT state in two pieces, and the modes with SPSR_M32 */
#define SPSR32_T	(1ULL << 5)
#define SPSR32_IT_LOW	(3ULL << 25)	/* IT[1:0] */
#define SPSR32_IT_HIGH	(0x3fULL << 10)	/* IT[7:2] */
#define SPSR32_MODE	0x1fULL
#define SPSR32_USR	0x10ULL
#define SPSR32_FIQ	0x11ULL
#define SPSR32_IRQ	0x12ULL
#define SPSR32_SVC	0x13ULL
#define SPSR32_ABT	0x17ULL
#define SPSR32_UND	0x1bULL
#define SPSR32_SYS	0x1fULL

#define SCTLR_M		(1ULL << 0)
#define SCTLR_C		(1ULL << 2)
#define SCTLR_SPAN	(1ULL << 23)
#define SCTLR_EE	(1ULL << 25)
#define SCTLR_DSSBS	(1ULL << 44)

/* Offsets in the vector table, and of the kinds within a group */
#define VECTOR_CUR_SP0		0x000
#define VECTOR_CUR_SPX		0x200
#define VECTOR_LOWER_64		0x400
#define VECTOR_LOWER_32		0x600

#endif
