// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/kvm: what the system can do, and new VMs.
 */
#include <linux/compat.h>
#include <linux/cpumask.h>
#include <linux/kvm.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include "../exit/exit.h"
#include "../fw/fw.h"
#include "../host/caps.h"
#include "abi.h"
#include "event.h"

/* struct kvm_run, and the ring of coalesced MMIO */
#define VCPU_MMAP_SIZE	(2 * PAGE_SIZE)
static_assert(KVM_COALESCED_MMIO_PAGE_OFFSET == 1);

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case KVM_GET_API_VERSION:
		return arg ? -EINVAL : KVM_API_VERSION;
	case KVM_CREATE_VM:
		return abi_vm_fd(arg);
	case KVM_CHECK_EXTENSION:
		return abi_check_extension(NULL, arg);
	case KVM_GET_VCPU_MMAP_SIZE:
		return arg ? -EINVAL : VCPU_MMAP_SIZE;
	case KVM_TRACE_ENABLE:
	case KVM_TRACE_PAUSE:
	case KVM_TRACE_DISABLE:
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = dev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice dev = { .fops = &dev_fops };

int abi_dev_init(const char *name)
{
	dev.name = name;
	dev.minor = strcmp(name, "kvm") ? MISC_DYNAMIC_MINOR : KVM_MINOR;
	return misc_register(&dev);
}

void abi_dev_fini(void)
{
	misc_deregister(&dev);
}
