// SPDX-License-Identifier: GPL-2.0
/* Register ids, ID register values, features. */
#include "check.h"
#include <linux/bits.h>
#include "arch/pstate.h"
#include "arch/sysreg.h"
#include "host/sve.h"
#include "vcpu/feature.h"
#include "vcpu/idreg.h"
#include "vcpu/regid.h"

static void core_registers(void **state)
{
	struct regid_core c;
	unsigned int off, n = 0;

	for (off = 0; off < 2 * REGID_WORDS; off++) {
		if (vcpu_regid_core(off, &c))
			continue;
		n++;
		assert_int_equal(off % (c.size / 4), 0);
		assert_true(off + c.size / 4 <= REGID_WORDS);
		if (c.kind == REGID_KIND_X)
			assert_true(c.index < 31);
		if (c.kind == REGID_KIND_V)
			assert_true(c.index < 32);
		if (c.kind == REGID_KIND_SYS)
			assert_true(c.index < SYSREG_NR);
	}
	/* x0 to x30, SP, PC, PSTATE, SP_EL1, ELR_EL1, five SPSR, V0 to V31, FPSR, FPCR */
	assert_int_equal(n, 31 + 3 + 2 + 5 + 32 + 2);
}

static void core_places(void **state)
{
	struct regid_core c;

	assert_int_equal(vcpu_regid_core(60, &c), 0);
	assert_int_equal(c.kind, REGID_KIND_X);
	assert_int_equal(c.index, 30);
	assert_int_equal(vcpu_regid_core(74, &c), 0);
	assert_int_equal(c.kind, REGID_KIND_SYS);
	assert_int_equal(c.index, REG_SPSR_ABT);
	assert_int_equal(vcpu_regid_core(208, &c), 0);
	assert_int_equal(c.kind, REGID_KIND_V);
	assert_int_equal(c.index, 31);
	assert_int_equal(c.size, 16);
	assert_int_equal(vcpu_regid_core(61, &c), -EINVAL);
	assert_int_equal(vcpu_regid_core(82, &c), -EINVAL);	/* padding */
	assert_int_equal(vcpu_regid_core(86, &c), -EINVAL);	/* the middle of V0 */
	assert_int_equal(vcpu_regid_core(214, &c), -EINVAL);
	assert_int_equal(vcpu_regid_core(~0U, &c), -EINVAL);
}

static void pstate_modes(void **state)
{
	unsigned int mode;

	for (mode = 0; mode < 32; mode++) {
		bool el01 = mode == SPSR_EL0t || mode == SPSR_EL1t || mode == SPSR_EL1h;

		assert_int_equal(vcpu_regid_pstate_ok(mode | SPSR_DAIF, false), el01);
		assert_int_equal(vcpu_regid_pstate_ok(mode | SPSR_NZCV, true),
				 el01 || mode == SPSR32_USR);
	}
}

static const struct vcpu_id_env bare = { .csv2 = 1, .csv3 = 0 };
static const struct vcpu_id_env full = { .ptrauth = true, .wfxt = true, .csv2 = 1, .csv3 = 1 };
static const struct vcpu_id_env counting = { .pmu = true, .csv2 = 1, .csv3 = 1 };
static const struct vcpu_id_env scalable = { .sve = true, .csv2 = 1, .csv3 = 1 };

static void id_values(void **state)
{
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64PFR0_EL1), ~0ULL, &bare),
			 0x01ff0ff0f1ffffffULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64PFR0_EL1), 0, &full),
			 0x1100000001000000ULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64PFR0_EL1), 1ULL << 32, &scalable) >> 32 & 0xf, 1);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64PFR0_EL1), 1ULL << 32, &full) >> 32 & 0xf, 0);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ZFR0_EL1), 0x21, &scalable), 0x21);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ZFR0_EL1), 0x21, &full), 0);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64PFR1_EL1), ~0ULL, &full),
			 0xfffffffff0fff0ffULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ISAR1_EL1), ~0ULL, &bare),
			 0xffffffff00fff00fULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ISAR1_EL1), ~0ULL, &full), ~0ULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ISAR2_EL1), ~0ULL, &bare),
			 0xffffffffffff00f0ULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64ISAR2_EL1), ~0ULL, &full), ~0ULL);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64MMFR0_EL1), 0x123456789abcdefULL, &bare),
			 0x123456789abcdefULL);
}

static void debug_and_pmu(void **state)
{
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64DFR0_EL1), 0x0000000110305609ULL, &full),
			 0x0000000010305006ULL);
	/* an implementation defined PMU is none of the architecture's, and says so already */
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64DFR0_EL1), 0xf00, &full), 0xf06);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_DFR0_EL1), 0x06010066, &full), 0x00010066);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_DFR0_EL1), 0x0f010066, &full), 0x0f010066);
	/* with a PMU: Armv8.4's at most */
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64DFR0_EL1), 0x10305609, &counting), 0x10305506);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64DFR0_EL1), 0x10305109, &counting), 0x10305106);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_AA64DFR0_EL1), 0xf00, &counting), 0xf06);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_DFR0_EL1), 0x06010066, &counting), 0x05010066);
	assert_int_equal(vcpu_idreg_value(SYSREG_ENC(ID_DFR0_EL1), 0x03010066, &counting), 0x03010066);
}

