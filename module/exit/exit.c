// SPDX-License-Identifier: GPL-2.0
/*
 * Which handler serves which exception class.
 */
#include <asm/esr.h>
#include "../fw/fw.h"
#include "../vcpu/yield.h"
#include "exit.h"

/* ESR_ELx.ISS of a trapped WFx */
#define ISS_WFX_TI	GENMASK(1, 0)
#define WFX_TI_WFE	BIT(0)
#define WFX_TI_TIMEOUT	BIT(1)
#define ISS_WFX_RV	BIT(2)
#define ISS_WFX_RN(esr)	((esr) >> 5 & 31)

static void wait_until(struct tern_vcpu *v, u64 esr)
{
	/* RV clear: the register is not known, and any wake-up is right (Arm ARM, WFIT) */
	if (esr & ISS_WFX_RV)
		exit_wait_until(v, vcpu_get_reg(v, ISS_WFX_RN(esr)));
}

static void wait(struct tern_vcpu *v, u64 esr)
{
	if (esr & WFX_TI_TIMEOUT)
		wait_until(v, esr);
	else
		exit_wait(v);
}

static int exit_wfx(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;

	if (esr & WFX_TI_WFE) {
		v->stat.wfe_exit_stat++;
		vcpu_spins(v);
	} else {
		v->stat.wfi_exit_stat++;
		wait(v, esr);
	}
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}

static int exit_undef(struct tern_vcpu *v)
{
	vcpu_inject_undef(v);
	return EXIT_RESUME;
}

static int exit_hvc(struct tern_vcpu *v)
{
	int r;

	v->stat.hvc_exit_stat++;
	r = fw_handle_smccc(v);
	if (r < 0) {
		vcpu_set_reg(v, 0, ~0UL);
		return EXIT_RESUME;
	}
	return r;
}

/*
 * An SMC is trapped with the PC still on it, and built-in KVM offers nothing
 * behind it: the caller reads "not supported".
 */
static int exit_smc(struct tern_vcpu *v)
{
	vcpu_set_reg(v, 0, ~0UL);
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}

/* Tier (b) could not: the host's FP state is still in the registers. */
static int exit_fp(struct tern_vcpu *v)
{
	hyp_fp_grant(&v->hyp);
	return EXIT_RESUME;
}

static int exit_sve(struct tern_vcpu *v)
{
	return v->hyp.sve.state ? exit_fp(v) : exit_undef(v);
}

static int exit_ptrauth(struct tern_vcpu *v)
{
	if (!v->hyp.ptrauth)
		return exit_undef(v);
	preempt_disable();
	hyp_ptrauth_grant(&v->hyp);
	preempt_enable();
	return EXIT_RESUME;
}

typedef int (*exit_fn)(struct tern_vcpu *v);

static const exit_fn exit_table[ESR_ELx_EC_MAX + 1] = {
	[0 ... ESR_ELx_EC_MAX]		= exit_undef,
	[ESR_ELx_EC_WFx]		= exit_wfx,
	[ESR_ELx_EC_CP15_32]		= exit_cp15_32,
	[ESR_ELx_EC_CP15_64]		= exit_cp15_64,
	[ESR_ELx_EC_CP14_MR]		= exit_cp14_32,
	[ESR_ELx_EC_CP14_LS]		= exit_cp14_ls,
	[ESR_ELx_EC_CP10_ID]		= exit_cp10,
	[ESR_ELx_EC_CP14_64]		= exit_cp14_64,
	[ESR_ELx_EC_HVC32]		= exit_hvc,
	[ESR_ELx_EC_SMC32]		= exit_smc,
	[ESR_ELx_EC_HVC64]		= exit_hvc,
	[ESR_ELx_EC_SMC64]		= exit_smc,
	[ESR_ELx_EC_SYS64]		= exit_sysreg,
	[ESR_ELx_EC_IABT_LOW]		= exit_abort,
	[ESR_ELx_EC_DABT_LOW]		= exit_abort,
	[ESR_ELx_EC_FP_ASIMD]		= exit_fp,
	[ESR_ELx_EC_SVE]		= exit_sve,
	[ESR_ELx_EC_PAC]		= exit_ptrauth,
	[ESR_ELx_EC_BREAKPT_LOW]	= exit_debug,
	[ESR_ELx_EC_SOFTSTP_LOW]	= exit_debug,
	[ESR_ELx_EC_WATCHPT_LOW]	= exit_debug,
	[ESR_ELx_EC_BKPT32]		= exit_debug,
	[ESR_ELx_EC_BRK64]		= exit_debug,
};

static int exit_sync(struct tern_vcpu *v)
{
	/* An AArch32 instruction whose condition fails may trap all the same. */
	if (unlikely(v->hyp.pstate & PSR_MODE32_BIT) && !vcpu_cond_holds(v)) {
		vcpu_skip_insn(v);
		return EXIT_RESUME;
	}
	return exit_table[ESR_ELx_EC(v->hyp.esr)](v);
}

int exit_handle(struct tern_vcpu *v, enum hyp_exit why)
{
	switch (why) {
	case HYP_EXIT_SYNC:
		return exit_sync(v);
	case HYP_EXIT_DABT:
		return exit_abort(v);
	case HYP_EXIT_SERROR:
		vcpu_inject_serror(v, 0);
		return EXIT_RESUME;
	default:
		return EXIT_RESUME;
	}
}
