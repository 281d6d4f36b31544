// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH_WITH("WFI until another vCPU of the same CPU sends an SGI",
		 .vcpus = 2);

/*
 * Two vCPUs whose threads share a host CPU, which is therefore never idle:
 * each wakes the other and goes to sleep. Interrupts stay masked, since one
 * that is pending ends a WFI all the same.
 */
static void wait_for_sgi(void)
{
	unsigned int intid;

	do {
		wfi();
		intid = gic_ack();
	} while (intid == GIC_SPURIOUS);
	gic_eoi(intid);
}

static void other_vcpu(void)
{
	gic_init_cpu();
	gic_enable(1, 0xa0);
	for (;;) {
		wait_for_sgi();
		gic_sgi(1, 0);
	}
}

/* An iteration is one going to sleep and one wake-up. */
static uint64_t batch(uint64_t n)
{
	uint64_t start = sysreg_read(cntvct_el0);

	for (n /= 2; n; n--) {
		gic_sgi(1, 1);
		wait_for_sgi();
	}
	return sysreg_read(cntvct_el0) - start;
}

void guest_main(void)
{
	gic_init();
	gic_enable(1, 0xa0);
	guest_cpu_on(1, other_vcpu);
	guest_bench(batch);
}
