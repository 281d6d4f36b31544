/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way into the guest and out of it, in line: KVM_RUN goes it each time, and
 * a call less is a part of it. What few guests need is done out of line.
 */
#ifndef TERN_HYP_RUN_H
#define TERN_HYP_RUN_H

#include <asm/daifflags.h>
#include <asm/esr.h>
#include <asm/kvm_arm.h>
#include <asm/sysreg.h>
#include "hyp.h"

#define REG_EL0_IN(name, op0, op1, crn, crm, op2) \
	write_sysreg_s(h->reg[REG_##name], sys_reg(op0, op1, crn, crm, op2));
#define REG_EL0_OUT(name, op0, op1, crn, crm, op2) \
	h->reg[REG_##name] = read_sysreg_s(sys_reg(op0, op1, crn, crm, op2));

/* PSTATE fields as registers */
#define SYS_PSTATE_DIT	sys_reg(3, 3, 4, 2, 5)
#define SYS_PSTATE_TCO	sys_reg(3, 3, 4, 2, 7)

/*
 * PMUSERENR_EL0: EN alone opens all there is. QEMU 7.2 takes each of the other
 * bits for a reason not to trap at all.
 */
#define PMUSERENR_EN	BIT(0)

/* MDSCR_EL1 */
#define MDSCR_SS	BIT_ULL(0)
#define MDSCR_TDCC	BIT_ULL(12)
#define MDSCR_KDE	BIT_ULL(13)
#define MDSCR_MDE	BIT_ULL(15)
#define MDSCR_ARMED	(MDSCR_SS | MDSCR_KDE | MDSCR_MDE)

/* entry.S; keeps no register but x18 and x29 */
u64 hyp_guest_enter(u64 *x);

/* switch.c */
void hyp_resume_rare(struct hyp_vcpu *h);
void hyp_pause_rare(struct hyp_vcpu *h);
void hyp_live_in(struct hyp_vcpu *h, u64 mdscr);
void hyp_live_out(struct hyp_vcpu *h);
bool hyp_find_ipa(struct hyp_vcpu *h);

/* gic.c */
void hyp_gic_in(struct hyp_vcpu *h);
void hyp_gic_out(struct hyp_vcpu *h);

#define HYP_RARE	(BIT(HYP_FLAG_TCO) | BIT(HYP_FLAG_SME) | BIT(HYP_FLAG_KEYS))

/*
 * MDCR_EL2, PMUSERENR_EL0 and the SME bits of HFG*TR_EL2 bite the host's own user
 * space too: HCR_EL2.TGE does not turn their traps off.
 */

/** hyp_resume() - loaded here: switch what the host's user space shares with the guest too; preemption off */
static __always_inline void hyp_resume(struct hyp_vcpu *h)
{
	u64 flags = h->flags;

	h->running = true;
	h->fp_granted = false;
	/* The kernel keeps it, and PSTATE.TCO, as it is while it runs. */
	if (flags & BIT(HYP_FLAG_DIT))
		h->host.dit = read_sysreg_s(SYS_PSTATE_DIT);
	h->host.tpidr_el0 = read_sysreg(tpidr_el0);
	h->host.tpidrro_el0 = read_sysreg(tpidrro_el0);
	SYSREG_FOR_USER(REG_EL0_IN)
	write_sysreg(h->mdcr, mdcr_el2);
	if (flags & BIT(HYP_FLAG_PMU)) {
		h->host.pmuserenr = read_sysreg(pmuserenr_el0);
		write_sysreg(PMUSERENR_EN, pmuserenr_el0);
	}
	if (unlikely(flags & HYP_RARE))
		hyp_resume_rare(h);
}

/** hyp_pause() - the reverse: after it this task may return to user space; preemption off */
static __always_inline void hyp_pause(struct hyp_vcpu *h)
{
	u64 flags = h->flags;

	h->running = false;
	h->fp_granted = false;
	if (unlikely(flags & HYP_RARE))
		hyp_pause_rare(h);
	if (flags & BIT(HYP_FLAG_PMU))
		write_sysreg(h->host.pmuserenr, pmuserenr_el0);
	write_sysreg(h->host.mdcr, mdcr_el2);
	SYSREG_FOR_USER(REG_EL0_OUT)
	write_sysreg(h->host.tpidr_el0, tpidr_el0);
	write_sysreg(h->host.tpidrro_el0, tpidrro_el0);
}

/* An asm that keeps nothing: the caller's frame has what is still wanted, once, and not the assembly too. */
static __always_inline u64 hyp_guest_run(u64 *x)
{
	register u64 *x0 asm("x0") = x;

	asm volatile("bl	hyp_guest_enter"
		     : "+r"(x0)
		     :: "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			"x15", "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
			"x30", "cc", "memory");
	return (u64)x0;
}

/* Nothing is in flight, and nothing was: the CPU holds what is wanted, and that is no list register. */
static __always_inline bool hyp_gic_idle(const struct hyp_gic *g)
{
	return !((g->want ^ g->has) | g->nr_used);
}

/*
 * HPFAR_EL2 is UNKNOWN for a stage-2 permission fault that was not on a
 * stage-1 walk (Arm ARM D17.2, HPFAR_EL2), so the IPA is found by translating
 * FAR_EL2 through the guest's stage 1.
 */
static __always_inline bool hyp_ipa_unknown(enum hyp_exit exit, u64 esr)
{
	u64 ec = ESR_ELx_EC(esr);

	if (likely((esr & ESR_ELx_FSC_TYPE) != ESR_ELx_FSC_PERM) || esr & ESR_ELx_S1PTW)
		return false;
	return exit == HYP_EXIT_DABT ||
	       (exit == HYP_EXIT_SYNC && (ec == ESR_ELx_EC_DABT_LOW || ec == ESR_ELx_EC_IABT_LOW));
}

/** hyp_enter() - run the guest until the next full exit; resumed, all of DAIF masked (local_daif_mask()) */
static __always_inline enum hyp_exit hyp_enter(struct hyp_vcpu *h)
{
	u64 cptr, mdscr;
	enum hyp_exit exit;

	/* With pseudo-NMIs "masked" is a matter of ICC_PMR_EL1, which must let interrupts end the run. */
	pmr_sync();
	if (unlikely(!hyp_gic_idle(&h->gic)))
		hyp_gic_in(h);
	/* The only one that differs from task to task. */
	cptr = read_sysreg(cpacr_el1);
	mdscr = read_sysreg(mdscr_el1);
	if (unlikely(h->live || mdscr & MDSCR_ARMED))
		hyp_live_in(h, mdscr);
	write_sysreg(h->hcr, hcr_el2);
	write_sysreg(h->cptr, cpacr_el1);
	write_sysreg(h->vectors, vbar_el1);

	exit = hyp_guest_run(h->x);

	if (unlikely(hyp_ipa_unknown(exit, h->esr)) && !hyp_find_ipa(h))
		exit = HYP_EXIT_IRQ;
	if (unlikely(h->live))
		hyp_live_out(h);
	write_sysreg(h->hcr | HCR_TGE, hcr_el2);
	write_sysreg(cptr, cpacr_el1);
	write_sysreg(h->host.vbar, vbar_el1);
	isb();
	if (unlikely(h->gic.has))
		hyp_gic_out(h);
	return exit;
}

#endif
