// SPDX-License-Identifier: GPL-2.0
/*
 * Trapped system registers. The line of sysreg.def says which of the handlers
 * below serves a register.
 */
#include <linux/kernel.h>
#include <linux/printk.h>
#include <asm/cpufeature.h>
#include <asm/kvm_arm.h>
#include <asm/sysreg.h>
#include "../arch/esr.h"
#include "../arch/pstate.h"
#include "../arch/sysreg.h"
#include "../host/caps.h"
#include "../mem/mem.h"
#include "../vcpu/ident.h"
#include "../vcpu/vcpu.h"
#include "../vcpu/vm.h"
#include "../vgic/vgic.h"
#include "exit.h"

/**
 * struct access - a trapped access
 * @d:     the register
 * @write: MSR; else MRS
 * @val:   written; or, to be filled in, read
 */
struct access {
	const struct sysreg_desc *d;
	bool write;
	u64 val;
};

enum access_result {
	ACCESS_UNDEF,	/* the instruction is UNDEFINED for this guest */
	ACCESS_DONE,
	ACCESS_AGAIN,	/* it will not trap the next time */
};

typedef enum access_result (*access_fn)(struct tern_vcpu *v, struct access *a);

static enum access_result access_undef(struct tern_vcpu *v, struct access *a)
{
	return ACCESS_UNDEF;
}

static enum access_result access_raz(struct tern_vcpu *v, struct access *a)
{
	if (!a->write)
		a->val = 0;
	return ACCESS_DONE;
}

/* The stored value, read and written. */
static enum access_result access_stored(struct tern_vcpu *v, struct access *a)
{
	if (a->write)
		vcpu_write_sys(v, a->d->reg, a->val);
	else
		a->val = vcpu_read_sys(v, a->d->reg);
	return ACCESS_DONE;
}

static enum access_result access_stored_ro(struct tern_vcpu *v, struct access *a)
{
	return a->write ? ACCESS_UNDEF : access_stored(v, a);
}

static bool caches_on(struct tern_vcpu *v)
{
	u64 on = SCTLR_M | SCTLR_C;

	return (vcpu_read_sys(v, REG_SCTLR_EL1) & on) == on;
}

/*
 * HCR_EL2.TVM is set from reset until the guest's caches are on: until then it
 * may write memory behind the caches, which host and devices use.
 */
static enum access_result access_vm(struct tern_vcpu *v, struct access *a)
{
	bool before = caches_on(v), after;

	access_stored(v, a);
	if (!a->write)
		return ACCESS_DONE;

	after = caches_on(v);
	if (before != after)
		mem_flush_caches(&v->vm->mem);
	if (after)
		v->hyp.hcr &= ~HCR_TVM;
	return ACCESS_DONE;
}

/*
 * Maintenance by set and way cannot be virtualised: it acts on one CPU's
 * caches. The guest means "everything", so everything is flushed, and again
 * when it switches its caches on.
 */
static enum access_result access_dcsw(struct tern_vcpu *v, struct access *a)
{
	if (!a->write)
		return ACCESS_UNDEF;
	if (!host_caps.fwb && !(v->hyp.hcr & HCR_TVM)) {
		mem_flush_caches(&v->vm->mem);
		v->hyp.hcr |= HCR_TVM;
	}
	return ACCESS_DONE;
}

static enum access_result access_actlr(struct tern_vcpu *v, struct access *a)
{
	return a->write ? ACCESS_DONE : access_stored(v, a);
}

static enum access_result access_id(struct tern_vcpu *v, struct access *a)
{
	if (a->write)
		return ACCESS_UNDEF;
	a->val = vcpu_ident_value(v, a->d);
	return ACCESS_DONE;
}

static enum access_result access_host_ro(struct tern_vcpu *v, struct access *a)
{
	if (a->write)
		return ACCESS_UNDEF;
	a->val = vcpu_ident_host(a->d->enc);
	return ACCESS_DONE;
}

static enum access_result access_dbg(struct tern_vcpu *v, struct access *a)
{
	access_stored(v, a);
	if (a->write)
		hyp_debug_update(&v->hyp);
	return ACCESS_DONE;
}

