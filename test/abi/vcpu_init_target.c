// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_INIT takes the target KVM_ARM_PREFERRED_TARGET names alone. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);
	struct kvm_vcpu_init init;
	uint32_t target;
	size_t i;

	preferred_target(vm, &init);
	for (i = 0; i < sizeof(init.features) / sizeof(init.features[0]); i++)
		EXPECT(init.features[i], 0);
	target = init.target;
	CHECK(target < KVM_ARM_NUM_TARGETS);
	init.target = target ? 0 : 1;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), -EINVAL);
	init.target = KVM_ARM_NUM_TARGETS;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), -EINVAL);
	init.target = -1U;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), -EINVAL);
	init.target = target;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), 0);
	return 0;
}
