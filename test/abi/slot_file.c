// SPDX-License-Identifier: GPL-2.0
/* A slot backed by a shared file mapping: the guest and the file agree. */
#define _GNU_SOURCE
#include <fcntl.h>

#include "lib.h"

#define EXTRA		0x80000000UL

GUEST(adder, "mov x1, #0x80000000\n"
	     "1: ldr x0, [x1]\n\tadd x0, x0, #1\n\tstr x0, [x1]\n\t"
	     REPORT "b 1b");

int main(void)
{
	uint64_t value = 41;
	struct vm vm;
	void *host;
	int file;

	make_machine(&vm, 1);
	LOAD(&vm, adder);
	file = GOOD(memfd_create("slot", MFD_CLOEXEC));
	EXPECT(ftruncate(file, PAGE), 0);
	EXPECT(pwrite(file, &value, sizeof(value), 0), sizeof(value));
	host = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	CHECK(host != MAP_FAILED);
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, PAGE, host), 0);
	EXPECT(next_report(&vm.vcpu[0]), 42);
	EXPECT(pread(file, &value, sizeof(value), 0), sizeof(value));
	EXPECT(value, 42);
	value = 100;
	EXPECT(pwrite(file, &value, sizeof(value), 0), sizeof(value));
	EXPECT(next_report(&vm.vcpu[0]), 101);
	/* truncated under the guest: no page to give */
	EXPECT(ftruncate(file, 0), 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EFAULT);
	return 0;
}
