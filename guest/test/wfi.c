// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("WFI sleeps until either timer is due, masked or not, and WFE does not hang");

static volatile unsigned int fired;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	if (intid == PPI_VTIMER)
		sysreg_write(cntv_ctl_el0, 0);
	else
		sysreg_write(cntp_ctl_el0, 0);
	isb();
	fired++;
	gic_eoi(intid);
}

void guest_main(void)
{
	uint64_t due;
	unsigned int i;

	gic_init();
	gic_enable(PPI_VTIMER, 0xa0);
	gic_enable(PPI_PTIMER, 0xa0);
	guest_on_irq = on_irq;

	for (i = 1; i <= 10; i++) {
		due = sysreg_read(cntvct_el0) + guest_ticks(1000);
		if (i % 2) {
			sysreg_write(cntv_cval_el0, due);
			sysreg_write(cntv_ctl_el0, 1);
		} else {
			sysreg_write(cntp_tval_el0, guest_ticks(1000));
			sysreg_write(cntp_ctl_el0, 1);
		}
		isb();
		/* Masked at the CPU it still ends the wait. Other wakes may. */
		while (sysreg_read(icc_hppir1_el1) == GIC_SPURIOUS)
			wfi();
		CHECK(sysreg_read(cntvct_el0) >= due);
		CHECK_EQ(fired, i - 1);
		irq_enable();
		WAIT_FOR(fired == i);
		irq_disable();
	}
	asm volatile("sevl; wfe" : : : "memory");
	for (i = 0; i < 5; i++) {
		sysreg_write(cntv_tval_el0, guest_ticks(500));
		sysreg_write(cntv_ctl_el0, 1);
		isb();
		irq_enable();
		while (fired != 11 + i)
			asm volatile("wfe" : : : "memory");
		irq_disable();
	}
}
