/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many registers of a vCPU at once.
 */
#ifndef TERN_VCPU_BULK_H
#define TERN_VCPU_BULK_H

#include "vcpu.h"

/**
 * struct vcpu_saved - all that KVM_SET_ONE_REG can change, of the vCPU and of its VM
 */
struct vcpu_saved {
	u64 x[31];
	u64 pc;
	u64 pstate;
	u64 sp_el0;
	struct hyp_fp fp;
	u64 reg[SYSREG_NR];
	u64 timer_ctl[TIMER_NR];
	u64 timer_cval[TIMER_NR];
	u64 cntvoff;
	u64 smccc[3];
	u64 pfr0;
	u32 psci_version;
};

/* vCPU lock held, evicted */
void vcpu_save(struct tern_vcpu *v, struct vcpu_saved *s);
void vcpu_restore(struct tern_vcpu *v, const struct vcpu_saved *s);

/**
 * vcpu_get_regs() / vcpu_set_regs() - KVM_{GET,SET}_ONE_REG for each of @n elements; SET all or none
 * @failed: index of the element at fault
 * vCPU lock held, initialised, evicted. Return: 0 or a negative errno.
 */
int vcpu_get_regs(struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n, u32 *failed);
int vcpu_set_regs(struct tern_vcpu *v, const struct kvm_one_reg *reg, u32 n, u32 *failed);

/** vcpu_claim() - lock @v's mutex unless it is in KVM_RUN, and evict it. Not under vm->lock.
 *  Other ioctls are waited for. Return: 0, -EBUSY in KVM_RUN, -EINTR a signal */
int vcpu_claim(struct tern_vcpu *v);

#endif
