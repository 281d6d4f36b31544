// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST_WITH("an SPI goes to the vCPU its route names, also when pending as that changes",
		.vcpus = 2);

#define SPI	44

static volatile unsigned int taken[2];
static volatile bool ready;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, SPI);
	taken[sysreg_read(mpidr_el1) & 0xff]++;
	gic_eoi(intid);
}

static void second(void)
{
	gic_init_cpu();
	irq_enable();
	ready = true;
	for (;;)
		wfi();
}

static void route(unsigned int cpu)
{
	mmio_write64(GUEST_GICD_BASE + GICD_IROUTER + 8 * SPI, cpu);
	CHECK_EQ(mmio_read64(GUEST_GICD_BASE + GICD_IROUTER + 8 * SPI), cpu);
}

static void pulse(void)
{
	db_write(DB_SPI_HIGH, SPI);
	db_write(DB_SPI_LOW, SPI);
}

void guest_main(void)
{
	gic_init();
	gic_set_edge(SPI, true);
	gic_enable(SPI, 0x80);
	guest_on_irq = on_irq;
	guest_cpu_on(1, second);
	WAIT_FOR(ready);
	irq_enable();
	pulse();
	WAIT_FOR(taken[0] == 1);
	route(1);
	pulse();
	WAIT_FOR(taken[1] == 1);
	CHECK_EQ(taken[0], 1);

	route(0);
	irq_disable();
	pulse();
	guest_delay(50);
	route(1);
	WAIT_FOR(taken[1] == 2);
	irq_enable();
	guest_delay(50);
	CHECK_EQ(taken[0], 1);
}
