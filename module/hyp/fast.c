// SPDX-License-Identifier: GPL-2.0
/*
 * Tier (b): exits solved in C without leaving the guest's context.
 */
#include <linux/compiler.h>
#include <asm/esr.h>
#include <asm/sysreg.h>
#include "internal.h"

/* The trapped FP instruction runs again, this time with its registers. */
enum hyp_leaf_result hyp_leaf_fp(struct hyp_vcpu *h, u64 esr)
{
	bool sve = h->sve.state;

	if (!h->fp_granted || (ESR_ELx_EC(esr) == ESR_ELx_EC_SVE && !sve))
		return LEAF_FULL;
	write_sysreg(read_sysreg(cpacr_el1) | CPTR_FPEN | (sve ? CPTR_ZEN : 0), cpacr_el1);
	isb();
	if (sve)
		hyp_sve_load(h);
	else
		hyp_fp_load(&h->fp);
	h->fp_live = true;
	return LEAF_DONE;
}
