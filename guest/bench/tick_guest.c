// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH_WITH("host's tick while a guest computes", .vcpus = 1,
		 .needs = GUEST_NEEDS_SINGLE);

/* Longer than what this loop takes, shorter than any interrupt. */
#define GAP_NS	150

/*
 * A computing guest sees its host's interrupts as gaps in its time. Each
 * sample is one gap.
 */
static uint64_t batch(uint64_t n)
{
	uint64_t gap = sysreg_read(cntfrq_el0) * GAP_NS / 1000000000;
	uint64_t last, now, length;

	now = sysreg_read(cntvct_el0);
	do {
		last = now;
		now = sysreg_read(cntvct_el0);
		length = now - last;
		n -= length > gap;
	} while (n);
	return length;
}

void guest_main(void)
{
	guest_bench(batch);
}
