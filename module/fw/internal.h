/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the files of fw/. Calls go one way: smccc.c -> psci.c trng.c
 * pvtime.c pvtlb.c ptp.c mitigation.c; regs.c -> psci.c mitigation.c.
 */
#ifndef TERN_FW_INTERNAL_H
#define TERN_FW_INTERNAL_H

#include <uapi/linux/psci.h>
#include "fw.h"

/* SMCCC DEN0028: the answer to a function that is not there */
#define FW_NOT_SUPPORTED	(~0ULL)

/* KVM_REG_ARM_PSCI_VERSION */
#define FW_PSCI_0_1	PSCI_VERSION(0, 1)
#define FW_PSCI_0_2	PSCI_VERSION(0, 2)
#define FW_PSCI_1_0	PSCI_VERSION(1, 0)
#define FW_PSCI_1_1	PSCI_VERSION(1, 1)

/** fw_arg() - argument @n (1 to 3) of the call; x0 is the function */
static inline u64 fw_arg(const struct tern_vcpu *v, unsigned int n)
{
	return vcpu_get_reg(v, n);
}

/** fw_answer() - results of the call, in x0 to x3. Return: FW_RESUME */
static inline int fw_answer(struct tern_vcpu *v, u64 a0, u64 a1, u64 a2, u64 a3)
{
	vcpu_set_reg(v, 0, a0);
	vcpu_set_reg(v, 1, a1);
	vcpu_set_reg(v, 2, a2);
	vcpu_set_reg(v, 3, a3);
	return FW_RESUME;
}

static inline int fw_answer1(struct tern_vcpu *v, u64 a0)
{
	return fw_answer(v, a0, 0, 0, 0);
}

/* Handlers of calls: enum fw_result or a negative errno */
int fw_psci_call(struct tern_vcpu *v, u32 fn);
int fw_trng_call(struct tern_vcpu *v, u32 fn);
int fw_pvtime_call(struct tern_vcpu *v, u32 fn);
int fw_ptp_call(struct tern_vcpu *v, u32 fn);
int fw_pvtlb_call(struct tern_vcpu *v, u32 fn);

/** fw_psci_version() - what PSCI_VERSION answers this vCPU */
u32 fw_psci_version(const struct tern_vcpu *v);
/** fw_psci_publish() - version or features changed: tell the vector, which answers PSCI_VERSION itself */
void fw_psci_publish(struct tern_vcpu *v);

/** enum fw_mitigation - what the host does about a speculation vulnerability */
enum fw_mitigation {
	FW_VULNERABLE,
	FW_MITIGATED,
	FW_UNAFFECTED,
};

/* Spectre v2 (SMCCC_ARCH_WORKAROUND_1), v4 (_2) and branch history injection (_3) */
enum fw_mitigation fw_spectre_v2(void);
enum fw_mitigation fw_spectre_v4(void);
enum fw_mitigation fw_spectre_bhb(void);
void fw_mitigation_init(void);

#endif