static void pfr0_writes(void **state)
{
	u64 now = 0x1100000011110011ULL;

	assert_true(vcpu_idreg_pfr0_ok(now, now, 1, 1));
	assert_true(vcpu_idreg_pfr0_ok(now & ~(0xfULL << 60), now, 1, 1));
	assert_true(vcpu_idreg_pfr0_ok(now & ~(0xffULL << 56), now, 0, 0));
	/* and back */
	assert_true(vcpu_idreg_pfr0_ok(now, now & ~(0xffULL << 56), 1, 1));
	assert_false(vcpu_idreg_pfr0_ok(now, now, 0, 1));
	assert_false(vcpu_idreg_pfr0_ok(now, now, 1, 0));
	assert_false(vcpu_idreg_pfr0_ok(now + (1ULL << 56), now, 1, 1));
	assert_false(vcpu_idreg_pfr0_ok(now ^ 1, now, 1, 1));
	assert_false(vcpu_idreg_pfr0_ok(now ^ 1ULL << 52, now, 1, 1));
}

/* Separate L1, unified L2, nothing beyond; the field after the end is noise. */
static void caches(void **state)
{
	u64 clidr = 3 | 4 << 3 | 0 << 6 | 4 << 9;
	unsigned int sel;

	for (sel = 0; sel < 64; sel++)
		assert_int_equal(vcpu_idreg_has_cache(clidr, sel), sel < 3);
	assert_true(vcpu_idreg_has_cache(1, 1));
	assert_false(vcpu_idreg_has_cache(1, 0));
	assert_true(vcpu_idreg_has_cache(2, 0));
	assert_false(vcpu_idreg_has_cache(2, 1));
	assert_false(vcpu_idreg_has_cache(5, 0));
	assert_false(vcpu_idreg_has_cache(0, 0));
	assert_false(vcpu_idreg_has_cache(~0ULL, ~0U));
}

#define PSCI (BIT_ULL(FEATURE_PSCI_0_2))
#define OFF (BIT_ULL(FEATURE_POWER_OFF))
#define PMU (BIT_ULL(FEATURE_PMU_V3))
#define SVE (BIT_ULL(FEATURE_SVE))
#define PA (BIT_ULL(FEATURE_PTRAUTH_ADDRESS))
#define PG (BIT_ULL(FEATURE_PTRAUTH_GENERIC))
#define ALL (OFF | PSCI | PMU | SVE | PA | PG)

static int parse(u64 set, bool again, u64 before, u64 offered)
{
	u32 words[VCPU_FEATURE_WORDS] = { set, set >> 32 };
	u64 out = ~0ULL;
	int ret = vcpu_feature_parse(words, again, before, offered, &out);

	assert_int_equal(out, ret ? ~0ULL : set);
	return ret;
}

static void features(void **state)
{
	unsigned int bit;

	assert_int_equal(parse(0, false, 0, 0), 0);
	assert_int_equal(parse(PSCI | OFF, false, 0, PSCI | OFF), 0);
	assert_int_equal(parse(ALL, false, 0, ALL), 0);
	assert_int_equal(parse(BIT_ULL(FEATURE_EL1_32BIT), false, 0, ALL), -EINVAL);
	for (bit = 0; bit < FEATURE_NR; bit++)
		assert_int_equal(parse(BIT_ULL(bit), false, 0, ALL & ~BIT_ULL(bit)), -EINVAL);
	assert_int_equal(parse(PMU | SVE, false, 0, PMU | SVE), 0);
	assert_int_equal(parse(PA, false, 0, ALL), -EINVAL);
	assert_int_equal(parse(PG, false, 0, ALL), -EINVAL);
}

static void unknown_features(void **state)
{
	unsigned int bit;

	for (bit = FEATURE_NR; bit < VCPU_FEATURE_WORDS * 32; bit++) {
		u32 words[VCPU_FEATURE_WORDS] = { 0 };
		u64 out;

		words[bit / 32] = 1U << (bit % 32);
		assert_int_equal(vcpu_feature_parse(words, false, 0, ALL, &out), -ENOENT);
	}
}

static void no_change_of_mind(void **state)
{
	assert_int_equal(parse(PSCI, true, PSCI, ALL), 0);
	assert_int_equal(parse(0, true, PSCI, ALL), -EINVAL);
	assert_int_equal(parse(PSCI | OFF, true, PSCI, ALL), -EINVAL);
	/* the lower bit decides */
	assert_int_equal(parse(1 | BIT_ULL(40), true, 0, ALL), -EINVAL);
	assert_int_equal(parse(BIT_ULL(40), true, 0, ALL), -ENOENT);
}

/* Bit n - 1: vectors of n * 128 bits */
static void vector_lengths(void **state)
{
	assert_int_equal(host_sve_limit(0, 0), 0);
	assert_int_equal(host_sve_limit(0x1, 0x1), 1);
	assert_int_equal(host_sve_limit(0x800b, 0x800b), 16);
	/* 512 bits here but not there: a guest could tell the CPUs apart with 1024, and with 512 */
	assert_int_equal(host_sve_limit(0x83, 0x8b), 2);
	assert_int_equal(host_sve_limit(0x3, 0xb), 2);
	/* All have 128 bits, but who would say that they do not? */
	assert_int_equal(host_sve_limit(0x2, 0x3), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(core_registers),
		cmocka_unit_test(core_places),
		cmocka_unit_test(pstate_modes),
		cmocka_unit_test(id_values),
		cmocka_unit_test(debug_and_pmu),
		cmocka_unit_test(pfr0_writes),
		cmocka_unit_test(caches),
		cmocka_unit_test(features),
		cmocka_unit_test(unknown_features),
		cmocka_unit_test(no_change_of_mind),
		cmocka_unit_test(vector_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
