// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("a higher priority preempts, an equal or lower one waits, the mask holds back");

#define LOW	1
#define MID	2
#define MID2	3
#define HIGH	4

static volatile unsigned int order[8], taken;
static volatile unsigned int depth, deepest;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	order[taken++ & 7] = intid;
	if (++depth > deepest)
		deepest = depth;
	if (intid == MID) {
		CHECK_EQ(sysreg_read(icc_rpr_el1), 0x80);
		/* Not lower, so neither of these two now, but this one. */
		gic_sgi(LOW, 0);
		gic_sgi(MID2, 0);
		irq_enable();
		guest_delay(50);
		CHECK_EQ(taken, 1);
		gic_sgi(HIGH, 0);
		WAIT_FOR(taken == 2);
		irq_disable();
		CHECK_EQ(sysreg_read(icc_rpr_el1), 0x80);
	}
	gic_eoi(intid);
	depth--;
}

void guest_main(void)
{
	gic_init();
	gic_enable(LOW, 0xc0);
	gic_enable(MID, 0x80);
	gic_enable(MID2, 0x80);
	gic_enable(HIGH, 0x40);
	guest_on_irq = on_irq;
	irq_enable();
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xff);
	gic_sgi(MID, 0);
	WAIT_FOR(taken == 4);
	CHECK_EQ(order[0], MID);
	CHECK_EQ(order[1], HIGH);
	CHECK_EQ(order[2], MID2);
	CHECK_EQ(order[3], LOW);
	CHECK_EQ(deepest, 2);
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xff);

	/* The priority mask lets through what is higher than it only. */
	taken = 0;
	sysreg_write(icc_pmr_el1, 0x80);
	isb();
	gic_sgi(MID, 0);
	guest_delay(50);
	CHECK_EQ(taken, 0);
	gic_sgi(HIGH, 0);
	WAIT_FOR(taken == 1);
	CHECK_EQ(order[0], HIGH);
	sysreg_write(icc_igrpen1_el1, 0);
	sysreg_write(icc_pmr_el1, 0xff);
	isb();
	guest_delay(50);
	CHECK_EQ(taken, 1);
	taken = 0;
	order[0] = 0;
	deepest = 0;
	/* MID again, whose handler sends the others again. */
	sysreg_write(icc_igrpen1_el1, 1);
	isb();
	WAIT_FOR(taken == 4);
	CHECK_EQ(order[0], MID);
	CHECK_EQ(order[3], LOW);
}
