/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The feature words of KVM_ARM_VCPU_INIT: pure.
 */
#ifndef TERN_VCPU_FEATURE_H
#define TERN_VCPU_FEATURE_H

#include <linux/bits.h>
#include <linux/types.h>

#define VCPU_FEATURE_WORDS	7
#define VCPU_FEATURE_PTRAUTH	(BIT_ULL(FEATURE_PTRAUTH_ADDRESS) | BIT_ULL(FEATURE_PTRAUTH_GENERIC))

/* Bit numbers of KVM's ABI (KVM_ARM_VCPU_*); reset.c holds them against the uapi header. */
enum vcpu_feature {
	FEATURE_POWER_OFF,
	FEATURE_EL1_32BIT,
	FEATURE_PSCI_0_2,
	FEATURE_PMU_V3,
	FEATURE_SVE,
	FEATURE_PTRAUTH_ADDRESS,
	FEATURE_PTRAUTH_GENERIC,
	FEATURE_NR
};

/**
 * vcpu_feature_parse() - check the words of a KVM_ARM_VCPU_INIT
 * @words:   struct kvm_vcpu_init.features
 * @again:   the vCPU was initialised before, with @before
 * @offered: what this host can give, as a bitmap
 * @out:     the features as a bitmap
 * Return: 0; -ENOENT for a feature nobody knows; -EINVAL for one this host
 * does not offer, half of pointer authentication, or a change of mind.
 */
int vcpu_feature_parse(const u32 *words, bool again, u64 before, u64 offered, u64 *out);

#endif
