// SPDX-License-Identifier: GPL-2.0
/*
 * The world switch, in three nested steps: load and unload (what the host has
 * no use for), resume and pause (what the host's user space has a use for), and
 * enter (what the host itself has a use for).
 *
 * While a vCPU is loaded HCR_EL2 differs between host and guest in TGE alone:
 * with E2H and TGE set, the guest's trap and routing bits have no effect
 * (Arm ARM D17.2, HCR_EL2), and toggling one bit costs least.
 */
#include <asm/esr.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "internal.h"
#include "run.h"

/* HSTR_EL2.T15: AArch32 accesses to CP15 c15 trap */
#define HSTR_T15	BIT(15)

/* MDCR_EL2: HPMN is the host's */
#define MDCR_HPMN	GENMASK_ULL(4, 0)

/* HFGRTR_EL2, HFGWTR_EL2: clear means trapped */
#define HFGTR_SME	(BIT_ULL(54) | BIT_ULL(55))
#define SYS_HFGRTR	sys_reg(3, 4, 1, 1, 4)
#define SYS_HFGWTR	sys_reg(3, 4, 1, 1, 5)

#define KEY_LIST(X) \
	X(0, sys_reg(3, 0, 2, 1, 0), APIAKEYLO_EL1) \
	X(1, sys_reg(3, 0, 2, 1, 1), APIAKEYHI_EL1) \
	X(2, sys_reg(3, 0, 2, 1, 2), APIBKEYLO_EL1) \
	X(3, sys_reg(3, 0, 2, 1, 3), APIBKEYHI_EL1) \
	X(4, sys_reg(3, 0, 2, 2, 0), APDAKEYLO_EL1) \
	X(5, sys_reg(3, 0, 2, 2, 1), APDAKEYHI_EL1) \
	X(6, sys_reg(3, 0, 2, 2, 2), APDBKEYLO_EL1) \
	X(7, sys_reg(3, 0, 2, 2, 3), APDBKEYHI_EL1) \
	X(8, sys_reg(3, 0, 2, 3, 0), APGAKEYLO_EL1) \
	X(9, sys_reg(3, 0, 2, 3, 1), APGAKEYHI_EL1)

/*
 * The kernel signs its return addresses with APIA, so that key is exchanged
 * around each entry; the others serve user space only and change at load.
 * This file is built without branch protection for the same reason.
 */