static enum access_result access_dbgauth(struct tern_vcpu *v, struct access *a)
{
	if (!a->write)
		a->val = read_sysreg(dbgauthstatus_el1);
	return ACCESS_DONE;
}

static enum access_result access_oslar(struct tern_vcpu *v, struct access *a)
{
	u64 oslsr = vcpu_read_sys(v, REG_OSLSR_EL1) & ~SYSREG_OSLSR_OSLK;

	if (!a->write)
		return ACCESS_UNDEF;
	if (a->val & SYSREG_OSLAR_OSLK)
		oslsr |= SYSREG_OSLSR_OSLK;
	vcpu_write_sys(v, REG_OSLSR_EL1, oslsr);
	hyp_debug_update(&v->hyp);
	return ACCESS_DONE;
}

/* FEAT_LOR asks for the registers, but not for a region: all fields may be RES0. */
static enum access_result access_lor(struct tern_vcpu *v, struct access *a)
{
	if (!(read_sanitised_ftr_reg(SYS_ID_AA64MMFR1_EL1) >> 16 & 0xf))
		return ACCESS_UNDEF;
	return access_raz(v, a);
}

static enum access_result access_lorid(struct tern_vcpu *v, struct access *a)
{
	return a->write ? ACCESS_UNDEF : access_lor(v, a);
}

static enum access_result access_sgi(struct tern_vcpu *v, struct access *a)
{
	enum vgic_sgi_kind kind;

	if (!a->write || !v->vm->vgic.created)
		return ACCESS_UNDEF;

	switch (a->d->enc) {
	case SYSREG_ENC(ICC_SGI1R_EL1):
		kind = VGIC_SGI1R;
		break;
	case SYSREG_ENC(ICC_ASGI1R_EL1):
		kind = VGIC_ASGI1R;
		break;
	default:
		kind = VGIC_SGI0R;
		break;
	}
	vgic_sgi(&v->vgic, a->val, kind);
	return ACCESS_DONE;
}

static enum access_result access_sre(struct tern_vcpu *v, struct access *a)
{
	if (!a->write)
		a->val = v->vm->vgic.created ? VGIC_ICC_SRE : 0;
	return ACCESS_DONE;
}

static enum access_result access_dir(struct tern_vcpu *v, struct access *a)
{
	if (!a->write || !v->vm->vgic.created)
		return ACCESS_UNDEF;
	vgic_icc_dir(&v->vgic, a->val);
	return ACCESS_DONE;
}

/*
 * Data and unified caches are shown with one set and one way, so that a guest
 * that loops over sets and ways does so once.
 */
static enum access_result access_ccsidr(struct tern_vcpu *v, struct access *a)
{
	u32 sel = vcpu_read_sys(v, REG_CSSELR_EL1);

	if (a->write)
		return ACCESS_UNDEF;
	a->val = vcpu_ident_ccsidr(sel);
	if (!(sel & 1))
		a->val &= ~GENMASK_ULL(27, 3);
	return ACCESS_DONE;
}

static enum access_result access_pmu(struct tern_vcpu *v, struct access *a)
{
	bool done = a->write ? pmu_write(&v->pmu, a->d->enc, a->val) : pmu_read(&v->pmu, a->d->enc, &a->val);

	exit_pmu_note(v);
	return done ? ACCESS_DONE : ACCESS_UNDEF;
}

/* HCR_EL2.APK traps the keys until the guest uses them; then they are switched with it. */
static enum access_result access_key(struct tern_vcpu *v, struct access *a)
{
	if (!v->hyp.ptrauth)
		return ACCESS_UNDEF;
	preempt_disable();
	hyp_ptrauth_grant(&v->hyp);
	preempt_enable();
	return ACCESS_AGAIN;
}

