// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH("null hypercall (PSCI_VERSION)");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, PSCI_VERSION, 0,
			  "	mov	x0, %[in0]\n"
			  "	hvc	#0\n",
			  "x0", "x1", "x2", "x3");
}

void guest_main(void)
{
	guest_bench(batch);
}
