// SPDX-License-Identifier: GPL-2.0
/* An ITS's address, registers and control attributes, and their errnos; KVM_CAP_MSI_DEVID, KVM_SIGNAL_MSI. */
#include "lib.h"

#define GRP(name)	KVM_DEV_ARM_VGIC_GRP_##name
#define ITS_BASE	0x08080000UL
#define ITS_DOORBELL	(ITS_BASE + 0x10040)
#define ADDR		KVM_VGIC_ITS_ADDR_TYPE

static int new_its(int vm)
{
	struct kvm_create_device create = { .type = KVM_DEV_TYPE_ARM_VGIC_ITS };

	EXPECT(vm_ioctl(vm, KVM_CREATE_DEVICE, &create), 0);
	return create.fd;
}

static int signal_msi(int vm, uint64_t addr, uint32_t flags)
{
	struct kvm_msi msi = {
		.address_lo = addr, .address_hi = addr >> 32, .flags = flags,
	};

	return vm_ioctl(vm, KVM_SIGNAL_MSI, &msi);
}

static void check_address(int its)
{
	uint64_t value = 0;
	int i;

	EXPECT(has_attr(its, GRP(ADDR), ADDR), 0);
	EXPECT(has_attr(its, GRP(ADDR), 0), -ENXIO);
	EXPECT(get_attr(its, GRP(ADDR), ADDR, &value), 0);
	CHECK(value == -1UL);
	EXPECT(set_attr(its, GRP(ADDR), 0, &value), -ENODEV);
	EXPECT(get_attr(its, GRP(ADDR), 0, &value), -ENODEV);
	EXPECT(set_attr(its, GRP(ADDR), ADDR, bad_pointer()), -EFAULT);
	value = ITS_BASE + 0x1000;
	EXPECT(set_attr(its, GRP(ADDR), ADDR, &value), -EINVAL);
	value = 1UL << 52;
	EXPECT(set_attr(its, GRP(ADDR), ADDR, &value), -E2BIG);
	/* no registers before it has an address */
	EXPECT(get_attr(its, GRP(ITS_REGS), 0, &value), -ENXIO);
	for (i = 0; i < 2; i++) {
		value = ITS_BASE;
		EXPECT(set_attr(its, GRP(ADDR), ADDR, &value), i ? -EEXIST : 0);
	}
	EXPECT(get_attr(its, GRP(ADDR), ADDR, &value), 0);
	CHECK(value == ITS_BASE);
}

static void check_registers(int its)
{
	static const uint32_t regs[] = { 0, 4, 8, 0x80, 0x88, 0x90, 0x100, 0x108, 0xffe8 };
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++) {
		EXPECT(has_attr(its, GRP(ITS_REGS), regs[i]), 0);
		EXPECT(get_attr(its, GRP(ITS_REGS), regs[i], &value), 0);
	}
	EXPECT(has_attr(its, GRP(ITS_REGS), 0x84), -EINVAL);
	EXPECT(has_attr(its, GRP(ITS_REGS), 2), -EINVAL);
	EXPECT(has_attr(its, GRP(ITS_REGS), 0x70), -ENXIO);
	EXPECT(get_attr(its, GRP(ITS_REGS), 0x84, &value), -EINVAL);
	EXPECT(get_attr(its, GRP(ITS_REGS), 0x70, &value), -ENXIO);
	EXPECT(set_attr(its, GRP(ITS_REGS), 0x70, &value), -ENXIO);
	EXPECT(set_attr(its, GRP(ITS_REGS), 0x80, bad_pointer()), -EFAULT);
	EXPECT(get_attr(its, GRP(ITS_REGS), 0x80, bad_pointer()), -EFAULT);

	EXPECT(get_attr(its, GRP(ITS_REGS), 4, &value), 0);
	CHECK((value & 0xfff) == 0x43b);
	EXPECT(set_attr(its, GRP(ITS_REGS), 4, &value), 0);
	value |= 0xf000;
	EXPECT(set_attr(its, GRP(ITS_REGS), 4, &value), -EINVAL);
	value = 0x1000;		/* beyond a queue of one page */
	EXPECT(set_attr(its, GRP(ITS_REGS), 0x90, &value), -EINVAL);
	EXPECT(get_attr(its, GRP(ITS_REGS), 0x100, &value), 0);
	CHECK((value >> 48 & 0x1f) == 7 && (value >> 56 & 7) == 1);
	EXPECT(get_attr(its, GRP(ITS_REGS), 0x108, &value), 0);
	CHECK((value >> 48 & 0x1f) == 7 && (value >> 56 & 7) == 4);
}

static void check_control(int its)
{
	uint64_t value = 0;
	int i;

	for (i = KVM_DEV_ARM_VGIC_CTRL_INIT; i <= KVM_DEV_ARM_ITS_CTRL_RESET; i++)
		EXPECT(has_attr(its, GRP(CTRL), i), i == KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES ? -ENXIO : 0);
	EXPECT(has_attr(its, GRP(CTRL), 99), -ENXIO);
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT, NULL), 0);
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT, NULL), 0);
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_CTRL_RESET, NULL), 0);
	/* tables that are not there */
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_SAVE_TABLES, NULL), 0);
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_RESTORE_TABLES, NULL), 0);
	EXPECT(get_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_CTRL_RESET, &value), -ENXIO);
	EXPECT(has_attr(its, 99, 0), -ENXIO);
	EXPECT(set_attr(its, 99, 0, &value), -ENXIO);
	EXPECT(get_attr(its, 99, 0, &value), -ENXIO);
}

int main(void)
{
	struct kvm_create_device test = {
		.type = KVM_DEV_TYPE_ARM_VGIC_ITS, .flags = KVM_CREATE_DEVICE_TEST,
	};
	struct vm vm;
	int its;

	make_machine(&vm, 2);
	EXPECT(vm_ioctl(vm.fd, KVM_CREATE_DEVICE, &test), 0);
	EXPECT(vm_capability(&vm, KVM_CAP_SIGNAL_MSI), 1);
	EXPECT(vm_capability(&vm, KVM_CAP_MSI_DEVID), 0);
	EXPECT(signal_msi(vm.fd, ITS_DOORBELL, KVM_MSI_VALID_DEVID), -ENODEV);
	its = new_its(vm.fd);
	EXPECT(vm_capability(&vm, KVM_CAP_MSI_DEVID), 1);
	check_address(its);
	check_registers(its);
	check_control(its);
	EXPECT(signal_msi(vm.fd, ITS_DOORBELL, KVM_MSI_VALID_DEVID), -EBUSY);
	EXPECT(signal_msi(vm.fd, ITS_DOORBELL, 0), -EINVAL);
	EXPECT(signal_msi(vm.fd, ITS_DOORBELL, 2), -EINVAL);
	EXPECT(signal_msi(vm.fd, RAM_BASE, KVM_MSI_VALID_DEVID), -EINVAL);
	EXPECT(vm_ioctl(vm.fd, KVM_SIGNAL_MSI, bad_pointer()), -EFAULT);
	/* another one, and the first without its file */
	new_its(vm.fd);
	close(its);
	EXPECT(signal_msi(vm.fd, ITS_DOORBELL, KVM_MSI_VALID_DEVID), -EBUSY);
	return 0;
}
