// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_BENCH_WITH("exit, sched_yield, entry of the other vCPU of the same CPU",
		 .vcpus = 2);

static volatile unsigned int turn;

/* Another's turn is given away again, so that no iteration is without one. */
static void pass_to(unsigned int vcpu)
{
	unsigned int self = !vcpu;

	turn = vcpu;
	do
		db_write(DB_YIELD, 0);
	while (turn != self);
}

static void other_vcpu(void)
{
	for (;;)
		pass_to(0);
}

/* An iteration is one switch. */
static uint64_t batch(uint64_t n)
{
	uint64_t start = sysreg_read(cntvct_el0);

	for (n /= 2; n; n--)
		pass_to(1);
	return sysreg_read(cntvct_el0) - start;
}

void guest_main(void)
{
	guest_cpu_on(1, other_vcpu);
	guest_bench(batch);
}
