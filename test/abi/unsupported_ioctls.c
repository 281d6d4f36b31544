// SPDX-License-Identifier: GPL-2.0
/* ioctls of other architectures: EINVAL, whatever their argument. */
#include "lib.h"

int main(void)
{
	static char buffer[8192];
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(vm_ioctl(vcpu, KVM_GET_SREGS, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_SET_SREGS, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_GET_FPU, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_SET_FPU, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_GET_REGS, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_SET_REGS, buffer), -EINVAL);
	EXPECT(vm_ioctl(vcpu, KVM_TRANSLATE, buffer), -EINVAL);
	EXPECT(vm_ioctl(vm, KVM_SET_IDENTITY_MAP_ADDR, buffer), -EINVAL);
	EXPECT(ask(vm, KVM_SET_TSS_ADDR, 0), -EINVAL);
	return 0;
}
