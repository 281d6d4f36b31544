// SPDX-License-Identifier: GPL-2.0
/* KVM_ENABLE_CAP: unknown capabilities, flags and arguments are EINVAL. */
#include "lib.h"

int main(void)
{
	struct kvm_enable_cap flagged = {
		.cap = KVM_CAP_ARM_NISV_TO_USER, .flags = 1,
	};
	struct vm vm;

	make_bare(&vm, 1);
	EXPECT(vm_ioctl(vm.fd, KVM_ENABLE_CAP, &flagged), -EINVAL);
	EXPECT(vm_enable(&vm, KVM_CAP_ARM_NISV_TO_USER, 0), 0);
	EXPECT(vm_enable(&vm, KVM_CAP_ARM_SYSTEM_SUSPEND, 0), 0);
	EXPECT(vm_enable(&vm, KVM_CAP_USER_MEMORY, 0), -EINVAL);
	EXPECT(vm_enable(&vm, 0x7fffff, 0), -EINVAL);

	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2, 4), -EINVAL);
	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2,
			 KVM_DIRTY_LOG_INITIALLY_SET), -EINVAL);
	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2,
			 KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE), 0);
	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2, 0), 0);
	flagged.cap = KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2;
	EXPECT(vm_ioctl(vm.fd, KVM_ENABLE_CAP, &flagged), -EINVAL);

	flagged.cap = KVM_CAP_HALT_POLL;
	EXPECT(vm_ioctl(vm.fd, KVM_ENABLE_CAP, &flagged), -EINVAL);
	EXPECT(vm_enable(&vm, KVM_CAP_HALT_POLL, 1ULL << 32), -EINVAL);
	EXPECT(vm_enable(&vm, KVM_CAP_HALT_POLL, 0xffffffff), 0);
	EXPECT(vm_enable(&vm, KVM_CAP_HALT_POLL, 0), 0);
	return 0;
}
