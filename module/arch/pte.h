/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stage-2 descriptors and VTCR_EL2, 4 KB granule, 48-bit output address
 * (Arm ARM D8.3.1, D8.5, D23.2 VTCR_EL2).
 */
#ifndef TERN_ARCH_PTE_H
#define TERN_ARCH_PTE_H

#include <linux/bits.h>

#define S2_VALID		BIT_ULL(0)
#define S2_TABLE		BIT_ULL(1)	/* levels 0-2: table, not block; level 3: must be set */
#define S2_MEMATTR_SHIFT	2
#define S2_MEMATTR		GENMASK_ULL(5, 2)
#define S2_READ			BIT_ULL(6)	/* S2AP[0] */
#define S2_WRITE		BIT_ULL(7)	/* S2AP[1] */
#define S2_SH_INNER		(3ULL << 8)
#define S2_AF			BIT_ULL(10)
#define S2_ADDR			GENMASK_ULL(47, 12)
#define S2_XN			BIT_ULL(54)	/* XN[1]; with XN[0] clear: execution at neither EL1 nor EL0 */

/* MemAttr without and with HCR_EL2.FWB */
#define S2_ATTR_DEVICE_nGnRE	0x1ULL
#define S2_ATTR_NORMAL_WB	0xfULL
#define S2_ATTR_FWB_DEVICE_nGnRE 0x1ULL
#define S2_ATTR_FWB_NORMAL_WB	0x6ULL

#define VTCR_RES1		BIT_ULL(31)
#define VTCR_HA			BIT_ULL(21)
#define VTCR_VS_16BIT		BIT_ULL(19)
#define VTCR_PS_SHIFT		16
#define VTCR_SH0_INNER		(3ULL << 12)
#define VTCR_ORGN0_WBWA		(1ULL << 10)
#define VTCR_IRGN0_WBWA		(1ULL << 8)
#define VTCR_SL0_SHIFT		6
#define VTCR_T0SZ(ipa_bits)	(64ULL - (ipa_bits))

#define VTTBR_VMID_SHIFT	48

#endif
