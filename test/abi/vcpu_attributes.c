// SPDX-License-Identifier: GPL-2.0
/* vCPU attributes: unknown groups ENXIO; the PMU's ENODEV without a PMU. */
#include "lib.h"

int main(void)
{
	int value = 23;
	struct vm vm;
	int vcpu;

	make_machine(&vm, 1);
	vcpu = vm.vcpu[0].fd;
	EXPECT(has_attr(vcpu, 99, 0), -ENXIO);
	EXPECT(set_attr(vcpu, 99, 0, &value), -ENXIO);
	EXPECT(get_attr(vcpu, 99, 0, &value), -ENXIO);
	EXPECT(has_attr(vcpu, KVM_ARM_VCPU_PMU_V3_CTRL,
			KVM_ARM_VCPU_PMU_V3_IRQ), -ENXIO);
	EXPECT(set_attr(vcpu, KVM_ARM_VCPU_PMU_V3_CTRL,
			KVM_ARM_VCPU_PMU_V3_IRQ, &value), -ENODEV);
	EXPECT(vm_ioctl(vcpu, KVM_SET_DEVICE_ATTR, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_GET_DEVICE_ATTR, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_HAS_DEVICE_ATTR, bad_pointer()), -EFAULT);
	return 0;
}
