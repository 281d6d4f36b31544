// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH("GIC redistributor read (GICR_TYPER)");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, gic_redist() + GICR_TYPER, 0,
			  "	ldr	x0, [%[in0]]\n", "x0");
}

void guest_main(void)
{
	guest_bench(batch);
}
