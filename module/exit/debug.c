// SPDX-License-Identifier: GPL-2.0
/*
 * The client debugs the guest: KVM_SET_GUEST_DEBUG and KVM_EXIT_DEBUG.
 *
 * A step is PSTATE.SS set, with MDSCR_EL1.SS: the guest runs one instruction,
 * which clears PSTATE.SS, and then owes a software step exception, which it
 * takes as soon as it is entered (Arm ARM D2.12.3). An instruction that tern
 * emulates ends in the same way, for vcpu_skip_insn() and the vectors clear
 * PSTATE.SS; and so does an exception given to the guest. All there is to do is
 * to set PSTATE.SS once for each step.
 *
 * Between two KVM_RUNs PSTATE.SS is the guest's own again.
 */
#include <linux/kernel.h>
#include <asm/esr.h>
#include "../arch/pstate.h"
#include "exit.h"

int exit_debug_set(struct tern_vcpu *v, const struct kvm_guest_debug *dbg)
{
	if (dbg->control & ~(u32)EXIT_DEBUG_CONTROLS)
		return -EINVAL;

	v->guest_debug = dbg->control & KVM_GUESTDBG_ENABLE ? dbg->control : 0;
	v->extra = (v->extra & ~VCPU_EXTRA_DEBUG) | (v->guest_debug ? VCPU_EXTRA_DEBUG : 0);
	if (v->guest_debug & KVM_GUESTDBG_USE_HW)
		v->guest_points = dbg->arch;
	if (!(v->guest_debug & KVM_GUESTDBG_SINGLESTEP))
		v->step_pending = false;
	hyp_debug_client(&v->hyp, v->guest_debug, &v->guest_points);
	return 0;
}

static void set_step(struct tern_vcpu *v, u64 ss)
{
	v->hyp.pstate = (v->hyp.pstate & ~SPSR_SS) | ss;
}

void exit_debug_begin(struct tern_vcpu *v)
{
	v->step_own = v->hyp.pstate & SPSR_SS;
	if (!(v->guest_debug & KVM_GUESTDBG_SINGLESTEP))
		return;
	set_step(v, v->step_pending ? 0 : SPSR_SS);
	hyp_set_fast(&v->hyp, false);
}

void exit_debug_end(struct tern_vcpu *v)
{
	if (v->guest_debug & KVM_GUESTDBG_SINGLESTEP) {
		v->step_pending = !(v->hyp.pstate & SPSR_SS);
		hyp_set_fast(&v->hyp, v->initialized);
	}
	set_step(v, v->step_own);
}

int exit_debug(struct tern_vcpu *v)
{
	struct kvm_run *run = v->run;
	u64 esr = v->hyp.esr;

	run->exit_reason = KVM_EXIT_DEBUG;
	run->flags = KVM_DEBUG_ARCH_HSR_HIGH_VALID;
	run->debug.arch.hsr = lower_32_bits(esr);
	run->debug.arch.hsr_high = upper_32_bits(esr);
	if (ESR_ELx_EC(esr) == ESR_ELx_EC_WATCHPT_LOW)
		run->debug.arch.far = v->hyp.far;
	/* Reported: the next step may begin. */
	if (ESR_ELx_EC(esr) == ESR_ELx_EC_SOFTSTP_LOW)
		set_step(v, SPSR_SS);
	return EXIT_USER;
}
