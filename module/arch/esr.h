/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Syndromes (Arm ARM, ESR_ELx): the parts tern reads from ESR_EL2 and writes
 * to a guest's ESR_EL1. Usable natively, unlike <asm/esr.h>.
 */
#ifndef TERN_ARCH_ESR_H
#define TERN_ARCH_ESR_H

#include <linux/types.h>

#define ESR_EC_SHIFT	26
#define ESR_EC(esr)	((unsigned int)((esr) >> ESR_EC_SHIFT & 0x3f))
#define ESR_IL		(1ULL << 25)
#define ESR_ISS_MASK	((1ULL << 25) - 1)

/* exception classes */
#define EC_UNKNOWN	0x00
#define EC_WFX		0x01
#define EC_CP15_32	0x03
#define EC_CP15_64	0x04
#define EC_CP14_32	0x05
#define EC_CP14_LS	0x06
#define EC_FP		0x07
#define EC_CP10_ID	0x08
#define EC_PAC		0x09
#define EC_CP14_64	0x0c
#define EC_SVC32	0x11
#define EC_HVC32	0x12
#define EC_SMC32	0x13
#define EC_SVC64	0x15
#define EC_HVC64	0x16
#define EC_SMC64	0x17
#define EC_SYS64	0x18
#define EC_SVE		0x19
#define EC_IABT_LOW	0x20
#define EC_IABT_CUR	0x21
#define EC_DABT_LOW	0x24
#define EC_DABT_CUR	0x25
#define EC_SERROR	0x2f
#define EC_BREAK_LOW	0x30
#define EC_STEP_LOW	0x32
#define EC_WATCH_LOW	0x34
#define EC_BKPT32	0x38
#define EC_BRK64	0x3c

/* fault status codes, in ISS bits 5:0 of an abort */
#define ESR_FSC_MASK	0x3fULL
#define ESR_FSC_EXTABT	0x10ULL		/* synchronous external abort */
#define ESR_FSC_SIZE0	0x00ULL		/* address size fault, level 0 */

/* ISS of an SError: the syndrome is implementation defined (IDS), nothing known */
#define ESR_SERROR_IDS	(1ULL << 24)

/* ISS of trapped AArch32 instructions: the condition field */
#define ESR_CV		(1ULL << 24)
#define ESR_COND(esr)	((unsigned int)((esr) >> 20 & 0xf))

/* ISS of a trapped MSR, MRS or System instruction (EC 0x18) */
#define ESR_SYS_OP0(esr)	((u32)((esr) >> 20 & 3))
#define ESR_SYS_OP2(esr)	((u32)((esr) >> 17 & 7))
#define ESR_SYS_OP1(esr)	((u32)((esr) >> 14 & 7))
#define ESR_SYS_CRN(esr)	((u32)((esr) >> 10 & 15))
#define ESR_SYS_CRM(esr)	((u32)((esr) >> 1 & 15))

/* Rt and direction are in the same place for EC 0x18 and for MCR, MRC, MCRR, MRRC */
#define ESR_RT(esr)	((unsigned int)((esr) >> 5 & 0x1f))
#define ESR_READ(esr)	((bool)((esr) & 1))

/* ISS of a trapped MCR or MRC (EC 0x03, 0x05, 0x08) */
#define ESR_CP_OPC2(esr)	((u32)((esr) >> 17 & 7))
#define ESR_CP_OPC1(esr)	((u32)((esr) >> 14 & 7))
#define ESR_CP_CRN(esr)		((u32)((esr) >> 10 & 15))
#define ESR_CP_CRM(esr)		((u32)((esr) >> 1 & 15))

/* ISS of a trapped MCRR or MRRC (EC 0x04, 0x0c) */
#define ESR_CP64_OPC1(esr)	((u32)((esr) >> 16 & 15))
#define ESR_CP64_RT2(esr)	((unsigned int)((esr) >> 10 & 0x1f))
#define ESR_CP64_CRM(esr)	((u32)((esr) >> 1 & 15))

#endif
