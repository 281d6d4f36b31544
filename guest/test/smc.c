// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("SMC is answered with not supported and the guest goes on after it");

void guest_main(void)
{
	/* The call firmware would serve is not reached either. */
	CHECK_EQ(guest_smc(PSCI_VERSION).x0, SMCCC_NOT_SUPPORTED);
	CHECK_EQ(guest_smc(SMCCC_VERSION).x0, SMCCC_NOT_SUPPORTED);
	CHECK_EQ(guest_smc(0x12345678).x0, SMCCC_NOT_SUPPORTED);
}
