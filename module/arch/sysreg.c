// SPDX-License-Identifier: GPL-2.0
/*
 * The register table as data, its check, and the direct index from encodings
 * to lines. Pure: linked natively into the unit tests.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "sysreg.h"

#define SYSREG_REG_EL12(name)	REG_##name
#define SYSREG_REG_EL0(name)	REG_##name
#define SYSREG_REG_USER(name)	REG_##name
#define SYSREG_REG_KEY(name)	REG_##name
#define SYSREG_REG_DBG(name)	REG_##name
#define SYSREG_REG_MEM(name)	REG_##name
#define SYSREG_REG_ID(name)	SYSREG_NO_STORE
#define SYSREG_REG_PMU(name)	SYSREG_NO_STORE
#define SYSREG_REG_ICC(name)	SYSREG_NO_STORE
#define SYSREG_REG_NONE(name)	SYSREG_NO_STORE

#define SYSREG_SET_NONE		.reset = SYSREG_RESET_NONE
#define SYSREG_SET_VAL(v)	.reset = SYSREG_RESET_VAL, .val = (v)
#define SYSREG_SET_UNKNOWN	.reset = SYSREG_RESET_VAL, .val = SYSREG_UNKNOWN
#define SYSREG_SET_HOST		.reset = SYSREG_RESET_HOST
#define SYSREG_SET_MPIDR	.reset = SYSREG_RESET_MPIDR
#define SYSREG_SET_PMU		.reset = SYSREG_RESET_PMU, .val = SYSREG_UNKNOWN
#define SYSREG_SET_PMCR		.reset = SYSREG_RESET_PMCR

#define SYSREG_F_DESC(A, n, op0, op1, crn, crm, op2, g, t, r, v) {	\
	.enc = SYSREG_ENC(n),						\
	.reg = SYSREG_REG_##g(n),					\
	.group = SYSREG_GROUP_##g,					\
	.trap = SYSREG_TRAP_##t,					\
	SYSREG_SET_##r,							\
	.vis = SYSREG_VIS_##v,						\
	.name = #n,							\
},

const struct sysreg_desc sysreg_table[] = {
	SYSREG_LIST(SYSREG_F_DESC, )
};

const unsigned int sysreg_table_len = ARRAY_SIZE(sysreg_table);

/*
 * The build refuses a line that does not have a higher encoding than the one
 * before it: SYSREG_AFTER_x is one more than that.
 */
#define SYSREG_F_PLACE(A, n, op0, op1, crn, crm, op2, g, t, r, v) \
	SYSREG_AFTER_##n, SYSREG_AT_##n = SYSREG_ENC(n),

enum {
	SYSREG_LIST(SYSREG_F_PLACE, )
};

#define SYSREG_F_ASCENDS(A, n, op0, op1, crn, crm, op2, g, t, r, v) \
	_Static_assert(SYSREG_AFTER_##n <= SYSREG_AT_##n, "sysreg.def: " #n " is not above the line before it");

SYSREG_LIST(SYSREG_F_ASCENDS, )

/*
 * The index has a slot for each op0 = 2 and op0 = 3 encoding. The few op0 = 1
 * operations share the slots of op0 = 3 (bit 15 is dropped); sysreg_find()
 * compares the whole encoding, and sysreg_init() refuses two lines in one slot.
 */
#define SYSREG_SLOTS	(1 << 15)
#define SYSREG_SLOT(e)	((e) & (SYSREG_SLOTS - 1))

/* line number + 1; 0: no such register */
static u16 sysreg_slot[SYSREG_SLOTS];

/* A line that is stored needs a reset value, and one that is not must not have any. */
static bool sysreg_line_sound(const struct sysreg_desc *d)
{
	bool stored = d->reg != SYSREG_NO_STORE;

	return stored == (d->reset != SYSREG_RESET_NONE) &&
	       (!stored || d->reg < SYSREG_NR) &&
	       d->trap < SYSREG_TRAP_NR && SYSREG_OP0(d->enc) != 0;
}

int sysreg_table_check(const struct sysreg_desc *table, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!sysreg_line_sound(&table[i]))
			return i;
		if (i && table[i - 1].enc >= table[i].enc)
			return i;
	}
	return -1;
}

int sysreg_init(const char **bad)
{
	int wrong = sysreg_table_check(sysreg_table, sysreg_table_len);
	unsigned int i;

	if (wrong >= 0) {
		*bad = sysreg_table[wrong].name;
		return -EINVAL;
	}

	for (i = 0; i < sysreg_table_len; i++) {
		u16 *slot = &sysreg_slot[SYSREG_SLOT(sysreg_table[i].enc)];

		if (*slot && *slot != i + 1) {
			*bad = sysreg_table[i].name;
			return -EINVAL;
		}
		*slot = i + 1;
	}
	return 0;
}

const struct sysreg_desc *sysreg_find(u32 enc)
{
	u16 line = sysreg_slot[SYSREG_SLOT(enc)];
	const struct sysreg_desc *d;

	if (!line)
		return NULL;
	d = &sysreg_table[line - 1];
	return d->enc == enc ? d : NULL;
}
