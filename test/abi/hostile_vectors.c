// SPDX-License-Identifier: GPL-2.0
/* Vectors and stack where nothing is: the guest loops, the host stays master. */
#include <signal.h>

#include "lib.h"

GUEST(lost, "mov x0, #1\n\t" REPORT
	    "ldr x1, =0x123456789000\n\tmsr vbar_el1, x1\n\t"
	    "mov sp, x1\n\tudf #0\n\tb .\n\t.ltorg");

static volatile int seen;

static void count(int signal)
{
	(void)signal;
	seen++;
}

int main(void)
{
	struct sigaction action = { .sa_handler = count };
	struct vm vm;

	sigaction(SIGALRM, &action, NULL);
	make_machine(&vm, 1);
	LOAD(&vm, lost);
	EXPECT(next_report(&vm.vcpu[0]), 1);
	alarm(1);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
	EXPECT(seen, 1);
	return 0;
}
