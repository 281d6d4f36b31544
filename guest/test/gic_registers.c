// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST_WITH("GICD and GICR registers identify, hold what is written and ignore what they must",
		.vcpus = 2);

#define DIST(reg)	mmio_read32(GUEST_GICD_BASE + (reg))
#define SPI		50
#define GICR_TYPER_LAST	(1 << 4)

static void check_bits(unsigned int set, unsigned int clear, unsigned int intid)
{
	gic_bit_write(set, intid);
	CHECK(gic_bit_read(set, intid));
	CHECK(gic_bit_read(clear, intid));
	/* Zeroes written change nothing. */
	mmio_write32(GUEST_GICD_BASE + clear + intid / 32 * 4, 0);
	CHECK(gic_bit_read(set, intid));
	gic_bit_write(clear, intid);
	CHECK(!gic_bit_read(set, intid));
	CHECK(!gic_bit_read(clear, intid));
}

static void check_distributor(void)
{
	uint32_t typer = DIST(GICD_TYPER);
	uint64_t prio = GUEST_GICD_BASE + GICD_IPRIORITYR + SPI;

	CHECK_EQ((typer & 0x1f) * 32 + 32, GUEST_IRQS);
	CHECK_EQ(DIST(GICD_PIDR2) >> 4 & 0xf, 3);
	CHECK_EQ(DIST(GICD_IIDR) & 0xfff, 0x43b);
	CHECK(DIST(GICD_CTLR) & 1 << 4);
	/* Private ones are banked away with affinity routing. */
	mmio_write32(GUEST_GICD_BASE + GICD_ISENABLER, ~0u);
	CHECK_EQ(DIST(GICD_ISENABLER), 0);
	CHECK_EQ(DIST(GICD_ISENABLER + GUEST_IRQS / 8), 0);

	check_bits(GICD_ISENABLER, GICD_ICENABLER, SPI);
	check_bits(GICD_ISACTIVER, GICD_ICACTIVER, SPI);
	gic_set_edge(SPI, true);
	check_bits(GICD_ISPENDR, GICD_ICPENDR, SPI);

	/* Priorities: by byte and by word, five bits. */
	mmio_write8(prio, 0xff);
	CHECK_EQ(mmio_read8(prio), 0xf8);
	mmio_write32(prio & ~3ull, 0x40302010);
	CHECK_EQ(mmio_read32(prio & ~3ull), 0x40302010);
	CHECK_EQ(mmio_read8((prio & ~3ull) + 1), 0x20);
}

static void check_redistributor(void)
{
	uint64_t typer = mmio_read64(GUEST_GICR_BASE + GICR_TYPER);
	uint64_t last = mmio_read64(GUEST_GICR_BASE + GICR_STRIDE + GICR_TYPER);
	uint64_t sgis = GUEST_GICR_BASE + GICR_SGI_FRAME;

	CHECK_EQ(typer >> 32, 0);
	CHECK_EQ(last >> 32, 1);
	CHECK(!(typer & GICR_TYPER_LAST));
	CHECK(last & GICR_TYPER_LAST);
	CHECK_EQ(typer >> 8 & 0xffff, 0);
	CHECK_EQ(last >> 8 & 0xffff, 1);
	CHECK_EQ(mmio_read32(GUEST_GICR_BASE + GICR_TYPER), (uint32_t)typer);
	CHECK_EQ(mmio_read32(GUEST_GICR_BASE + GICD_PIDR2) >> 4 & 0xf, 3);
	/* SGIs are edges for ever. */
	mmio_write32(sgis + GICD_ICFGR, 0);
	CHECK_EQ(mmio_read32(sgis + GICD_ICFGR), 0xaaaaaaaa);
	/* Another vCPU's are its own. */
	mmio_write8(sgis + GICD_IPRIORITYR + 20, 0x50);
	mmio_write8(sgis + GICR_STRIDE + GICD_IPRIORITYR + 20, 0x60);
	CHECK_EQ(mmio_read8(sgis + GICD_IPRIORITYR + 20), 0x50);
	CHECK_EQ(mmio_read8(sgis + GICR_STRIDE + GICD_IPRIORITYR + 20), 0x60);
}

void guest_main(void)
{
	gic_init();
	check_distributor();
	check_redistributor();
	/* What no register answers is read as zero and written to no effect. */
	mmio_write32(GUEST_GICD_BASE + 0xbf00, ~0u);
	CHECK_EQ(DIST(0xbf00), 0);
}
