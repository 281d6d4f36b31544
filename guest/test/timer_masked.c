// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST("timer interrupts follow IMASK and the level, also while the guest is elsewhere");

static void check(unsigned int ppi, bool pending)
{
	guest_delay(200);
	guest_hvc(PSCI_VERSION, 0, 0, 0);
	CHECK_EQ(gic_bit_read(GICD_ISPENDR, ppi), pending);
}

#define LEVEL_TEST(ctl, cval, ppi) do {					\
	sysreg_write(cval, 0);						\
	sysreg_write(ctl, 1);		/* due since long ago */	\
	isb();								\
	check(ppi, true);						\
	CHECK_EQ(sysreg_read(icc_hppir1_el1), ppi);			\
	sysreg_write(ctl, 3);		/* masked: the line falls */	\
	isb();								\
	check(ppi, false);						\
	CHECK_EQ(sysreg_read(icc_hppir1_el1), GIC_SPURIOUS);		\
	CHECK_EQ(sysreg_read(ctl), 7);					\
	sysreg_write(ctl, 1);						\
	isb();								\
	check(ppi, true);						\
	db_write(DB_DISTURB, 0);					\
	check(ppi, true);						\
	sysreg_write(cval, 1ull << 62);	/* far ahead: it falls again */	\
	isb();								\
	check(ppi, false);						\
	sysreg_write(ctl, 0);						\
	isb();								\
	check(ppi, false);						\
} while (0)

void guest_main(void)
{
	gic_init();
	gic_enable(PPI_VTIMER, 0xa0);
	gic_enable(PPI_PTIMER, 0xa0);
	LEVEL_TEST(cntv_ctl_el0, cntv_cval_el0, PPI_VTIMER);
	LEVEL_TEST(cntp_ctl_el0, cntp_cval_el0, PPI_PTIMER);
}
