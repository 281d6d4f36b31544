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

/* struct kvm_run, and nothing behind it */
#define VCPU_MMAP_SIZE	PAGE_SIZE

static long nr_vcpus_advised(void)
{
	return min_t(long, num_online_cpus(), VM_MAX_VCPUS);
}

/* The answers are built-in KVM's for the features that tern has. */
long abi_check_extension(const struct tern_vm *vm, unsigned long cap)
{
	switch (cap) {
	case KVM_CAP_USER_MEMORY:
	case KVM_CAP_DESTROY_MEMORY_REGION_WORKS:
	case KVM_CAP_JOIN_MEMORY_REGIONS_WORKS:
	case KVM_CAP_INTERNAL_ERROR_DATA:
	case KVM_CAP_IRQCHIP:
	case KVM_CAP_IRQFD:
	case KVM_CAP_IRQFD_RESAMPLE:
	case KVM_CAP_SIGNAL_MSI:
	case KVM_CAP_IOEVENTFD:
	case KVM_CAP_IOEVENTFD_ANY_LENGTH:
	case KVM_CAP_CHECK_EXTENSION_VM:
	case KVM_CAP_ENABLE_CAP_VM:
	case KVM_CAP_DEVICE_CTRL:
	case KVM_CAP_SYNC_MMU:
	case KVM_CAP_ONE_REG:
	case KVM_CAP_ARM_PSCI:
	case KVM_CAP_ARM_PSCI_0_2:
	case KVM_CAP_READONLY_MEM:
	case KVM_CAP_MP_STATE:
	case KVM_CAP_IMMEDIATE_EXIT:
	case KVM_CAP_VCPU_EVENTS:
	case KVM_CAP_VCPU_ATTRIBUTES:
	case KVM_CAP_ARM_IRQ_LINE_LAYOUT_2:
	case KVM_CAP_ARM_NISV_TO_USER:
	case KVM_CAP_ARM_INJECT_EXT_DABT:
	case KVM_CAP_ARM_SYSTEM_SUSPEND:
	case KVM_CAP_SYSTEM_EVENT_DATA:
	case KVM_CAP_PTP_KVM:
	case KVM_CAP_ARM_SET_DEVICE_ADDR:
	case KVM_CAP_ARM_USER_IRQ:
	case KVM_CAP_SET_GUEST_DEBUG:
		return 1;
	case KVM_CAP_SET_GUEST_DEBUG2:
		return EXIT_DEBUG_CONTROLS;
	case KVM_CAP_GUEST_DEBUG_HW_BPS:
		return hyp_debug_breakpoints();
	case KVM_CAP_GUEST_DEBUG_HW_WPS:
		return hyp_debug_watchpoints();
	case KVM_CAP_MSI_DEVID:
		return vm ? vgic_has_its(&vm->vgic) : -EINVAL;
	case KVM_CAP_NR_VCPUS:
		return nr_vcpus_advised();
	case KVM_CAP_MAX_VCPUS:
	case KVM_CAP_MAX_VCPU_ID:
		return VM_MAX_VCPUS;
	case KVM_CAP_NR_MEMSLOTS:
		return MEM_MAX_SLOTS;
	case KVM_CAP_IRQ_ROUTING:
		return EVENT_MAX_ROUTES;
	case KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2:
		return MEM_DIRTY_LOG_CAPS;
	case KVM_CAP_ARM_VM_IPA_SIZE:
		return host_caps.ipa_bits;
	case KVM_CAP_ARM_INJECT_SERROR_ESR:
		return host_caps.ras;
	case KVM_CAP_ARM_PTRAUTH_ADDRESS:
	case KVM_CAP_ARM_PTRAUTH_GENERIC:
		return host_caps.ptrauth;
	case KVM_CAP_STEAL_TIME:
		return fw_pvtime_supported();
	default:
		return 0;
	}
}

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

static struct miscdevice dev = { .fops = &dev_fops, .mode = 0666 };

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
