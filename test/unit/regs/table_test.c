// SPDX-License-Identifier: GPL-2.0
/* The register table: ordered, unique, found by encoding; a broken one is refused. */
#include "check.h"
#include "arch/sysreg.h"

static void sound(void **state)
{
	assert_int_equal(sysreg_table_check(sysreg_table, sysreg_table_len), -1);
}

static void every_line_is_found(void **state)
{
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++)
		assert_ptr_equal(sysreg_find(sysreg_table[i].enc), &sysreg_table[i]);
}

/* All 2^16 encodings: found exactly when in the table. */
static void nothing_else_is_found(void **state)
{
	unsigned int enc, line = 0, found = 0;

	for (enc = 0; enc < 1 << 16; enc++) {
		const struct sysreg_desc *d = sysreg_find(enc);

		if (line < sysreg_table_len && sysreg_table[line].enc == enc) {
			assert_ptr_equal(d, &sysreg_table[line]);
			line++;
		} else {
			assert_null(d);
		}
		found += d != NULL;
	}
	assert_int_equal(found, sysreg_table_len);
	assert_int_equal(line, sysreg_table_len);
}

/* Each place in the image belongs to exactly one line. */
static void image_is_a_bijection(void **state)
{
	static unsigned int owners[SYSREG_NR];
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++)
		if (sysreg_table[i].reg != SYSREG_NO_STORE)
			owners[sysreg_table[i].reg]++;
	for (i = 0; i < SYSREG_NR; i++)
		assert_int_equal(owners[i], 1);
}

static void names_are_unique(void **state)
{
	unsigned int i, j;

	for (i = 0; i < sysreg_table_len; i++)
		for (j = 0; j < i; j++)
			assert_string_not_equal(sysreg_table[i].name, sysreg_table[j].name);
}

static void encodings(void **state)
{
	u32 enc = SYSREG_ENC(TPIDRRO_EL0);

	assert_int_equal(enc, 0xde83);
	assert_int_equal(SYSREG_OP0(enc), 3);
	assert_int_equal(SYSREG_OP1(enc), 3);
	assert_int_equal(SYSREG_CRN(enc), 13);
	assert_int_equal(SYSREG_CRM(enc), 0);
	assert_int_equal(SYSREG_OP2(enc), 3);
	/* the ends of the banks that macros write */
	assert_int_equal(SYSREG_ENC(DBGWCR15_EL1), SYSREG_ENCODE(2, 0, 0, 15, 7));
	assert_int_equal(SYSREG_ENC(PMEVTYPER30_EL0), SYSREG_ENCODE(3, 3, 14, 15, 6));
	assert_int_equal(SYSREG_ENC(AMEVTYPER115_EL0), SYSREG_ENCODE(3, 3, 13, 15, 7));
}

#define COUNT(name, op0, op1, crn, crm, op2) + 1
#define IN_EL1(name, op0, op1, crn, crm, op2) && (op0) == 3 && (op1) == 0

/* What is reached as *_EL12 must be an EL1 register: op1 = 0 becomes 5. */
static void groups(void **state)
{
	assert_int_equal(0 SYSREG_FOR_KEY(COUNT), 10);
	assert_int_equal(0 SYSREG_FOR_DBG(COUNT), 4 * 16 + 2);
	assert_true(1 SYSREG_FOR_EL12(IN_EL1));
	/* the host's keys are kept in this order */
	assert_int_equal(REG_APGAKEYHI_EL1 - REG_APIAKEYLO_EL1, 9);
}

