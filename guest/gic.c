// SPDX-License-Identifier: GPL-2.0
#include "gic.h"

#define GICD_CTLR_ARE		(1u << 4)
#define GICD_CTLR_GROUP1	(1u << 1)
#define GICD_CTLR_RWP		(1u << 31)
#define WAKER_PROCESSOR_SLEEP	(1u << 1)
#define WAKER_CHILDREN_ASLEEP	(1u << 2)

uint64_t gic_redist(void)
{
	return GUEST_GICR_BASE + guest_cpu() * GICR_STRIDE;
}

/* Interrupts below 32 live in the redistributor, at the same offsets. */
static uint64_t frame(unsigned int intid)
{
	return intid < 32 ? gic_redist() + GICR_SGI_FRAME : GUEST_GICD_BASE;
}

void gic_bit_write(unsigned int reg, unsigned int intid)
{
	mmio_write32(frame(intid) + reg + intid / 32 * 4, 1u << intid % 32);
}

bool gic_bit_read(unsigned int reg, unsigned int intid)
{
	return mmio_read32(frame(intid) + reg + intid / 32 * 4) >>
		intid % 32 & 1;
}

void gic_set_priority(unsigned int intid, uint8_t priority)
{
	mmio_write8(frame(intid) + GICD_IPRIORITYR + intid, priority);
}

void gic_set_edge(unsigned int intid, bool edge)
{
	uint64_t addr = frame(intid) + GICD_ICFGR + intid / 16 * 4;
	uint32_t bit = 2u << intid % 16 * 2;
	uint32_t v = mmio_read32(addr);

	mmio_write32(addr, edge ? v | bit : v & ~bit);
}

void gic_enable(unsigned int intid, uint8_t priority)
{
	uint64_t addr = frame(intid) + GICD_IGROUPR + intid / 32 * 4;

	mmio_write32(addr, mmio_read32(addr) | 1u << intid % 32);
	gic_set_priority(intid, priority);
	if (intid >= 32)
		mmio_write64(GUEST_GICD_BASE + GICD_IROUTER + 8 * intid, 0);
	gic_bit_write(GICD_ISENABLER, intid);
	while (mmio_read32(GUEST_GICD_BASE + GICD_CTLR) & GICD_CTLR_RWP)
		;
}

void gic_init(void)
{
	mmio_write32(GUEST_GICD_BASE + GICD_CTLR,
		     GICD_CTLR_ARE | GICD_CTLR_GROUP1);
	gic_init_cpu();
}

void gic_init_cpu(void)
{
	uint64_t waker = gic_redist() + GICR_WAKER;

	mmio_write32(waker, mmio_read32(waker) & ~WAKER_PROCESSOR_SLEEP);
	WAIT_FOR(!(mmio_read32(waker) & WAKER_CHILDREN_ASLEEP));
	sysreg_write(icc_sre_el1, 7);
	isb();
	sysreg_write(icc_pmr_el1, 0xff);
	sysreg_write(icc_bpr1_el1, 0);
	sysreg_write(icc_ctlr_el1, 0);
	sysreg_write(icc_igrpen1_el1, 1);
	isb();
}
