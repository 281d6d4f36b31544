// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("a level PPI that userspace drives comes again until its line falls");

#define PPI	22

static volatile unsigned int taken;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, PPI);
	if (++taken == 3)
		db_write(DB_PPI_LOW, PPI);
	gic_eoi(intid);
}

void guest_main(void)
{
	gic_init();
	gic_enable(PPI, 0x80);
	guest_on_irq = on_irq;
	irq_enable();
	db_write(DB_PPI_HIGH, PPI);
	WAIT_FOR(taken == 3);
	guest_delay(50);
	CHECK_EQ(taken, 3);
}