static void keys_load(struct hyp_vcpu *h)
{
#define KEY_IN(n, sys, name)					\
	h->host.key[n] = read_sysreg_s(sys);			\
	if ((n) > 1)						\
		write_sysreg_s(h->reg[REG_##name], sys);
	KEY_LIST(KEY_IN)
}

static void keys_unload(struct hyp_vcpu *h)
{
#define KEY_OUT(n, sys, name)					\
	if ((n) > 1) {						\
		h->reg[REG_##name] = read_sysreg_s(sys);	\
		write_sysreg_s(h->host.key[n], sys);		\
	}
	KEY_LIST(KEY_OUT)
}

static void key_enter(struct hyp_vcpu *h)
{
	h->host.key[0] = read_sysreg_s(SYS_APIAKEYLO_EL1);
	h->host.key[1] = read_sysreg_s(SYS_APIAKEYHI_EL1);
	write_sysreg_s(h->reg[REG_APIAKEYLO_EL1], SYS_APIAKEYLO_EL1);
	write_sysreg_s(h->reg[REG_APIAKEYHI_EL1], SYS_APIAKEYHI_EL1);
}

static void key_exit(struct hyp_vcpu *h)
{
	h->reg[REG_APIAKEYLO_EL1] = read_sysreg_s(SYS_APIAKEYLO_EL1);
	h->reg[REG_APIAKEYHI_EL1] = read_sysreg_s(SYS_APIAKEYHI_EL1);
	write_sysreg_s(h->host.key[0], SYS_APIAKEYLO_EL1);
	write_sysreg_s(h->host.key[1], SYS_APIAKEYHI_EL1);
}

void hyp_ptrauth_grant(struct hyp_vcpu *h)
{
	if (h->ptrauth_live)
		return;
	h->ptrauth_live = true;
	h->flags |= BIT(HYP_FLAG_KEYS);
	h->hcr |= HCR_API | HCR_APK;
	if (h->running)
		keys_load(h);
}

/* What few CPUs have or few guests use of what the host's user space uses, too */
void hyp_resume_rare(struct hyp_vcpu *h)
{
	if (h->flags & BIT(HYP_FLAG_TCO))
		h->host.tco = read_sysreg_s(SYS_PSTATE_TCO);
	if (h->flags & BIT(HYP_FLAG_SME)) {
		sysreg_clear_set_s(SYS_HFGRTR, HFGTR_SME, 0);
		sysreg_clear_set_s(SYS_HFGWTR, HFGTR_SME, 0);
	}
	if (h->ptrauth_live)
		keys_load(h);
}

void hyp_pause_rare(struct hyp_vcpu *h)
{
	if (h->ptrauth_live)
		keys_unload(h);
	if (h->flags & BIT(HYP_FLAG_SME)) {
		sysreg_clear_set_s(SYS_HFGRTR, 0, HFGTR_SME);
		sysreg_clear_set_s(SYS_HFGWTR, 0, HFGTR_SME);
	}
}

/* Open to EL0 so that its accesses come to EL2 and not to the guest's EL1 (Arm ARM, MDCR_EL2.TPM). */
void hyp_pmu_reopen(const struct hyp_vcpu *h)
{
	preempt_disable();
	if (h->running && host_caps.pmu)
		write_sysreg(PMUSERENR_EN, pmuserenr_el0);
	preempt_enable();
}

#define REG_EL12_IN(name, op0, op1, crn, crm, op2) \
	write_sysreg_s(h->reg[REG_##name], sys_reg(op0, 5, crn, crm, op2));
#define REG_EL12_OUT(name, op0, op1, crn, crm, op2) \
	h->reg[REG_##name] = read_sysreg_s(sys_reg(op0, 5, crn, crm, op2));


/*
 * What a guest calls DISR_EL1 is VDISR_EL2 while HCR_EL2.AMO is set (Arm ARM,
 * DISR_EL1): it is loaded as the rest is, or the next guest would find it.
 */
static bool has_disr(void)
{
	return host_caps.ras;
}

static void regs_load(struct hyp_vcpu *h)
{
	SYSREG_FOR_EL12(REG_EL12_IN)
	SYSREG_FOR_EL0(REG_EL0_IN)
	write_sysreg(read_cpuid_id(), vpidr_el2);
	write_sysreg(h->reg[REG_MPIDR_EL1], vmpidr_el2);
	if (has_disr())
		write_sysreg_s(h->reg[REG_DISR_EL1], SYS_VDISR_EL2);
	if (h->sve.state)
		write_sysreg_s(h->reg[REG_ZCR_EL1], SYS_ZCR_EL12);
}

static void regs_unload(struct hyp_vcpu *h)
{
	SYSREG_FOR_EL12(REG_EL12_OUT)
	SYSREG_FOR_EL0(REG_EL0_OUT)
	if (has_disr())
		h->reg[REG_DISR_EL1] = read_sysreg_s(SYS_VDISR_EL2);
	if (h->sve.state)
		h->reg[REG_ZCR_EL1] = read_sysreg_s(SYS_ZCR_EL12);
}

void hyp_load(struct hyp_vcpu *h, enum hyp_stale stale)
{
	WARN_ON_ONCE(h->cpu >= 0);
	h->host.hcr = read_sysreg(hcr_el2);
	h->host.mdcr = read_sysreg(mdcr_el2);
	h->mdcr = (h->mdcr & ~MDCR_HPMN) | (h->host.mdcr & MDCR_HPMN);
	write_sysreg(h->hcr | HCR_TGE, hcr_el2);
	write_sysreg(HSTR_T15, hstr_el2);	/* without effect while TGE is set */
	write_sysreg(h->vtcr, vtcr_el2);
	write_sysreg(h->vttbr, vttbr_el2);
	/* Stage 2 stands before the guest's stage 1 does (erratum 1165522 and kin). */
	isb();
	regs_load(h);
	if (stale != HYP_STALE_NONE)
		hyp_flush_stale(stale);
	hyp_gic_load(&h->gic);
	hyp_vectors_load(h);
	h->cpu = smp_processor_id();
}

void hyp_unload(struct hyp_vcpu *h)
{
	WARN_ON_ONCE(h->cpu != smp_processor_id() || h->running);
	h->cpu = -1;
	hyp_gic_unload(&h->gic);
	regs_unload(h);
	write_sysreg(0, vttbr_el2);
	write_sysreg(0, hstr_el2);
	write_sysreg(h->host.hcr, hcr_el2);
	isb();	/* nothing of the VM is translated here from now on: mem_unload() says so */
}

void hyp_set_vttbr(struct hyp_vcpu *h, u64 vttbr)
{
	h->vttbr = vttbr;
	if (h->cpu >= 0)
		write_sysreg(vttbr, vttbr_el2);
}

/* That may fail when another vCPU changed the tables meanwhile: then the instruction runs again. */
bool hyp_find_ipa(struct hyp_vcpu *h)
{
	u64 par, guest_par = read_sysreg_par();
	bool found;

	asm volatile("at s1e1r, %0" :: "r"(h->far));
	isb();
	par = read_sysreg_par();
	write_sysreg(guest_par, par_el1);
	found = !(par & BIT_ULL(0));
	if (found)
		h->hpfar = (par & GENMASK_ULL(51, 12)) >> 8;
	return found;
}

void hyp_set_vse(struct hyp_vcpu *h, bool pending)
{
	h->vse_live = pending;
	h->hcr = (h->hcr & ~HCR_VSE) | (pending ? HCR_VSE : 0);
}

/* What this guest uses, or the host's debugger, and few others do; the host's traps and vectors are still in place. */
void hyp_live_in(struct hyp_vcpu *h, u64 mdscr)
{
	if ((mdscr | h->debug.mdscr) & MDSCR_ARMED)
		hyp_debug_enter(h, mdscr);
	if (h->vse_live)
		write_sysreg_s(h->vsesr, SYS_VSESR_EL2);
	if (h->ptrauth_live)
		key_enter(h);
}

/* It goes back; the guest's traps and vectors are still in place. */
void hyp_live_out(struct hyp_vcpu *h)
{
	if (h->vse_live)
		hyp_set_vse(h, read_sysreg(hcr_el2) & HCR_VSE);
	if (h->debug.live)
		hyp_debug_exit(h);
	if (h->fp_live) {
		if (h->sve.state)
			hyp_sve_save(h);
		else
			hyp_fp_save(&h->fp);
		h->fp_live = false;
	}
	if (h->ptrauth_live)
		key_exit(h);
}

#define REG_CASE_EL12_READ(name, op0, op1, crn, crm, op2) \
	case REG_##name: return read_sysreg_s(sys_reg(op0, 5, crn, crm, op2));
#define REG_CASE_EL0_READ(name, op0, op1, crn, crm, op2) \
	case REG_##name: return read_sysreg_s(sys_reg(op0, op1, crn, crm, op2));
#define REG_CASE_EL12_WRITE(name, op0, op1, crn, crm, op2) \
	case REG_##name: write_sysreg_s(v, sys_reg(op0, 5, crn, crm, op2)); return;
#define REG_CASE_EL0_WRITE(name, op0, op1, crn, crm, op2) \
	case REG_##name: write_sysreg_s(v, sys_reg(op0, op1, crn, crm, op2)); return;
#define REG_CASE_USER_READ(name, op0, op1, crn, crm, op2) \
	case REG_##name: if (h->running) return read_sysreg_s(sys_reg(op0, op1, crn, crm, op2)); break;
#define REG_CASE_USER_WRITE(name, op0, op1, crn, crm, op2) \
	case REG_##name: if (h->running) write_sysreg_s(v, sys_reg(op0, op1, crn, crm, op2)); break;
#define KEY_CASE_READ(n, sys, name) \
	case REG_##name: if ((n) > 1 && h->running && h->ptrauth_live) return read_sysreg_s(sys); break;
#define KEY_CASE_WRITE(n, sys, name) \
	case REG_##name: if ((n) > 1 && h->running && h->ptrauth_live) write_sysreg_s(v, sys); break;

u64 hyp_reg_read(const struct hyp_vcpu *h, enum sysreg_id r)
{
	if (h->cpu >= 0) {
		switch (r) {
		SYSREG_FOR_EL12(REG_CASE_EL12_READ)
		SYSREG_FOR_EL0(REG_CASE_EL0_READ)
		SYSREG_FOR_USER(REG_CASE_USER_READ)
		KEY_LIST(KEY_CASE_READ)
		case REG_DISR_EL1:
			if (has_disr())
				return read_sysreg_s(SYS_VDISR_EL2);
			break;
		case REG_ZCR_EL1:
			if (h->sve.state)
				return read_sysreg_s(SYS_ZCR_EL12);
			break;
		default:
			break;
		}
	}
	return h->reg[r];
}

void hyp_reg_write(struct hyp_vcpu *h, enum sysreg_id r, u64 v)
{
	h->reg[r] = v;
	if (h->cpu < 0)
		return;
	switch (r) {
	SYSREG_FOR_EL12(REG_CASE_EL12_WRITE)
	SYSREG_FOR_EL0(REG_CASE_EL0_WRITE)
	SYSREG_FOR_USER(REG_CASE_USER_WRITE)
	KEY_LIST(KEY_CASE_WRITE)
	case REG_MPIDR_EL1:
		write_sysreg(v, vmpidr_el2);
		break;
	case REG_DISR_EL1:
		if (has_disr())
			write_sysreg_s(v, SYS_VDISR_EL2);
		break;
	case REG_ZCR_EL1:
		if (h->sve.state)
			write_sysreg_s(v, SYS_ZCR_EL12);
		break;
	default:
		break;
	}
}
