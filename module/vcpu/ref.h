/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU's registers one by one, found by KVM's ids and with values in the
 * kernel's memory.
 */
#ifndef TERN_VCPU_REF_H
#define TERN_VCPU_REF_H

#include "regid.h"
#include "vcpu.h"

/** union vcpu_value - one register's value, as wide as the widest */
union vcpu_value {
	u32 w;
	u64 x;
	__uint128_t q;
};

/** struct vcpu_ref - a register found by its id: @kind says which of the fields below tells the rest */
struct vcpu_ref {
	enum {
		VCPU_REF_CORE,
		VCPU_REF_SYS,
		VCPU_REF_DEMUX,
		VCPU_REF_TIMER,
		VCPU_REF_FW,
	} kind;
	unsigned int size;
	u64 id;
	struct regid_core core;
	const struct sysreg_desc *sys;
	u32 cache;	/* CSSELR_EL1 value */
};

/* vCPU mutex held, vCPU initialised, evicted. Return: 0 or KVM_{GET,SET}_ONE_REG's errno */
int vcpu_ref_find(struct tern_vcpu *v, u64 id, struct vcpu_ref *r);
int vcpu_ref_get(struct tern_vcpu *v, const struct vcpu_ref *r, union vcpu_value *val);
int vcpu_ref_set(struct tern_vcpu *v, const struct vcpu_ref *r, const union vcpu_value *val);

/** vcpu_narrow32() - after PSTATE or registers changed: AArch32 has only their lower halves */
void vcpu_narrow32(struct tern_vcpu *v);

/* To and from where @reg says. Return: 0 or -EFAULT */
int vcpu_value_out(const struct kvm_one_reg *reg, const union vcpu_value *val, unsigned int size);
int vcpu_value_in(const struct kvm_one_reg *reg, union vcpu_value *val, unsigned int size);

/** vcpu_reg_ids() - store the ids of KVM_GET_REG_LIST at @ids, or only count them when it is NULL */
unsigned int vcpu_reg_ids(struct tern_vcpu *v, u64 *ids);

#endif
