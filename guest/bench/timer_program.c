// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH("virtual timer read and set far ahead (CNTVCT, CNTV_CVAL)");

static uint64_t batch(uint64_t n)
{
	sysreg_write(cntv_ctl_el0, 1);
	return BENCH_LOOP(n, 1ull << 40, 0,
			  "	mrs	x0, cntvct_el0\n"
			  "	add	x0, x0, %[in0]\n"
			  "	msr	cntv_cval_el0, x0\n", "x0");
}

void guest_main(void)
{
	guest_bench(batch);
}
