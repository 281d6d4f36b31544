// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("a read-only slot reads as memory, and writes to it are MMIO that changes nothing");

#define TEXT	0x6c6e6f2d64616572ull	/* "read-onl" */

void guest_main(void)
{
	uint64_t count = db_read(DB_SEEN_COUNT);

	CHECK_EQ(mmio_read64(GUEST_ROM_BASE), TEXT);
	CHECK_EQ(db_read(DB_SEEN_COUNT), count);
	mmio_write32(GUEST_ROM_BASE + 4, 0x12345678);
	CHECK_EQ(db_read(DB_SEEN_COUNT), count + 1);
	CHECK_EQ(db_read(DB_SEEN_ADDR), GUEST_ROM_BASE + 4);
	CHECK_EQ(db_read(DB_SEEN_SIZE), 4 | DB_SEEN_WRITE);
	CHECK_EQ(db_read(DB_SEEN_DATA), 0x12345678);
	CHECK_EQ(mmio_read64(GUEST_ROM_BASE), TEXT);
	/* A page that was not read before it is written. */
	mmio_write8(GUEST_ROM_BASE + 0x8000, 0xaa);
	CHECK_EQ(db_read(DB_SEEN_COUNT), count + 2);
	CHECK_EQ(mmio_read8(GUEST_ROM_BASE + 0x8000), 0);
	CHECK_EQ(mmio_read64(GUEST_ROM_BASE + GUEST_ROM_SIZE - 8), 0);
	CHECK_EQ(db_read(DB_SEEN_COUNT), count + 2);
	/* It ends where it ends. */
	CHECK_EQ(mmio_read8(GUEST_ROM_BASE + GUEST_ROM_SIZE), GUEST_READ_BYTE);
}
