// SPDX-License-Identifier: GPL-2.0
/*
 * Two threads in ioctls of one vCPU take turns, and the thread that runs it may
 * change at any time.
 */
#include <pthread.h>

#include "lib.h"

#define TIMES		300

GUEST(counter, "mov x0, #0\n"
	       "1: add x0, x0, #1\n\t" REPORT "b 1b");

static struct vm vm;

static void *run(void *arg)
{
	int i;

	/* Whose report the page shows is any thread's, so no more is checked. */
	for (i = 0; i < TIMES; i++)
		expect_exit(&vm.vcpu[0], KVM_EXIT_MMIO);
	return arg;
}

static void *look(void *arg)
{
	uint64_t pc;
	int i;

	for (i = 0; i < TIMES; i++) {
		GOOD(vcpu_get_pc(&vm.vcpu[0], &pc));
		CHECK(pc >= RAM_BASE && pc < RAM_BASE + 64);
	}
	return arg;
}

int main(void)
{
	pthread_t thread[4];
	int i;

	make_machine(&vm, 1);
	LOAD(&vm, counter);
	for (i = 0; i < 4; i++)
		EXPECT(pthread_create(&thread[i], NULL, i < 2 ? run : look,
				      NULL), 0);
	for (i = 0; i < 4; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	EXPECT(next_report(&vm.vcpu[0]), 2 * TIMES + 1);
	return 0;
}
