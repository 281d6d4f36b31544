/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the PMU's registers is only memory: for exits of all tiers.
 */
#ifndef TERN_PMU_MEMORY_H
#define TERN_PMU_MEMORY_H

#include <asm/perf_event.h>
#include "pmu.h"

static __always_inline u64 *pmu_at(struct pmu_cpu *p, enum sysreg_id r)
{
	return &p->hyp->reg[r];
}

/* EL0, in either execution state: M[3:2] is the exception level. */
static __always_inline bool pmu_at_el0(u64 pstate)
{
	return !(pstate & 0xc);
}

/** pmu_memory() - read what is only memory. Return: false, it is more than that */
static __always_inline bool pmu_memory(struct pmu_cpu *p, u32 enc, u64 *val)
{
	switch (enc) {
	case SYSREG_ENC(PMCR_EL0):
		*val = *pmu_at(p, REG_PMCR_EL0) & ~(u64)(ARMV8_PMU_PMCR_P | ARMV8_PMU_PMCR_C);
		return true;
	case SYSREG_ENC(PMINTENSET_EL1):
	case SYSREG_ENC(PMINTENCLR_EL1):
		*val = *pmu_at(p, REG_PMINTENSET_EL1);
		return true;
	case SYSREG_ENC(PMCNTENSET_EL0):
	case SYSREG_ENC(PMCNTENCLR_EL0):
		*val = *pmu_at(p, REG_PMCNTENSET_EL0);
		return true;
	case SYSREG_ENC(PMOVSSET_EL0):
	case SYSREG_ENC(PMOVSCLR_EL0):
		*val = *pmu_at(p, REG_PMOVSSET_EL0);
		return true;
	case SYSREG_ENC(PMSELR_EL0):
		*val = *pmu_at(p, REG_PMSELR_EL0) & ARMV8_PMU_COUNTER_MASK;
		return true;
	case SYSREG_ENC(PMUSERENR_EL0):
		*val = *pmu_at(p, REG_PMUSERENR_EL0) & ARMV8_PMU_USERENR_MASK;
		return true;
	default:
		return false;
	}
}

#endif
