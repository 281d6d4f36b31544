// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST_WITH("SGIs go between two vCPUs, none lost, also to one asleep in WFI",
		.vcpus = 2);

#define ROUNDS	200
#define SGI_PING	3
#define SGI_PONG	7

static volatile unsigned int pings, pongs;
static volatile bool ready;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();
	unsigned int cpu = sysreg_read(mpidr_el1) & 0xff;

	(void)frame;
	CHECK_EQ(intid, cpu ? SGI_PING : SGI_PONG);
	if (cpu) {
		pings++;
		gic_eoi(intid);
		gic_sgi(SGI_PONG, 0);
	} else {
		pongs++;
		gic_eoi(intid);
	}
}

static void second(void)
{
	gic_init_cpu();
	gic_enable(SGI_PING, 0xa0);
	ready = true;
	while (pings < ROUNDS) {
		irq_disable();
		if (pings < ROUNDS)
			wfi();
		irq_enable();
	}
}

void guest_main(void)
{
	unsigned int i;

	gic_init();
	gic_enable(SGI_PONG, 0xa0);
	guest_on_irq = on_irq;
	guest_cpu_on(1, second);
	WAIT_FOR(ready);
	irq_enable();
	for (i = 1; i <= ROUNDS; i++) {
		/* Every other time the other vCPU is surely asleep. */
		if (i % 16 == 0)
			db_write(DB_SLEEP, 2000);
		gic_sgi(SGI_PING, 1);
		WAIT_FOR(pongs == i);
		CHECK_EQ(pings, i);
	}
}
