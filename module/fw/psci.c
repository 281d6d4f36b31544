// SPDX-License-Identifier: GPL-2.0
/*
 * Power State Coordination Interface (Arm DEN0022), versions 0.2, 1.0 and 1.1,
 * and KVM's four functions from before (0.1).
 *
 * A vCPU's power is mp_state, written under its power_lock. CPU_ON fills
 * target->boot and sets VCPU_REQ_RESET before the state becomes RUNNABLE, so
 * whoever sees the state sees the request.
 */
#include <linux/arm-smccc.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "internal.h"

#define SCTLR_EE	BIT_ULL(25)

/* Affinity fields of MPIDR_EL1: Aff3 and Aff2..Aff0 */
#define MPIDR_AFF	(GENMASK_ULL(39, 32) | GENMASK_ULL(23, 0))

u32 fw_psci_version(const struct tern_vcpu *v)
{
	u32 chosen = READ_ONCE(v->vm->psci_version);

	if (!VCPU_FEATURE(v, KVM_ARM_VCPU_PSCI_0_2))
		return FW_PSCI_0_1;
	return chosen ? chosen : FW_PSCI_1_1;
}

void fw_psci_publish(struct tern_vcpu *v)
{
	u32 version = fw_psci_version(v);

	/* 0.1 has no PSCI_VERSION */
	WRITE_ONCE(v->hyp.fast_hvc, version == FW_PSCI_0_1 ? 0 : version);
}

static void set_power(struct tern_vcpu *v, u32 mp_state)
{
	spin_lock(&v->power_lock);
	WRITE_ONCE(v->mp_state, mp_state);
	spin_unlock(&v->power_lock);
}

static bool is_off(const struct tern_vcpu *v)
{
	return READ_ONCE(v->mp_state) == KVM_MP_STATE_STOPPED;
}

/* As built-in KVM: standby, whatever power state is asked for. Registers survive. */
static u64 cpu_suspend(struct tern_vcpu *v)
{
	kick_request(&v->kick, VCPU_REQ_WFI);
	return PSCI_RET_SUCCESS;
}

static u64 cpu_off(struct tern_vcpu *v)
{
	vcpu_record_drop(v);	/* its memory may be used for something else before CPU_ON */
	set_power(v, KVM_MP_STATE_STOPPED);
	kick_request(&v->kick, VCPU_REQ_PAUSE);
	return PSCI_RET_SUCCESS;
}

/* power_lock of @target held */
static void boot_locked(struct tern_vcpu *target, u64 pc, u64 context_id, bool big_endian)
{
	target->boot.pc = pc;
	target->boot.context_id = context_id;
	target->boot.big_endian = big_endian;
	set_bit(VCPU_REQ_RESET, &target->kick.requests);
	smp_wmb();	/* the request is seen by who sees the state */
	WRITE_ONCE(target->mp_state, KVM_MP_STATE_RUNNABLE);
}

static u64 cpu_on(struct tern_vcpu *v, u64 mpidr, u64 pc, u64 context_id)
{
	/* The new CPU starts with the endianness of its caller's exception level. */
	bool big_endian = vcpu_read_sys(v, REG_SCTLR_EL1) & SCTLR_EE;
	struct tern_vcpu *target;
	bool was_off;

	if (mpidr & ~MPIDR_AFF)
		return PSCI_RET_INVALID_PARAMS;
	target = vm_vcpu_by_mpidr(v->vm, mpidr);
	if (!target)
		return PSCI_RET_INVALID_PARAMS;

	spin_lock(&target->power_lock);
	was_off = is_off(target);
	if (was_off)
		boot_locked(target, pc, context_id, big_endian);
	spin_unlock(&target->power_lock);

	if (was_off) {
		kick_post(&target->kick);
		return PSCI_RET_SUCCESS;
	}
	return fw_psci_version(v) == FW_PSCI_0_1 ? PSCI_RET_INVALID_PARAMS : PSCI_RET_ALREADY_ON;
}

