// SPDX-License-Identifier: GPL-2.0
/* A fork shares the guest's pages copy-on-write; neither side sees the other. */
#include <sys/wait.h>

#include "lib.h"

#define EXTRA		0x80000000UL

GUEST(adder, "mov x1, #0x80000000\n"
	     "1: ldr x0, [x1]\n\tadd x0, x0, #1\n\tstr x0, [x1]\n\t"
	     REPORT "b 1b");

static void child(const uint64_t *host, int go)
{
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(2);
	_exit(host[0] == 1 ? 0 : 1);
}

int main(void)
{
	volatile uint64_t *host = pages(PAGE);
	int status = 0, go[2];
	struct vm vm;
	pid_t pid;

	make_machine(&vm, 1);
	LOAD(&vm, adder);
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, PAGE, (void *)host), 0);
	EXPECT(next_report(&vm.vcpu[0]), 1);
	EXPECT(pipe(go), 0);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		child((void *)host, go[0]);
	EXPECT(next_report(&vm.vcpu[0]), 2);
	EXPECT(next_report(&vm.vcpu[0]), 3);
	EXPECT(host[0], 3);
	EXPECT(write(go[1], "", 1), 1);
	EXPECT(waitpid(pid, &status, 0), pid);
	EXPECT(status, 0);
	return 0;
}
