/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the architecture does on exceptions and on skipped instructions, as
 * functions of values: no vCPU, no kernel, so that they run natively in tests.
 */
#ifndef TERN_VCPU_EXCEPT_H
#define TERN_VCPU_EXCEPT_H

#include <linux/types.h>

/**
 * struct vcpu_except - a synchronous exception taken to AArch64 EL1
 * @pc, @pstate: in: where the guest was; out: where it goes on
 * @vbar, @sctlr: the guest's VBAR_EL1 and SCTLR_EL1
 * @elr, @spsr:  out: for ELR_EL1 and SPSR_EL1
 */
struct vcpu_except {
	u64 pc;
	u64 pstate;
	u64 vbar;
	u64 sctlr;
	u64 elr;
	u64 spsr;
};

/** vcpu_except_enter() - Arm ARM D1.3.1, AArch64.TakeException() to EL1 */
void vcpu_except_enter(struct vcpu_except *e);

/** vcpu_except_undef_esr() - ESR_EL1 of an undefined instruction; @esr2 is the trap's ESR_EL2 */
u64 vcpu_except_undef_esr(u64 esr2);

/**
 * vcpu_except_abort_esr() - ESR_EL1 of an instruction or data abort
 * @esr2:   ESR_EL2 of the exit
 * @pstate: the guest's PSTATE
 * @insn:   instruction abort
 * @fsc:    ESR_FSC_*
 */
u64 vcpu_except_abort_esr(u64 esr2, u64 pstate, bool insn, u64 fsc);

/** vcpu_except_skip() - step over the instruction that trapped with @esr2 */
void vcpu_except_skip(u64 *pc, u64 *pstate, u64 esr2);

/** vcpu_except_cond() - would the AArch32 instruction that trapped with @esr2 have been executed? */
bool vcpu_except_cond(u64 esr2, u64 pstate);

#endif
