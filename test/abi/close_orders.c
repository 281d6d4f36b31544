// SPDX-License-Identifier: GPL-2.0
/* Descriptors may close in any order; what is open still works. */
#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

static void vcpu_last(void)
{
	struct vm vm;

	make_machine(&vm, 2);
	LOAD(&vm, idle);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	close(vm.kvm);
	close(vm.gic);
	close(vm.fd);
	close(vm.vcpu[1].fd);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	close(vm.vcpu[0].fd);
	EXPECT(vm.vcpu[0].run->exit_reason, KVM_EXIT_MMIO);
}

static void gic_last(void)
{
	uint32_t count = 0;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, idle);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	close(vm.vcpu[0].fd);
	close(vm.fd);
	close(vm.kvm);
	EXPECT(get_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0, &count), 0);
	EXPECT(count, 96);
	close(vm.gic);
}

int main(void)
{
	vcpu_last();
	gic_last();
	return 0;
}
