// SPDX-License-Identifier: GPL-2.0
/* KVM_IRQFD: flags, descriptors, one interrupt an eventfd, deassign. */
#include <sys/eventfd.h>

#include "lib.h"

static int assign(int vm, int fd, uint32_t gsi, uint32_t flags)
{
	struct kvm_irqfd irqfd = { .fd = fd, .gsi = gsi, .flags = flags };

	return vm_ioctl(vm, KVM_IRQFD, &irqfd);
}

static void before_init(int kvm, int event)
{
	int vm = new_vm(kvm);

	EXPECT(assign(vm, event, 0, 0), -EAGAIN);
	new_vcpu(vm, 0);
	new_gic(vm);
	EXPECT(assign(vm, event, 0, 0), -EAGAIN);
}

static void check_resample(int vm)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC));
	struct kvm_irqfd irqfd = {
		.fd = event, .gsi = 5, .flags = KVM_IRQFD_FLAG_RESAMPLE,
		.resamplefd = -1,
	};

	EXPECT(vm_ioctl(vm, KVM_IRQFD, &irqfd), -EBADF);
	irqfd.resamplefd = vm;
	EXPECT(vm_ioctl(vm, KVM_IRQFD, &irqfd), -EINVAL);
	irqfd.resamplefd = GOOD(eventfd(0, EFD_CLOEXEC));
	EXPECT(vm_ioctl(vm, KVM_IRQFD, &irqfd), 0);
	EXPECT(assign(vm, event, 5, KVM_IRQFD_FLAG_DEASSIGN), 0);
	EXPECT(vm_ioctl(vm, KVM_IRQFD, &irqfd), 0);
}

int main(void)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC));
	struct vm vm;

	make_machine(&vm, 1);
	before_init(vm.kvm, event);
	EXPECT(assign(vm.fd, event, 0, 4), -EINVAL);
	EXPECT(assign(vm.fd, event, 0, 1u << 31), -EINVAL);
	EXPECT(assign(vm.fd, -1, 0, 0), -EBADF);
	EXPECT(assign(vm.fd, 1000, 0, 0), -EBADF);
	EXPECT(assign(vm.fd, vm.fd, 0, 0), -EINVAL);
	EXPECT(assign(vm.fd, event, 0, 0), 0);
	EXPECT(assign(vm.fd, event, 0, 0), -EBUSY);
	EXPECT(assign(vm.fd, event, 1, 0), -EBUSY);
	EXPECT(assign(vm.fd, -1, 0, KVM_IRQFD_FLAG_DEASSIGN), -EBADF);
	EXPECT(assign(vm.fd, vm.fd, 0, KVM_IRQFD_FLAG_DEASSIGN), -EINVAL);
	/* another interrupt's: nothing to undo, which is no error */
	EXPECT(assign(vm.fd, event, 1, KVM_IRQFD_FLAG_DEASSIGN), 0);
	EXPECT(assign(vm.fd, event, 0, 0), -EBUSY);
	EXPECT(assign(vm.fd, event, 0, KVM_IRQFD_FLAG_DEASSIGN), 0);
	EXPECT(assign(vm.fd, event, 1, 0), 0);
	check_resample(vm.fd);
	return 0;
}
