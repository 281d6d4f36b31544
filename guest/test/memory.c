// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("memory is zero at first, keeps what is written, and atomics of vCPUs add up",
		.vcpus = 4);

#define OTHERS	3
#define ADDS	20000

static volatile uint64_t counter;
static volatile unsigned int finished;

static void add(void)
{
	unsigned int i;

	for (i = 0; i < ADDS; i++)
		__atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
}

static void other(void)
{
	add();
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

void guest_main(void)
{
	uint64_t first = GUEST_RAM_BASE + GUEST_RAM_SIZE / 2;
	uint64_t end = GUEST_RAM_BASE + GUEST_RAM_SIZE, p;
	unsigned int i;

	for (p = first; p < end; p += 4096) {
		CHECK_EQ(mmio_read64(p), 0);
		mmio_write64(p, p);
		mmio_write64(p + 4088, ~p);
	}
	for (i = 1; i <= OTHERS; i++)
		guest_cpu_on(i, other);
	add();
	WAIT_FOR(finished == OTHERS);
	CHECK_EQ(counter, (OTHERS + 1) * ADDS);
	for (p = first; p < end; p += 4096) {
		CHECK_EQ(mmio_read64(p), p);
		CHECK_EQ(mmio_read64(p + 4088), ~p);
	}
}
