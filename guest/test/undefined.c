// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("system registers that are not there are undefined to the guest");

#define EXPECT_UNDEFINED(insn) do {					\
	guest_catch();							\
	asm volatile(insn : : : "x0", "memory");			\
	CHECK(guest_caught());						\
	CHECK_EQ(ESR_EC(guest_caught()), EC_UNKNOWN);			\
	CHECK_EQ(ESR_IL(guest_caught()), 1);				\
} while (0)

#define EXPECT_DEFINED(insn) do {					\
	guest_catch();							\
	asm volatile(insn : : : "x0", "memory");			\
	CHECK(!guest_caught());						\
} while (0)

void guest_main(void)
{
	/* Nobody's: no such encoding in the architecture. */
	EXPECT_UNDEFINED("mrs x0, s3_0_c15_c15_7");
	EXPECT_UNDEFINED("msr s3_7_c15_c15_7, x0");
	/* EL2's, from EL1. */
	EXPECT_UNDEFINED("mrs x0, hcr_el2");
	EXPECT_UNDEFINED("msr vttbr_el2, x0");
	/* No PMU was asked for. */
	EXPECT_UNDEFINED("mrs x0, pmcr_el0");
	EXPECT_UNDEFINED("msr pmccntr_el0, x0");
	EXPECT_UNDEFINED("mrs x0, pmintenset_el1");
	/* Nor SVE: with its trap to EL1 off it is EL2 that must say so. */
	sysreg_write(cpacr_el1, 3 << 20 | 3 << 16);
	isb();
	EXPECT_UNDEFINED("mrs x0, s3_0_c1_c2_0");
	/* A write of an ID register. */
	EXPECT_UNDEFINED("msr s3_0_c0_c4_0, x0");
	/* Reserved ID registers are there, and zero. */
	EXPECT_DEFINED("mrs x0, s3_0_c0_c7_7");
	CHECK_EQ(sysreg_read(s3_0_c0_c7_7), 0);
	EXPECT_DEFINED("mrs x0, id_aa64dfr0_el1");
	CHECK_EQ(sysreg_read(id_aa64dfr0_el1) >> 8 & 0xf, 0);	/* PMUVer */
	CHECK_EQ(sysreg_read(id_aa64pfr0_el1) >> 32 & 0xf, 0);	/* SVE */
	/* Debug: the lock, and registers of break and watch points. */
	EXPECT_DEFINED("msr oslar_el1, xzr");
	EXPECT_DEFINED("mrs x0, oslsr_el1");
	EXPECT_DEFINED("mrs x0, dbgbvr0_el1");
	EXPECT_DEFINED("mrs x0, mdscr_el1");
}
