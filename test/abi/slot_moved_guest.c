// SPDX-License-Identifier: GPL-2.0
/* A moved slot is seen at its new place and no longer at the old one. */
#include "lib.h"

#define OLD		0x80000000UL
#define NEW		0x80200000UL

GUEST(reader, "mov x1, #0x80000000\n"
	      "mov x2, #0x200000\n"
	      "1: ldr x0, [x1]\n\t" REPORT "ldr x0, [x1, x2]\n\t" REPORT "b 1b");

static void expect_hole(struct vcpu *vcpu, uint64_t address)
{
	expect_exit(vcpu, KVM_EXIT_MMIO);
	EXPECT(vcpu->run->mmio.phys_addr, address);
	EXPECT(vcpu->run->mmio.is_write, 0);
	memset(vcpu->run->mmio.data, 0, 8);
	EXPECT(next_report(vcpu), 0);
}

int main(void)
{
	uint64_t *host = pages(PAGE);
	struct vcpu *vcpu;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, reader);
	vcpu = &vm.vcpu[0];
	host[0] = 11;
	EXPECT(set_slot(vm.fd, 30, 0, OLD, PAGE, host), 0);
	EXPECT(next_report(vcpu), 11);
	expect_hole(vcpu, NEW);
	EXPECT(set_slot(vm.fd, 30, 0, NEW, PAGE, host), 0);
	expect_hole(vcpu, OLD);
	EXPECT(next_report(vcpu), 11);
	return 0;
}
