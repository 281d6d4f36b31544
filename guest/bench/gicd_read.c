// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH("GIC distributor read (GICD_TYPER)");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, GUEST_GICD_BASE + GICD_TYPER, 0,
			  "	ldr	w0, [%[in0]]\n", "x0");
}

void guest_main(void)
{
	guest_bench(batch);
}
