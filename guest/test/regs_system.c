// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("EL1 and EL0 system registers survive exits and a change of CPU");

#define REGISTERS(x)							\
	x(sp_el0, 0x1000200030004010) x(tpidr_el0, 0x1112131415161718)	\
	x(tpidr_el1, 0x2122232425262728) x(tpidrro_el0, 0x3132333435363738) \
	x(ttbr1_el1, 0x0001000040003000) x(contextidr_el1, 0x51525354)	\
	x(esr_el1, 0x56000001) x(far_el1, 0x6162636465666768)		\
	x(elr_el1, 0x40001234) x(spsr_el1, 0x600003c5)			\
	x(afsr0_el1, 0) x(afsr1_el1, 0) x(amair_el1, 0)			\
	x(par_el1, 0x0000000040000a80) x(cntkctl_el1, 0x2)		\
	x(mdscr_el1, 0x1000) x(csselr_el1, 0x2)				\
	x(cntv_cval_el0, 0x7fffffffffff0000) x(cntp_cval_el0, 0x7fffffffffff1000)

#define WRITE(name, value)	sysreg_write(name, value);
#define SAVE(name, value)	was_##name = sysreg_read(name);
#define DECLARE(name, value)	uint64_t was_##name;
#define COMPARE(name, value)	CHECK_EQ(sysreg_read(name), was_##name);

static void cause_exits(unsigned int kind)
{
	switch (kind % 4) {
	case 0:
		guest_hvc(PSCI_VERSION, 0, 0, 0);
		break;
	case 1:
		db_read(DB_ECHO);
		break;
	case 2:
		db_write(DB_DISTURB, 0);
		break;
	case 3:
		db_write(DB_SLEEP, 1000);
		break;
	}
}

void guest_main(void)
{
	REGISTERS(DECLARE)
	unsigned int i;

	REGISTERS(WRITE)
	isb();
	/* As read back: reserved bits differ between CPUs. */
	REGISTERS(SAVE)
	CHECK_EQ(was_tpidr_el0, 0x1112131415161718);
	CHECK_EQ(was_far_el1, 0x6162636465666768);
	for (i = 0; i < 40; i++) {
		cause_exits(i);
		REGISTERS(COMPARE)
	}
}
