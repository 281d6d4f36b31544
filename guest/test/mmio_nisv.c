// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("MMIO without a syndrome gives the NISV exit with its address",
		.vcpus = 1, .needs = GUEST_NEEDS_NISV);

#define EXPECT_NISV(addr, insn) do {					\
	uint64_t _count = db_read(DB_NISV_COUNT), _p = (addr);		\
	asm volatile(insn : [p] "+r"(_p) : : "x9", "x10", "memory");	\
	CHECK_EQ(db_read(DB_NISV_COUNT), _count + 1);			\
	CHECK_EQ(db_read(DB_NISV_ADDR), addr);				\
} while (0)

void guest_main(void)
{
	EXPECT_NISV(GUEST_HOLE, "ldp x9, x10, [%[p]]");
	EXPECT_NISV(GUEST_HOLE + 0x1230, "stp x9, x10, [%[p]]");
	EXPECT_NISV(GUEST_HOLE + 8, "ldr x9, [%[p]], #8");
	EXPECT_NISV(GUEST_HOLE + 16, "str x9, [%[p], #0]!");
	EXPECT_NISV(GUEST_DOORBELL + 0xff0, "ldp x9, x10, [%[p]]");
	/* One that has a syndrome is none of these. */
	CHECK_EQ(mmio_read32(GUEST_HOLE), 0x83828180);
	CHECK_EQ(db_read(DB_NISV_COUNT), 5);
}
