// SPDX-License-Identifier: GPL-2.0
/*
 * The process may change what backs a slot under a guest that has used it:
 * discard it, replace it, make it read-only, and the guest sees that at once.
 */
#include "lib.h"

#define EXTRA		0x80000000UL

GUEST(reader, "mov x1, #0x80000000\n"
	      "1: ldr x0, [x1]\n\t" REPORT "b 1b");

int main(void)
{
	uint64_t *host = pages(PAGE);
	struct vcpu *vcpu;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, reader);
	vcpu = &vm.vcpu[0];
	host[0] = 11;
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, PAGE, host), 0);
	EXPECT(next_report(vcpu), 11);

	EXPECT(madvise(host, PAGE, MADV_DONTNEED), 0);
	EXPECT(next_report(vcpu), 0);
	host[0] = 12;
	EXPECT(next_report(vcpu), 12);

	CHECK(mmap(host, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == host);
	host[0] = 13;
	EXPECT(next_report(vcpu), 13);

	EXPECT(mprotect(host, PAGE, PROT_READ), 0);
	EXPECT(next_report(vcpu), 13);

	EXPECT(munmap(host, PAGE), 0);
	EXPECT(vcpu_run(vcpu), -EFAULT);
	CHECK(mmap(host, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == host);
	host[0] = 14;
	EXPECT(next_report(vcpu), 14);
	return 0;
}
