// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("the virtual timer fires as PPI 27, on time and once for each setting");

static volatile unsigned int fired;
static volatile uint64_t fired_at;

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();

	(void)frame;
	CHECK_EQ(intid, PPI_VTIMER);
	CHECK_EQ(sysreg_read(cntv_ctl_el0), 5);	/* enabled, its condition met */
	fired_at = sysreg_read(cntvct_el0);
	sysreg_write(cntv_ctl_el0, 0);
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
	guest_on_irq = on_irq;
	irq_enable();
	for (i = 1; i <= 20; i++) {
		due = sysreg_read(cntvct_el0) + guest_ticks(200 * i);
		sysreg_write(cntv_cval_el0, due);
		sysreg_write(cntv_ctl_el0, 1);
		isb();
		WAIT_FOR(fired == i);
		CHECK(fired_at >= due);
		guest_delay(100);
		CHECK_EQ(fired, i);
		/* The register is the guest's again. */
		CHECK_EQ(sysreg_read(cntv_ctl_el0), 0);
		CHECK_EQ(sysreg_read(cntv_cval_el0), due);
	}
}
