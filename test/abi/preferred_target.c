// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_PREFERRED_TARGET names a target and no features. */
#include "lib.h"

int main(void)
{
	struct kvm_vcpu_init init;
	int vm = new_vm(open_device());
	size_t i;

	preferred_target(vm, &init);
	CHECK(init.target < KVM_ARM_NUM_TARGETS);
	for (i = 0; i < sizeof(init.features) / sizeof(init.features[0]); i++)
		EXPECT(init.features[i], 0);
	EXPECT(vm_ioctl(vm, KVM_ARM_PREFERRED_TARGET, bad_pointer()), -EFAULT);
	return 0;
}
