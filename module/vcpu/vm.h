/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One virtual machine.
 */
#ifndef TERN_VCPU_VM_H
#define TERN_VCPU_VM_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include "../mem/mem.h"
#include "../pmu/pmu.h"
#include "../vgic/vgic.h"
#include "../arch/sysreg.h"
#include "vcpu.h"

#define VM_MAX_VCPUS 512

/**
 * struct tern_vm - a virtual machine
 * @ref:       one for the VM file, one for each vCPU and device file
 * @lock:      creation of vCPUs and devices, VM-wide state; see doc/LOCKING
 * @mm:        the process the VM belongs to
 * @client:    whose ioctls are served, while others answer EIO: @mm, or nobody once the VM is dead
 * @nr_vcpus:  vcpu[0..nr_vcpus) are published (store-release after the pointer)
 * @quiet:     every vCPU is out of KVM_RUN, or asks for VCPU_REQ_LOUD before it does anything; @lock
 * @id_reg:    ID registers the VM's guests read (KVM's values for these features)
 * @creator:   number of the thread that made it, by which its statistics are known
 * @smccc_bmap: KVM_REG_ARM_STD_BMAP and the like
 */
struct tern_vm {
	struct kref ref;
	struct mutex lock;
	struct mm_struct *mm;
	struct mm_struct *client;
	struct mem mem;
	struct vgic vgic;
	u32 nr_vcpus;
	struct tern_vcpu *vcpu[VM_MAX_VCPUS];
	struct timer_vm timer;		/* counter offset, timer interrupt numbers */
	struct pmu_vm pmu;
	bool ran_once;
	bool quiet;
	u32 yielded;			/* yield.c: whose turn it was; a hint */
	bool paused;			/* TERN_PAUSE, for vCPUs to come; @lock */
	bool cap_nisv_to_user;		/* KVM_CAP_ARM_NISV_TO_USER */
	bool has_poll_ns;		/* KVM_CAP_HALT_POLL chose @poll_ns */
	u32 poll_ns;			/* longest look before WFI sleeps; set before @has_poll_ns */
	bool cap_system_suspend;	/* KVM_CAP_ARM_SYSTEM_SUSPEND */
	u64 smccc_std_bmap;
	u64 smccc_std_hyp_bmap;
	u64 smccc_vendor_hyp_bmap;
	u8 pfr0_csv2, pfr0_csv3;
	u32 psci_version;		/* KVM_REG_ARM_PSCI_VERSION; 0: the client never chose (fw/) */
	struct gic_list *gic_own[4];	/* abi/gic_list.c: the GIC's registers that are saved; @lock */
	struct event_vm *event;		/* abi/event.h: irqfds, ioeventfds, routing */
	/* abi/ioeventfd.c: a guest's write to @ipa; true when an eventfd took it */
	bool (*io_write)(struct tern_vm *vm, ipa_t ipa, unsigned int len, u64 val);
	pid_t creator;
	void (*fini)(struct tern_vm *vm);	/* what abi/ attached goes first; may be NULL */
};

struct tern_vm *vm_create(unsigned long type);
void vm_get(struct tern_vm *vm);
void vm_put(struct tern_vm *vm);

static inline u32 vm_nr_vcpus(const struct tern_vm *vm)
{
	return smp_load_acquire(&vm->nr_vcpus);
}

/** vm_serves_current() - false: the ioctl answers EIO. Elsewhere than in its creator a VM's addresses mean nothing. */
static inline bool vm_serves_current(const struct tern_vm *vm)
{
	return likely(READ_ONCE(vm->client) == current->mm);
}

#define vm_for_each_vcpu(i, v, vm) \
	for ((i) = 0; (i) < vm_nr_vcpus(vm) && ((v) = (vm)->vcpu[i], 1); (i)++)

struct tern_vcpu *vm_vcpu_by_id(struct tern_vm *vm, u32 id);
struct tern_vcpu *vm_vcpu_by_mpidr(struct tern_vm *vm, u64 mpidr);

/**
 * vm_quiesce() - every vCPU is out of the guest and its GIC state in memory, until vm->lock, which is held, is dropped
 *
 * Costs nothing while no vCPU has run since the last time: each was left a
 * request that its next KVM_RUN takes first, and that waits for vm->lock.
 * Return: 0, or -EBUSY when a vCPU is in KVM_RUN.
 */
int vm_quiesce(struct tern_vm *vm);
/** vm_disturb() - answer to VCPU_REQ_LOUD */
void vm_disturb(struct tern_vm *vm);

/** vm_make_request() - set @bit on every vCPU and kick it */
void vm_make_request(struct tern_vm *vm, unsigned int bit);

/** vm_die() - it cannot go on: all that is left to do with it is to close it */
void vm_die(struct tern_vm *vm);

#endif
