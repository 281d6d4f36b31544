// SPDX-License-Identifier: GPL-2.0
/* Exceptions, skipped instructions and conditions. */
#include "check.h"
#include "arch/esr.h"
#include "arch/pstate.h"
#include "vcpu/except.h"

#define VBAR	0xffff800008010800ULL
#define PC	0xffff800009123454ULL
#define SCTLR	SCTLR_SPAN

static struct vcpu_except take(u64 pstate, u64 sctlr)
{
	struct vcpu_except e = { .pc = PC, .pstate = pstate, .vbar = VBAR, .sctlr = sctlr };

	vcpu_except_enter(&e);
	assert_int_equal(e.elr, PC);
	assert_int_equal(e.spsr, pstate);
	return e;
}

static void vectors(void **state)
{
	assert_int_equal(take(SPSR_EL1t, SCTLR).pc, VBAR);
	assert_int_equal(take(SPSR_EL1h, SCTLR).pc, VBAR + 0x200);
	assert_int_equal(take(SPSR_EL0t, SCTLR).pc, VBAR + 0x400);
	assert_int_equal(take(SPSR32_USR, SCTLR).pc, VBAR + 0x600);
	assert_int_equal(take(SPSR32_USR | SPSR32_T, SCTLR).pc, VBAR + 0x600);
}