static const access_fn access_handlers[SYSREG_TRAP_NR] = {
	[SYSREG_TRAP_NONE]	= access_undef,
	[SYSREG_TRAP_UNDEF]	= access_undef,
	[SYSREG_TRAP_RAZ]	= access_raz,
	[SYSREG_TRAP_RO]	= access_undef,
	[SYSREG_TRAP_WO]	= access_undef,
	[SYSREG_TRAP_VM]	= access_vm,
	[SYSREG_TRAP_ID]	= access_id,
	[SYSREG_TRAP_DCSW]	= access_dcsw,
	[SYSREG_TRAP_ACTLR]	= access_actlr,
	[SYSREG_TRAP_KEY]	= access_key,
	[SYSREG_TRAP_DBG]	= access_dbg,
	[SYSREG_TRAP_DBGAUTH]	= access_dbgauth,
	[SYSREG_TRAP_OSLAR]	= access_oslar,
	[SYSREG_TRAP_OSLSR]	= access_stored_ro,
	[SYSREG_TRAP_LOR]	= access_lor,
	[SYSREG_TRAP_LORID]	= access_lorid,
	[SYSREG_TRAP_SGI]	= access_sgi,
	[SYSREG_TRAP_SRE]	= access_sre,
	[SYSREG_TRAP_DIR]	= access_dir,
	[SYSREG_TRAP_CTR]	= access_host_ro,
	[SYSREG_TRAP_CLIDR]	= access_host_ro,
	[SYSREG_TRAP_CSSELR]	= access_stored,
	[SYSREG_TRAP_CCSIDR]	= access_ccsidr,
	[SYSREG_TRAP_PMU]	= access_pmu,
};

int exit_sysreg_init(void)
{
	const char *bad = NULL;
	unsigned int i;

	for (i = 0; i < SYSREG_TRAP_NR; i++) {
		if (!access_handlers[i]) {
			pr_err("trap kind %u has no handler: this build is broken\n", i);
			return -EINVAL;
		}
	}

	if (sysreg_init(&bad)) {
		pr_err("the register table is wrong at %s: this build is broken\n", bad);
		return -EINVAL;
	}
	vcpu_ident_init();
	return 0;
}

static __always_inline u32 access_enc(u64 esr)
{
	return SYSREG_ENCODE(ESR_SYS_OP0(esr), ESR_SYS_OP1(esr), ESR_SYS_CRN(esr), ESR_SYS_CRM(esr),
			     ESR_SYS_OP2(esr));
}

static enum access_result access_one(struct tern_vcpu *v, struct access *a)
{
	return a->d ? access_handlers[a->d->trap](v, a) : ACCESS_UNDEF;
}

int exit_sysreg(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;
	struct access a = {
		.d = sysreg_find(access_enc(esr)),
		.write = !ESR_READ(esr),
		.val = vcpu_get_reg(v, ESR_RT(esr)),
	};

	if (unlikely(exit_is_tlbi(esr)))
		return exit_tlbi(v);
	switch (access_one(v, &a)) {
	case ACCESS_DONE:
		if (!a.write)
			vcpu_set_reg(v, ESR_RT(esr), a.val);
		vcpu_skip_insn(v);
		break;
	case ACCESS_UNDEF:
		vcpu_inject_undef(v);
		break;
	case ACCESS_AGAIN:
		break;
	}
	return EXIT_RESUME;
}

/*
 * AArch32: only EL0 may be in it, so what can trap to EL2 is what EL0 may
 * access at all (an access that EL0 may not make is UNDEFINED at EL1 first):
 * a few debug registers, and the performance monitors.
 */

static u32 dbgdidr(void)
{
	u64 dfr = read_sanitised_ftr_reg(SYS_ID_AA64DFR0_EL1);
	u64 pfr = read_sanitised_ftr_reg(SYS_ID_AA64PFR0_EL1);
	u32 el3 = pfr >> 12 & 0xf ? 1 : 0;

	/* WRPs, BRPs, CTX_CMPs; version: Armv8 debug; RES1; nSUHD_imp and SE_imp follow EL3 */
	return (u32)(dfr >> 20 & 0xf) << 28 | (u32)(dfr >> 12 & 0xf) << 24 |
	       (u32)(dfr >> 28 & 0xf) << 20 | 6 << 16 | 1 << 15 | el3 << 14 | el3 << 12;
}

static int absent(struct tern_vcpu *v)
{
	vcpu_inject_undef(v);
	return EXIT_RESUME;
}

#define CP14(opc1, crn, crm, opc2) ((opc1) << 11 | (crn) << 7 | (crm) << 3 | (opc2))

