// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_SET_GUEST_DEBUG refuses controls it does not have; which it has is
 * KVM_CAP_SET_GUEST_DEBUG2.
 */
#include "lib.h"

int main(void)
{
	struct kvm_guest_debug debug = { 0 };
	struct vm vm;
	int fd;

	make_bare(&vm, 1);
	if (!vm_capability(&vm, KVM_CAP_SET_GUEST_DEBUG))
		skip("no KVM_CAP_SET_GUEST_DEBUG");
	fd = vm.vcpu[0].fd;
	EXPECT(vm_capability(&vm, KVM_CAP_SET_GUEST_DEBUG), 1);
	EXPECT(vm_capability(&vm, KVM_CAP_SET_GUEST_DEBUG2),
	       KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP |
	       KVM_GUESTDBG_USE_SW_BP | KVM_GUESTDBG_USE_HW);
	EXPECT(vm_ioctl(fd, KVM_SET_GUEST_DEBUG, &debug), 0);
	EXPECT(vm_ioctl(fd, KVM_SET_GUEST_DEBUG, bad_pointer()), -EFAULT);
	debug.control = 1u << 31;
	EXPECT(vm_ioctl(fd, KVM_SET_GUEST_DEBUG, &debug), -EINVAL);
	debug.control = KVM_GUESTDBG_ENABLE | 1u << 8;
	EXPECT(vm_ioctl(fd, KVM_SET_GUEST_DEBUG, &debug), -EINVAL);
	debug.control = 0;
	EXPECT(vm_ioctl(fd, KVM_SET_GUEST_DEBUG, &debug), 0);
	return 0;
}
