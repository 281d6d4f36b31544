// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded behind libtern-preload.so it makes of any KVM one that has tern's
 * calls for many registers, a register at a time: what the library does with
 * them can so be tried where tern is not.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../../../uapi/tern.h"

static __typeof__(&syscall) next;

static long kernel(int fd, unsigned long request, const void *arg)
{
	return next(SYS_ioctl, fd, request, arg);
}

static long regs(int fd, unsigned long request, struct tern_regs *many)
{
	long ret = 0;
	uint32_t i;

	for (i = 0; ret >= 0 && i < many->n; i++)
		ret = kernel(fd, request, &many->reg[i]);
	many->failed = ret < 0 ? i - 1 : TERN_NO_INDEX;
	return ret;
}

static long batch(int fd, unsigned long request, struct tern_vgic_batch *many)
{
	struct kvm_device_attr attr = { 0 };
	struct tern_vgic_reg *reg;
	uint32_t i;
	long ret = 0;

	for (i = 0; ret >= 0 && i < many->n; i++) {
		reg = &many->reg[i];
		attr.group = reg->group;
		attr.attr = reg->attr;
		attr.addr = (uintptr_t)&reg->val;
		ret = kernel(fd, request, &attr);
	}
	many->failed = ret < 0 ? i - 1 : TERN_NO_INDEX;
	return ret;
}

/* Is that struct there, and a batch? The program may point anywhere. */
static bool is_batch(void *arg, struct kvm_device_attr *attr)
{
	struct iovec from = { arg, sizeof(*attr) }, to = { attr, sizeof(*attr) };

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) ==
		       sizeof(*attr) &&
	       attr->group == TERN_DEV_VGIC_GRP_BATCH;
}

static long fake(int fd, unsigned long request, void *arg)
{
	struct kvm_device_attr attr;

	switch (request) {
	case KVM_CHECK_EXTENSION:
		if ((uintptr_t)arg == TERN_CAP_MANY)
			return TERN_MAX_REGS;
		if ((uintptr_t)arg == TERN_CAP_VGIC_BATCH)
			return TERN_MAX_VGIC_REGS;
		break;
	case TERN_GET_REGS:
		return regs(fd, KVM_GET_ONE_REG, arg);
	case TERN_SET_REGS:
		return regs(fd, KVM_SET_ONE_REG, arg);
	case KVM_GET_DEVICE_ATTR:
	case KVM_SET_DEVICE_ATTR:
		if (is_batch(arg, &attr))
			return batch(fd, request, (void *)(uintptr_t)attr.addr);
		break;
	}
	return kernel(fd, request, arg);
}

__attribute__((visibility("default")))
long syscall(long number, ...)
{
	unsigned long a[6];
	va_list list;
	int i;

	if (!next)
		next = (__typeof__(next))dlsym(RTLD_NEXT, "syscall");
	va_start(list, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	if (number == SYS_ioctl)
		return fake(a[0], a[1], (void *)a[2]);
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
