// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"
#include "../tern_guest.h"

GUEST_TEST_WITH("tern's flush call reaches vCPUs that run, sleep or are off",
		.vcpus = 3, .needs = GUEST_NEEDS_TERN);

#define ENTRY	8
#define GB	(1ull << 30)
#define OFFSET	0x200000
#define ROUNDS	300

static const uint64_t map[2] = {
	0x80000000 | MAP_BLOCK | MAP_NORMAL, GUEST_RAM_BASE | MAP_BLOCK | MAP_NORMAL,
};
/* In the hole, which userspace answers, and in memory */
static const uint64_t want[2] = { 0x8786858483828180, 0x1234 };

static volatile uint64_t request, answer;
static volatile uint64_t value;

/* Runs without an exit of its own: only an interrupt brings the flush. */
static void runner(void)
{
	uint64_t i;

	for (i = 1; i <= ROUNDS; i++) {
		while (__atomic_load_n(&request, __ATOMIC_ACQUIRE) != i)
			;
		value = mmio_read64(ENTRY * GB + OFFSET);
		__atomic_store_n(&answer, i, __ATOMIC_RELEASE);
	}
}

static void flush(unsigned int i)
{
	static const uint32_t how[4] = {
		TERN_FLUSH_VM | TERN_FLUSH_EVERY, TERN_FLUSH_ASID, TERN_FLUSH_RANGE | TERN_FLUSH_LEAF,
		TERN_FLUSH_VM | TERN_FLUSH_STAGE2,
	};
	uint32_t h = how[i % 4];

	CHECK_EQ(tern_flush(h, 0, h & TERN_FLUSH_EVERY ? 0 : 7, ENTRY * GB + OFFSET, 1, 0), 0);
}

void guest_main(void)
{
	unsigned int i;

	mmio_write64(GUEST_RAM_BASE + OFFSET, want[1]);
	guest_cpu_on(1, runner);
	for (i = 1; i <= ROUNDS; i++) {
		guest_map[ENTRY] = map[i % 2];
		flush(i);
		__atomic_store_n(&request, i, __ATOMIC_RELEASE);
		CHECK_EQ(mmio_read64(ENTRY * GB + OFFSET), want[i % 2]);
		WAIT_FOR(__atomic_load_n(&answer, __ATOMIC_ACQUIRE) == i);
		CHECK_EQ(value, want[i % 2]);
	}
}
