// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST_WITH("an SGI to all others reaches each of them once and the sender not",
		.vcpus = 4);

#define OTHERS		3
#define SGI		5
#define SGI_IRM		(1ull << 40)

static volatile unsigned int taken[OTHERS + 1];
static volatile unsigned int ready;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, SGI);
	taken[sysreg_read(mpidr_el1) & 0xff]++;
	gic_eoi(intid);
}

static void other(void)
{
	gic_init_cpu();
	gic_enable(SGI, 0xa0);
	irq_enable();
	__atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
	for (;;)
		wfi();
}

void guest_main(void)
{
	unsigned int i, round;

	gic_init();
	gic_enable(SGI, 0xa0);
	guest_on_irq = on_irq;
	irq_enable();
	for (i = 1; i <= OTHERS; i++)
		guest_cpu_on(i, other);
	WAIT_FOR(ready == OTHERS);
	for (round = 1; round <= 20; round++) {
		dsb();
		sysreg_write(icc_sgi1r_el1, SGI_IRM | (uint64_t)SGI << 24);
		isb();
		for (i = 1; i <= OTHERS; i++)
			WAIT_FOR(taken[i] == round);
		CHECK_EQ(taken[0], 0);
	}
}
