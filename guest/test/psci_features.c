// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("PSCI_VERSION is 1.1 or later, and FEATURES knows what is there and what is not");

#define CPU_FREEZE	0x8400000b

static uint64_t features(uint64_t fn)
{
	return guest_hvc(PSCI_FEATURES, fn, 0, 0).x0;
}

void guest_main(void)
{
	CHECK(guest_hvc(PSCI_VERSION, 0, 0, 0).x0 >= 0x10001);
	CHECK_EQ(features(PSCI_VERSION), 0);
	CHECK_EQ(features(PSCI_CPU_SUSPEND), 0);
	CHECK_EQ(features(PSCI_CPU_OFF), 0);
	CHECK_EQ(features(PSCI_CPU_ON), 0);
	CHECK_EQ(features(PSCI_AFFINITY_INFO), 0);
	CHECK_EQ(features(PSCI_MIGRATE_INFO_TYPE), 0);
	CHECK_EQ(features(PSCI_SYSTEM_OFF), 0);
	CHECK_EQ(features(PSCI_SYSTEM_RESET), 0);
	CHECK_EQ(features(PSCI_SYSTEM_RESET2), 0);
	CHECK_EQ(features(PSCI_FEATURES), 0);
	CHECK_EQ(features(SMCCC_VERSION), 0);
	/* Only where userspace asked for it. */
	CHECK_EQ(features(PSCI_SYSTEM_SUSPEND), SMCCC_NOT_SUPPORTED);
	CHECK_EQ(features(CPU_FREEZE), SMCCC_NOT_SUPPORTED);
	CHECK_EQ(guest_hvc(CPU_FREEZE, 0, 0, 0).x0, SMCCC_NOT_SUPPORTED);
	/* There is no trusted OS to migrate. */
	CHECK_EQ(guest_hvc(PSCI_MIGRATE_INFO_TYPE, 0, 0, 0).x0, 2);
}
