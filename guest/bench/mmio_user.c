// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH("MMIO read answered by userspace");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, GUEST_DOORBELL + DB_ECHO, 0,
			  "	ldr	x0, [%[in0]]\n", "x0");
}

void guest_main(void)
{
	guest_bench(batch);
}
