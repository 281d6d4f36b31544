// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm.h"

#define CORE_REG(field)							\
	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE |		\
	 KVM_REG_ARM_CORE_REG(field))

/* A type of 0 asks for this many bits of guest-physical address. */
#define DEFAULT_IPA_BITS	40

int vm_ioctl(int fd, unsigned long request, const void *arg)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

static int vm_ioctl_value(int fd, unsigned long request, unsigned long value)
{
	return vm_ioctl(fd, request, (const void *)value);
}

/*
 * Hosts with a small physical address space refuse a type of 0, so ask for
 * what they have. Api.rst, KVM_CREATE_VM.
 */
static int create_vm(int kvm)
{
	int bits = vm_ioctl_value(kvm, KVM_CHECK_EXTENSION,
				  KVM_CAP_ARM_VM_IPA_SIZE);

	if (bits <= 0 || bits >= DEFAULT_IPA_BITS)
		bits = 0;
	return vm_ioctl_value(kvm, KVM_CREATE_VM, bits);
}

static int open_vm(struct vm *vm, const char *device)
{
	int ret;

	vm->kvm = open(device, O_RDWR | O_CLOEXEC);
	if (vm->kvm < 0)
		return -errno;
	ret = vm_ioctl(vm->kvm, KVM_GET_API_VERSION, NULL);
	if (ret < 0)
		return ret;
	if (ret != KVM_API_VERSION)
		return -EPROTO;
	ret = vm_ioctl(vm->kvm, KVM_GET_VCPU_MMAP_SIZE, NULL);
	if (ret < 0)
		return ret;
	if ((size_t)ret < sizeof(struct kvm_run))
		return -EPROTO;
	vm->run_size = ret;
	vm->fd = create_vm(vm->kvm);
	return vm->fd < 0 ? vm->fd : 0;
}

int vm_init(struct vm *vm, const char *device)
{
	int ret;

	memset(vm, 0, sizeof(*vm));
	vm->kvm = -1;
	vm->fd = -1;
	vm->gic = -1;
	ret = open_vm(vm, device);
	if (ret)
		vm_fini(vm);
	return ret;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vm_fini(struct vm *vm)
{
	for (; vm->nr_vcpus; vm->nr_vcpus--) {
		struct vcpu *vcpu = &vm->vcpu[vm->nr_vcpus - 1];

		munmap(vcpu->run, vm->run_size);
		close_fd(&vcpu->fd);
	}
	close_fd(&vm->gic);
	close_fd(&vm->fd);
	close_fd(&vm->kvm);
	for (; vm->nr_slots; vm->nr_slots--) {
		struct vm_slot *slot = &vm->slot[vm->nr_slots - 1];

		munmap(slot->host, slot->size);
	}
}

int vm_capability(const struct vm *vm, unsigned int cap)
{
	int ret = vm_ioctl_value(vm->fd, KVM_CHECK_EXTENSION, cap);

	return ret < 0 ? 0 : ret;
}

int vm_enable(const struct vm *vm, unsigned int cap, uint64_t arg)
{
	struct kvm_enable_cap enable = { .cap = cap, .args = { arg } };

	return vm_ioctl(vm->fd, KVM_ENABLE_CAP, &enable);
}

int vm_add_memory(struct vm *vm, uint64_t guest, size_t size, uint32_t flags)
{
	struct kvm_userspace_memory_region region = {
		.slot = vm->nr_slots,
		.flags = flags,
		.guest_phys_addr = guest,
		.memory_size = size,
	};
	void *host;
	int ret;

	if (vm->nr_slots == VM_MAX_SLOTS)
		return -ENOSPC;
	host = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED)
		return -errno;
	region.userspace_addr = (uintptr_t)host;
	ret = vm_ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &region);
	if (ret < 0) {
		munmap(host, size);
		return ret;
	}
	vm->slot[vm->nr_slots++] = (struct vm_slot){
		.host = host, .size = size, .guest = guest, .flags = flags,
	};
	return 0;
}

int vm_take_memory(struct vm *vm, struct vm *from)
{
	for (; vm->nr_slots < from->nr_slots; vm->nr_slots++) {
		const struct vm_slot *slot = &from->slot[vm->nr_slots];
		struct kvm_userspace_memory_region region = {
			.slot = vm->nr_slots,
			.flags = slot->flags,
			.guest_phys_addr = slot->guest,
			.memory_size = slot->size,
			.userspace_addr = (uintptr_t)slot->host,
		};
		int ret = vm_ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &region);

		if (ret < 0)
			return ret;
		vm->slot[vm->nr_slots] = *slot;
	}
	from->nr_slots = 0;
	return 0;
}

void *vm_host(const struct vm *vm, uint64_t guest, size_t size)
{
	unsigned int i;

	for (i = 0; i < vm->nr_slots; i++) {
		const struct vm_slot *slot = &vm->slot[i];
		uint64_t offset = guest - slot->guest;

		if (guest >= slot->guest && offset < slot->size &&
		    size <= slot->size - offset)
			return (char *)slot->host + offset;
	}
	return NULL;
}

/*
 * Byte by byte, since it may be code: for a vector store QEMU 7.2's emulation
 * forgets only what it had translated at the vector's first byte, and a guest
 * loaded where another was would run parts of that one.
 */
int vm_write(struct vm *vm, uint64_t guest, const void *data, size_t size)
{
	volatile unsigned char *host = vm_host(vm, guest, size);
	const unsigned char *from = data;
	size_t i;

	if (!host)
		return -EFAULT;
	for (i = 0; i < size; i++)
		host[i] = from[i];
	return 0;
}

