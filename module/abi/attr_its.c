// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of KVM_DEV_TYPE_ARM_VGIC_ITS: KVM's numbering of what
 * vgic/vgic.h offers (Documentation/virt/kvm/devices/arm-vgic-its.rst).
 */
#include <linux/kvm.h>
#include <linux/uaccess.h>
#include "abi.h"

/* Registers and tables: all vCPUs must be out of KVM_RUN, and stay out. */
static int reg_attr(struct tern_vm *vm, struct vgic_its *its, u64 offset, bool write, u64 *val)
{
	int err;

	mutex_lock(&vm->lock);
	err = vm_quiesce(vm);
	if (!err)
		err = vgic_its_uaccess(its, offset, write, val);
	mutex_unlock(&vm->lock);
	return err;
}

static int table_op(struct vgic_its *its, u64 what)
{
	switch (what) {
	case KVM_DEV_ARM_ITS_CTRL_RESET:
		vgic_its_reset(its);
		return 0;
	case KVM_DEV_ARM_ITS_SAVE_TABLES:
		return vgic_its_save(its);
	case KVM_DEV_ARM_ITS_RESTORE_TABLES:
		return vgic_its_restore(its);
	}
	return -ENXIO;
}

static int control(struct tern_vm *vm, struct vgic_its *its, u64 what)
{
	int err;

	if (what == KVM_DEV_ARM_VGIC_CTRL_INIT)
		return 0;
	mutex_lock(&vm->lock);
	err = vm_quiesce(vm);
	if (!err)
		err = table_op(its, what);
	mutex_unlock(&vm->lock);
	return err;
}

int abi_its_set_attr(struct tern_vm *vm, struct vgic_its *its, const struct kvm_device_attr *attr)
{
	u64 val;

	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		if (attr->attr != KVM_VGIC_ITS_ADDR_TYPE)
			return -ENODEV;
		if (get_user(val, (u64 __user *)attr->addr))
			return -EFAULT;
		return vgic_its_set_base(its, val);
	case KVM_DEV_ARM_VGIC_GRP_CTRL:
		return control(vm, its, attr->attr);
	case KVM_DEV_ARM_VGIC_GRP_ITS_REGS:
		if (get_user(val, (u64 __user *)attr->addr))
			return -EFAULT;
		return reg_attr(vm, its, attr->attr, true, &val);
	}
	return -ENXIO;
}

int abi_its_get_attr(struct tern_vm *vm, struct vgic_its *its, const struct kvm_device_attr *attr)
{
	u64 val;
	int err;

	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		if (attr->attr != KVM_VGIC_ITS_ADDR_TYPE)
			return -ENODEV;
		val = vgic_its_base(its);
		break;
	case KVM_DEV_ARM_VGIC_GRP_ITS_REGS:
		err = reg_attr(vm, its, attr->attr, false, &val);
		if (err)
			return err;
		break;
	default:
		return -ENXIO;
	}
	return put_user(val, (u64 __user *)attr->addr);
}

static bool has_control(u64 what)
{
	return what == KVM_DEV_ARM_VGIC_CTRL_INIT || what == KVM_DEV_ARM_ITS_CTRL_RESET ||
	       what == KVM_DEV_ARM_ITS_SAVE_TABLES || what == KVM_DEV_ARM_ITS_RESTORE_TABLES;
}

int abi_its_has_attr(const struct kvm_device_attr *attr)
{
	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		return attr->attr == KVM_VGIC_ITS_ADDR_TYPE ? 0 : -ENXIO;
	case KVM_DEV_ARM_VGIC_GRP_CTRL:
		return has_control(attr->attr) ? 0 : -ENXIO;
	case KVM_DEV_ARM_VGIC_GRP_ITS_REGS:
		return vgic_its_has_reg(attr->attr);
	}
	return -ENXIO;
}
