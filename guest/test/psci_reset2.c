// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("PSCI SYSTEM_RESET2 refuses a bad type, and is a reset event", .vcpus = 1,
		.ends = GUEST_ENDS_RESET);

#define RESERVED_TYPE	7

void guest_main(void)
{
	CHECK_EQ(guest_hvc(PSCI_SYSTEM_RESET2, RESERVED_TYPE, 0, 0).x0,
		 PSCI_INVALID_PARAMS);
	guest_hvc(PSCI_SYSTEM_RESET2, 0, 0, 0);
	guest_fail("SYSTEM_RESET2 returned", __LINE__, 1, 0);
}
