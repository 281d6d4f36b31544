// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a virtual machine.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include "../host/caps.h"
#include "ident.h"
#include "vm.h"

#define VM_IPA_BITS_DEFAULT	40
#define VM_IPA_BITS_MIN		32

/* KVM_CREATE_VM: the type is the size of the guest-physical address space, 0 for 40 bits. */
static int ipa_bits_of(unsigned long type)
{
	unsigned int bits = KVM_VM_TYPE_ARM_IPA_SIZE(type);

	if (type & ~KVM_VM_TYPE_ARM_IPA_SIZE_MASK)
		return -EINVAL;
	if (!bits)
		bits = VM_IPA_BITS_DEFAULT;
	if (bits < VM_IPA_BITS_MIN || bits > host_caps.ipa_bits)
		return -EINVAL;
	return bits;
}

struct tern_vm *vm_create(unsigned long type)
{
	int bits = ipa_bits_of(type);
	struct tern_vm *vm;
	int err;

	if (bits < 0)
		return ERR_PTR(bits);
	vm = kvzalloc(sizeof(*vm), GFP_KERNEL_ACCOUNT);
	if (!vm)
		return ERR_PTR(-ENOMEM);
	err = mem_vm_init(&vm->mem, current->mm, bits);
	if (err) {
		kvfree(vm);
		return ERR_PTR(err);
	}
	kref_init(&vm->ref);
	mutex_init(&vm->lock);
	vm->mm = current->mm;
	mmgrab(vm->mm);
	vm->client = vm->mm;
	vm->creator = task_pid_nr(current);
	vgic_vm_init(&vm->vgic, bits);
	timer_vm_init(&vm->timer);
	vcpu_ident_vm_init(vm);
	vcpu_fw->vm_init(vm);
	return vm;
}

static void vm_free(struct kref *ref)
{
	struct tern_vm *vm = container_of(ref, struct tern_vm, ref);
	u32 i;

	if (vm->fini)
		vm->fini(vm);
	for (i = 0; i < vm->nr_vcpus; i++)
		vcpu_destroy(vm->vcpu[i]);
	pmu_vm_fini(&vm->pmu);
	vgic_vm_fini(&vm->vgic);
	mem_vm_fini(&vm->mem);
	mmdrop(vm->mm);
	kvfree(vm);
}

void vm_get(struct tern_vm *vm)
{
	kref_get(&vm->ref);
}

void vm_put(struct tern_vm *vm)
{
	kref_put(&vm->ref, vm_free);
}

struct tern_vcpu *vm_vcpu_by_id(struct tern_vm *vm, u32 id)
{
	struct tern_vcpu *v;
	u32 i;

	/* Most clients number vCPUs in the order they make them. */
	if (id < vm_nr_vcpus(vm) && vm->vcpu[id]->id == id)
		return vm->vcpu[id];
	vm_for_each_vcpu(i, v, vm)
		if (v->id == id)
			return v;
	return NULL;
}

#define MPIDR_AFFINITY (GENMASK_ULL(39, 32) | GENMASK_ULL(23, 0))

struct tern_vcpu *vm_vcpu_by_mpidr(struct tern_vm *vm, u64 mpidr)
{
	struct tern_vcpu *v;
	u32 i;

	vm_for_each_vcpu(i, v, vm)
		if (!((READ_ONCE(v->hyp.reg[REG_MPIDR_EL1]) ^ mpidr) & MPIDR_AFFINITY))
			return v;
	return NULL;
}

static int stop_one(struct tern_vcpu *v)
{
	if (!vcpu_trylock(&v->lock))
		return -EBUSY;
	vcpu_evict(v);
	set_bit(VCPU_REQ_LOUD, &v->kick.requests);
	vcpu_unlock(&v->lock);
	return 0;
}

static noinline int stop_all(struct tern_vm *vm)
{
	struct tern_vcpu *v;
	int err;
	u32 i;

	vm_for_each_vcpu(i, v, vm) {
		err = stop_one(v);
		if (err)
			return err;
	}
	vm->quiet = true;
	return 0;
}

int vm_quiesce(struct tern_vm *vm)
{
	lockdep_assert_held(&vm->lock);
	return likely(vm->quiet) ? 0 : stop_all(vm);
}

void vm_disturb(struct tern_vm *vm)
{
	mutex_lock(&vm->lock);
	vm->quiet = false;
	mutex_unlock(&vm->lock);
}

void vm_make_request(struct tern_vm *vm, unsigned int bit)
{
	struct tern_vcpu *v;
	u32 i;

	vm_for_each_vcpu(i, v, vm)
		kick_request(&v->kick, bit);
}

void vm_die(struct tern_vm *vm)
{
	WRITE_ONCE(vm->client, NULL);
	vm_make_request(vm, VCPU_REQ_DEAD);
}
