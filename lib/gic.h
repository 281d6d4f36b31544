/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of a GICv3 (Arm IHI 0069 chapter 12), as attributes name them. */
#ifndef TERN_GIC_H
#define TERN_GIC_H

#define GICD_CTLR	0x0000
#define GICD_TYPER	0x0004
#define GICD_IIDR	0x0008
#define GICD_STATUSR	0x0010
#define GICD_SETSPI	0x0040	/* to GICD_CLRSPI_SR: they only act */
#define GICD_IGROUPR	0x0080
#define GICD_ISENABLER	0x0100
#define GICD_ICENABLER	0x0180
#define GICD_ISPENDR	0x0200
#define GICD_ICPENDR	0x0280
#define GICD_ISACTIVER	0x0300
#define GICD_ICACTIVER	0x0380
#define GICD_IPRIORITYR	0x0400
#define GICD_ICFGR	0x0c00
#define GICD_SGIR	0x0f00	/* to GICD_SPENDSGIR: they only act */
#define GICD_IROUTER	0x6000
/* of each register with a bit for each interrupt */
#define GIC_BITMAP	0x80

#define GICR_CTLR	0x0000
#define GICR_CTLR_LPIS	1u
#define GICR_STATUSR	0x0010
#define GICR_WAKER	0x0014
#define GICR_SETLPIR	0x0040	/* and GICR_CLRLPIR: they only act */
#define GICR_PROPBASER	0x0070
#define GICR_PENDBASER	0x0078
#define GICR_INVLPIR	0x00a0	/* to GICR_SYNCR: they only act */
#define GICR_SGI	0x10000

/* ICC_*_EL1: op0, op1, CRn, CRm, op2 as in bits 15:0 of an attribute */
#define ICC(crn, crm, op2)	(3u << 14 | (crn) << 7 | (crm) << 3 | (op2))
#define ICC_PMR		ICC(4, 6, 0)
#define ICC_BPR0	ICC(12, 8, 3)
#define ICC_AP0R(n)	ICC(12, 8, 4 | (n))
#define ICC_AP1R(n)	ICC(12, 9, (n))
#define ICC_BPR1	ICC(12, 12, 3)
#define ICC_CTLR	ICC(12, 12, 4)
#define ICC_CTLR_CBPR_EOIMODE	3u
#define ICC_CTLR_PRIBITS(v)	(((v) >> 8 & 7) + 1)
#define ICC_CTLR_IDBITS(v)	((v) >> 11 & 7)
#define ICC_CTLR_SEIS_A3V	(3u << 14)
#define ICC_SRE		ICC(12, 12, 5)
#define ICC_IGRPEN0	ICC(12, 12, 6)
#define ICC_IGRPEN1	ICC(12, 12, 7)

#define GIC_PRIVATE	32u
#define GIC_DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define GIC_REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define GIC_SYSREGS	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define GIC_LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO

#endif
