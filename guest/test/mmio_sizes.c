// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("MMIO of every size and extension, also unaligned, reaches userspace and back");

#define READ_BYTES(n)	(0x8786858483828180ull & (~0ull >> (64 - 8 * (n))))

#define LOAD(insn, reg, size, want)	LOAD_EITHER(insn, reg, size, want, want)

#define LOAD_EITHER(insn, reg, size, want, also) do {			\
	uint64_t _v = ~0ull;						\
	asm volatile(insn " %" reg "0, [%1]" : "+r"(_v) : "r"(addr)	\
		     : "memory");					\
	CHECK(_v == (want) || _v == (also));				\
	CHECK_EQ(db_read(DB_SEEN_ADDR), addr);				\
	CHECK_EQ(db_read(DB_SEEN_SIZE), size);				\
} while (0)

/* Built-in KVM forgets the sign; the architecture does not. */
#define LOAD_SIGNED(insn, reg, size, want)				\
	LOAD_EITHER(insn, reg, size, want, READ_BYTES(size))

#define STORE(insn, reg, size) do {					\
	asm volatile(insn " %" reg "0, [%1]" : :			\
		     "r"(0x1122334455667788ull), "r"(addr) : "memory");	\
	CHECK_EQ(db_read(DB_SEEN_ADDR), addr);				\
	CHECK_EQ(db_read(DB_SEEN_SIZE), (size) | DB_SEEN_WRITE);	\
	CHECK_EQ(db_read(DB_SEEN_DATA),					\
		 0x1122334455667788ull & (~0ull >> (64 - 8 * (size))));	\
} while (0)

static void check_at(uint64_t addr)
{
	LOAD("ldrb", "w", 1, READ_BYTES(1));
	LOAD("ldrh", "w", 2, READ_BYTES(2));
	LOAD("ldr", "w", 4, READ_BYTES(4));
	LOAD("ldr", "x", 8, READ_BYTES(8));
	LOAD_SIGNED("ldrsb", "w", 1, 0xffffff80);
	LOAD_SIGNED("ldrsh", "w", 2, 0xffff8180);
	LOAD_SIGNED("ldrsb", "x", 1, 0xffffffffffffff80);
	LOAD_SIGNED("ldrsh", "x", 2, 0xffffffffffff8180);
	LOAD_SIGNED("ldrsw", "x", 4, 0xffffffff83828180);
	STORE("strb", "w", 1);
	STORE("strh", "w", 2);
	STORE("str", "w", 4);
	STORE("str", "x", 8);
}

void guest_main(void)
{
	uint64_t count = db_read(DB_SEEN_COUNT);

	check_at(GUEST_HOLE);
	/* Mapped as memory, so that the guest's own MMU allows these. */
	check_at(GUEST_HOLE + 3);
	check_at(GUEST_HOLE + 0x3ff0001);
	/* The zero register, both ways. */
	asm volatile("ldr xzr, [%0]" : : "r"((uint64_t)GUEST_HOLE));
	asm volatile("str xzr, [%0]" : : "r"((uint64_t)GUEST_HOLE));
	CHECK_EQ(db_read(DB_SEEN_DATA), 0);
	/* Each instruction was done once. */
	CHECK_EQ(db_read(DB_SEEN_COUNT) - count, 3 * 13 + 2);
}
