// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("an interrupt made active by register is held back until made inactive");

#define SPI	45
#define SGI	6

static void check(unsigned int intid)
{
	gic_bit_write(GICD_ISACTIVER, intid);
	CHECK(gic_bit_read(GICD_ISACTIVER, intid));
	gic_bit_write(GICD_ISPENDR, intid);
	guest_delay(50);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
	gic_bit_write(GICD_ICACTIVER, intid);
	CHECK(!gic_bit_read(GICD_ISACTIVER, intid));
	WAIT_FOR(sysreg_read(icc_hppir1_el1) == intid);
	CHECK_EQ(gic_ack(), intid);
	CHECK(gic_bit_read(GICD_ISACTIVER, intid));
	CHECK(!gic_bit_read(GICD_ISPENDR, intid));
	gic_eoi(intid);
	CHECK(!gic_bit_read(GICD_ISACTIVER, intid));
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
}

void guest_main(void)
{
	gic_init();
	gic_set_edge(SPI, true);
	gic_enable(SPI, 0x80);
	check(SPI);
	gic_enable(SGI, 0x80);
	check(SGI);
}
