// SPDX-License-Identifier: GPL-2.0
/* A read-only slot is read as memory; a write to it exits and changes nothing. */
#include "lib.h"

#define ROM		0x80000000UL

GUEST(writer, "mov x1, #0x80000000\n"
	      "1: ldr x0, [x1]\n\t" REPORT
	      "mov x2, #99\n\tstr x2, [x1]\n\tb 1b");

int main(void)
{
	uint64_t *host = pages(PAGE), data = 0;
	struct vcpu *vcpu;
	struct vm vm;
	int i;

	make_machine(&vm, 1);
	LOAD(&vm, writer);
	vcpu = &vm.vcpu[0];
	host[0] = 7;
	EXPECT(set_slot(vm.fd, 30, KVM_MEM_READONLY, ROM, PAGE, host), 0);
	for (i = 0; i < 3; i++) {
		EXPECT(next_report(vcpu), 7);
		expect_exit(vcpu, KVM_EXIT_MMIO);
		EXPECT(vcpu->run->mmio.phys_addr, ROM);
		EXPECT(vcpu->run->mmio.is_write, 1);
		memcpy(&data, vcpu->run->mmio.data, sizeof(data));
		EXPECT(data, 99);
		EXPECT(host[0], 7);
	}
	return 0;
}