static void always_el1h_masked(void **state)
{
	assert_int_equal(take(SPSR_EL0t, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF);
	assert_int_equal(take(SPSR_EL1t | SPSR_I, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF);
	assert_int_equal(take(SPSR32_USR, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF);
}

static void flags_and_dit_stay(void **state)
{
	u64 stay = SPSR_NZCV | SPSR_DIT;

	assert_int_equal(take(SPSR_EL1h | stay, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF | stay);
	assert_int_equal(take(SPSR_EL0t | SPSR_C, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF | SPSR_C);
}

static void cleared(void **state)
{
	u64 gone = SPSR_TCO | SPSR_UAO | SPSR_SS | SPSR_IL | SPSR_BTYPE | SPSR_SSBS;

	assert_int_equal(take(SPSR_EL1h | gone, SCTLR).pstate, SPSR_EL1h | SPSR_DAIF);
	/* the same bits mean other things in AArch32 (IT, Q, J, E): none survives */
	assert_int_equal(take(SPSR32_USR | SPSR32_IT_LOW | SPSR32_IT_HIGH | 0x0fULL << 16 | SPSR_D,
			      SCTLR).pstate, SPSR_EL1h | SPSR_DAIF);
}

static void pan(void **state)
{
	u64 base = SPSR_EL1h | SPSR_DAIF;

	assert_int_equal(take(SPSR_EL0t, SCTLR_SPAN).pstate, base);
	assert_int_equal(take(SPSR_EL0t | SPSR_PAN, SCTLR_SPAN).pstate, base | SPSR_PAN);
	assert_int_equal(take(SPSR_EL0t, 0).pstate, base | SPSR_PAN);
	assert_int_equal(take(SPSR_EL0t | SPSR_PAN, 0).pstate, base | SPSR_PAN);
}

static void ssbs_from_dssbs(void **state)
{
	u64 base = SPSR_EL1h | SPSR_DAIF;

	assert_int_equal(take(SPSR_EL0t, SCTLR | SCTLR_DSSBS).pstate, base | SPSR_SSBS);
	assert_int_equal(take(SPSR_EL0t | SPSR_SSBS, SCTLR).pstate, base);
}

static void syndromes(void **state)
{
	u64 wide = (u64)EC_SYS64 << ESR_EC_SHIFT | ESR_IL | 0x1234;
	u64 narrow = (u64)EC_CP15_32 << ESR_EC_SHIFT | 0x1234;

	assert_int_equal(vcpu_except_undef_esr(wide), ESR_IL);
	assert_int_equal(vcpu_except_undef_esr(narrow), 0);
	assert_int_equal(vcpu_except_abort_esr(wide, SPSR_EL0t, false, ESR_FSC_EXTABT), 0x92000010);
	assert_int_equal(vcpu_except_abort_esr(wide, SPSR_EL1h, false, ESR_FSC_EXTABT), 0x96000010);
	assert_int_equal(vcpu_except_abort_esr(wide, SPSR_EL1t, false, ESR_FSC_SIZE0), 0x96000000);
	assert_int_equal(vcpu_except_abort_esr(wide, SPSR_EL0t, true, ESR_FSC_EXTABT), 0x82000010);
	assert_int_equal(vcpu_except_abort_esr(wide, SPSR_EL1h, true, ESR_FSC_EXTABT), 0x86000010);
	assert_int_equal(vcpu_except_abort_esr(narrow, SPSR32_USR, false, ESR_FSC_EXTABT), 0x90000010);
	assert_int_equal(vcpu_except_abort_esr(narrow, SPSR32_USR, true, ESR_FSC_EXTABT), 0x80000010);
}

static void step(u64 pc, u64 pstate, u64 esr, u64 want_pc, u64 want_pstate)
{
	vcpu_except_skip(&pc, &pstate, esr);
	assert_int_equal(pc, want_pc);
	assert_int_equal(pstate, want_pstate);
}

static void skip64(void **state)
{
	step(PC, SPSR_EL1h, ESR_IL, PC + 4, SPSR_EL1h);
	step(PC, SPSR_EL1h | SPSR_BTYPE | SPSR_SS | SPSR_C, ESR_IL, PC + 4, SPSR_EL1h | SPSR_C);
}

static void skip32(void **state)
{
	step(0x1000, SPSR32_USR, ESR_IL, 0x1004, SPSR32_USR);
	step(0x1000, SPSR32_USR | SPSR_SS, ESR_IL, 0x1004, SPSR32_USR);
	step(0x1000, SPSR32_USR | SPSR32_T, 0, 0x1002, SPSR32_USR | SPSR32_T);
	step(0x1000, SPSR32_USR | SPSR32_T, ESR_IL, 0x1004, SPSR32_USR | SPSR32_T);
	/* the address space has 32 bits */
	step(0xfffffffc, SPSR32_USR, ESR_IL, 0, SPSR32_USR);
}

static u64 with_it(unsigned int it)
{
	return SPSR32_USR | SPSR32_T | (u64)(it & 3) << 25 | (u64)(it >> 2) << 10;
}

/* ITTET EQ: conditions EQ, EQ, NE, EQ */
static void it_block_advances(void **state)
{
	static const unsigned int steps[] = { 0x05, 0x0a, 0x14, 0x08, 0x00 };
	unsigned int i;

	for (i = 0; i + 1 < ARRAY_SIZE(steps); i++)
		step(0x1000, with_it(steps[i]), 0, 0x1002, with_it(steps[i + 1]));
	/* base condition GE (0b101) stays, the mask moves */
	step(0x1000, with_it(0xa6), 0, 0x1002, with_it(0xac));
	/* A32 has no IT state: what is in these bits stays */
	step(0x1000, with_it(0xa6) & ~SPSR32_T, ESR_IL, 0x1004, with_it(0xa6) & ~SPSR32_T);
}

static u64 cp_esr(unsigned int cond)
{
	return (u64)EC_CP15_32 << ESR_EC_SHIFT | ESR_IL | ESR_CV | (u64)cond << 20;
}

/* The manual's table, written another way: [cond >> 1] over all NZCV. */
static bool condition(unsigned int cond, unsigned int nzcv)
{
	bool n = nzcv & 8, z = nzcv & 4, c = nzcv & 2, v = nzcv & 1;
	const bool holds[16] = {
		z, !z, c, !c, n, !n, v, !v,
		c && !z, !c || z, n == v, n != v, !z && n == v, z || n != v, true, true,
	};

	return holds[cond];
}

static void conditions(void **state)
{
	unsigned int cond, nzcv;

	for (cond = 0; cond < 16; cond++)
		for (nzcv = 0; nzcv < 16; nzcv++)
			assert_int_equal(vcpu_except_cond(cp_esr(cond), SPSR32_USR | (u64)nzcv << 28),
					 condition(cond, nzcv));
}

static void condition_from_it(void **state)
{
	u64 esr = (u64)EC_CP14_32 << ESR_EC_SHIFT;

	assert_true(vcpu_except_cond(esr, with_it(0)));
	assert_false(vcpu_except_cond(esr, with_it(0x08)));		/* EQ, Z clear */
	assert_true(vcpu_except_cond(esr, with_it(0x08) | SPSR_Z));
	assert_true(vcpu_except_cond(esr, with_it(0x18)));		/* NE */
}

static void unconditional(void **state)
{
	u64 hvc = (u64)EC_HVC32 << ESR_EC_SHIFT | ESR_IL;

	assert_true(vcpu_except_cond(cp_esr(0), SPSR_EL0t));		/* AArch64 */
	assert_true(vcpu_except_cond(hvc, SPSR32_USR));
	assert_true(vcpu_except_cond((u64)EC_DABT_LOW << ESR_EC_SHIFT | ESR_CV, SPSR32_USR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors),
		cmocka_unit_test(always_el1h_masked),
		cmocka_unit_test(flags_and_dit_stay),
		cmocka_unit_test(cleared),
		cmocka_unit_test(pan),
		cmocka_unit_test(ssbs_from_dssbs),
		cmocka_unit_test(syndromes),
		cmocka_unit_test(skip64),
		cmocka_unit_test(skip32),
		cmocka_unit_test(it_block_advances),
		cmocka_unit_test(conditions),
		cmocka_unit_test(condition_from_it),
		cmocka_unit_test(unconditional),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
