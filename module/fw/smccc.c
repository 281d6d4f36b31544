// SPDX-License-Identifier: GPL-2.0
/*
 * SMC Calling Convention (Arm DEN0028): which function goes where.
 *
 * A table of ranges, in the order of function numbers, each with the service
 * the client may have taken away from the guest (KVM_REG_ARM_STD_BMAP and its
 * sisters).
 */
#include <linux/arm-smccc.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include "../host/caps.h"
#include "internal.h"
#include "pvabi.h"

/* enum fw_service - what a bit of the feature bitmaps grants */
enum fw_service {
	FW_ALWAYS,
	FW_TRNG,
	FW_PV_TIME,
	FW_VENDOR_FEATURES,
	FW_VENDOR_PTP,
};

static bool service_granted(const struct tern_vm *vm, enum fw_service s)
{
	switch (s) {
	case FW_TRNG:
		return READ_ONCE(vm->smccc_std_bmap) & BIT(KVM_REG_ARM_STD_BIT_TRNG_V1_0);
	case FW_PV_TIME:
		return READ_ONCE(vm->smccc_std_hyp_bmap) & BIT(KVM_REG_ARM_STD_HYP_BIT_PV_TIME);
	case FW_VENDOR_FEATURES:
		return READ_ONCE(vm->smccc_vendor_hyp_bmap) & BIT(KVM_REG_ARM_VENDOR_HYP_BIT_FUNC_FEAT);
	case FW_VENDOR_PTP:
		return READ_ONCE(vm->smccc_vendor_hyp_bmap) & BIT(KVM_REG_ARM_VENDOR_HYP_BIT_PTP);
	default:
		return true;
	}
}

static int smccc_version(struct tern_vcpu *v, u32 fn)
{
	return fw_answer1(v, ARM_SMCCC_VERSION_1_1);
}

/* DEN0028 7.3: 0 when a CPU needs the workaround and has it, 1 when it needs none */
static u64 workaround_answer(enum fw_mitigation m)
{
	switch (m) {
	case FW_MITIGATED:
		return SMCCC_RET_SUCCESS;
	case FW_UNAFFECTED:
		return SMCCC_ARCH_WORKAROUND_RET_UNAFFECTED;
	default:
		return FW_NOT_SUPPORTED;
	}
}

/*
 * Workaround 2 is a switch, and a guest gets none. On a host without SSBS the
 * mitigation is always on for guests, so they need do nothing; on a host with
 * it they have the PSTATE bit.
 */
static u64 workaround2_answer(void)
{
	enum fw_mitigation m = fw_spectre_v4();

	if (m == FW_VULNERABLE || (m == FW_MITIGATED && host_caps.ssbs))
		return FW_NOT_SUPPORTED;
	return (u64)SMCCC_RET_NOT_REQUIRED;
}

static int smccc_arch_features(struct tern_vcpu *v, u32 fn)
{
	switch ((u32)fw_arg(v, 1)) {
	case ARM_SMCCC_ARCH_WORKAROUND_1:
		return fw_answer1(v, workaround_answer(fw_spectre_v2()));
	case ARM_SMCCC_ARCH_WORKAROUND_2:
		return fw_answer1(v, workaround2_answer());
	case ARM_SMCCC_ARCH_WORKAROUND_3:
		return fw_answer1(v, workaround_answer(fw_spectre_bhb()));
	case ARM_SMCCC_HV_PV_TIME_FEATURES:
		if (service_granted(v->vm, FW_PV_TIME))
			return fw_answer1(v, SMCCC_RET_SUCCESS);
		break;
	}
	return fw_answer1(v, FW_NOT_SUPPORTED);
}

/*
 * The exit has done what is asked for (hyp/entry.S, which answers most of these
 * calls). DEN0028 7.4: only x0 is a result; the guest counts on x1 to x3 being
 * preserved.
 */
static int smccc_workaround(struct tern_vcpu *v, u32 fn)
{
	vcpu_set_reg(v, 0, SMCCC_RET_SUCCESS);
	return FW_RESUME;
}

