// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("a level SPI comes again until its line falls, and is sampled again at its end");

#define SPI	42

static volatile unsigned int taken;
static volatile unsigned int lower_at;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, SPI);
	CHECK(gic_bit_read(GICD_ISACTIVER, SPI));
	if (++taken == lower_at)
		db_write(DB_SPI_LOW, SPI);
	gic_eoi(intid);
}

void guest_main(void)
{
	unsigned int i;

	gic_init();
	gic_set_edge(SPI, false);
	gic_enable(SPI, 0x80);
	guest_on_irq = on_irq;
	irq_enable();
	for (i = 0; i < 20; i++) {
		taken = 0;
		lower_at = i % 3 + 1;
		db_write(DB_SPI_HIGH, SPI);
		WAIT_FOR(taken == lower_at);
		guest_delay(50);
		CHECK_EQ(taken, lower_at);
		CHECK(!gic_bit_read(GICD_ISPENDR, SPI));
	}

	/* A line that rises and falls before it is taken leaves nothing. */
	irq_disable();
	taken = 0;
	db_write(DB_SPI_HIGH, SPI);
	CHECK(gic_bit_read(GICD_ISPENDR, SPI));
	db_write(DB_SPI_LOW, SPI);
	CHECK(!gic_bit_read(GICD_ISPENDR, SPI));
	irq_enable();
	guest_delay(50);
	CHECK_EQ(taken, 0);

	/* Disabled it waits, enabled it comes. */
	lower_at = 1;
	gic_bit_write(GICD_ICENABLER, SPI);
	db_write(DB_SPI_HIGH, SPI);
	guest_delay(50);
	CHECK_EQ(taken, 0);
	gic_bit_write(GICD_ISENABLER, SPI);
	WAIT_FOR(taken == 1);
	guest_delay(50);
	CHECK_EQ(taken, 1);
}
