/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only file that knows kernel versions: what the host calls things.
 */
#ifndef TERN_HOST_COMPAT_H
#define TERN_HOST_COMPAT_H

#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/eventfd.h>
#include <linux/cpuhotplug.h>
#include <linux/irq.h>
#include <linux/kernel_stat.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <asm/cpufeature.h>

/*
 * CPU hotplug states whose callbacks run on the CPU itself, before any task
 * does and after the last one has gone. Built-in KVM, whose they are, is off.
 * Coming up the order is hyp, vCPUs, timers; going down the reverse.
 */
#define COMPAT_CPUHP_HYP	CPUHP_AP_KVM_STARTING
#define COMPAT_CPUHP_VCPU	CPUHP_AP_KVM_ARM_VGIC_STARTING
#define COMPAT_CPUHP_TIMER	CPUHP_AP_KVM_ARM_TIMER_STARTING

/** compat_has_speculative_at() - the CPUs have the speculative-AT erratum */
static inline bool compat_has_speculative_at(void)
{
#ifdef CONFIG_ARM64_WORKAROUND_SPECULATIVE_AT
	return cpus_have_const_cap(ARM64_WORKAROUND_SPECULATIVE_AT);
#else
	return false;
#endif
}

/** compat_has_ptrauth() - the kernel uses pointer authentication, of one kind on all CPUs */
static inline bool compat_has_ptrauth(void)
{
	return system_supports_address_auth() && system_supports_generic_auth();
}

static inline bool compat_has_ras(void)
{
	return cpus_have_const_cap(ARM64_HAS_RAS_EXTN);
}

static inline bool compat_has_mismatched_cache(void)
{
	return cpus_have_const_cap(ARM64_MISMATCHED_CACHE_TYPE);
}

/** compat_has_slow_ack() - interrupts must be acknowledged in some other way than by one read of ICC_IAR1_EL1 */
static inline bool compat_has_slow_ack(void)
{
	return cpus_have_const_cap(ARM64_WORKAROUND_CAVIUM_23154);
}

/** compat_count_irq() - a per-CPU interrupt was taken here: /proc/interrupts, /proc/stat */
static __always_inline void compat_count_irq(struct irq_desc *desc)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
	__this_cpu_inc(*desc->kstat_irqs);
#else
	__this_cpu_inc(desc->kstat_irqs->cnt);
#endif
	__this_cpu_inc(kstat.irqs_sum);
}

/** compat_eventfd_signal() - add one to an eventfd; any context */
static inline void compat_eventfd_signal(struct eventfd_ctx *ctx)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
	eventfd_signal(ctx, 1);
#else
	eventfd_signal(ctx);
#endif
}

/** compat_cpu_root() - /sys/devices/system/cpu, or NULL; compat_cpu_root_put() when done */
static inline struct device *compat_cpu_root(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return get_device(cpu_subsys.dev_root);
#else
	return bus_get_dev_root(&cpu_subsys);
#endif
}

static inline void compat_cpu_root_put(struct device *dev)
{
	put_device(dev);
}

#ifdef CONFIG_BLK_CGROUP
/** compat_throttled() - block I/O made the current thread wait before it returns to user space */
static inline bool compat_throttled(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	return current->throttle_queue;
#else
	return current->throttle_disk;
#endif
}
#endif

/** compat_get_pair() - get_user() of two words that follow each other, looked at once. Return: 0 or -EFAULT */
static __always_inline int compat_get_pair(const void __user *from, u64 *first, u64 *second)
{
	const u64 __user *p = from;
	int err = 0;

	might_fault();
	if (unlikely(!access_ok(p, 2 * sizeof(*p))))
		return -EFAULT;
	p = uaccess_mask_ptr(p);
	__raw_get_user(*first, p, err);
	__raw_get_user(*second, p + 1, err);
	return err;
}

#endif
