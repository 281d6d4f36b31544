// SPDX-License-Identifier: GPL-2.0
/*
 * ioctls of a VM.
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/kvm.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "../../uapi/tern.h"
#include "abi.h"
#include "event.h"
#include "stats.h"
#include "gic_list.h"

static long vm_set_memory(struct tern_vm *vm, void __user *arg)
{
	struct kvm_userspace_memory_region r;

	if (copy_from_user(&r, arg, sizeof(r)))
		return -EFAULT;
	return mem_set_slot(&vm->mem, &r, vcpu_records_leave);
}

static long vm_get_dirty_log(struct tern_vm *vm, void __user *arg)
{
	struct kvm_dirty_log log;

	if (copy_from_user(&log, arg, sizeof(log)))
		return -EFAULT;
	return mem_get_dirty_log(&vm->mem, &log);
}

static long vm_clear_dirty_log(struct tern_vm *vm, void __user *arg)
{
	struct kvm_clear_dirty_log log;

	if (copy_from_user(&log, arg, sizeof(log)))
		return -EFAULT;
	return mem_clear_dirty_log(&vm->mem, &log);
}

static long vm_irqfd(struct tern_vm *vm, void __user *arg)
{
	struct kvm_irqfd a;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	return event_irqfd(vm, &a);
}

static long vm_ioeventfd(struct tern_vm *vm, void __user *arg)
{
	struct kvm_ioeventfd a;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	return event_ioeventfd(vm, &a);
}

static long vm_zone(struct tern_vm *vm, bool on, void __user *arg)
{
	struct kvm_coalesced_mmio_zone z;

	if (copy_from_user(&z, arg, sizeof(z)))
		return -EFAULT;
	return on ? event_register_zone(vm, &z) : event_unregister_zone(vm, &z);
}

static long vm_irq_line(struct tern_vm *vm, void __user *arg, bool status)
{
	struct kvm_irq_level a;
	int r;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	r = event_irq_line(vm, &a);
	if (r || !status)
		return r;
	/* No interrupt is ever coalesced or lost here. */
	a.status = 1;
	return copy_to_user(arg, &a, sizeof(a)) ? -EFAULT : 0;
}

static long vm_signal_msi(struct tern_vm *vm, void __user *arg)
{
	struct kvm_msi a;

	if (copy_from_user(&a, arg, sizeof(a)))
		return -EFAULT;
	return event_signal_msi(vm, &a);
}

static int enable_system_suspend(struct tern_vm *vm)
{
	int r = 0;

	mutex_lock(&vm->lock);
	vm->cap_system_suspend = true;
	mutex_unlock(&vm->lock);
	return r;
}

/* KVM API 7.21 */
static long set_halt_poll(struct tern_vm *vm, const struct kvm_enable_cap *cap)
{
	if (cap->flags || cap->args[0] > U32_MAX)
		return -EINVAL;
	WRITE_ONCE(vm->poll_ns, cap->args[0]);
	WRITE_ONCE(vm->has_poll_ns, true);
	return 0;
}

static long vm_enable_cap(struct tern_vm *vm, void __user *arg)
{
	struct kvm_enable_cap cap;

	if (copy_from_user(&cap, arg, sizeof(cap)))
		return -EFAULT;
	switch (cap.cap) {
	case KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2:
		return cap.flags ? -EINVAL : mem_set_manual_protect(&vm->mem, cap.args[0]);
	case KVM_CAP_ARM_NISV_TO_USER:
		if (cap.flags)
			return -EINVAL;
		WRITE_ONCE(vm->cap_nisv_to_user, true);
		return 0;
	case KVM_CAP_ARM_SYSTEM_SUSPEND:
		return cap.flags ? -EINVAL : enable_system_suspend(vm);
	case KVM_CAP_HALT_POLL:
		return set_halt_poll(vm, &cap);
	default:
		return -EINVAL;
	}
}

