// SPDX-License-Identifier: GPL-2.0
/*
 * A page of guest memory is another, with another content, each time the host
 * is asked for it: the vCPU sees the new one wherever it was before, on the
 * CPU that it is on, on one that it comes back to, and when it was on none.
 */
#define _GNU_SOURCE
#include <sched.h>
#include "lib.h"

#define WORD	(RAM_BASE + 0x8000)

/* Reports what is at WORD, over and over. */
GUEST(reader,
	"mov x10, #0x40000000\n\tadd x10, x10, #0x8000\n"
	"1:\tldr x0, [x10]\n\t" REPORT
	"b 1b");

static struct vm vm;
static volatile uint64_t *word;
static uint64_t content = 1;

static void move_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	EXPECT(sched_setaffinity(0, sizeof(one), &one), 0);
}

static void expect_content(int cpu)
{
	move_to(cpu);
	EXPECT(next_report(&vm.vcpu[0]), content);
}

/* from @cpu, with the vCPU in its registers or in nobody's */
static void exchange(int cpu, bool evict)
{
	uint64_t x0;

	move_to(cpu);
	if (evict)
		GOOD(vcpu_get(&vm.vcpu[0], ARM64_SYS_REG(3, 0, 1, 0, 0), &x0));
	EXPECT(madvise((void *)word, PAGE, MADV_DONTNEED), 0);
	*word = ++content;
}

int main(void)
{
	unsigned int round, from;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip("it takes two CPUs");
	make_machine(&vm, 1);
	LOAD(&vm, reader);
	word = vm_host(&vm, WORD, PAGE);
	*word = content;
	for (round = 0; round < 64; round++) {
		for (from = 0; from < 2; from++) {
			expect_content(0);
			expect_content(1);
			/* resident on CPU 1 */
			exchange(from, round & 1);
			expect_content(round >> 1 & 1);
			expect_content(~round >> 1 & 1);
		}
	}
	return 0;
}