static int finalize_vcpu(const struct vcpu *vcpu)
{
	int feature = KVM_ARM_VCPU_SVE;

	return vm_ioctl(vcpu->fd, KVM_ARM_VCPU_FINALIZE, &feature);
}

static int init_vcpu(const struct vm *vm, const struct vcpu *vcpu,
		     uint32_t features)
{
	struct kvm_vcpu_init init;
	int ret;

	ret = vm_ioctl(vm->fd, KVM_ARM_PREFERRED_TARGET, &init);
	if (ret < 0)
		return ret;
	init.features[0] |= VM_FEATURE(PSCI_0_2) | features;
	ret = vm_ioctl(vcpu->fd, KVM_ARM_VCPU_INIT, &init);
	if (!ret && features & VM_FEATURE(SVE))
		ret = finalize_vcpu(vcpu);
	return ret;
}

int vm_add_vcpu(struct vm *vm, uint32_t features)
{
	struct vcpu *vcpu = &vm->vcpu[vm->nr_vcpus];
	int ret;

	if (vm->nr_vcpus == VM_MAX_VCPUS)
		return -ENOSPC;
	vcpu->id = vm->nr_vcpus;
	vcpu->fd = vm_ioctl_value(vm->fd, KVM_CREATE_VCPU, vcpu->id);
	if (vcpu->fd < 0)
		return vcpu->fd;
	vcpu->run = mmap(NULL, vm->run_size, PROT_READ | PROT_WRITE,
			 MAP_SHARED, vcpu->fd, 0);
	if (vcpu->run == MAP_FAILED) {
		ret = -errno;
		goto err_close;
	}
	ret = init_vcpu(vm, vcpu, features);
	if (ret < 0)
		goto err_unmap;
	vm->nr_vcpus++;
	return 0;

err_unmap:
	munmap(vcpu->run, vm->run_size);
err_close:
	close_fd(&vcpu->fd);
	return ret;
}

static int gic_set(int gic, uint32_t group, uint64_t attr, const void *value)
{
	struct kvm_device_attr set = {
		.group = group, .attr = attr, .addr = (uintptr_t)value,
	};

	return vm_ioctl(gic, KVM_SET_DEVICE_ATTR, &set);
}

static int setup_vgic(int gic, uint64_t dist, uint64_t redist, uint32_t irqs)
{
	int ret;

	ret = gic_set(gic, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0, &irqs);
	if (ret < 0)
		return ret;
	ret = gic_set(gic, KVM_DEV_ARM_VGIC_GRP_ADDR,
		      KVM_VGIC_V3_ADDR_TYPE_DIST, &dist);
	if (ret < 0)
		return ret;
	ret = gic_set(gic, KVM_DEV_ARM_VGIC_GRP_ADDR,
		      KVM_VGIC_V3_ADDR_TYPE_REDIST, &redist);
	if (ret < 0)
		return ret;
	return gic_set(gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
		       KVM_DEV_ARM_VGIC_CTRL_INIT, NULL);
}

int vm_add_vgic(struct vm *vm, uint64_t dist, uint64_t redist,
		unsigned int irqs)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	int ret;

	ret = vm_ioctl(vm->fd, KVM_CREATE_DEVICE, &device);
	if (ret < 0)
		return ret;
	vm->gic = device.fd;
	return setup_vgic(vm->gic, dist, redist, irqs);
}

static int irq_line(const struct vm *vm, uint32_t irq, int level)
{
	struct kvm_irq_level line = { .irq = irq, .level = level };

	return vm_ioctl(vm->fd, KVM_IRQ_LINE, &line);
}

int vm_irq_line(const struct vm *vm, unsigned int intid, int level)
{
	return irq_line(vm, KVM_ARM_IRQ_TYPE_SPI << KVM_ARM_IRQ_TYPE_SHIFT |
			intid, level);
}

int vm_ppi_line(const struct vm *vm, unsigned int vcpu, unsigned int intid,
		int level)
{
	return irq_line(vm, KVM_ARM_IRQ_TYPE_PPI << KVM_ARM_IRQ_TYPE_SHIFT |
			vcpu << KVM_ARM_IRQ_VCPU_SHIFT | intid, level);
}

int vcpu_get(const struct vcpu *vcpu, uint64_t reg, void *value)
{
	struct kvm_one_reg one = { .id = reg, .addr = (uintptr_t)value };

	return vm_ioctl(vcpu->fd, KVM_GET_ONE_REG, &one);
}

int vcpu_set(const struct vcpu *vcpu, uint64_t reg, const void *value)
{
	struct kvm_one_reg one = { .id = reg, .addr = (uintptr_t)value };

	return vm_ioctl(vcpu->fd, KVM_SET_ONE_REG, &one);
}

int vcpu_get_pc(const struct vcpu *vcpu, uint64_t *pc)
{
	return vcpu_get(vcpu, CORE_REG(regs.pc), pc);
}

int vcpu_set_pc(const struct vcpu *vcpu, uint64_t pc)
{
	return vcpu_set(vcpu, CORE_REG(regs.pc), &pc);
}

int vcpu_set_x(const struct vcpu *vcpu, unsigned int n, uint64_t value)
{
	/* x0 to x30 follow one another, two 32-bit words each. */
	if (n > 30)
		return -EINVAL;
	return vcpu_set(vcpu, CORE_REG(regs.regs[0]) + 2 * n, &value);
}

int vcpu_run(const struct vcpu *vcpu)
{
	int ret = ioctl(vcpu->fd, KVM_RUN, 0);

	return ret < 0 ? -errno : (int)vcpu->run->exit_reason;
}
