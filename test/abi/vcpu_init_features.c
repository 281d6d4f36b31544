// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_INIT: unknown features ENOENT, impossible ones EINVAL. */
#include "lib.h"

static int init_with(int vm, uint32_t low, uint32_t next, uint32_t last)
{
	struct kvm_vcpu_init init;
	static unsigned long id;
	int vcpu = new_vcpu(vm, id++);

	preferred_target(vm, &init);
	init.features[0] = low;
	init.features[1] = next;
	init.features[6] = last;
	return vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init);
}

static void check_ptrauth(int vm)
{
	uint32_t address = VM_FEATURE(PTRAUTH_ADDRESS);
	uint32_t generic = VM_FEATURE(PTRAUTH_GENERIC);
	int there = ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PTRAUTH_ADDRESS);

	EXPECT(init_with(vm, address, 0, 0), -EINVAL);
	EXPECT(init_with(vm, generic, 0, 0), -EINVAL);
	EXPECT(init_with(vm, address | generic, 0, 0), there ? 0 : -EINVAL);
}

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu;
	struct kvm_vcpu_init init;

	EXPECT(init_with(vm, 0, 0, 0), 0);
	EXPECT(init_with(vm, VM_FEATURE(PSCI_0_2), 0, 0), 0);
	EXPECT(init_with(vm, VM_FEATURE(POWER_OFF), 0, 0), 0);
	EXPECT(init_with(vm, 1u << 20, 0, 0), -ENOENT);
	EXPECT(init_with(vm, 1u << 31, 0, 0), -ENOENT);
	EXPECT(init_with(vm, 0, 1, 0), -ENOENT);
	EXPECT(init_with(vm, 0, 0, 1u << 31), -ENOENT);
	check_ptrauth(vm);

	/* A refused attempt leaves the vCPU as it was: not initialised. */
	vcpu = new_vcpu(vm, 100);
	preferred_target(vm, &init);
	init.features[1] = 1;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), -ENOENT);
	EXPECT(ask(vcpu, KVM_RUN, 0), -ENOEXEC);
	init.features[1] = 0;
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init), 0);
	return 0;
}
