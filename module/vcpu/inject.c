// SPDX-License-Identifier: GPL-2.0
/*
 * Exceptions given to a guest. They take effect at once: the guest's registers
 * are those of its exception handler when these functions return.
 */
#include <linux/kvm.h>
#include <linux/string.h>
#include <asm/kvm_arm.h>
#include "../arch/esr.h"
#include "../arch/pstate.h"
#include "../host/caps.h"
#include "except.h"
#include "vcpu.h"

void vcpu_skip_insn32(struct tern_vcpu *v)
{
	vcpu_except_skip(&v->hyp.pc, &v->hyp.pstate, v->hyp.esr);
}

bool vcpu_cond_holds(const struct tern_vcpu *v)
{
	return vcpu_except_cond(v->hyp.esr, v->hyp.pstate);
}

static void enter_el1(struct tern_vcpu *v, u64 esr)
{
	struct vcpu_except e = {
		.pc = v->hyp.pc,
		.pstate = v->hyp.pstate,
		.vbar = vcpu_read_sys(v, REG_VBAR_EL1),
		.sctlr = vcpu_read_sys(v, REG_SCTLR_EL1),
	};

	vcpu_except_enter(&e);
	vcpu_write_sys(v, REG_ESR_EL1, esr);
	vcpu_write_sys(v, REG_ELR_EL1, e.elr);
	vcpu_write_sys(v, REG_SPSR_EL1, e.spsr);
	v->hyp.pc = e.pc;
	v->hyp.pstate = e.pstate;
}

void vcpu_inject_undef(struct tern_vcpu *v)
{
	enter_el1(v, vcpu_except_undef_esr(v->hyp.esr));
}

static void inject_abort(struct tern_vcpu *v, bool insn, u64 fsc, u64 far)
{
	vcpu_write_sys(v, REG_FAR_EL1, far);
	enter_el1(v, vcpu_except_abort_esr(v->hyp.esr, v->hyp.pstate, insn, fsc));
}

void vcpu_inject_dabt(struct tern_vcpu *v, u64 far)
{
	inject_abort(v, false, ESR_FSC_EXTABT, far);
}

void vcpu_inject_iabt(struct tern_vcpu *v, u64 far)
{
	inject_abort(v, true, ESR_FSC_EXTABT, far);
}

void vcpu_inject_size_fault(struct tern_vcpu *v)
{
	bool insn = ESR_EC(v->hyp.esr) == EC_IABT_LOW;
	/*
	 * HPFAR_EL2.FIPA is bits 47:12 of the address (Arm ARM D19.2.57), in
	 * bits 43:4. The offset in the page comes from the virtual address. As
	 * in built-in KVM, the guest finds the physical address in FAR_EL1.
	 */
	u64 addr = (v->hyp.hpfar & GENMASK_ULL(43, 4)) << 8 | (v->hyp.far & GENMASK_ULL(11, 0));

	inject_abort(v, insn, ESR_FSC_SIZE0, addr);
}

void vcpu_inject_serror(struct tern_vcpu *v, u64 esr)
{
	v->hyp.vsesr = esr & ESR_ISS_MASK;
	hyp_set_vse(&v->hyp, true);
}

int vcpu_get_events(struct tern_vcpu *v, struct kvm_vcpu_events *e)
{
	if (!v->initialized)
		return -ENOEXEC;

	memset(e, 0, sizeof(*e));
	e->exception.serror_pending = !!(v->hyp.hcr & HCR_VSE);
	e->exception.serror_has_esr = host_caps.ras;
	if (e->exception.serror_pending && e->exception.serror_has_esr)
		e->exception.serror_esr = v->hyp.vsesr;
	/* An external abort is never pending: vcpu_set_events() delivers it at once. */
	return 0;
}

int vcpu_set_events(struct tern_vcpu *v, const struct kvm_vcpu_events *e)
{
	bool has_esr = e->exception.serror_has_esr;

	if (!v->initialized)
		return -ENOEXEC;
	if (memchr_inv(e->reserved, 0, sizeof(e->reserved)) ||
	    memchr_inv(e->exception.pad, 0, sizeof(e->exception.pad)))
		return -EINVAL;

	if (e->exception.serror_pending) {
		if (has_esr && (!host_caps.ras || (e->exception.serror_esr & ~ESR_ISS_MASK)))
			return -EINVAL;
		vcpu_inject_serror(v, has_esr ? e->exception.serror_esr : ESR_SERROR_IDS);
	}

	if (e->exception.ext_dabt_pending)
		vcpu_inject_dabt(v, v->hyp.far);
	return 0;
}
