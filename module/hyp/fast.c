// SPDX-License-Identifier: GPL-2.0
/*
 * Tier (b): exits solved in C without leaving the guest's context.
 */
#include <linux/compiler.h>
#include <asm/esr.h>
#include <asm/sysreg.h>
#include "internal.h"

#define SPSR_STEP_BITS	(BIT_ULL(21) | GENMASK_ULL(11, 10))	/* SS, BTYPE */

bool hyp_leaf(struct hyp_vcpu *h, u64 esr);

void hyp_leaf_skip(void)
{
	u64 spsr = read_sysreg(spsr_el2);

	write_sysreg(read_sysreg(elr_el2) + 4, elr_el2);
	if (unlikely(spsr & SPSR_STEP_BITS))
		write_sysreg(spsr & ~SPSR_STEP_BITS, spsr_el2);
}

/* The trapped FP instruction runs again, this time with its registers. */
static bool leaf_fp(struct hyp_vcpu *h)
{
	if (!h->fp_granted)
		return false;
	write_sysreg(read_sysreg(cpacr_el1) | CPTR_FPEN, cpacr_el1);
	isb();
	hyp_fp_load(&h->fp);
	h->fp_live = true;
	return true;
}

/* Called by the vectors; true resumes the guest, false makes it a full exit. */
bool hyp_leaf(struct hyp_vcpu *h, u64 esr)
{
	if (ESR_ELx_EC(esr) == ESR_ELx_EC_FP_ASIMD)
		return leaf_fp(h);
	return h->leaf && h->leaf(h, esr);
}