static bool access_cp14(u32 reg, u64 *val)
{
	switch (reg) {
	case CP14(0, 0, 0, 0):		/* DBGDIDR */
		*val = dbgdidr();
		return true;
	case CP14(0, 0, 1, 0):		/* DBGDSCRint */
	case CP14(0, 0, 5, 0):		/* DBGDTRRXint, DBGDTRTXint */
	case CP14(0, 1, 0, 0):		/* DBGDRAR */
	case CP14(0, 2, 0, 0):		/* DBGDSAR */
		*val = 0;
		return true;
	default:
		return false;
	}
}

int exit_cp14_32(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr, val;

	if (!access_cp14(CP14(ESR_CP_OPC1(esr), ESR_CP_CRN(esr), ESR_CP_CRM(esr),
			      ESR_CP_OPC2(esr)), &val))
		return absent(v);

	if (ESR_READ(esr))
		vcpu_set_reg(v, ESR_RT(esr), val);
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}

int exit_cp14_64(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;

	/* DBGDRAR (CRm = 1) and DBGDSAR (CRm = 2) as 64 bits */
	if (ESR_CP64_OPC1(esr) || (ESR_CP64_CRM(esr) != 1 && ESR_CP64_CRM(esr) != 2))
		return absent(v);

	if (ESR_READ(esr)) {
		vcpu_set_reg(v, ESR_RT(esr), 0);
		vcpu_set_reg(v, ESR_CP64_RT2(esr), 0);
	}
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}

/*
 * The performance monitors have the AArch64 registers' CRn, CRm and opc2, but
 * for the interrupt enables, which EL0 may not access.
 */
static u32 cp15_pmu(u64 esr)
{
	u32 crn = ESR_CP_CRN(esr);

	if (ESR_CP_OPC1(esr) || (crn != 9 && crn != 14))
		return 0;
	return SYSREG_ENCODE(3, 3, crn, ESR_CP_CRM(esr), ESR_CP_OPC2(esr));
}

/* The upper halves of PMCEID0_EL0 and PMCEID1_EL0: PMCEID2 and PMCEID3 */
#define PMCEID_UPPER	SYSREG_ENCODE(3, 3, 9, 14, 4)

/* Return: true when there is a value to be put into registers */
static bool access_cp15(struct tern_vcpu *v, struct access *a)
{
	if (!a->d || a->d->trap != SYSREG_TRAP_PMU || access_pmu(v, a) != ACCESS_DONE) {
		absent(v);
		return false;
	}
	vcpu_skip_insn(v);
	return !a->write;
}

int exit_cp15_32(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;
	u32 enc = cp15_pmu(esr), upper = 0;
	struct access a = { .write = !ESR_READ(esr), .val = (u32)vcpu_get_reg(v, ESR_RT(esr)) };

	if (enc >> 1 == PMCEID_UPPER >> 1) {
		enc = SYSREG_ENC(PMCEID0_EL0) + (enc & 1);
		upper = 32;
	}
	a.d = sysreg_find(enc);
	/* A write of the cycle counter's lower half leaves the upper one. */
	if (a.write && enc == SYSREG_ENC(PMCCNTR_EL0) && v->pmu.present)
		a.val |= pmu_counter_value(&v->pmu, PMU_CYCLES) & GENMASK_ULL(63, 32);
	if (access_cp15(v, &a))
		vcpu_set_reg(v, ESR_RT(esr), (u32)(a.val >> upper));
	return EXIT_RESUME;
}

int exit_cp15_64(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;
	struct access a = { .write = !ESR_READ(esr) };

	/* PMCCNTR as 64 bits */
	if (ESR_CP64_OPC1(esr) || ESR_CP64_CRM(esr) != 9)
		return absent(v);
	a.d = sysreg_find(SYSREG_ENC(PMCCNTR_EL0));
	a.val = (u32)vcpu_get_reg(v, ESR_RT(esr)) | vcpu_get_reg(v, ESR_CP64_RT2(esr)) << 32;
	if (access_cp15(v, &a)) {
		vcpu_set_reg(v, ESR_RT(esr), (u32)a.val);
		vcpu_set_reg(v, ESR_CP64_RT2(esr), a.val >> 32);
	}
	return EXIT_RESUME;
}

int exit_cp14_ls(struct tern_vcpu *v)
{
	return absent(v);
}

int exit_cp10(struct tern_vcpu *v)
{
	return absent(v);
}
