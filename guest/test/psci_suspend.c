// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("PSCI CPU_SUSPEND waits for an interrupt and returns success, context kept");

void guest_main(void)
{
	uint64_t due;
	unsigned int i;

	gic_init();
	gic_enable(PPI_VTIMER, 0xa0);
	sysreg_write(tpidr_el0, 0x5a5a);
	for (i = 0; i < 5; i++) {
		due = sysreg_read(cntvct_el0) + guest_ticks(1000);
		sysreg_write(cntv_cval_el0, due);
		sysreg_write(cntv_ctl_el0, 1);
		isb();
		/* It may return early, but not fail, and must in the end. */
		do
			CHECK_EQ(guest_hvc(PSCI_CPU_SUSPEND, 0,
					   (uintptr_t)guest_secondary, 0).x0,
				 0);
		while (sysreg_read(icc_hppir1_el1) == GIC_SPURIOUS);
		CHECK(sysreg_read(cntvct_el0) >= due);
		CHECK_EQ(sysreg_read(tpidr_el0), 0x5a5a);
		sysreg_write(cntv_ctl_el0, 0);
		isb();
	}
}
