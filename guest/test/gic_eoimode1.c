// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("EOImode 1: ending drops the priority, DIR makes inactive, in any order");

#define A	40
#define B	41

static unsigned int ack_soon(void)
{
	WAIT_FOR(sysreg_read(icc_hppir1_el1) != GIC_SPURIOUS);
	return gic_ack();
}

static void dir(unsigned int intid)
{
	sysreg_write(icc_dir_el1, intid);
	isb();
}

static void pulse(unsigned int intid)
{
	db_write(DB_SPI_HIGH, intid);
	db_write(DB_SPI_LOW, intid);
}

void guest_main(void)
{
	gic_init();
	sysreg_write(icc_ctlr_el1, ICC_CTLR_EOIMODE);
	isb();
	CHECK(sysreg_read(icc_ctlr_el1) & ICC_CTLR_EOIMODE);
	gic_set_edge(A, true);
	gic_set_edge(B, true);
	gic_enable(A, 0x80);
	gic_enable(B, 0x80);

	pulse(A);
	CHECK_EQ(ack_soon(), A);
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0x80);
	pulse(B);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);	/* same priority runs */
	gic_eoi(A);
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xff);
	CHECK(gic_bit_read(GICD_ISACTIVER, A));
	CHECK_EQ(ack_soon(), B);		/* while A is active still */
	gic_eoi(B);

	/* Active and pending: again only once it is inactive. */
	pulse(A);
	guest_delay(50);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
	CHECK(gic_bit_read(GICD_ISPENDR, A));
	dir(A);
	CHECK_EQ(ack_soon(), A);
	gic_eoi(A);
	dir(B);
	CHECK(!gic_bit_read(GICD_ISACTIVER, B));
	CHECK(gic_bit_read(GICD_ISACTIVER, A));
	dir(A);
	CHECK(!gic_bit_read(GICD_ISACTIVER, A));
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
}
