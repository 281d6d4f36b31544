// SPDX-License-Identifier: GPL-2.0
/*
 * Exception entry, skipped instructions and AArch32 conditions, as pure
 * functions. Bit positions are those of SPSR_EL2, which tern keeps as the
 * guest's PSTATE.
 */
#include <linux/types.h>
#include "../arch/esr.h"
#include "../arch/pstate.h"
#include "except.h"

/* Arm ARM D1.3.1.3: which group of the vector table */
static u64 vector_group(u64 pstate)
{
	if (pstate & SPSR_M32)
		return VECTOR_LOWER_32;
	switch (pstate & SPSR_MODE) {
	case SPSR_EL1h:
		return VECTOR_CUR_SPX;
	case SPSR_EL1t:
		return VECTOR_CUR_SP0;
	default:
		return VECTOR_LOWER_64;
	}
}

void vcpu_except_enter(struct vcpu_except *e)
{
	u64 old = e->pstate;
	u64 new = SPSR_EL1h | SPSR_DAIF;

	/*
	 * Condition flags and DIT are unchanged (D1.3.1). TCO would be set only
	 * for a guest with memory tagging. UAO, SS, IL and BTYPE become 0.
	 */
	new |= old & (SPSR_NZCV | SPSR_DIT | SPSR_PAN);

	/* SPAN = 0: the exception sets PAN. SPAN is RES1 without FEAT_PAN. */
	if (!(e->sctlr & SCTLR_SPAN))
		new |= SPSR_PAN;

	/* DSSBS is RES0 without FEAT_SSBS. */
	if (e->sctlr & SCTLR_DSSBS)
		new |= SPSR_SSBS;

	e->elr = e->pc;
	e->spsr = old;
	e->pc = e->vbar + vector_group(old);
	e->pstate = new;
}

u64 vcpu_except_undef_esr(u64 esr2)
{
	return (u64)EC_UNKNOWN << ESR_EC_SHIFT | (esr2 & ESR_IL);
}

u64 vcpu_except_abort_esr(u64 esr2, u64 pstate, bool insn, u64 fsc)
{
	bool lower = (pstate & SPSR_M32) || (pstate & SPSR_MODE) == SPSR_EL0t;
	u64 ec;

	if (insn)
		ec = lower ? EC_IABT_LOW : EC_IABT_CUR;
	else
		ec = lower ? EC_DABT_LOW : EC_DABT_CUR;

	return ec << ESR_EC_SHIFT | (esr2 & ESR_IL) | fsc;
}

/* Arm ARM, pseudocode AArch32.ITAdvance(): IT[7:5] is the base condition, IT[4:0] the mask */
static u64 it_advance(u64 pstate)
{
	u64 it = (pstate & SPSR32_IT_HIGH) >> 10 << 2 | (pstate & SPSR32_IT_LOW) >> 25;

	if (!(it & 7))
		it = 0;
	else
		it = (it & 0xe0) | (it << 1 & 0x1f);

	pstate &= ~(SPSR32_IT_HIGH | SPSR32_IT_LOW);
	return pstate | (it >> 2) << 10 | (it & 3) << 25;
}

static void skip32(u64 *pc, u64 *pstate, u64 esr2)
{
	bool thumb = *pstate & SPSR32_T;

	*pc = (u32)(*pc + (thumb && !(esr2 & ESR_IL) ? 2 : 4));
	if (thumb)
		*pstate = it_advance(*pstate);
}

void vcpu_except_skip(u64 *pc, u64 *pstate, u64 esr2)
{
	if (*pstate & SPSR_M32) {
		skip32(pc, pstate, esr2);
	} else {
		*pc += 4;
		*pstate &= ~SPSR_BTYPE;
	}
	*pstate &= ~SPSR_SS;
}

/* Arm ARM, pseudocode ConditionHolds() */
static bool cond_holds(unsigned int cond, u64 pstate)
{
	bool n = pstate & SPSR_N, z = pstate & SPSR_Z;
	bool c = pstate & SPSR_C, v = pstate & SPSR_V;
	bool r;

	switch (cond >> 1) {
	case 0:
		r = z;
		break;
	case 1:
		r = c;
		break;
	case 2:
		r = n;
		break;
	case 3:
		r = v;
		break;
	case 4:
		r = c && !z;
		break;
	case 5:
		r = n == v;
		break;
	case 6:
		r = n == v && !z;
		break;
	default:
		return true;
	}
	return r != (cond & 1);
}

/* The classes whose syndrome has a condition (Arm ARM, ESR_EL2, ISS encodings with CV and COND) */
static bool class_has_cond(unsigned int ec)
{
	switch (ec) {
	case EC_WFX:
	case EC_CP15_32:
	case EC_CP15_64:
	case EC_CP14_32:
	case EC_CP14_LS:
	case EC_FP:
	case EC_CP10_ID:
	case EC_CP14_64:
	case EC_SVC32:
	case EC_SMC32:
		return true;
	default:
		return false;
	}
}

bool vcpu_except_cond(u64 esr2, u64 pstate)
{
	u64 it;

	/* From AArch64, CV is 1 and COND is 0b1110. */
	if (!(pstate & SPSR_M32) || !class_has_cond(ESR_EC(esr2)))
		return true;
	if (esr2 & ESR_CV)
		return cond_holds(ESR_COND(esr2), pstate);

	/* T32 and CV = 0: the IT state has the condition, if in an IT block. */
	it = (pstate & SPSR32_IT_HIGH) >> 10 << 2 | (pstate & SPSR32_IT_LOW) >> 25;
	return !it || cond_holds(it >> 4, pstate);
}
