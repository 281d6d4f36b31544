// SPDX-License-Identifier: GPL-2.0
/*
 * Tier (b): what a guest kernel reads at each of its own context switches and
 * overflows, and a register number that it writes before.
 */
#include <asm/sysreg.h>
#include "memory.h"

bool pmu_leaf(struct pmu_cpu *p, u32 enc, bool write, u64 *val)
{
	if (!p->present || pmu_at_el0(read_sysreg(spsr_el2)))
		return false;
	if (!write)
		return pmu_memory(p, enc, val);
	if (enc != SYSREG_ENC(PMSELR_EL0))
		return false;
	*pmu_at(p, REG_PMSELR_EL0) = *val;
	return true;
}
