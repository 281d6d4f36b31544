// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("more pending interrupts than list registers come in order of priority");

#define FIRST	32
#define NR	40

static volatile unsigned int taken;
static volatile unsigned char order[NR];

/* Neither rising nor falling with the number. */
static uint8_t priority(unsigned int n)
{
	return (n * 7 % 16) << 4;
}

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK(intid >= FIRST && intid < FIRST + NR);
	CHECK(taken < NR);
	order[taken++] = intid - FIRST;
	gic_eoi(intid);
}

void guest_main(void)
{
	uint64_t seen = 0;
	unsigned int i;

	gic_init();
	guest_on_irq = on_irq;
	for (i = 0; i < NR; i++) {
		gic_set_edge(FIRST + i, true);
		gic_enable(FIRST + i, priority(i));
		db_write(DB_SPI_HIGH, FIRST + i);
		db_write(DB_SPI_LOW, FIRST + i);
	}
	irq_enable();
	WAIT_FOR(taken == NR);
	for (i = 0; i < NR; i++) {
		CHECK(!(seen >> order[i] & 1));
		seen |= 1ull << order[i];
		if (i)
			CHECK(priority(order[i]) >= priority(order[i - 1]));
	}
	guest_delay(100);
	CHECK_EQ(taken, NR);
}
