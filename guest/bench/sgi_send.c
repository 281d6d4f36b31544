// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH("SGI sent to self while the distributor is off: made pending only");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, 1, 0, "	msr	icc_sgi1r_el1, %[in0]\n");
}

void guest_main(void)
{
	guest_bench(batch);
}
