// SPDX-License-Identifier: GPL-2.0
/*
 * The firmware's pseudo registers (KVM API, "ARM Virtual CPU firmware
 * pseudo-registers"), and what vcpu/ reaches of this folder.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "../host/caps.h"
#include "internal.h"

/* Workaround registers hold a level in the low bits, higher being better. */
#define LEVEL_MASK 0xfULL

#define STD_ALL		(BIT_ULL(KVM_REG_ARM_STD_BMAP_BIT_COUNT) - 1)
#define STD_HYP_ALL	(BIT_ULL(KVM_REG_ARM_STD_HYP_BMAP_BIT_COUNT) - 1)
#define VENDOR_HYP_ALL	(BIT_ULL(KVM_REG_ARM_VENDOR_HYP_BMAP_BIT_COUNT) - 1)

static const u64 fw_reg_ids[] = {
	KVM_REG_ARM_PSCI_VERSION,
	KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1,
	KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2,
	KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_3,
	KVM_REG_ARM_STD_BMAP,
	KVM_REG_ARM_STD_HYP_BMAP,
	KVM_REG_ARM_VENDOR_HYP_BMAP,
};

unsigned int fw_num_regs(void)
{
	return ARRAY_SIZE(fw_reg_ids);
}

void fw_copy_reg_indices(u64 *ids)
{
	memcpy(ids, fw_reg_ids, sizeof(fw_reg_ids));
}

/* Levels of workarounds 1 and 3 have the same numbers. */
static u64 level_of(enum fw_mitigation m)
{
	switch (m) {
	case FW_MITIGATED:
		return KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1_AVAIL;
	case FW_UNAFFECTED:
		return KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1_NOT_REQUIRED;
	default:
		return KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1_NOT_AVAIL;
	}
}

/* See workaround2_answer() in smccc.c: with SSBS the guest is told of no workaround. */
static u64 level2(void)
{
	enum fw_mitigation m = fw_spectre_v4();

	if (m == FW_VULNERABLE || (m == FW_MITIGATED && host_caps.ssbs))
		return KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_NOT_AVAIL;
	return KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_NOT_REQUIRED;
}

static u64 level1or3(u64 id)
{
	return level_of(id == KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1 ? fw_spectre_v2() : fw_spectre_bhb());
}

static int set_level1or3(u64 id, u64 val)
{
	return val > level1or3(id) ? -EINVAL : 0;
}

/*
 * The source of a migration may have been another kind of host. What it had
 * comes down to two cases: the guest needs the workaround (which nobody here
 * can give) or it does not.
 */
static int set_level2(u64 val)
{
	u64 level = val & LEVEL_MASK;
	u64 flag = val & ~LEVEL_MASK;

	if (flag & ~(u64)KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_ENABLED)
		return -EINVAL;
	if (flag && level != KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_AVAIL)
		return -EINVAL;
	switch (level) {
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_NOT_AVAIL:
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_UNKNOWN:
		return 0;
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_AVAIL:
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_NOT_REQUIRED:
		return level2() == KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2_NOT_REQUIRED ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int set_psci_version(struct tern_vcpu *v, u64 val)
{
	bool wants_0_2 = VCPU_FEATURE(v, KVM_ARM_VCPU_PSCI_0_2);
	struct tern_vcpu *other;
	u32 i;

	switch (val) {
	case FW_PSCI_0_1:
		if (wants_0_2)
			return -EINVAL;
		break;
	case FW_PSCI_0_2:
	case FW_PSCI_1_0:
	case FW_PSCI_1_1:
		if (!wants_0_2)
			return -EINVAL;
		break;
	default:
		return -EINVAL;
	}
	/* Each vCPU of a VM that is restored brings it anew. */
	if (READ_ONCE(v->vm->psci_version) == val)
		return 0;
	WRITE_ONCE(v->vm->psci_version, val);
	vm_for_each_vcpu(i, other, v->vm)
		fw_psci_publish(other);
	return 0;
}

static int set_bitmap(struct tern_vm *vm, u64 *bitmap, u64 all, u64 val)
{
	if (val & ~all)
		return -EINVAL;
	/* A running guest has asked already; the same again is no change. */
	if (READ_ONCE(vm->ran_once) && val != READ_ONCE(*bitmap))
		return -EBUSY;
	WRITE_ONCE(*bitmap, val);
	return 0;
}

int fw_get_reg(struct tern_vcpu *v, u64 id, u64 *val)
{
	switch (id) {
	case KVM_REG_ARM_PSCI_VERSION:
		*val = fw_psci_version(v);
		return 0;
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1:
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_3:
		*val = level1or3(id);
		return 0;
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2:
		*val = level2();
		return 0;
	case KVM_REG_ARM_STD_BMAP:
		*val = READ_ONCE(v->vm->smccc_std_bmap);
		return 0;
	case KVM_REG_ARM_STD_HYP_BMAP:
		*val = READ_ONCE(v->vm->smccc_std_hyp_bmap);
		return 0;
	case KVM_REG_ARM_VENDOR_HYP_BMAP:
		*val = READ_ONCE(v->vm->smccc_vendor_hyp_bmap);
		return 0;
	default:
		return -ENOENT;
	}
}

int fw_set_reg(struct tern_vcpu *v, u64 id, u64 val)
{
	struct tern_vm *vm = v->vm;

	switch (id) {
	case KVM_REG_ARM_PSCI_VERSION:
		return set_psci_version(v, val);
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1:
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_3:
		return set_level1or3(id, val);
	case KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_2:
		return set_level2(val);
	case KVM_REG_ARM_STD_BMAP:
		return set_bitmap(vm, &vm->smccc_std_bmap, STD_ALL, val);
	case KVM_REG_ARM_STD_HYP_BMAP:
		return set_bitmap(vm, &vm->smccc_std_hyp_bmap, STD_HYP_ALL, val);
	case KVM_REG_ARM_VENDOR_HYP_BMAP:
		return set_bitmap(vm, &vm->smccc_vendor_hyp_bmap, VENDOR_HYP_ALL, val);
	default:
		return -ENOENT;
	}
}

static void fw_vm_init(struct tern_vm *vm)
{
	vm->smccc_std_bmap = STD_ALL;
	vm->smccc_std_hyp_bmap = STD_HYP_ALL;
	vm->smccc_vendor_hyp_bmap = VENDOR_HYP_ALL;
}

const struct vcpu_fw_ops fw_ops = {
	.vm_init = fw_vm_init,
	.vcpu_init = fw_psci_publish,
	.num_regs = fw_num_regs,
	.copy_indices = fw_copy_reg_indices,
	.get_reg = fw_get_reg,
	.set_reg = fw_set_reg,
	.steal = fw_pvtime_update,
};

int fw_init(void)
{
	fw_mitigation_init();
	return 0;
}
