// SPDX-License-Identifier: GPL-2.0
/*
 * True random numbers for the guest (Arm DEN0098), from the host's generator.
 */
#include <linux/arm-smccc.h>
#include <linux/bitmap.h>
#include <linux/random.h>
#include <linux/string.h>
#include "internal.h"

#define TRNG_VERSION_1_0	0x10000ULL
#define TRNG_SUCCESS		0ULL
#define TRNG_INVALID_PARAMETER	((u64)-2)

#define TRNG_WORDS	3

/* DEN0098 2.5: @bits of entropy, right-justified in three registers of @width bits, the highest first */
static int trng_rnd(struct tern_vcpu *v, unsigned int width)
{
	unsigned long e[TRNG_WORDS] = { 0 };
	u32 bits = fw_arg(v, 1);
	unsigned int i;

	if (bits > TRNG_WORDS * width)
		return fw_answer1(v, TRNG_INVALID_PARAMETER);
	for (i = 0; i < DIV_ROUND_UP(bits, BITS_PER_LONG); i++)
		e[i] = get_random_u64();
	bitmap_clear(e, bits, BITS_PER_LONG * TRNG_WORDS - bits);

	if (width == 32)
		fw_answer(v, TRNG_SUCCESS, (u32)e[1], e[0] >> 32, (u32)e[0]);
	else
		fw_answer(v, TRNG_SUCCESS, e[2], e[1], e[0]);
	memzero_explicit(e, sizeof(e));
	return FW_RESUME;
}

static int trng_features(struct tern_vcpu *v)
{
	switch ((u32)fw_arg(v, 1)) {
	case ARM_SMCCC_TRNG_VERSION:
	case ARM_SMCCC_TRNG_FEATURES:
	case ARM_SMCCC_TRNG_GET_UUID:
	case ARM_SMCCC_TRNG_RND32:
	case ARM_SMCCC_TRNG_RND64:
		return fw_answer1(v, TRNG_SUCCESS);
	default:
		return fw_answer1(v, FW_NOT_SUPPORTED);
	}
}

int fw_trng_call(struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case ARM_SMCCC_TRNG_VERSION:
		return fw_answer1(v, TRNG_VERSION_1_0);
	case ARM_SMCCC_TRNG_FEATURES:
		return trng_features(v);
	case ARM_SMCCC_TRNG_GET_UUID:
		/* Built-in KVM's 0d21e000-4384-11eb-8070-5244554e5a4c, each word's bytes in memory order */
		return fw_answer(v, 0x00e0210d, 0xeb118443, 0x44527080, 0x4c5a4e55);
	case ARM_SMCCC_TRNG_RND32:
		return trng_rnd(v, 32);
	case ARM_SMCCC_TRNG_RND64:
		return trng_rnd(v, 64);
	default:
		return fw_answer1(v, FW_NOT_SUPPORTED);
	}
}
