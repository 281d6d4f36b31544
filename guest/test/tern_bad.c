// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"
#include "../tern_guest.h"

GUEST_TEST_WITH("tern's calls refuse what makes no sense, and then do nothing",
		.vcpus = 2, .needs = GUEST_NEEDS_TERN);

static struct tern_record record[2];
static volatile bool second_done;

#define REFUSED(pa) CHECK_EQ((int64_t)tern_record_set(pa, NULL), TERN_INVALID)
#define NO_FLUSH(...) CHECK_EQ((int64_t)tern_flush(__VA_ARGS__), TERN_INVALID)

static void second(void)
{
	uint32_t number = 77;

	CHECK_EQ((int64_t)tern_record_set((uintptr_t)&record[0], &number), TERN_INVALID);
	CHECK_EQ(number, 77);
	CHECK_EQ(tern_record_set((uintptr_t)&record[1], &number), 0);
	CHECK_EQ(number, 1);
	second_done = true;
}

static void records(void)
{
	uint32_t number = 77;

	record[0].state = 0x1234;
	CHECK_EQ(tern_record_set((uintptr_t)&record[0], &number), 0);
	CHECK_EQ(number, 0);
	CHECK_EQ(record[0].state, 0);
	CHECK_EQ(tern_record_set((uintptr_t)&record[0], &number), 0);
	REFUSED((uintptr_t)&record[0] + 4);
	REFUSED((uintptr_t)&record[0] + 32);
	REFUSED(GUEST_HOLE);
	REFUSED(GUEST_ROM_BASE);
	REFUSED(GUEST_GICD_BASE);
	REFUSED(GUEST_DOORBELL);
	REFUSED(1ull << 63);
	REFUSED(~63ull);
	REFUSED(GUEST_RAM_BASE + GUEST_RAM_SIZE);
	/* The one that was there goes on. */
	guest_cpu_on(1, second);
	WAIT_FOR(second_done);
}

static void flushes(void)
{
	NO_FLUSH(3, 0, 1, 0, 1, 0);
	NO_FLUSH(0xff, 0, 1, 0, 1, 0);
	NO_FLUSH(1u << 11, 0, 1, 0, 1, 0);
	NO_FLUSH(1u << 31, 0, 1, 0, 1, 0);
	NO_FLUSH(TERN_FLUSH_VM | TERN_FLUSH_LEAF, 0, 1, 0, 1, 0);
	NO_FLUSH(TERN_FLUSH_VM, 0, 4, 0, 0, 0);			/* vCPU 2 */
	NO_FLUSH(TERN_FLUSH_VM, 0, 1ull << 63, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM, 64, 1, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM, 512, 1, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM, 0xffffffc0, 1, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM, 1, 1, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM | TERN_FLUSH_EVERY, 0, 1, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_VM | TERN_FLUSH_EVERY, 64, 0, 0, 0, 0);
	NO_FLUSH(TERN_FLUSH_ASID, 0, 1, 0, 0, 0x10000);
	NO_FLUSH(TERN_FLUSH_RANGE, 0, 1, 0, 0, 0);		/* no page */
	NO_FLUSH(TERN_FLUSH_RANGE, 0, 1, ~0xfffull, 2, 0);	/* wraps */
	NO_FLUSH(TERN_FLUSH_RANGE, 0, 1, 1, 1ull << 52, 0);
	NO_FLUSH(TERN_FLUSH_RANGE, 0, 1, 0, (1ull << 52) + 1, 0);
	NO_FLUSH(TERN_FLUSH_RANGE, 0, 1, 0, ~0ull, 0);
	CHECK_EQ(tern_flush(TERN_FLUSH_RANGE, 0, 3, ~0xfffull, 1, 0xffff), 0);
	CHECK_EQ(tern_flush(TERN_FLUSH_RANGE, 0, 3, 0, 1ull << 52, 0), 0);
	CHECK_EQ(tern_flush(TERN_FLUSH_VM, 64, 0, 0, 0, 0), 0);	/* nobody */
	CHECK_EQ(tern_flush(TERN_FLUSH_VM, 0, 0, ~0ull, ~0ull, ~0u), 0);
}

void guest_main(void)
{
	CHECK_EQ(tern_features(), TERN_HAS_RECORD | TERN_HAS_FLUSH | TERN_HAS_YIELD);
	flushes();
	records();
	flushes();
	CHECK_EQ(tern_record_set(TERN_NO_RECORD, NULL), 0);
	record[0].state = 0x1234;
	db_write(DB_SLEEP, 20000);
	CHECK_EQ(record[0].state, 0x1234);
	CHECK_EQ(tern_yield(0), 0);
	CHECK_EQ(tern_yield(1), 0);
	CHECK_EQ((int64_t)tern_yield(2), TERN_INVALID);
	CHECK_EQ((int64_t)tern_yield(~0u), TERN_INVALID);
	/* The next number is none of tern's */
	CHECK_EQ(tern_call(TERN_GUEST_YIELD + 1, 0, 0, 0, 0, 0).x0, SMCCC_NOT_SUPPORTED);
}
