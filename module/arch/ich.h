/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The GICv3 virtual CPU interface: fields of the ICH registers (Arm IHI 0069,
 * chapter 12). Names are short because asm/sysreg.h owns the long ones.
 */
#ifndef TERN_ARCH_ICH_H
#define TERN_ARCH_ICH_H

#include <linux/bits.h>
#include <linux/types.h>

/* ICH_LR<n>_EL2 */
#define LR_VINTID(lr)	((u32)(lr))
#define LR_PHYS_SHIFT	32
#define LR_EOI		BIT_ULL(41)	/* HW=0: maintenance interrupt on deactivation */
#define LR_PRIO_SHIFT	48
#define LR_GROUP1	BIT_ULL(60)
#define LR_HW		BIT_ULL(61)
#define LR_PENDING	BIT_ULL(62)
#define LR_ACTIVE	BIT_ULL(63)
#define LR_STATE	(LR_PENDING | LR_ACTIVE)

/* ICH_HCR_EL2 */
#define VHCR_LRENPIE	BIT(2)		/* maintenance while EOIcount is not 0 */
#define VHCR_NPIE	BIT(3)		/* maintenance when no list register is pending */
#define VHCR_VGRP0EIE	BIT(4)		/* maintenance while group 0 is enabled */
#define VHCR_VGRP0DIE	BIT(5)		/* maintenance while group 0 is disabled */
#define VHCR_VGRP1EIE	BIT(6)
#define VHCR_VGRP1DIE	BIT(7)
#define VHCR_TDIR	BIT(14)		/* trap writes to ICC_DIR_EL1 */
#define VHCR_EOICOUNT(hcr) ((hcr) >> 27 & 0x1f)

/* ICH_VMCR_EL2 */
#define VMCR_ENG0	BIT(0)
#define VMCR_ENG1	BIT(1)
#define VMCR_FIQEN	BIT(3)		/* RES1 where only system registers exist */
#define VMCR_CBPR	BIT(4)
#define VMCR_EOIM	BIT(9)
#define VMCR_BPR1_SHIFT	18
#define VMCR_BPR0_SHIFT	21
#define VMCR_BPR_MASK	7U
#define VMCR_PMR_SHIFT	24
#define VMCR_PMR_MASK	0xffU

/* ICH_VTR_EL2 */
#define VTR_TDS		BIT(19)		/* VHCR_TDIR works */
#define VTR_IDBITS(v)	((v) >> 23 & 7)

#endif
