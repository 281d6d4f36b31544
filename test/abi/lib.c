// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>

#include "lib.h"

/* Emulated machines are slow; none of the tests takes a tenth of this. */
#define DEADLINE	120

__attribute__((constructor)) static void set_deadline(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	alarm(DEADLINE);
}

static const char *value_name(long value)
{
	return value < 0 ? strerror((int)-value) : "success";
}

void expect_at(const char *file, int line, const char *call, long got,
	       long want)
{
	if (got == want)
		return;
	printf("%s:%d: %s: got %ld (%s), want %ld (%s)\n", file, line, call,
	       got, value_name(got), want, value_name(want));
	exit(1);
}

void check_at(const char *file, int line, const char *text, bool holds)
{
	if (holds)
		return;
	printf("%s:%d: not so: %s\n", file, line, text);
	exit(1);
}

long good_at(const char *file, int line, const char *call, long got)
{
	if (got >= 0)
		return got;
	printf("%s:%d: %s: got %ld (%s)\n", file, line, call, got,
	       value_name(got));
	exit(1);
}

void skip(const char *why)
{
	printf("skipped: %s\n", why);
	exit(77);
}

int ask(int fd, unsigned long request, unsigned long value)
{
	return vm_ioctl(fd, request, (const void *)value);
}

void *bad_pointer(void)
{
	static void *hole;

	if (!hole) {
		hole = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
		CHECK(hole != MAP_FAILED);
	}
	return hole;
}

const char *device_path(void)
{
	const char *path = getenv("TERN_DEVICE");

	return path ? path : "/dev/kvm";
}

int open_device(void)
{
	int fd = open(device_path(), O_RDWR | O_CLOEXEC);

	return GOOD(fd < 0 ? -errno : fd);
}

unsigned int ipa_limit(int kvm)
{
	return GOOD(ask(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_VM_IPA_SIZE));
}

int new_vm(int kvm)
{
	unsigned int bits = ipa_limit(kvm);

	return GOOD(ask(kvm, KVM_CREATE_VM, bits < 40 ? bits : 0));
}

void preferred_target(int vm, struct kvm_vcpu_init *init)
{
	memset(init, 0xff, sizeof(*init));
	EXPECT(vm_ioctl(vm, KVM_ARM_PREFERRED_TARGET, init), 0);
}

int new_vcpu(int vm, unsigned long id)
{
	return GOOD(ask(vm, KVM_CREATE_VCPU, id));
}

int init_vcpu(int vm, int vcpu, uint32_t features)
{
	struct kvm_vcpu_init init;

	preferred_target(vm, &init);
	init.features[0] = features | VM_FEATURE(PSCI_0_2);
	return vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, &init);
}

struct kvm_run *map_run(int kvm, int vcpu)
{
	size_t size = GOOD(ask(kvm, KVM_GET_VCPU_MMAP_SIZE, 0));
	struct kvm_run *run;

	run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu, 0);
	CHECK(run != MAP_FAILED);
	return run;
}

int set_slot(int vm, uint32_t slot, uint32_t flags, uint64_t guest,
	     uint64_t size, const void *host)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot,
		.flags = flags,
		.guest_phys_addr = guest,
		.memory_size = size,
		.userspace_addr = (uintptr_t)host,
	};

	return vm_ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region);
}

void *pages(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(memory != MAP_FAILED);
	return memory;
}

int new_gic(int vm)
{
	struct kvm_create_device create = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };

	EXPECT(vm_ioctl(vm, KVM_CREATE_DEVICE, &create), 0);
	return create.fd;
}

static int attr_ioctl(int fd, unsigned long request, uint32_t group,
		      uint64_t attr, const void *value)
{
	struct kvm_device_attr set = {
		.group = group, .attr = attr, .addr = (uintptr_t)value,
	};

	return vm_ioctl(fd, request, &set);
}

int set_attr(int fd, uint32_t group, uint64_t attr, const void *value)
{
	return attr_ioctl(fd, KVM_SET_DEVICE_ATTR, group, attr, value);
}

int get_attr(int fd, uint32_t group, uint64_t attr, void *value)
{
	return attr_ioctl(fd, KVM_GET_DEVICE_ATTR, group, attr, value);
}

int has_attr(int fd, uint32_t group, uint64_t attr)
{
	return attr_ioctl(fd, KVM_HAS_DEVICE_ATTR, group, attr, NULL);
}

void make_bare(struct vm *vm, unsigned int vcpus)
{
	unsigned int i;

	GOOD(vm_init(vm, device_path()));
	GOOD(vm_add_memory(vm, RAM_BASE, RAM_SIZE, 0));
	for (i = 0; i < vcpus; i++) {
		GOOD(vm_add_vcpu(vm, 0));
		GOOD(vcpu_set_pc(&vm->vcpu[i], RAM_BASE));
		GOOD(vcpu_set_x(&vm->vcpu[i], 0, i));
	}
}

void make_machine(struct vm *vm, unsigned int vcpus)
{
	make_bare(vm, vcpus);
	GOOD(vm_add_vgic(vm, DIST_BASE, REDIST_BASE, 96));
}

void load_guest(struct vm *vm, const void *code, size_t size)
{
	GOOD(vm_write(vm, RAM_BASE, code, size));
}

void expect_exit(struct vcpu *vcpu, unsigned int reason)
{
	int got = vcpu_run(vcpu);
	uint64_t pc = 0;

	if (got == (int)reason)
		return;
	vcpu_get_pc(vcpu, &pc);
	printf("vCPU %u: KVM_RUN gave %d (%s), want exit %u; pc %#llx\n",
	       vcpu->id, got, value_name(got), reason, (unsigned long long)pc);
	exit(1);
}

void finish_exit(struct vcpu *vcpu)
{
	vcpu->run->immediate_exit = 1;
	EXPECT(vcpu_run(vcpu), -EINTR);
	vcpu->run->immediate_exit = 0;
}

uint64_t next_report(struct vcpu *vcpu)
{
	uint64_t value;

	expect_exit(vcpu, KVM_EXIT_MMIO);
	EXPECT(vcpu->run->mmio.phys_addr, DOORBELL);
	EXPECT(vcpu->run->mmio.is_write, 1);
	EXPECT(vcpu->run->mmio.len, 8);
	memcpy(&value, vcpu->run->mmio.data, sizeof(value));
	return value;
}
