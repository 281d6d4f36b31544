// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("without the feature pointer authentication is hidden and its keys are undefined");

#define ISAR1_PTRAUTH	(0xffull << 4 | 0xffull << 24)

void guest_main(void)
{
	CHECK_EQ(sysreg_read(id_aa64isar1_el1) & ISAR1_PTRAUTH, 0);
	guest_catch();
	asm volatile("mrs x0, s3_0_c2_c1_0" : : : "x0");
	CHECK(guest_caught());
	CHECK_EQ(ESR_EC(guest_caught()), EC_UNKNOWN);
}
