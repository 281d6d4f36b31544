// SPDX-License-Identifier: GPL-2.0
/* Before KVM_ARM_VCPU_INIT: ENOEXEC. */
#include "lib.h"

int main(void)
{
	struct kvm_one_reg reg = { .id = KVM_REG_ARM_PSCI_VERSION };
	struct kvm_reg_list list = { .n = 0 };
	struct kvm_vcpu_events events = { 0 };
	uint64_t value = 0;
	int what = KVM_ARM_VCPU_SVE;
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);

	reg.addr = (uintptr_t)&value;
	EXPECT(ask(vcpu, KVM_RUN, 0), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_SET_ONE_REG, &reg), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_GET_REG_LIST, &list), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_GET_VCPU_EVENTS, &events), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_SET_VCPU_EVENTS, &events), -ENOEXEC);
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, &what), -ENOEXEC);
	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg), 0);
	return 0;
}
