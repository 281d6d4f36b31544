/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to what firmware offers a guest: SMCCC calls by HVC (and SMC),
 * PSCI, TRNG, stolen time, and the pseudo registers that choose among them.
 *
 * Locks: vcpu->power_lock for a vCPU's power state, one at a time.
 */
#ifndef TERN_FW_FW_H
#define TERN_FW_FW_H

#include <linux/kvm.h>
#include "../vcpu/vcpu.h"
#include "../vcpu/vm.h"

/* Results of fw_handle_smccc(), in KVM's convention for exit handlers */
enum fw_result {
	FW_USER = 0,	/* to the client: v->run is filled in */
	FW_RESUME = 1,	/* back to the guest */
};

/** fw_init() - learn which mitigations the host has. Also what main.c installs as vcpu_fw. */
int fw_init(void);
extern const struct vcpu_fw_ops fw_ops;

/** fw_handle_smccc() - serve the call in the guest's x0..x3; the PC is already past the HVC or SMC
 *  Return: enum fw_result or a negative errno. */
int fw_handle_smccc(struct tern_vcpu *v);

/* Firmware pseudo registers (KVM_REG_ARM_FW and KVM_REG_ARM_FW_FEAT_BMAP); vCPU lock held. */
unsigned int fw_num_regs(void);
/** fw_copy_reg_indices() - store fw_num_regs() ids at @ids */
void fw_copy_reg_indices(u64 *ids);
/** fw_get_reg() / fw_set_reg() - Return: 0, -ENOENT (no such register), -EINVAL (value, or size),
 *  -EBUSY (the VM ran), -EFAULT */
int fw_get_reg(struct tern_vcpu *v, u64 id, u64 *val);
int fw_set_reg(struct tern_vcpu *v, u64 id, u64 val);

/** fw_system_event() - stop every vCPU and tell the client; PSCI system off, reset and suspend */
void fw_system_event(struct tern_vcpu *v, u32 type, u64 flags);

/** FW_PVTLB_FEATURES - what tern's own calls offer a guest (pvabi.h, TERN_PV_HAS_*) */
#define FW_PVTLB_FEATURES 7

/* Stolen time */
/** fw_pvtime_supported() - KVM_CAP_STEAL_TIME */
bool fw_pvtime_supported(void);
/** fw_pvtime_update() - answer to VCPU_REQ_STEAL: write the record; preemption on, may sleep */
void fw_pvtime_update(struct tern_vcpu *v);
/* vCPU device attributes, group KVM_ARM_VCPU_PVTIME_CTRL; vCPU lock held.
 * Return: 0, -ENXIO, -EFAULT, -EEXIST (set already), -EINVAL (alignment, no memory there) */
int fw_pvtime_set_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr);
int fw_pvtime_get_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr);
int fw_pvtime_has_attr(struct tern_vcpu *v, const struct kvm_device_attr *attr);

#endif
