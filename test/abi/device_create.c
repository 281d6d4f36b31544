// SPDX-License-Identifier: GPL-2.0
/* KVM_CREATE_DEVICE: unknown types, one GIC a VM, asking without creating. */
#include <fcntl.h>

#include "lib.h"

static bool closed_on_exec(int fd)
{
	return fcntl(fd, F_GETFD) & FD_CLOEXEC;
}

static int create(int vm, uint32_t type, uint32_t flags)
{
	struct kvm_create_device device = {
		.type = type, .flags = flags, .fd = 12345,
	};
	int ret = vm_ioctl(vm, KVM_CREATE_DEVICE, &device);

	if (!ret && !(flags & KVM_CREATE_DEVICE_TEST)) {
		CHECK(device.fd != 12345);
		CHECK(closed_on_exec(device.fd));
	}
	return ret;
}

/* A kernel may be built without it. */
static void check_vfio(int vm)
{
	int ret = create(vm, KVM_DEV_TYPE_VFIO, KVM_CREATE_DEVICE_TEST);

	CHECK(!ret || ret == -ENODEV);
	EXPECT(create(vm, KVM_DEV_TYPE_VFIO, 0), ret);
}

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);

	check_vfio(vm);

	EXPECT(create(vm, 0, 0), -ENODEV);
	EXPECT(create(vm, KVM_DEV_TYPE_FSL_MPIC_20, 0), -ENODEV);
	EXPECT(create(vm, KVM_DEV_TYPE_XICS, 0), -ENODEV);
	EXPECT(create(vm, 1000, 0), -ENODEV);
	EXPECT(create(vm, -1u, 0), -ENODEV);
	EXPECT(create(vm, -1u, KVM_CREATE_DEVICE_TEST), -ENODEV);
	EXPECT(create(vm, KVM_DEV_TYPE_ARM_VGIC_V3, KVM_CREATE_DEVICE_TEST), 0);
	EXPECT(create(vm, KVM_DEV_TYPE_ARM_VGIC_V3, KVM_CREATE_DEVICE_TEST), 0);
	EXPECT(create(vm, KVM_DEV_TYPE_ARM_VGIC_V3, 0), 0);
	EXPECT(create(vm, KVM_DEV_TYPE_ARM_VGIC_V3, 0), -EEXIST);
	EXPECT(create(vm, KVM_DEV_TYPE_ARM_VGIC_V3, KVM_CREATE_DEVICE_TEST), 0);
	EXPECT(vm_ioctl(vm, KVM_CREATE_DEVICE, bad_pointer()), -EFAULT);
	return 0;
}
