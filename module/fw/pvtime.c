// SPDX-License-Identifier: GPL-2.0
/*
 * Stolen time (Arm DEN0057): a record in guest memory says how long the vCPU
 * was ready to run while the host ran something else. The host's scheduler
 * counts that for every task as its run delay.
 */
#include <linux/arm-smccc.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>
#include <linux/uaccess.h>
#include <asm/pvclock-abi.h>
#include "internal.h"

#define RECORD_SIZE sizeof(struct pvclock_vcpu_stolen_time)

static u64 run_delay(void)
{
	return READ_ONCE(current->sched_info.run_delay);
}

bool fw_pvtime_supported(void)
{
	return sched_info_on();
}

void fw_pvtime_update(struct tern_vcpu *v)
{
	struct mem *m = &v->vm->mem;
	u64 base = v->steal_base;
	ipa_t where = to_ipa(base + offsetof(struct pvclock_vcpu_stolen_time, stolen_time));
	__le64 stolen;
	u64 now;

	if (base == VCPU_NO_STEAL || mem_read(m, where, &stolen, sizeof(stolen)))
		return;
	now = run_delay();
	stolen = cpu_to_le64(le64_to_cpu(stolen) + now - v->steal_last);
	v->steal_last = now;
	/* A record that is gone is the guest's loss alone. */
	(void)mem_write(m, where, &stolen, sizeof(stolen));
}

/* The guest asks where the record is: from now on it is kept. */
static u64 pvtime_start(struct tern_vcpu *v)
{
	struct pvclock_vcpu_stolen_time record = { 0 };

	if (v->steal_base == VCPU_NO_STEAL)
		return FW_NOT_SUPPORTED;
	v->steal_last = run_delay();
	(void)mem_write(&v->vm->mem, to_ipa(v->steal_base), &record, sizeof(record));
	return v->steal_base;
}

static u64 pvtime_features(struct tern_vcpu *v)
{
	switch ((u32)fw_arg(v, 1)) {
	case ARM_SMCCC_HV_PV_TIME_FEATURES:
	case ARM_SMCCC_HV_PV_TIME_ST:
		return v->steal_base == VCPU_NO_STEAL ? FW_NOT_SUPPORTED : SMCCC_RET_SUCCESS;
	default:
		return FW_NOT_SUPPORTED;
	}
}

int fw_pvtime_call(struct tern_vcpu *v, u32 fn)
{
	return fw_answer1(v, fn == ARM_SMCCC_HV_PV_TIME_ST ? pvtime_start(v) : pvtime_features(v));
}

int fw_pvtime_has_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr)
{
	return attr->attr == KVM_ARM_VCPU_PVTIME_IPA && fw_pvtime_supported() ? 0 : -ENXIO;
}

int fw_pvtime_set_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr)
{
	bool writable;
	u64 ipa;

	if (fw_pvtime_has_attr(v, attr))
		return -ENXIO;
	if (get_user(ipa, (u64 __user *)(unsigned long)attr->addr))
		return -EFAULT;
	if (!IS_ALIGNED(ipa, RECORD_SIZE))
		return -EINVAL;
	if (v->steal_base != VCPU_NO_STEAL)
		return -EEXIST;
	if (!mem_ipa_backed(&v->vm->mem, to_ipa(ipa), &writable) || !writable)
		return -EINVAL;
	v->steal_base = ipa;
	return 0;
}

int fw_pvtime_get_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr)
{
	if (fw_pvtime_has_attr(v, attr))
		return -ENXIO;
	return put_user(v->steal_base, (u64 __user *)(unsigned long)attr->addr);
}
