// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("timers that run or are due as the vCPU changes CPU or sleeps outside fire once");

static volatile unsigned int virtual_fired, physical_fired;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	if (intid == PPI_VTIMER) {
		sysreg_write(cntv_ctl_el0, 0);
		virtual_fired++;
	} else {
		CHECK_EQ(intid, PPI_PTIMER);
		sysreg_write(cntp_ctl_el0, 0);
		physical_fired++;
	}
	isb();
	gic_eoi(intid);
}

static void start(unsigned int us)
{
	sysreg_write(cntv_tval_el0, guest_ticks(us));
	sysreg_write(cntp_tval_el0, guest_ticks(us));
	sysreg_write(cntv_ctl_el0, 1);
	sysreg_write(cntp_ctl_el0, 1);
	isb();
}

void guest_main(void)
{
	unsigned int i;

	gic_init();
	gic_enable(PPI_VTIMER, 0xa0);
	gic_enable(PPI_PTIMER, 0xa0);
	guest_on_irq = on_irq;
	for (i = 1; i <= 40; i++) {
		/* Due before, during or after what follows; taken or not. */
		if (i % 2)
			irq_enable();
		start(i % 5 * 500);
		if (i % 3)
			db_write(DB_DISTURB, 0);
		if (i % 4 == 0)
			db_write(DB_SLEEP, 1500);
		if (i % 7 == 0)
			db_write(DB_DISTURB, 0);
		irq_enable();
		WAIT_FOR(virtual_fired == i && physical_fired == i);
		irq_disable();
	}
}
