/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GICv3 facts: offsets and fields of the distributor's and redistributors'
 * registers (Arm IHI 0069, chapter 12), and what this implementation is.
 */
#ifndef TERN_VGIC_REGS_H
#define TERN_VGIC_REGS_H

#include <linux/bits.h>

/* The distributor's frame; also offsets within a redistributor's second frame */
#define GICD_SIZE	0x10000
#define D_CTLR		0x0000
#define D_TYPER		0x0004
#define D_IIDR		0x0008
#define D_TYPER2	0x000c
#define D_STATUSR	0x0010
#define D_IGROUPR	0x0080
#define D_ISENABLER	0x0100
#define D_ICENABLER	0x0180
#define D_ISPENDR	0x0200
#define D_ICPENDR	0x0280
#define D_ISACTIVER	0x0300
#define D_ICACTIVER	0x0380
#define D_IPRIORITYR	0x0400
#define D_ITARGETSR	0x0800
#define D_ICFGR		0x0c00
#define D_IGRPMODR	0x0d00
#define D_NSACR		0x0e00
#define D_IROUTER	0x6000
#define D_IDREGS	0xffd0
#define D_PIDR2		0xffe8
#define IDREGS_LEN	0x30

#define CTLR_ENABLE_G1	BIT(1)
#define CTLR_ARE	BIT(4)
#define CTLR_DS		BIT(6)

#define TYPER_IDBITS_SHIFT	19
#define SPI_ID_BITS		10	/* INTIDs without LPIs */

/* One redistributor: the RD frame, then the SGI frame */
#define GICR_SIZE	0x20000
#define R_SGI		0x10000
#define R_CTLR		0x0000
#define R_IIDR		0x0004
#define R_TYPER		0x0008
#define R_STATUSR	0x0010
#define R_WAKER		0x0014
#define R_PROPBASER	0x0070
#define R_PENDBASER	0x0078
#define R_INVLPIR	0x00a0
#define R_INVALLR	0x00b0
#define R_SYNCR		0x00c0

#define R_CTLR_CES	BIT(1)
#define R_CTLR_IR	BIT(2)

#define R_TYPER_LAST		BIT_ULL(4)
#define R_TYPER_CPU_SHIFT	8
#define R_TYPER_AFF_SHIFT	32

/* IIDR: what built-in KVM says, so that a VM can move between the two */
#define IIDR_PRODUCT	(0x4bU << 24)
#define IIDR_ARM	0x43bU
#define IIDR_REV_SHIFT	12
#define IIDR_REV_MASK	(0xfU << IIDR_REV_SHIFT)
#define IIDR_REV_MIN	2
#define IIDR_REV_LATEST	3	/* GICR_CTLR shows IR and CES */

#define PIDR2_GICV3	0x3b

/* Priorities have five bits, as built-in KVM's, whatever the CPU interface implements. */
#define PRIO_MASK	0xf8U

/* MPIDR_EL1's affinity fields; the GIC here knows no Aff3 in IROUTER. */
#define MPIDR_AFF	0xff00ffffffULL
#define AFF_210		0xffffffU

#endif
