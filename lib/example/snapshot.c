// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot: a virtual machine's state is saved, and restored to another one.
 *
 *	snapshot [DEVICE]
 *
 * Makes a machine of two vCPUs and a GICv3, gives x0 of its vCPUs values,
 * saves all to an image, prints a few of its values, and restores it to a
 * second machine, where x0 is looked at. On any KVM of an arm64 host.
 */
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../libtern.h"

#define VCPUS	2
#define X0	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
		 KVM_REG_ARM_CORE_REG(regs.regs[0]))

struct machine {
	int vm;
	int vcpu[VCPUS];
	int gic;
	struct tern_vm *handle;
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void fail_with(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, strerror(-error));
	exit(1);
}

static int must(const char *what, int ret)
{
	if (ret < 0)
		fail(what);
	return ret;
}

static void gic_set(int gic, uint32_t group, uint64_t attr, const void *value)
{
	struct kvm_device_attr set = {
		.group = group, .attr = attr, .addr = (uintptr_t)value,
	};

	must("GIC", ioctl(gic, KVM_SET_DEVICE_ATTR, &set));
}

static void add_gic(struct machine *m)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	uint64_t dist = 0x08000000, redist = 0x080a0000;

	must("KVM_CREATE_DEVICE", ioctl(m->vm, KVM_CREATE_DEVICE, &device));
	m->gic = device.fd;
	gic_set(m->gic, KVM_DEV_ARM_VGIC_GRP_ADDR, KVM_VGIC_V3_ADDR_TYPE_DIST,
		&dist);
	gic_set(m->gic, KVM_DEV_ARM_VGIC_GRP_ADDR,
		KVM_VGIC_V3_ADDR_TYPE_REDIST, &redist);
	gic_set(m->gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
		KVM_DEV_ARM_VGIC_CTRL_INIT, NULL);
}

static void make(struct machine *m, int kvm)
{
	struct kvm_vcpu_init init;
	int i, ret;

	m->vm = must("KVM_CREATE_VM", ioctl(kvm, KVM_CREATE_VM, 0));
	must("target", ioctl(m->vm, KVM_ARM_PREFERRED_TARGET, &init));
	init.features[0] |= 1u << KVM_ARM_VCPU_PSCI_0_2;
	for (i = 0; i < VCPUS; i++) {
		m->vcpu[i] = must("KVM_CREATE_VCPU",
				  ioctl(m->vm, KVM_CREATE_VCPU, i));
		must("KVM_ARM_VCPU_INIT",
		     ioctl(m->vcpu[i], KVM_ARM_VCPU_INIT, &init));
	}
	add_gic(m);

	ret = tern_vm_new(&m->handle, m->vm);
	for (i = 0; !ret && i < VCPUS; i++)
		ret = tern_vm_add_vcpu(m->handle, i, m->vcpu[i]);
	if (!ret)
		ret = tern_vm_set_gic(m->handle, m->gic);
	if (ret)
		fail_with("libtern", ret);
}

static void x0(const struct machine *m, int vcpu, unsigned long request,
	       uint64_t *value)
{
	struct kvm_one_reg reg = { .id = X0, .addr = (uintptr_t)value };

	must("x0", ioctl(m->vcpu[vcpu], request, &reg));
}

static void print_image(const void *image, size_t size)
{
	struct tern_value value = { 0 };
	unsigned int n = 0;

	while (tern_image_next(image, size, &value) == 1)
		if (n++ % 200 == 0)
			printf("vCPU %2d  %016llx  %llx\n", (int)value.vcpu,
			       (unsigned long long)value.id,
			       *(unsigned long long *)value.value);
	printf("%u values\n", n);
}

int main(int argc, char **argv)
{
	struct tern_failure failure;
	struct machine from, to;
	uint64_t value = 42;
	ssize_t size;
	void *image;
	int kvm, ret;

	kvm = must("open", open(argc > 1 ? argv[1] : "/dev/kvm",
				O_RDWR | O_CLOEXEC));
	make(&from, kvm);
	make(&to, kvm);
	x0(&from, 1, KVM_SET_ONE_REG, &value);

	size = tern_save_vm(from.handle, NULL, 0);
	if (size < 0)
		fail_with("tern_save_vm", size);
	image = malloc(size);
	if (!image)
		fail("malloc");
	size = tern_save_vm(from.handle, image, size);
	if (size < 0)
		fail_with("tern_save_vm", size);
	print_image(image, size);

	ret = tern_restore(to.handle, image, size, &failure);
	if (ret) {
		fprintf(stderr, "vCPU %d, register %llx: ", (int)failure.vcpu,
			(unsigned long long)failure.id);
		fail_with("tern_restore", ret);
	}
	x0(&to, 1, KVM_GET_ONE_REG, &value);
	printf("restored: x0 of vCPU 1 is %llu\n", (unsigned long long)value);
	tern_vm_free(from.handle);
	tern_vm_free(to.handle);
	free(image);
	return value == 42 ? 0 : 1;
}
