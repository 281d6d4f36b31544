// SPDX-License-Identifier: GPL-2.0
/*
 * What tern hides of the host's features, or limits, and no more: the same as
 * built-in KVM of Linux 6.1, so that a VM can move between the two.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include "../arch/sysreg.h"
#include "idreg.h"

/* All fields used here are four bits wide. */
static u64 field_get(u64 reg, unsigned int shift)
{
	return reg >> shift & 0xf;
}

static u64 field_set(u64 reg, unsigned int shift, u64 val)
{
	return (reg & ~(0xfULL << shift)) | val << shift;
}

/* Versions of the PMU: the same numbers in ID_AA64DFR0_EL1 and ID_DFR0_EL1 */
#define PMU_NONE	0
#define PMU_V3P4	5
#define PMU_IMPDEF	0xf

/*
 * At most PMUv3 for Armv8.4; without one the version reads 0. An implementation
 * defined one, which is not the architecture's, says "none" already and stays.
 */
static u64 limit_pmu(u64 reg, unsigned int shift, bool pmu)
{
	u64 most = pmu ? PMU_V3P4 : PMU_NONE, has = field_get(reg, shift);

	return has == PMU_IMPDEF || has <= most ? reg : field_set(reg, shift, most);
}

static u64 pfr0(u64 reg, const struct vcpu_id_env *env)
{
	reg = field_set(reg, 24, 1);				/* GIC: system registers */
	if (!env->sve)
		reg = field_set(reg, 32, 0);			/* SVE */
	reg = field_set(reg, 44, 0);				/* AMU */
	reg = field_set(reg, VCPU_PFR0_CSV2_SHIFT, env->csv2);
	return field_set(reg, VCPU_PFR0_CSV3_SHIFT, env->csv3);
}

static u64 pfr1(u64 reg)
{
	reg = field_set(reg, 8, 0);				/* MTE */
	return field_set(reg, 24, 0);				/* SME */
}

static u64 dfr0(u64 reg, const struct vcpu_id_env *env)
{
	reg = field_set(reg, 0, 6);				/* DebugVer: Armv8.0 */
	reg = limit_pmu(reg, 8, env->pmu);			/* PMUVer */
	return field_set(reg, 32, 0);				/* PMSVer */
}

static u64 isar1(u64 reg, const struct vcpu_id_env *env)
{
	if (env->ptrauth)
		return reg;
	reg = field_set(reg, 4, 0);				/* APA */
	reg = field_set(reg, 8, 0);				/* API */
	reg = field_set(reg, 24, 0);				/* GPA */
	return field_set(reg, 28, 0);				/* GPI */
}

static u64 isar2(u64 reg, const struct vcpu_id_env *env)
{
	if (!env->wfxt)
		reg = field_set(reg, 0, 0);			/* WFxT */
	if (env->ptrauth)
		return reg;
	reg = field_set(reg, 8, 0);				/* GPA3 */
	return field_set(reg, 12, 0);				/* APA3 */
}

u64 vcpu_idreg_value(u32 enc, u64 host, const struct vcpu_id_env *env)
{
	switch (enc) {
	case SYSREG_ENC(ID_AA64PFR0_EL1):
		return pfr0(host, env);
	case SYSREG_ENC(ID_AA64PFR1_EL1):
		return pfr1(host);
	case SYSREG_ENC(ID_AA64ZFR0_EL1):
		return env->sve ? host : 0;
	case SYSREG_ENC(ID_AA64DFR0_EL1):
		return dfr0(host, env);
	case SYSREG_ENC(ID_AA64ISAR1_EL1):
		return isar1(host, env);
	case SYSREG_ENC(ID_AA64ISAR2_EL1):
		return isar2(host, env);
	case SYSREG_ENC(ID_DFR0_EL1):
		return limit_pmu(host, 24, env->pmu);		/* PerfMon */
	default:
		return host;
	}
}

bool vcpu_idreg_pfr0_ok(u64 val, u64 now, u8 max_csv2, u8 max_csv3)
{
	u64 free = 0xfULL << VCPU_PFR0_CSV2_SHIFT | 0xfULL << VCPU_PFR0_CSV3_SHIFT;

	return !((val ^ now) & ~free) &&
	       field_get(val, VCPU_PFR0_CSV2_SHIFT) <= max_csv2 &&
	       field_get(val, VCPU_PFR0_CSV3_SHIFT) <= max_csv3;
}

bool vcpu_idreg_has_cache(u64 clidr, u32 sel)
{
	unsigned int level = sel >> 1, i;
	u64 type = 0;

	if (sel >= VCPU_NR_CACHES)
		return false;

	/* Arm ARM D19.2.26: after the first level without a cache, Ctype fields mean nothing. */
	for (i = 0; i <= level; i++) {
		type = clidr >> (3 * i) & 7;
		if (!type)
			return false;
	}

	switch (type) {
	case 1:		/* instruction cache only */
		return sel & 1;
	case 2:		/* data cache only */
	case 4:		/* unified */
		return !(sel & 1);
	case 3:		/* both */
		return true;
	default:
		return false;
	}
}

/*
 * The vCPU's number as affinity: 16 vCPUs share an Aff0, since that many can
 * be named in ICC_SGI1R_EL1. Bit 31 is RES1.
 */
u64 vcpu_mpidr(u32 id)
{
	return BIT_ULL(31) | (id & 0xf) | (u64)(id >> 4 & 0xff) << 8 | (u64)(id >> 12 & 0xff) << 16;
}
