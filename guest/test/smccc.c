// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("SMCCC 1.1, its features, and not supported for what is unknown");

static uint64_t call(uint64_t fn, uint64_t arg)
{
	return guest_hvc(fn, arg, 0, 0).x0;
}

/* Wanted or not, workarounds may be called; x0 is all they change. (Built-in KVM loses x1.) */
static void check_workaround(uint64_t fn)
{
	struct smccc_result r = guest_hvc(fn, 1, 0x2222222222222222, 0x3333333333333333);

	CHECK_EQ(r.x0, 0);
	CHECK_EQ(r.x2, 0x2222222222222222);
	CHECK_EQ(r.x3, 0x3333333333333333);
}

void guest_main(void)
{
	static const uint64_t unknown[] = {
		0x80004321,		/* architecture */
		0x81000000,		/* CPU service */
		0x82000000,		/* SiP */
		0x83000000,		/* OEM */
		0x8400ffff,		/* PSCI range */
		0x85000000,		/* standard hypervisor */
		0xbf000000,		/* trusted OS */
		0x00000000,		/* yielding */
	};
	unsigned int i;
	int32_t workaround;

	CHECK_EQ(call(SMCCC_VERSION, 0), 0x10001);
	CHECK_EQ((int32_t)call(SMCCC_ARCH_FEATURES, SMCCC_VERSION), -1);
	workaround = call(SMCCC_ARCH_FEATURES, SMCCC_ARCH_WORKAROUND_1);
	CHECK(workaround >= -1 && workaround <= 1);
	check_workaround(SMCCC_ARCH_WORKAROUND_1);
	check_workaround(SMCCC_ARCH_WORKAROUND_2);
	check_workaround(SMCCC_ARCH_WORKAROUND_3);
	CHECK_EQ((int32_t)call(SMCCC_ARCH_FEATURES, 0x8000dead), -1);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		CHECK_EQ(call(unknown[i], 0), SMCCC_NOT_SUPPORTED);
}
