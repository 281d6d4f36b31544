/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of ID registers that a guest sees, from the host's: pure.
 */
#ifndef TERN_VCPU_IDREG_H
#define TERN_VCPU_IDREG_H

#include <linux/types.h>

/**
 * struct vcpu_id_env - what the values depend on, besides the host's
 * @ptrauth: the vCPU has pointer authentication
 * @pmu:     it has performance monitors
 * @sve:     it has scalable vectors
 * @wfxt:    the host has FEAT_WFxT on every CPU
 * @csv2, @csv3: ID_AA64PFR0_EL1 fields of this VM
 */
struct vcpu_id_env {
	bool ptrauth;
	bool pmu;
	bool sve;
	bool wfxt;
	u8 csv2;
	u8 csv3;
};

/** vcpu_idreg_value() - ID register @enc (SYSREG_ENC) for a guest, @host being what Linux sanitised */
u64 vcpu_idreg_value(u32 enc, u64 host, const struct vcpu_id_env *env);

/** vcpu_mpidr() - MPIDR_EL1 of vCPU number @id at reset */
u64 vcpu_mpidr(u32 id);

/**
 * vcpu_idreg_pfr0_ok() - may a client write @val to ID_AA64PFR0_EL1 that reads @now?
 * @max_csv2, @max_csv3: 1 when this host is not affected, else 0
 * Only CSV2 and CSV3 may differ, and promise no more than the host has.
 */
bool vcpu_idreg_pfr0_ok(u64 val, u64 now, u8 max_csv2, u8 max_csv3);

/* Caches are numbered as CSSELR_EL1 does: level - 1 in bits 3:1, instruction cache in bit 0. */
#define VCPU_NR_CACHES 14

/** vcpu_idreg_has_cache() - is CSSELR_EL1 value @sel a cache, in CLIDR_EL1 value @clidr? */
bool vcpu_idreg_has_cache(u64 clidr, u32 sel);

/* ID_AA64PFR0_EL1 */
#define VCPU_PFR0_CSV2_SHIFT	56
#define VCPU_PFR0_CSV3_SHIFT	60

#endif