static long vm_create_device(struct tern_vm *vm, void __user *arg)
{
	struct kvm_create_device cd;
	int r;

	if (copy_from_user(&cd, arg, sizeof(cd)))
		return -EFAULT;
	r = abi_device_create(vm, &cd);
	if (r)
		return r;
	return copy_to_user(arg, &cd, sizeof(cd)) ? -EFAULT : 0;
}

static long vm_preferred_target(void __user *arg)
{
	struct kvm_vcpu_init init = { .target = vcpu_preferred_target() };

	return copy_to_user(arg, &init, sizeof(init)) ? -EFAULT : 0;
}

static long vm_ioctl(struct file *file, unsigned int cmd, unsigned long argument)
{
	struct tern_vm *vm = file->private_data;
	void __user *arg = (void __user *)argument;

	if (!vm_serves_current(vm))
		return -EIO;
	switch (cmd) {
	case KVM_CREATE_VCPU:
		return abi_vcpu_fd(vm, argument);
	case KVM_ENABLE_CAP:
		return vm_enable_cap(vm, arg);
	case KVM_SET_USER_MEMORY_REGION:
		return vm_set_memory(vm, arg);
	case KVM_GET_DIRTY_LOG:
		return vm_get_dirty_log(vm, arg);
	case KVM_CLEAR_DIRTY_LOG:
		return vm_clear_dirty_log(vm, arg);
	case KVM_IRQFD:
		return vm_irqfd(vm, arg);
	case KVM_IOEVENTFD:
		return vm_ioeventfd(vm, arg);
	case KVM_REGISTER_COALESCED_MMIO:
	case KVM_UNREGISTER_COALESCED_MMIO:
		return vm_zone(vm, cmd == KVM_REGISTER_COALESCED_MMIO, arg);
	case KVM_IRQ_LINE:
	case KVM_IRQ_LINE_STATUS:
		return vm_irq_line(vm, arg, cmd == KVM_IRQ_LINE_STATUS);
	case KVM_SIGNAL_MSI:
		return vm_signal_msi(vm, arg);
	case KVM_SET_GSI_ROUTING:
		return event_set_routing(vm, arg);
	case KVM_CREATE_DEVICE:
		return vm_create_device(vm, arg);
	case KVM_CHECK_EXTENSION:
		return abi_check_extension(vm, argument);
	case KVM_GET_STATS_FD:
		return abi_vm_stats_fd(vm);
	case KVM_ARM_PREFERRED_TARGET:
		return vm_preferred_target(arg);
	case TERN_GET_STATE:
		return abi_get_state(vm, arg);
	case TERN_SET_STATE:
		return abi_set_state(vm, arg);
	case TERN_PAUSE:
		return argument ? -EINVAL : abi_pause(vm);
	case TERN_RESUME:
		return argument ? -EINVAL : abi_resume(vm);
	case KVM_CREATE_IRQCHIP:
	case KVM_ARM_SET_DEVICE_ADDR:
		return -ENODEV;		/* both speak of a GICv2 */
	default:
		return -EINVAL;
	}
}

static int vm_release(struct inode *inode, struct file *file)
{
	struct tern_vm *vm = file->private_data;

	event_vm_release(vm);
	vm_put(vm);
	return 0;
}

static const struct file_operations vm_fops = {
	.owner = THIS_MODULE,
	.release = vm_release,
	.unlocked_ioctl = vm_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static void vm_fini(struct tern_vm *vm)
{
	gic_lists_free(vm);
	event_vm_fini(vm);
}

int abi_vm_fd(unsigned long type)
{
	struct tern_vm *vm = vm_create(type);
	int err, fd;

	if (IS_ERR(vm))
		return PTR_ERR(vm);
	err = event_vm_init(vm);
	if (err)
		goto put_vm;
	vm->fini = vm_fini;
	fd = anon_inode_getfd("kvm-vm", &vm_fops, vm, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	err = fd;
	event_vm_release(vm);
put_vm:
	vm_put(vm);
	return err;
}
