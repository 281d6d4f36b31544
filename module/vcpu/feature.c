// SPDX-License-Identifier: GPL-2.0
/*
 * Which sets of features a vCPU may have.
 */
#include <linux/errno.h>
#include <linux/types.h>
#include "feature.h"

static bool set_offered(u64 set, u64 offered)
{
	u64 ptrauth = set & VCPU_FEATURE_PTRAUTH;

	/* Both kinds of authentication or none. */
	return !(set & ~offered) && (!ptrauth || ptrauth == VCPU_FEATURE_PTRAUTH);
}

int vcpu_feature_parse(const u32 *words, bool again, u64 before, u64 offered, u64 *out)
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

	if (!set_offered(set, offered))
		return -EINVAL;
	*out = set;
	return 0;
}
