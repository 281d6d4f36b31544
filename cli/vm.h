/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small virtual machine made with nothing but the KVM ABI: the measuring
 * client, the guest tests and the ABI tests are built on it.
 *
 * Functions return 0 (or a file descriptor, or an exit reason) when they
 * succeed and a negative errno when they fail; none prints, none exits.
 * vm_fini() may be called on a struct vm that any of them left half made.
 */
#ifndef TERN_CLI_VM_H
#define TERN_CLI_VM_H

#include <linux/kvm.h>
#include <stddef.h>
#include <stdint.h>

#define VM_MAX_VCPUS	512
#define VM_MAX_SLOTS	8

struct vcpu {
	int fd;
	unsigned int id;
	struct kvm_run *run;
};

struct vm_slot {
	void *host;
	size_t size;
	uint64_t guest;
	uint32_t flags;
};

struct vm {
	int kvm;		/* the open /dev/kvm */
	int fd;
	int gic;		/* -1 without one */
	size_t run_size;
	unsigned int nr_vcpus;
	unsigned int nr_slots;
	struct vcpu vcpu[VM_MAX_VCPUS];
	struct vm_slot slot[VM_MAX_SLOTS];
};

/* Features a vCPU is initialised with: bit KVM_ARM_VCPU_x of the KVM ABI. */
#define VM_FEATURE(x)	(1u << (KVM_ARM_VCPU_##x))

/* open the device, check KVM_GET_API_VERSION, create a VM */
int vm_init(struct vm *vm, const char *device);
void vm_fini(struct vm *vm);

/* the value of KVM_CHECK_EXTENSION on the VM, 0 when absent */
int vm_capability(const struct vm *vm, unsigned int cap);
int vm_enable(const struct vm *vm, unsigned int cap, uint64_t arg);

/* fresh zeroed memory in the next free slot; flags are KVM_MEM_x */
int vm_add_memory(struct vm *vm, uint64_t guest, size_t size, uint32_t flags);
/* the memory of another VM, which gives it up: to be called before vm_add_memory() */
int vm_take_memory(struct vm *vm, struct vm *from);
/* copies in, whatever the slot's flags; -EFAULT when it is not all backed */
int vm_write(struct vm *vm, uint64_t guest, const void *data, size_t size);
/* the host address of [guest, guest + size), NULL when it is not all backed */
void *vm_host(const struct vm *vm, uint64_t guest, size_t size);

/* vCPU number nr_vcpus: preferred target, PSCI 0.2 or later, and features */
int vm_add_vcpu(struct vm *vm, uint32_t features);

/* after the last vCPU: a GICv3 at these addresses with irqs interrupts */
int vm_add_vgic(struct vm *vm, uint64_t dist, uint64_t redist,
		unsigned int irqs);
/* wired interrupt of the distributor, intid 32 and above */
int vm_irq_line(const struct vm *vm, unsigned int intid, int level);
/* private interrupt (16 to 31) of one vCPU */
int vm_ppi_line(const struct vm *vm, unsigned int vcpu, unsigned int intid,
		int level);

int vcpu_get(const struct vcpu *vcpu, uint64_t reg, void *value);
int vcpu_set(const struct vcpu *vcpu, uint64_t reg, const void *value);
int vcpu_get_pc(const struct vcpu *vcpu, uint64_t *pc);
int vcpu_set_pc(const struct vcpu *vcpu, uint64_t pc);
int vcpu_set_x(const struct vcpu *vcpu, unsigned int n, uint64_t value);

/* one KVM_RUN: the exit reason, or a negative errno (-EINTR: signalled) */
int vcpu_run(const struct vcpu *vcpu);

/* ioctl with the negative errno of this project as its failure */
int vm_ioctl(int fd, unsigned long request, const void *arg);

#endif
