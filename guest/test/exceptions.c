// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("the guest's own exceptions are its own, and HVC is one whatever its number");

#define EC_SVC		0x15
#define EC_BRK		0x3c
#define EC_FP		0x07
#define FSC_TRANSLATION_L1	0x05
#define GB		(1ull << 30)

#define EXPECT(insn, ec) do {						\
	guest_catch();							\
	asm volatile(insn : : : "x0", "memory");			\
	CHECK(guest_caught());						\
	CHECK_EQ(ESR_EC(guest_caught()), ec);				\
} while (0)

/* SVC returns after itself already, so the catcher would skip one more. */
static void on_svc(struct guest_frame *frame)
{
	(void)frame;
	CHECK_EQ(ESR_EC(sysreg_read(esr_el1)), EC_SVC);
	CHECK_EQ(sysreg_read(esr_el1) & 0xffff, 0x55);
}

void guest_main(void)
{
	uint64_t esr, version;

	EXPECT("brk #0x123", EC_BRK);
	CHECK_EQ(guest_caught() & 0xffff, 0x123);
	EXPECT(".inst 0", EC_UNKNOWN);
	guest_on_sync = on_svc;
	asm volatile("svc #0x55" : : : "memory");
	guest_on_sync = NULL;

	sysreg_write(cpacr_el1, 0);
	isb();
	EXPECT("fmov d0, xzr", EC_FP);
	sysreg_write(cpacr_el1, 3 << 20);
	isb();

	/* A fault of its own tables. */
	guest_catch();
	mmio_read64(16 * GB + 8);
	esr = guest_caught();
	CHECK_EQ(ESR_EC(esr), EC_DABT_CUR);
	CHECK_EQ(ESR_FSC(esr), FSC_TRANSLATION_L1);
	CHECK_EQ(guest_caught_far, 16 * GB + 8);

	asm volatile("mov x0, %1\n hvc #0x1234\n mov %0, x0" : "=r"(version)
		     : "r"((uint64_t)PSCI_VERSION)
		     : "x0", "x1", "x2", "x3", "memory");
	CHECK(version >= 0x10000 && version < 0x20000);
}
