// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("PSCI SYSTEM_OFF is a shutdown event", .vcpus = 1,
		.ends = GUEST_ENDS_OFF);

void guest_main(void)
{
	guest_hvc(PSCI_SYSTEM_OFF, 0, 0, 0);
	guest_fail("SYSTEM_OFF returned", __LINE__, 1, 0);
}