static int vendor_uid(struct tern_vcpu *v, u32 fn)
{
	/* KVM's: guests find its services by it. */
	return fw_answer(v, ARM_SMCCC_VENDOR_HYP_UID_KVM_REG_0, ARM_SMCCC_VENDOR_HYP_UID_KVM_REG_1,
			 ARM_SMCCC_VENDOR_HYP_UID_KVM_REG_2, ARM_SMCCC_VENDOR_HYP_UID_KVM_REG_3);
}

static int vendor_features(struct tern_vcpu *v, u32 fn)
{
	return fw_answer1(v, READ_ONCE(v->vm->smccc_vendor_hyp_bmap));
}

/*
 * struct fw_range - functions first..last
 * PSCI is functions 0 to 0x1f of the standard service, in both widths, and
 * KVM's own four numbers from before SMCCC.
 */
struct fw_range {
	u32 first;
	u32 last;
	enum fw_service service;
	int (*call)(struct tern_vcpu *v, u32 fn);
};

#define ONE(fn) (fn), (fn)

static const struct fw_range fw_ranges[] = {
	{ ONE(ARM_SMCCC_VERSION_FUNC_ID),		FW_ALWAYS,	smccc_version },
	{ ONE(ARM_SMCCC_ARCH_FEATURES_FUNC_ID),		FW_ALWAYS,	smccc_arch_features },
	{ ONE(ARM_SMCCC_ARCH_WORKAROUND_3),		FW_ALWAYS,	smccc_workaround },
	{ ONE(ARM_SMCCC_ARCH_WORKAROUND_2),		FW_ALWAYS,	smccc_workaround },
	{ ONE(ARM_SMCCC_ARCH_WORKAROUND_1),		FW_ALWAYS,	smccc_workaround },
	{ PSCI_0_2_FN(0), PSCI_0_2_FN(0x1f),		FW_ALWAYS,	fw_psci_call },
	{ ARM_SMCCC_TRNG_VERSION, ARM_SMCCC_TRNG_GET_UUID, FW_TRNG,	fw_trng_call },
	{ ONE(ARM_SMCCC_TRNG_RND32),			FW_TRNG,	fw_trng_call },
	{ ONE(ARM_SMCCC_VENDOR_HYP_KVM_FEATURES_FUNC_ID), FW_VENDOR_FEATURES, vendor_features },
	{ ONE(ARM_SMCCC_VENDOR_HYP_KVM_PTP_FUNC_ID),	FW_VENDOR_PTP,	fw_ptp_call },
	{ ONE(ARM_SMCCC_VENDOR_HYP_CALL_UID_FUNC_ID),	FW_VENDOR_FEATURES, vendor_uid },
	{ KVM_PSCI_FN(0), KVM_PSCI_FN(3),		FW_ALWAYS,	fw_psci_call },
	{ PSCI_0_2_FN64(0), PSCI_0_2_FN64(0x1f),	FW_ALWAYS,	fw_psci_call },
	{ ONE(ARM_SMCCC_TRNG_RND64),			FW_TRNG,	fw_trng_call },
	{ ARM_SMCCC_HV_PV_TIME_FEATURES, ARM_SMCCC_HV_PV_TIME_ST, FW_PV_TIME, fw_pvtime_call },
	{ TERN_PV_FEATURES, TERN_PV_YIELD,		FW_VENDOR_FEATURES, fw_pvtlb_call },
};

static const struct fw_range *range_of(u32 fn)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fw_ranges); i++)
		if (fn >= fw_ranges[i].first && fn <= fw_ranges[i].last)
			return &fw_ranges[i];
	return NULL;
}

int fw_handle_smccc(struct tern_vcpu *v)
{
	u32 fn = vcpu_get_reg(v, 0);
	const struct fw_range *r = range_of(fn);

	if (!r || !service_granted(v->vm, r->service))
		return fw_answer1(v, FW_NOT_SUPPORTED);
	return r->call(v, fn);
}
