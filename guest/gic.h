/* SPDX-License-Identifier: GPL-2.0 */
/* A GICv3 driver small enough for tests: group 1, affinity routing on. */
#ifndef TERN_GUEST_GIC_H
#define TERN_GUEST_GIC_H

#include "guest.h"

#define ICC_CTLR_EOIMODE	(1 << 1)

#define GIC_SPURIOUS	1023
#define PPI_PTIMER	30
#define PPI_VTIMER	27

#define GICD_CTLR	0x0000
#define GICD_TYPER	0x0004
#define GICD_IIDR	0x0008
#define GICD_IGROUPR	0x0080
#define GICD_ISENABLER	0x0100
#define GICD_ICENABLER	0x0180
#define GICD_ISPENDR	0x0200
#define GICD_ICPENDR	0x0280
#define GICD_ISACTIVER	0x0300
#define GICD_ICACTIVER	0x0380
#define GICD_IPRIORITYR	0x0400
#define GICD_ICFGR	0x0c00
#define GICD_IROUTER	0x6000
#define GICD_PIDR2	0xffe8
#define GICR_TYPER	0x0008
#define GICR_WAKER	0x0014
#define GICR_SGI_FRAME	0x10000
#define GICR_STRIDE	0x20000

/* This vCPU's own redistributor. */
uint64_t gic_redist(void);
/* distributor on, then this vCPU's interface with every priority let through */
void gic_init(void);
void gic_init_cpu(void);

/*
 * One bit of a register with a bit for each interrupt (enable, pending,
 * active ...): reg is the GICD offset of its first word.
 */
void gic_bit_write(unsigned int reg, unsigned int intid);
bool gic_bit_read(unsigned int reg, unsigned int intid);

void gic_set_priority(unsigned int intid, uint8_t priority);
void gic_set_edge(unsigned int intid, bool edge);
/* group 1, the priority, enabled; a wired one is routed to vCPU 0 */
void gic_enable(unsigned int intid, uint8_t priority);

static inline void gic_sgi(unsigned int intid, unsigned int vcpu)
{
	dsb();
	sysreg_write(icc_sgi1r_el1, (uint64_t)intid << 24 | 1u << vcpu);
	isb();
}

/* to vCPUs given as bits: sixteen share an Aff1, which is a write */
static inline void gic_sgi_many(unsigned int intid, uint32_t vcpus)
{
	dsb();
	if (vcpus & 0xffff)
		sysreg_write(icc_sgi1r_el1, (uint64_t)intid << 24 | (vcpus & 0xffff));
	if (vcpus >> 16)
		sysreg_write(icc_sgi1r_el1, (uint64_t)intid << 24 | 1 << 16 | vcpus >> 16);
	isb();
}

static inline unsigned int gic_ack(void)
{
	unsigned int intid = sysreg_read(icc_iar1_el1);

	dsb();
	return intid;
}

static inline void gic_eoi(unsigned int intid)
{
	sysreg_write(icc_eoir1_el1, intid);
	isb();
}

#endif
