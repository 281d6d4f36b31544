// SPDX-License-Identifier: GPL-2.0
/* No vCPU may come after the GIC is initialised: EBUSY. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	int gic;

	new_vcpu(vm, 0);
	gic = new_gic(vm);
	new_vcpu(vm, 1);
	EXPECT(set_attr(gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
			KVM_DEV_ARM_VGIC_CTRL_INIT, NULL), 0);
	EXPECT(ask(vm, KVM_CREATE_VCPU, 2), -EBUSY);
	return 0;
}
