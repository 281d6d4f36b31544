// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_FINALIZE of a feature the vCPU does not have: EINVAL. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);
	int what;

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	what = KVM_ARM_VCPU_SVE;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, &what), -EINVAL);
	what = KVM_ARM_VCPU_PSCI_0_2;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, &what), -EINVAL);
	what = -1;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, &what), -EINVAL);
	return 0;
}
