// SPDX-License-Identifier: GPL-2.0
/*
 * Which sets of features a vCPU may have.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/types.h>
#include "feature.h"

/* EL1_32BIT and SVE are answered as by a host without them. */
#define OFFERED	(BIT_ULL(FEATURE_POWER_OFF) | BIT_ULL(FEATURE_PSCI_0_2) | BIT_ULL(FEATURE_PMU_V3) | \
		 PTRAUTH)
#define PTRAUTH	(BIT_ULL(FEATURE_PTRAUTH_ADDRESS) | BIT_ULL(FEATURE_PTRAUTH_GENERIC))

static bool set_offered(u64 set, bool ptrauth, bool pmu)
{
	if (set & ~OFFERED || (set & BIT_ULL(FEATURE_PMU_V3) && !pmu))
		return false;
	/* Both kinds of authentication or none. */
	if (set & PTRAUTH)
		return ptrauth && (set & PTRAUTH) == PTRAUTH;
	return true;
}

int vcpu_feature_parse(const u32 *words, bool again, u64 before, bool ptrauth, bool pmu, u64 *out)
{
	unsigned int i;
	u64 set = 0;

	/* From the lowest bit on, so that the first fault decides the errno, as in built-in KVM. */
	for (i = 0; i < VCPU_FEATURE_WORDS * 32; i++) {
		bool on = words[i / 32] >> (i % 32) & 1;

		if (on && i >= FEATURE_NR)
			return -ENOENT;
		if (again && i < FEATURE_NR && on != (before >> i & 1))
			return -EINVAL;
		if (on)
			set |= BIT_ULL(i);
	}

	if (!set_offered(set, ptrauth, pmu))
		return -EINVAL;
	*out = set;
	return 0;
}
