// SPDX-License-Identifier: GPL-2.0
/*
 * In-kernel devices: KVM_CREATE_DEVICE, and the device's file.
 */
#include <linux/anon_inodes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "../../uapi/tern.h"
#include "abi.h"

/**
 * struct device - what a device's file stands for
 * @vm:  referenced
 * @its: the ITS, or NULL: the GIC itself
 */
struct device {
	struct tern_vm *vm;
	struct vgic_its *its;
};

/* The GIC's batch is made of the other groups' registers, above them. */
static bool is_batch(const struct device *d, const struct kvm_device_attr *attr)
{
	return !d->its && attr->group == TERN_DEV_VGIC_GRP_BATCH && !attr->attr;
}

static int set_attr(const struct device *d, const struct kvm_device_attr *attr)
{
	if (unlikely(is_batch(d, attr)))
		return abi_vgic_batch(d->vm, true, u64_to_user_ptr(attr->addr));
	return d->its ? abi_its_set_attr(d->vm, d->its, attr) : abi_vgic_set_attr(d->vm, attr);
}

static int get_attr(const struct device *d, const struct kvm_device_attr *attr)
{
	if (unlikely(is_batch(d, attr)))
		return abi_vgic_batch(d->vm, false, u64_to_user_ptr(attr->addr));
	return d->its ? abi_its_get_attr(d->vm, d->its, attr) : abi_vgic_get_attr(d->vm, attr);
}

static int has_attr(const struct device *d, const struct kvm_device_attr *attr)
{
	return d->its ? abi_its_has_attr(attr) : abi_vgic_has_attr(d->vm, attr);
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct device *d = file->private_data;
	struct kvm_device_attr attr;

	if (!vm_serves_current(d->vm))
		return -EIO;
	if (cmd != KVM_SET_DEVICE_ATTR && cmd != KVM_GET_DEVICE_ATTR && cmd != KVM_HAS_DEVICE_ATTR)
		return -ENOTTY;
	if (copy_from_user(&attr, (void __user *)arg, sizeof(attr)))
		return -EFAULT;
	if (cmd == KVM_SET_DEVICE_ATTR)
		return set_attr(d, &attr);
	return cmd == KVM_GET_DEVICE_ATTR ? get_attr(d, &attr) : has_attr(d, &attr);
}

static int device_release(struct inode *inode, struct file *file)
{
	struct device *d = file->private_data;

	vm_put(d->vm);
	kfree(d);
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

/* The device lives as long as its VM, whatever becomes of the file. */
static int create_device(struct device *d, u32 type)
{
	int err;

	mutex_lock(&d->vm->lock);
	if (type == KVM_DEV_TYPE_ARM_VGIC_V3)
		err = create_gic(d->vm);
	else
		err = vgic_its_create(&d->vm->vgic, &d->vm->mem, &d->its);
	mutex_unlock(&d->vm->lock);
	return err;
}

int abi_device_create(struct tern_vm *vm, struct kvm_create_device *arg)
{
	bool gic = arg->type == KVM_DEV_TYPE_ARM_VGIC_V3;
	struct device *d;
	int err;

	if (!gic && arg->type != KVM_DEV_TYPE_ARM_VGIC_ITS)
		return -ENODEV;
	if (arg->flags & KVM_CREATE_DEVICE_TEST)
		return 0;
	d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);
	if (!d)
		return -ENOMEM;
	d->vm = vm;
	vm_get(vm);
	err = create_device(d, arg->type);
	if (!err)
		err = anon_inode_getfd(gic ? "kvm-arm-vgic-v3" : "kvm-arm-vgic-its", &device_fops, d,
				       O_RDWR | O_CLOEXEC);
	if (err < 0) {
		vm_put(vm);
		kfree(d);
		return err;
	}
	arg->fd = err;
	return 0;
}