/* ON when any vCPU below the affinity node is */
static u64 affinity_info(struct tern_vcpu *v, u64 affinity, u64 level)
{
	bool found = false;
	struct tern_vcpu *other;
	u64 mask;
	u32 i;

	if ((affinity & ~MPIDR_AFF) || level > 3)
		return PSCI_RET_INVALID_PARAMS;
	/* Aff3 is eight bits further up than its number says. */
	mask = MPIDR_AFF & ~(BIT_ULL(level < 3 ? 8 * level : 32) - 1);
	vm_for_each_vcpu(i, other, v->vm) {
		if ((READ_ONCE(other->hyp.reg[REG_MPIDR_EL1]) ^ affinity) & mask)
			continue;
		if (!is_off(other))
			return PSCI_0_2_AFFINITY_LEVEL_ON;
		found = true;
	}
	return found ? PSCI_0_2_AFFINITY_LEVEL_OFF : PSCI_RET_INVALID_PARAMS;
}

void fw_system_event(struct tern_vcpu *v, u32 type, u64 flags)
{
	struct tern_vcpu *other;
	u32 i;

	/*
	 * The client may act on the event much later and may run vCPUs again
	 * before it does; for the guest the system is down now.
	 */
	vm_for_each_vcpu(i, other, v->vm)
		set_power(other, KVM_MP_STATE_STOPPED);
	vm_make_request(v->vm, VCPU_REQ_PAUSE);

	memset(&v->run->system_event, 0, sizeof(v->run->system_event));
	v->run->system_event.type = type;
	v->run->system_event.ndata = 1;
	v->run->system_event.data[0] = flags;
	v->run->exit_reason = KVM_EXIT_SYSTEM_EVENT;
}

/* A client that resumes the guest all the same: the call failed. */
static int system_down(struct tern_vcpu *v, u32 type, u64 flags)
{
	fw_system_event(v, type, flags);
	fw_answer1(v, (u64)PSCI_RET_INTERNAL_FAILURE);
	return FW_USER;
}

static int system_reset2(struct tern_vcpu *v)
{
	u32 kind = fw_arg(v, 1);

	if (kind > PSCI_1_1_RESET_TYPE_SYSTEM_WARM_RESET && kind < PSCI_1_1_RESET_TYPE_VENDOR_START)
		return fw_answer1(v, (u64)PSCI_RET_INVALID_PARAMS);
	fw_system_event(v, KVM_SYSTEM_EVENT_RESET, KVM_SYSTEM_EVENT_RESET_FLAG_PSCI_RESET2);
	vcpu_set_reg(v, 0, (u64)PSCI_RET_INTERNAL_FAILURE);
	return FW_USER;
}

/* The client does the whole of it and reads the arguments in x0 to x2, which stay. */
static int system_suspend(struct tern_vcpu *v)
{
	memset(&v->run->system_event, 0, sizeof(v->run->system_event));
	v->run->system_event.type = KVM_SYSTEM_EVENT_SUSPEND;
	v->run->exit_reason = KVM_EXIT_SYSTEM_EVENT;
	return FW_USER;
}

static bool has_feature(const struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case PSCI_0_2_FN_PSCI_VERSION:
	case PSCI_0_2_FN_CPU_SUSPEND:
	case PSCI_0_2_FN64_CPU_SUSPEND:
	case PSCI_0_2_FN_CPU_OFF:
	case PSCI_0_2_FN_CPU_ON:
	case PSCI_0_2_FN64_CPU_ON:
	case PSCI_0_2_FN_AFFINITY_INFO:
	case PSCI_0_2_FN64_AFFINITY_INFO:
	case PSCI_0_2_FN_MIGRATE_INFO_TYPE:
	case PSCI_0_2_FN_SYSTEM_OFF:
	case PSCI_0_2_FN_SYSTEM_RESET:
	case PSCI_1_0_FN_PSCI_FEATURES:
	case ARM_SMCCC_VERSION_FUNC_ID:
		return true;
	case PSCI_1_0_FN_SYSTEM_SUSPEND:
	case PSCI_1_0_FN64_SYSTEM_SUSPEND:
		return READ_ONCE(v->vm->cap_system_suspend);
	case PSCI_1_1_FN_SYSTEM_RESET2:
	case PSCI_1_1_FN64_SYSTEM_RESET2:
		return fw_psci_version(v) >= FW_PSCI_1_1;
	default:
		return false;
	}
}

