// SPDX-License-Identifier: GPL-2.0
/* KVM_CREATE_VCPU: ids from 0 to KVM_CAP_MAX_VCPU_ID - 1, each once. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	unsigned int limit = GOOD(ask(vm, KVM_CHECK_EXTENSION,
				      KVM_CAP_MAX_VCPU_ID));

	EXPECT(ask(vm, KVM_CREATE_VCPU, limit), -EINVAL);
	EXPECT(ask(vm, KVM_CREATE_VCPU, 0xffffffff), -EINVAL);
	new_vcpu(vm, limit - 1);
	EXPECT(ask(vm, KVM_CREATE_VCPU, limit - 1), -EEXIST);
	new_vcpu(vm, 3);
	new_vcpu(vm, 0);
	EXPECT(ask(vm, KVM_CREATE_VCPU, 3), -EEXIST);
	EXPECT(ask(vm, KVM_CREATE_VCPU, 0), -EEXIST);
	new_vcpu(vm, 1);
	return 0;
}
