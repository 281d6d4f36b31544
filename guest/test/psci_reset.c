// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("PSCI SYSTEM_RESET is a reset event", .vcpus = 1,
		.ends = GUEST_ENDS_RESET);

void guest_main(void)
{
	guest_hvc(PSCI_SYSTEM_RESET, 0, 0, 0);
	guest_fail("SYSTEM_RESET returned", __LINE__, 1, 0);
}
