// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("a mapping that one vCPU changes is changed for the others after TLBI",
		.vcpus = 2);

#define ENTRY	8
#define GB	(1ull << 30)
#define OFFSET	0x200000
#define ROUNDS	100

static volatile uint64_t request, answer;
static volatile uint64_t value;

static void other(void)
{
	uint64_t i;

	for (i = 1; i <= ROUNDS; i++) {
		while (__atomic_load_n(&request, __ATOMIC_ACQUIRE) != i)
			;
		value = mmio_read64(ENTRY * GB + OFFSET);
		__atomic_store_n(&answer, i, __ATOMIC_RELEASE);
	}
}

void guest_main(void)
{
	/* The same offset: once in memory, once in the hole that userspace answers. */
	static const uint64_t map[2] = {
		GUEST_RAM_BASE | MAP_BLOCK | MAP_NORMAL,
		0x80000000 | MAP_BLOCK | MAP_NORMAL,
	};
	uint64_t i;

	mmio_write64(GUEST_RAM_BASE + OFFSET, 0x1234);
	guest_cpu_on(1, other);
	for (i = 1; i <= ROUNDS; i++) {
		guest_map_set(ENTRY, 0);
		guest_map_set(ENTRY, map[i % 2]);
		__atomic_store_n(&request, i, __ATOMIC_RELEASE);
		WAIT_FOR(__atomic_load_n(&answer, __ATOMIC_ACQUIRE) == i);
		CHECK_EQ(value, i % 2 ? 0x8786858483828180 : 0x1234);
	}
}
