// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("32-bit PSCI calls use the low halves of their arguments",
		.vcpus = 2);

#define JUNK		0xdead000000000000ull
#define CPU_ON_32	0x84000003
#define AFFINITY_32	0x84000004

static volatile bool ran;

static void second(void)
{
	ran = true;
}

void guest_main(void)
{
	CHECK_EQ(guest_hvc(AFFINITY_32, JUNK | 1, JUNK, 0).x0, 1);
	CHECK_EQ(guest_hvc(CPU_ON_32, JUNK | 1,
			   JUNK | (uintptr_t)guest_secondary,
			   JUNK | (uintptr_t)second).x0, 0);
	WAIT_FOR(ran);
}
