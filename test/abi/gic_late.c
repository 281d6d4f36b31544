// SPDX-License-Identifier: GPL-2.0
/* No GIC for a VM whose vCPU has run: EBUSY. */
#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

int main(void)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	struct vm vm;

	make_bare(&vm, 1);
	LOAD(&vm, idle);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	EXPECT(vm_ioctl(vm.fd, KVM_CREATE_DEVICE, &device), -EBUSY);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	return 0;
}
