/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For leaf functions alone, which run with the guest's ELR_EL2 and SPSR_EL2.
 */
#ifndef TERN_HYP_LEAF_H
#define TERN_HYP_LEAF_H

#include <asm/sysreg.h>
#include "hyp.h"

#define HYP_SPSR_STEP	(BIT_ULL(21) | GENMASK_ULL(11, 10))	/* SS, BTYPE: end with the instruction */

/** hyp_leaf_skip() - step over the trapped instruction, */
static __always_inline void hyp_leaf_skip(void)
{
	u64 spsr = read_sysreg(spsr_el2);

	write_sysreg(read_sysreg(elr_el2) + 4, elr_el2);
	if (unlikely(spsr & HYP_SPSR_STEP))
		write_sysreg(spsr & ~HYP_SPSR_STEP, spsr_el2);
}

#endif