/* What a client may see has a value to see. */
static void visible_is_readable(void **state)
{
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++) {
		const struct sysreg_desc *d = &sysreg_table[i];
		bool stored = d->reg != SYSREG_NO_STORE;

		switch (d->vis) {
		case SYSREG_VIS_LIST:
		case SYSREG_VIS_AUTH:
		case SYSREG_VIS_SVE:
		case SYSREG_VIS_CORE:
		case SYSREG_VIS_OSLSR:
			assert_true(stored);
			break;
		case SYSREG_VIS_PMU:
			assert_true(stored);
			assert_int_equal(d->trap, SYSREG_TRAP_PMU);
			break;
		case SYSREG_VIS_PMUCLR:
		case SYSREG_VIS_PMURAZ:
			assert_false(stored);
			assert_int_equal(d->trap, SYSREG_TRAP_PMU);
			break;
		case SYSREG_VIS_ID:
		case SYSREG_VIS_ID32:
		case SYSREG_VIS_IDRAZ:
		case SYSREG_VIS_PFR0:
			assert_int_equal(d->group, SYSREG_GROUP_ID);
			assert_int_equal(d->trap, SYSREG_TRAP_ID);
			break;
		case SYSREG_VIS_HIDE:
			assert_false(stored);
			break;
		default:
			assert_int_equal(d->vis, SYSREG_VIS_INVAR);
		}
	}
}

/* HCR_EL2.TID3 traps all of (3, 0, 0, 1..7, 0..7): none may be missing. */
static void id_space_is_whole(void **state)
{
	unsigned int crm, op2;

	for (crm = 1; crm < 8; crm++)
		for (op2 = 0; op2 < 8; op2++) {
			const struct sysreg_desc *d = sysreg_find(SYSREG_ENCODE(3, 0, 0, crm, op2));

			assert_non_null(d);
			assert_int_equal(d->group, SYSREG_GROUP_ID);
		}
}

#define LINES 8

static void copy_lines(struct sysreg_desc *to)
{
	memcpy(to, sysreg_table, LINES * sizeof(*to));
	assert_int_equal(sysreg_table_check(to, LINES), -1);
}

static void duplicate_is_refused(void **state)
{
	struct sysreg_desc t[LINES];

	copy_lines(t);
	t[5].enc = t[4].enc;
	assert_int_equal(sysreg_table_check(t, LINES), 5);
}

static void misorder_is_refused(void **state)
{
	struct sysreg_desc t[LINES], swap;

	copy_lines(t);
	swap = t[2];
	t[2] = t[3];
	t[3] = swap;
	assert_int_equal(sysreg_table_check(t, LINES), 3);
}

static void unsound_lines_are_refused(void **state)
{
	struct sysreg_desc t[LINES];

	copy_lines(t);
	t[4].reset = SYSREG_RESET_NONE;		/* stored, never reset */
	assert_int_equal(sysreg_table_check(t, LINES), 4);
	copy_lines(t);
	t[1].reset = SYSREG_RESET_VAL;		/* reset, nowhere stored */
	assert_int_equal(sysreg_table_check(t, LINES), 1);
	copy_lines(t);
	t[6].reg = SYSREG_NR;			/* beyond the image */
	assert_int_equal(sysreg_table_check(t, LINES), 6);
	copy_lines(t);
	t[7].trap = SYSREG_TRAP_NR;		/* no such handler */
	assert_int_equal(sysreg_table_check(t, LINES), 7);
}

static int fill_index(void **state)
{
	const char *bad = NULL;

	assert_int_equal(sysreg_init(&bad), 0);
	assert_null(bad);
	/* loading again is no duplicate */
	return sysreg_init(&bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound),
		cmocka_unit_test(every_line_is_found),
		cmocka_unit_test(nothing_else_is_found),
		cmocka_unit_test(image_is_a_bijection),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(encodings),
		cmocka_unit_test(groups),
		cmocka_unit_test(visible_is_readable),
		cmocka_unit_test(id_space_is_whole),
		cmocka_unit_test(duplicate_is_refused),
		cmocka_unit_test(misorder_is_refused),
		cmocka_unit_test(unsound_lines_are_refused),
	};

	return cmocka_run_group_tests(tests, fill_index, NULL);
}
