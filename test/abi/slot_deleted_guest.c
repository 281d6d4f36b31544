// SPDX-License-Identifier: GPL-2.0
/* Memory the guest used is gone once its slot is: accesses become exits. */
#include "lib.h"

#define EXTRA		0x80000000UL

GUEST(reader, "mov x1, #0x80000000\n"
	      "1: ldr x0, [x1]\n\t" REPORT "b 1b");

int main(void)
{
	uint64_t *host = pages(2 * PAGE);
	struct vcpu *vcpu;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, reader);
	vcpu = &vm.vcpu[0];
	host[0] = 11;
	host[PAGE / 8] = 22;
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, PAGE, host), 0);
	EXPECT(next_report(vcpu), 11);
	EXPECT(next_report(vcpu), 11);

	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, 0, NULL), 0);
	expect_exit(vcpu, KVM_EXIT_MMIO);
	EXPECT(vcpu->run->mmio.phys_addr, EXTRA);
	EXPECT(vcpu->run->mmio.is_write, 0);
	memset(vcpu->run->mmio.data, 0, 8);
	vcpu->run->mmio.data[0] = 33;
	EXPECT(next_report(vcpu), 33);

	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, PAGE, host + PAGE / 8), 0);
	EXPECT(next_report(vcpu), 22);
	return 0;
}
