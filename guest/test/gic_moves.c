// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("the GIC's CPU interface, active priorities and pending SGIs go along to another CPU");

#define FIRST	1
#define SECOND	2
#define THIRD	3

static void move(void)
{
	db_write(DB_DISTURB, 0);
	db_write(DB_SLEEP, 1000);
	db_write(DB_DISTURB, 0);
	db_write(DB_DISTURB, 0);
}

static void ack(unsigned int intid)
{
	WAIT_FOR(sysreg_read(icc_hppir1_el1) == intid);
	CHECK_EQ(gic_ack(), intid);
}

static void check_interface(void)
{
	static const uint8_t masks[] = { 0x10, 0x80, 0xf0, 0xf8 };
	unsigned int i;

	for (i = 0; i < sizeof(masks); i++) {
		sysreg_write(icc_pmr_el1, masks[i]);
		sysreg_write(icc_bpr1_el1, 4 + i % 4);
		sysreg_write(icc_ctlr_el1, i % 2 ? ICC_CTLR_EOIMODE : 0);
		sysreg_write(icc_igrpen1_el1, i % 2);
		isb();
		move();
		CHECK_EQ(sysreg_read(icc_pmr_el1), masks[i]);
		CHECK_EQ(sysreg_read(icc_bpr1_el1), 4 + i % 4);
		CHECK_EQ(sysreg_read(icc_ctlr_el1) & ICC_CTLR_EOIMODE,
			 i % 2 ? ICC_CTLR_EOIMODE : 0);
		CHECK_EQ(sysreg_read(icc_igrpen1_el1), i % 2);
	}
}

void guest_main(void)
{
	gic_init();
	check_interface();
	gic_init_cpu();
	gic_enable(FIRST, 0xc0);
	gic_enable(SECOND, 0x80);
	gic_enable(THIRD, 0x40);

	gic_sgi(FIRST, 0);
	move();
	ack(FIRST);
	move();
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xc0);
	gic_sgi(SECOND, 0);
	gic_sgi(THIRD, 0);
	move();
	ack(THIRD);
	CHECK_EQ(gic_ack(), GIC_SPURIOUS);
	move();
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0x40);
	CHECK(gic_bit_read(GICD_ISACTIVER, THIRD));
	CHECK(gic_bit_read(GICD_ISPENDR, SECOND));
	gic_eoi(THIRD);
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xc0);
	ack(SECOND);
	move();
	gic_eoi(SECOND);
	move();
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xc0);
	gic_eoi(FIRST);
	CHECK_EQ(sysreg_read(icc_rpr_el1), 0xff);
	CHECK(!gic_bit_read(GICD_ISACTIVER, FIRST));
}
