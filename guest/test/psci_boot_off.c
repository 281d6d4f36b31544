// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("the first vCPU goes off and is started again by another",
		.vcpus = 2);

static volatile bool back;

static void again(void)
{
	CHECK_EQ(sysreg_read(mpidr_el1) & 0xff, 0);
	back = true;
	for (;;)
		wfi();
}

static void second(void)
{
	WAIT_FOR(guest_hvc(PSCI_AFFINITY_INFO, 0, 0, 0).x0 == 1);
	guest_cpu_on(0, again);
	WAIT_FOR(back);
	guest_finish(0);
}

void guest_main(void)
{
	guest_cpu_on(1, second);
	guest_hvc(PSCI_CPU_OFF, 0, 0, 0);
	guest_fail("CPU_OFF returned", __LINE__, 1, 0);
}
