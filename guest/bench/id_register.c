// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH("ID-register read (ID_AA64PFR0_EL1)");

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, 0, 0, "	mrs	x0, id_aa64pfr0_el1\n", "x0");
}

void guest_main(void)
{
	guest_bench(batch);
}