/* Arguments of an SMC32 function are the low halves of the registers (DEN0028 2.5). */
static void narrow_args(struct tern_vcpu *v)
{
	unsigned int n;

	for (n = 1; n <= 3; n++)
		vcpu_set_reg(v, n, (u32)vcpu_get_reg(v, n));
}

static int psci_0_2(struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case PSCI_0_2_FN_PSCI_VERSION:
		return fw_answer1(v, fw_psci_version(v));
	case PSCI_0_2_FN_CPU_SUSPEND:
	case PSCI_0_2_FN64_CPU_SUSPEND:
		return fw_answer1(v, cpu_suspend(v));
	case PSCI_0_2_FN_CPU_OFF:
		return fw_answer1(v, cpu_off(v));
	case PSCI_0_2_FN_CPU_ON:
	case PSCI_0_2_FN64_CPU_ON:
		return fw_answer1(v, cpu_on(v, fw_arg(v, 1), fw_arg(v, 2), fw_arg(v, 3)));
	case PSCI_0_2_FN_AFFINITY_INFO:
	case PSCI_0_2_FN64_AFFINITY_INFO:
		return fw_answer1(v, affinity_info(v, fw_arg(v, 1), fw_arg(v, 2)));
	case PSCI_0_2_FN_MIGRATE_INFO_TYPE:
		return fw_answer1(v, PSCI_0_2_TOS_MP);
	case PSCI_0_2_FN_SYSTEM_OFF:
		return system_down(v, KVM_SYSTEM_EVENT_SHUTDOWN, 0);
	case PSCI_0_2_FN_SYSTEM_RESET:
		return system_down(v, KVM_SYSTEM_EVENT_RESET, 0);
	default:
		return fw_answer1(v, FW_NOT_SUPPORTED);
	}
}

static int psci_1_x(struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case PSCI_1_0_FN_PSCI_FEATURES:
		return fw_answer1(v, has_feature(v, fw_arg(v, 1)) ? 0 : FW_NOT_SUPPORTED);
	case PSCI_1_0_FN_SYSTEM_SUSPEND:
	case PSCI_1_0_FN64_SYSTEM_SUSPEND:
		return has_feature(v, fn) ? system_suspend(v) : fw_answer1(v, FW_NOT_SUPPORTED);
	case PSCI_1_1_FN_SYSTEM_RESET2:
	case PSCI_1_1_FN64_SYSTEM_RESET2:
		return has_feature(v, fn) ? system_reset2(v) : fw_answer1(v, FW_NOT_SUPPORTED);
	default:
		return psci_0_2(v, fn);
	}
}

static int psci_0_1(struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case KVM_PSCI_FN_CPU_OFF:
		return fw_answer1(v, cpu_off(v));
	case KVM_PSCI_FN_CPU_ON:
		return fw_answer1(v, cpu_on(v, fw_arg(v, 1), fw_arg(v, 2), fw_arg(v, 3)));
	default:
		return fw_answer1(v, FW_NOT_SUPPORTED);
	}
}

int fw_psci_call(struct tern_vcpu *v, u32 fn)
{
	u32 version = fw_psci_version(v);

	if (version == FW_PSCI_0_1)
		return psci_0_1(v, fn);
	if (!(fn & PSCI_0_2_64BIT))
		narrow_args(v);
	return version >= FW_PSCI_1_0 ? psci_1_x(v, fn) : psci_0_2(v, fn);
}
