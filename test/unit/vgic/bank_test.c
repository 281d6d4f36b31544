// SPDX-License-Identifier: GPL-2.0
/*
 * Thirty-two interrupts as words: the registers that are not one bit an
 * interrupt, and input lines.
 */
#include "fake.h"
#include "vgic/bank.h"

static void config_fields(void **state)
{
	struct vgic_bank k;
	u32 i;

	vgic_bank_reset(&k);
	for (i = 0; i < 32; i++) {
		u32 field = 2U << i % 16 * 2;

		vgic_bank_set_cfg(&k, i / 16, field);
		assert_int_equal((u32)atomic_read(&k.edge), BIT(i));
		assert_int_equal(vgic_bank_cfg(&k, i / 16), field);
		assert_int_equal(vgic_bank_cfg(&k, !(i / 16)), 0);
		vgic_bank_set_cfg(&k, i / 16, 0);
		assert_int_equal(atomic_read(&k.edge), 0);
	}
	vgic_bank_set_cfg(&k, 0, ~0U);	/* the low bit of each field is reserved */
	assert_int_equal((u32)atomic_read(&k.edge), 0xffff);
	assert_int_equal(vgic_bank_cfg(&k, 0), 0xaaaaaaaa);
	vgic_bank_set_cfg(&k, 1, 0x55555555);
	assert_int_equal((u32)atomic_read(&k.edge), 0xffff);
}

static void priorities_have_five_bits(void **state)
{
	struct vgic_bank k;

	vgic_bank_reset(&k);
	vgic_bank_set_prio(&k, 28, 4, 0xff01a5c7);
	assert_int_equal(vgic_bank_prio(&k, 28, 4), 0xf800a0c0);
	assert_int_equal(vgic_bank_prio(&k, 29, 1), 0xa0);
	vgic_bank_set_prio(&k, 30, 1, 0x1248);
	assert_int_equal(vgic_bank_prio(&k, 28, 4), 0xf848a0c0);
	assert_int_equal(vgic_bank_prio(&k, 24, 4), 0);
}

static void level_line(void **state)
{
	struct vgic_bank k;

	vgic_bank_reset(&k);
	assert_true(vgic_bank_drive(&k, BIT(5), true));
	assert_false(vgic_bank_drive(&k, BIT(5), true));
	assert_int_equal(vgic_bank_pending(&k), BIT(5));
	assert_false(vgic_bank_drive(&k, BIT(5), false));
	assert_int_equal(vgic_bank_pending(&k), 0);
	atomic_set(&k.latch, BIT(5));
	assert_int_equal(vgic_bank_pending(&k), BIT(5));
}

static void edge_line(void **state)
{
	struct vgic_bank k;

	vgic_bank_reset(&k);
	vgic_bank_set_cfg(&k, 0, 2U << 10);
	assert_true(vgic_bank_drive(&k, BIT(5), true));
	assert_false(vgic_bank_drive(&k, BIT(5), false));
	assert_int_equal(vgic_bank_pending(&k), BIT(5));
	assert_true(vgic_bank_drive(&k, BIT(5), true));
	atomic_set(&k.latch, 0);
	atomic_set(&k.line, BIT(5));	/* restored as a level before the trigger */
	assert_int_equal(vgic_bank_pending(&k), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(config_fields),
		cmocka_unit_test(priorities_have_five_bits),
		cmocka_unit_test(level_line),
		cmocka_unit_test(edge_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
