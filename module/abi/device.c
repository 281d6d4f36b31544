// SPDX-License-Identifier: GPL-2.0
/*
 * In-kernel devices: KVM_CREATE_DEVICE, and the device's file.
 */
#include <linux/anon_inodes.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "abi.h"

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tern_vm *vm = file->private_data;
	struct kvm_device_attr attr;

	if (vm->mm != current->mm)
		return -EIO;
	if (cmd != KVM_SET_DEVICE_ATTR && cmd != KVM_GET_DEVICE_ATTR && cmd != KVM_HAS_DEVICE_ATTR)
		return -ENOTTY;
	if (copy_from_user(&attr, (void __user *)arg, sizeof(attr)))
		return -EFAULT;
	if (cmd == KVM_SET_DEVICE_ATTR)
		return abi_vgic_set_attr(vm, &attr);
	return cmd == KVM_GET_DEVICE_ATTR ? abi_vgic_get_attr(vm, &attr) : abi_vgic_has_attr(vm, &attr);
}

static int device_release(struct inode *inode, struct file *file)
{
	vm_put(file->private_data);
	return 0;
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static bool any_vcpu_ran(struct tern_vm *vm)
{
	struct tern_vcpu *v;
	u32 i;

	vm_for_each_vcpu(i, v, vm)
		if (READ_ONCE(v->has_run))
			return true;
	return false;
}

static int create_gic(struct tern_vm *vm)
{
	return any_vcpu_ran(vm) ? -EBUSY : vgic_create(&vm->vgic);
}

int abi_device_create(struct tern_vm *vm, struct kvm_create_device *arg)
{
	int r, fd;

	if (arg->type != KVM_DEV_TYPE_ARM_VGIC_V3)
		return -ENODEV;
	if (arg->flags & KVM_CREATE_DEVICE_TEST)
		return 0;
	mutex_lock(&vm->lock);
	r = create_gic(vm);
	mutex_unlock(&vm->lock);
	if (r)
		return r;
	vm_get(vm);
	fd = anon_inode_getfd("kvm-arm-vgic-v3", &device_fops, vm, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		vm_put(vm);
		return fd;
	}
	arg->fd = fd;
	return 0;
}
