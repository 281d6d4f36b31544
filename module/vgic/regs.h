/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GICv3 facts: offsets and fields of the distributor's and redistributors'
 * registers (Arm IHI 0069, chapter 12), and what this implementation is.
 */
#ifndef TERN_VGIC_REGS_H
#define TERN_VGIC_REGS_H

#include <linux/bits.h>
#include <linux/types.h>

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

#define TYPER_LINES		0x1f	/* banks - 1 */
#define TYPER_LPIS		BIT(17)
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

#define R_CTLR_LPIS	BIT(0)	/* EnableLPIs */
#define R_CTLR_CES	BIT(1)
#define R_CTLR_IR	BIT(2)

#define R_TYPER_PLPIS		BIT_ULL(0)
#define R_TYPER_LAST		BIT_ULL(4)
#define R_TYPER_CPU_SHIFT	8
#define R_TYPER_AFF_SHIFT	32

/*
 * GICR_PROPBASER, GICR_PENDBASER, GITS_BASER and GITS_CBASER: attributes of
 * memory, narrowed as built-in KVM does: inner shareable in place of outer,
 * cacheable, and nothing of its own in the outer domain.
 */
#define PENDBASER_PTZ		BIT_ULL(62)

static inline u64 baser_sanitise(u64 val, u32 inner_shift, u32 share_shift, u32 outer_shift)
{
	u64 inner = val >> inner_shift & 7, share = val >> share_shift & 3, outer = val >> outer_shift & 7;

	val &= ~(7ULL << inner_shift | 3ULL << share_shift | 7ULL << outer_shift);
	val |= (inner < 2 ? 3 : inner) << inner_shift;
	val |= (share == 2 ? 1 : share) << share_shift;
	return val | (outer < 2 ? outer : 0) << outer_shift;
}

/* The ITS's control frame (Arm IHI 0069 12.19) */
#define ITS_CTLR	0x0000
#define ITS_IIDR	0x0004
#define ITS_TYPER	0x0008
#define ITS_CBASER	0x0080
#define ITS_CWRITER	0x0088
#define ITS_CREADR	0x0090
#define ITS_BASER	0x0100
#define ITS_IDREGS	0xffd0

#define ITS_CTLR_ENABLE		BIT(0)
#define ITS_CTLR_QUIESCENT	BIT(31)

#define ITS_TYPER_PLPIS		BIT_ULL(0)
#define ITS_TYPER_ITE_SHIFT	4
#define ITS_TYPER_EVENT_SHIFT	8
#define ITS_TYPER_DEVICE_SHIFT	13

#define BASER_VALID		BIT_ULL(63)	/* also GITS_CBASER */
#define BASER_INDIRECT		BIT_ULL(62)
#define BASER_INNER_SHIFT	59		/* also GITS_CBASER */
#define BASER_TYPE_SHIFT	56
#define BASER_OUTER_SHIFT	53		/* also GITS_CBASER */
#define BASER_ESIZE_SHIFT	48
#define BASER_SHARE_SHIFT	10		/* also GITS_CBASER */
#define BASER_PAGE_MASK		GENMASK_ULL(9, 8)
#define BASER_PAGE_64K		BIT_ULL(9)
#define BASER_SIZE_MASK		GENMASK_ULL(7, 0)	/* also GITS_CBASER, there of 4 KB */
#define BASER_RO		(GENMASK_ULL(58, 56) | GENMASK_ULL(52, 48))
#define BASER_TYPE_DEVICE	1ULL
#define BASER_TYPE_COLLECTION	4ULL

#define CBASER_ADDR		GENMASK_ULL(51, 12)
#define CBASER_RES0		GENMASK_ULL(15, 12)	/* of the address: 64 KB aligned here */
#define ITS_CMD_OFFSET		GENMASK(19, 5)
#define ITS_CMD_SIZE		32U

/* First level of a two-level table */
#define ITS_L1_VALID		BIT_ULL(63)
#define ITS_L1_ADDR		GENMASK_ULL(51, 16)

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
