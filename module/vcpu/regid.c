// SPDX-License-Identifier: GPL-2.0
/*
 * Decoding of KVM's core register ids, and the rule for PSTATE.
 */
#include <linux/errno.h>
#include <linux/types.h>
#include "../arch/pstate.h"
#include "../arch/sysreg.h"
#include "regid.h"

/* In the order of struct kvm_regs: KVM_SPSR_EL1, _ABT, _UND, _IRQ, _FIQ */
static const u16 spsr_reg[] = {
	REG_SPSR_EL1, REG_SPSR_ABT, REG_SPSR_UND, REG_SPSR_IRQ, REG_SPSR_FIQ,
};

static int core(struct regid_core *c, enum regid_kind kind, unsigned int index, unsigned int size)
{
	c->kind = kind;
	c->index = index;
	c->size = size;
	return 0;
}

static int core_above_v(u32 off, struct regid_core *c)
{
	switch (off) {
	case REGID_FPSR:
		return core(c, REGID_KIND_FPSR, 0, 4);
	case REGID_FPCR:
		return core(c, REGID_KIND_FPCR, 0, 4);
	default:
		return -EINVAL;
	}
}

static int core_below_v(u32 off, struct regid_core *c)
{
	if (off % 2)
		return -EINVAL;
	switch (off) {
	case REGID_X0 ... REGID_SP - 2:
		return core(c, REGID_KIND_X, off / 2, 8);
	case REGID_SP:
		return core(c, REGID_KIND_SP, 0, 8);
	case REGID_PC:
		return core(c, REGID_KIND_PC, 0, 8);
	case REGID_PSTATE:
		return core(c, REGID_KIND_PSTATE, 0, 8);
	case REGID_SP_EL1:
		return core(c, REGID_KIND_SYS, REG_SP_EL1, 8);
	case REGID_ELR_EL1:
		return core(c, REGID_KIND_SYS, REG_ELR_EL1, 8);
	case REGID_SPSR ... REGID_SPSR + 8:
		return core(c, REGID_KIND_SYS, spsr_reg[(off - REGID_SPSR) / 2], 8);
	default:
		return -EINVAL;
	}
}

int vcpu_regid_core(u32 off, struct regid_core *c)
{
	if (off >= REGID_FPSR)
		return core_above_v(off, c);
	if (off < REGID_V0)
		return core_below_v(off, c);
	if ((off - REGID_V0) % 4)
		return -EINVAL;
	return core(c, REGID_KIND_V, (off - REGID_V0) / 4, 16);
}

bool vcpu_regid_pstate_ok(u64 pstate, bool el0_32)
{
	switch (pstate & SPSR32_MODE) {
	case SPSR32_USR:
		return el0_32;
	case SPSR_EL0t:
	case SPSR_EL1t:
	case SPSR_EL1h:
		return true;
	default:
		return false;
	}
}
