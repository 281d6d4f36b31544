// SPDX-License-Identifier: GPL-2.0
/* A second KVM_ARM_VCPU_INIT resets, and must ask for the same features. */
#include "lib.h"

GUEST(spoil, "mov x1, #7\n\tmsr tpidr_el1, x1\n\t" REPORT "b .");

#define TPIDR_EL1	ARM64_SYS_REG(3, 0, 13, 0, 4)

int main(void)
{
	uint64_t value = 0;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, spoil);
	next_report(&vm.vcpu[0]);
	finish_exit(&vm.vcpu[0]);
	EXPECT(vcpu_get(&vm.vcpu[0], TPIDR_EL1, &value), 0);
	EXPECT(value, 7);

	EXPECT(init_vcpu(vm.fd, vm.vcpu[0].fd, VM_FEATURE(POWER_OFF)),
	       -EINVAL);
	EXPECT(init_vcpu(vm.fd, vm.vcpu[0].fd, 0), 0);
	EXPECT(vcpu_get_pc(&vm.vcpu[0], &value), 0);
	EXPECT(value, 0);

	GOOD(vcpu_set_pc(&vm.vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&vm.vcpu[0], 0, 42));
	EXPECT(next_report(&vm.vcpu[0]), 42);
	return 0;
}
