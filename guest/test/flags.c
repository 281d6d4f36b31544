// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("condition flags and interrupt masks survive every kind of exit");

#define NZCV	(0xfull << 28)

#define FLAGS_ACROSS(flags, insn) ({					\
	uint64_t _f = (flags);						\
	asm volatile("msr nzcv, %0\n" insn "\nmrs %0, nzcv"		\
		     : "+r"(_f) : "r"((uint64_t)GUEST_DOORBELL + DB_ECHO) \
		     : "x0", "x1", "x2", "x3", "cc", "memory");		\
	_f; })

void guest_main(void)
{
	uint64_t flags, daif;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		flags = (uint64_t)i << 28;
		CHECK_EQ(FLAGS_ACROSS(flags, "mov x0, #0x84000000\n hvc #0"),
			 flags);
		CHECK_EQ(FLAGS_ACROSS(flags, "mrs x0, id_aa64pfr0_el1"), flags);
		CHECK_EQ(FLAGS_ACROSS(flags, "ldr x0, [%1]"), flags);

		daif = (uint64_t)i << 6;
		sysreg_write(daif, daif);
		db_read(DB_ECHO);
		guest_hvc(PSCI_VERSION, 0, 0, 0);
		CHECK_EQ(sysreg_read(daif), daif);
	}
}
