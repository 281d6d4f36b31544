// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("TRNG 1.0: version, features, UUID, and entropy of the size asked for");

#define INVALID		(~1ull)		/* TRNG_INVALID_PARAMETERS */

static struct smccc_result rnd(uint64_t fn, uint64_t bits)
{
	return guest_hvc(fn, bits, 0x1111, 0x2222);
}

void guest_main(void)
{
	struct smccc_result a, b;

	CHECK_EQ(guest_hvc(TRNG_VERSION, 0, 0, 0).x0, 0x10000);
	CHECK_EQ(guest_hvc(TRNG_FEATURES, TRNG_RND32, 0, 0).x0, 0);
	CHECK_EQ(guest_hvc(TRNG_FEATURES, TRNG_RND64, 0, 0).x0, 0);
	CHECK_EQ(guest_hvc(TRNG_FEATURES, 0x8400005f, 0, 0).x0,
		 SMCCC_NOT_SUPPORTED);
	a = guest_hvc(TRNG_GET_UUID, 0, 0, 0);
	CHECK(a.x0 != SMCCC_NOT_SUPPORTED);
	CHECK(a.x0 | a.x1 | a.x2 | a.x3);

	CHECK_EQ(rnd(TRNG_RND64, 193).x0, INVALID);
	CHECK_EQ(rnd(TRNG_RND32, 97).x0, INVALID);
	/* The specification wants one bit at least; built-in KVM gives none. */
	CHECK(rnd(TRNG_RND64, 0).x0 == INVALID || !rnd(TRNG_RND64, 0).x0);

	a = rnd(TRNG_RND64, 192);
	b = rnd(TRNG_RND64, 192);
	CHECK_EQ(a.x0, 0);
	CHECK_EQ(b.x0, 0);
	CHECK(a.x1 != b.x1 && a.x2 != b.x2 && a.x3 != b.x3);
	CHECK(a.x1 != a.x2);

	/* Fewer bits: in x3 from bit 0 on, what was not asked for is zero. */
	a = rnd(TRNG_RND64, 16);
	CHECK_EQ(a.x0, 0);
	CHECK_EQ(a.x1, 0);
	CHECK_EQ(a.x2, 0);
	CHECK_EQ(a.x3 >> 16, 0);
	a = rnd(TRNG_RND64, 72);
	CHECK_EQ(a.x1, 0);
	CHECK_EQ(a.x2 >> 8, 0);
	CHECK(a.x3);
	a = rnd(TRNG_RND32, 96);
	CHECK_EQ(a.x0, 0);
	CHECK_EQ((a.x1 | a.x2 | a.x3) >> 32, 0);
	CHECK(a.x1 | a.x2 | a.x3);
}
