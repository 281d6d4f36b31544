// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("an edge SPI comes once for each rise, also for one while it is active");

#define SPI	43

static volatile unsigned int taken;
static volatile bool again;

static void pulse(void)
{
	db_write(DB_SPI_HIGH, SPI);
	db_write(DB_SPI_LOW, SPI);
}

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, SPI);
	taken++;
	if (again) {
		again = false;
		pulse();
	}
	gic_eoi(intid);
}

void guest_main(void)
{
	unsigned int i;

	gic_init();
	gic_set_edge(SPI, true);
	gic_enable(SPI, 0x80);
	guest_on_irq = on_irq;
	irq_enable();
	for (i = 1; i <= 20; i++) {
		pulse();
		WAIT_FOR(taken == i);
	}
	/* Held high: no second one. */
	taken = 0;
	db_write(DB_SPI_HIGH, SPI);
	WAIT_FOR(taken == 1);
	guest_delay(50);
	CHECK_EQ(taken, 1);
	db_write(DB_SPI_LOW, SPI);

	taken = 0;
	again = true;
	pulse();
	WAIT_FOR(taken == 2);

	/* Two rises before it is taken are one interrupt. */
	taken = 0;
	irq_disable();
	pulse();
	pulse();
	irq_enable();
	WAIT_FOR(taken == 1);
	guest_delay(50);
	CHECK_EQ(taken, 1);

	/* Pending and cleared by the guest: gone. */
	taken = 0;
	irq_disable();
	pulse();
	gic_bit_write(GICD_ICPENDR, SPI);
	irq_enable();
	guest_delay(50);
	CHECK_EQ(taken, 0);
	/* Set pending by the guest: as good as a rise. */
	gic_bit_write(GICD_ISPENDR, SPI);
	WAIT_FOR(taken == 1);
}
