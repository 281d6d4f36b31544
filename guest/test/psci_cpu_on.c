// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("PSCI CPU_ON, CPU_OFF and AFFINITY_INFO, over and over and with bad targets",
		.vcpus = 3);

#define NOBODY		0x77
#define AFF_ON		0
#define AFF_OFF		1

static volatile unsigned int runs;
static volatile bool leave;

static uint64_t affinity(uint64_t target, uint64_t level)
{
	return guest_hvc(PSCI_AFFINITY_INFO, target, level, 0).x0;
}

static void second(void)
{
	/* As the architecture resets it, with interrupts masked. */
	CHECK_EQ(sysreg_read(currentel), 1 << 2);
	CHECK_EQ(sysreg_read(daif), 0xf << 6);
	CHECK_EQ(sysreg_read(mpidr_el1) & 0xffffff, 1);
	runs++;
	while (!leave)
		;
}

void guest_main(void)
{
	unsigned int i;

	CHECK_EQ(guest_hvc(PSCI_CPU_ON, NOBODY, (uintptr_t)guest_secondary,
			   0).x0, PSCI_INVALID_PARAMS);
	CHECK_EQ(guest_hvc(PSCI_CPU_ON, 0, (uintptr_t)guest_secondary, 0).x0,
		 PSCI_ALREADY_ON);
	CHECK_EQ(affinity(0, 0), AFF_ON);
	CHECK_EQ(affinity(1, 0), AFF_OFF);
	CHECK_EQ(affinity(NOBODY, 0), PSCI_INVALID_PARAMS);
	CHECK_EQ(affinity(0, 4), PSCI_INVALID_PARAMS);
	/* Somebody of this cluster is on. */
	CHECK_EQ(affinity(0, 1), AFF_ON);
	for (i = 1; i <= 20; i++) {
		leave = false;
		guest_cpu_on(1, second);
		WAIT_FOR(runs == i);
		CHECK_EQ(affinity(1, 0), AFF_ON);
		CHECK_EQ(affinity(2, 0), AFF_OFF);
		CHECK_EQ(guest_hvc(PSCI_CPU_ON, 1, (uintptr_t)guest_secondary,
				   0).x0, PSCI_ALREADY_ON);
		leave = true;
		WAIT_FOR(affinity(1, 0) == AFF_OFF);
	}
}
