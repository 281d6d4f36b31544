// SPDX-License-Identifier: GPL-2.0
/* The system calls: registers one at a time, or many by tern's own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "lib.h"

int lib_ioctl(int fd, unsigned long request, const void *arg)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

int lib_capability(int vm_fd, unsigned int cap)
{
	int ret = lib_ioctl(vm_fd, KVM_CHECK_EXTENSION,
			    (const void *)(uintptr_t)cap);

	return ret < 0 ? 0 : ret;
}

int lib_get_reg(int vcpu_fd, uint64_t id, void *value)
{
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)value };

	return lib_ioctl(vcpu_fd, KVM_GET_ONE_REG, &reg);
}

int lib_gic_attr(int gic_fd, bool write, uint32_t group, uint64_t attr,
		 void *value)
{
	struct kvm_device_attr a = {
		.group = group, .attr = attr, .addr = (uintptr_t)value,
	};

	return lib_ioctl(gic_fd, write ? KVM_SET_DEVICE_ATTR :
			 KVM_GET_DEVICE_ATTR, &a);
}

static int regs_singly(int fd, bool write, const struct kvm_one_reg *reg,
		       uint32_t n, uint32_t *failed)
{
	uint32_t i;
	int ret;

	for (i = 0; i < n; i++) {
		ret = lib_ioctl(fd, write ? KVM_SET_ONE_REG : KVM_GET_ONE_REG,
				&reg[i]);
		if (ret < 0) {
			*failed = i;
			return ret;
		}
	}
	return 0;
}

static int regs_at_once(int fd, bool write, const struct kvm_one_reg *reg,
			uint32_t n, uint32_t *failed)
{
	struct tern_regs *regs = malloc(sizeof(*regs) + n * sizeof(*reg));
	int ret;

	*failed = n;
	if (!regs)
		return -ENOMEM;
	*regs = (struct tern_regs){ .n = n, .failed = TERN_NO_INDEX };
	memcpy(regs->reg, reg, n * sizeof(*reg));
	ret = lib_ioctl(fd, write ? TERN_SET_REGS : TERN_GET_REGS, regs);
	if (ret < 0 && regs->failed < n)
		*failed = regs->failed;
	free(regs);
	return ret < 0 ? ret : 0;
}

int lib_regs(int vcpu_fd, bool many, bool write, const struct kvm_one_reg *reg,
	     uint32_t n, uint32_t *failed)
{
	uint32_t done, part;
	int ret = 0;

	if (!many)
		return regs_singly(vcpu_fd, write, reg, n, failed);
	for (done = 0; !ret && done < n; done += part) {
		part = n - done < TERN_MAX_REGS ? n - done : TERN_MAX_REGS;
		ret = regs_at_once(vcpu_fd, write, reg + done, part, failed);
		if (ret)
			*failed = *failed < part ? done + *failed : n;
	}
	return ret;
}

static bool gic_is_wide(const struct tern_vgic_reg *reg)
{
	return reg->group == KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS;
}

static int gic_singly(int fd, bool write, struct tern_vgic_reg *reg,
		      uint32_t n, uint32_t *failed)
{
	uint32_t i, word;
	int ret;

	for (i = 0; i < n; i++) {
		word = reg[i].val;
		ret = lib_gic_attr(fd, write, reg[i].group, reg[i].attr,
				   gic_is_wide(&reg[i]) ?
				   (void *)&reg[i].val : &word);
		if (ret < 0) {
			*failed = i;
			return ret;
		}
		if (!write && !gic_is_wide(&reg[i]))
			reg[i].val = word;
	}
	return 0;
}

static int gic_at_once(int fd, bool write, struct tern_vgic_reg *reg,
		       uint32_t n, uint32_t *failed)
{
	size_t size = n * sizeof(*reg);
	struct tern_vgic_batch *batch = malloc(sizeof(*batch) + size);
	int ret;

	*failed = n;
	if (!batch)
		return -ENOMEM;
	*batch = (struct tern_vgic_batch){ .n = n, .failed = TERN_NO_INDEX };
	memcpy(batch->reg, reg, size);
	ret = lib_gic_attr(fd, write, TERN_DEV_VGIC_GRP_BATCH, 0, batch);
	if (ret < 0 && batch->failed < n)
		*failed = batch->failed;
	if (ret >= 0 && !write)
		memcpy(reg, batch->reg, size);
	free(batch);
	return ret < 0 ? ret : 0;
}

int lib_gic_regs(int gic_fd, bool batch, bool write, struct tern_vgic_reg *reg,
		 uint32_t n, uint32_t *failed)
{
	uint32_t done, part;
	int ret = 0;

	if (!batch)
		return gic_singly(gic_fd, write, reg, n, failed);
	for (done = 0; !ret && done < n; done += part) {
		part = n - done < TERN_MAX_VGIC_REGS ?
			n - done : TERN_MAX_VGIC_REGS;
		ret = gic_at_once(gic_fd, write, reg + done, part, failed);
		if (ret)
			*failed = *failed < part ? done + *failed : n;
	}
	return ret;
}
