// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH_WITH("write that signals an ioeventfd", .vcpus = 1,
		 .needs = GUEST_NEEDS_EVENT);

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, GUEST_DOORBELL + DB_EVENT, 0,
			  "	str	%[in1], [%[in0]]\n");
}

void guest_main(void)
{
	guest_bench(batch);
}
