// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("the binary point says which priorities preempt, the priority who is first");

#define RUNNING	1
#define NEXT	2
#define FIRST	3
#define POINT	7	/* group 1: bit 7 decides, those below do not */

void guest_main(void)
{
	gic_init();
	gic_enable(RUNNING, 0xc0);
	gic_enable(NEXT, 0x80);
	gic_enable(FIRST, 0x40);
	sysreg_write(icc_bpr1_el1, POINT);
	isb();
	CHECK_EQ(sysreg_read(icc_bpr1_el1), POINT);
	gic_sgi(RUNNING, 0);
	WAIT_FOR(sysreg_read(icc_hppir1_el1) == RUNNING);
	CHECK_EQ(gic_ack(), RUNNING);

	gic_sgi(NEXT, 0);
	gic_sgi(FIRST, 0);
	guest_delay(50);
	/* Bit 7 alone is the group: 0xc0 and 0x80 are one, 0x40 another. */
	CHECK_EQ(gic_ack(), FIRST);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
	gic_eoi(FIRST);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
	gic_eoi(RUNNING);
	CHECK_EQ(gic_ack(), NEXT);
	gic_eoi(NEXT);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
}
