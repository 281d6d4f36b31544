// SPDX-License-Identifier: GPL-2.0
/*
 * Having vCPUs stand still: for one call, or from TERN_PAUSE to TERN_RESUME.
 */
#include "../vcpu/bulk.h"
#include "abi.h"

void abi_unclaim(struct tern_vm *vm, const unsigned long *which, u32 n)
{
	u32 i;

	for_each_set_bit(i, which, n)
		vcpu_unlock(&vm->vcpu[i]->lock);
}

/* In order, so that two callers do not wait for each other. */
int abi_claim(struct tern_vm *vm, const unsigned long *which)
{
	u32 i;
	int err;

	for_each_set_bit(i, which, VM_MAX_VCPUS) {
		err = vcpu_claim(vm->vcpu[i]);
		if (err) {
			abi_unclaim(vm, which, i);
			return err;
		}
	}
	return 0;
}

/* Once the GIC is initialised no vCPU is made, so all are those there were. */
int abi_claim_all(struct tern_vm *vm)
{
	DECLARE_BITMAP(all, VM_MAX_VCPUS);

	if (!vgic_initialized(&vm->vgic))
		return -EBUSY;
	bitmap_zero(all, VM_MAX_VCPUS);
	bitmap_set(all, 0, vm_nr_vcpus(vm));
	return abi_claim(vm, all);
}

void abi_unclaim_all(struct tern_vm *vm)
{
	u32 i, n = vm_nr_vcpus(vm);

	for (i = 0; i < n; i++)
		vcpu_unlock(&vm->vcpu[i]->lock);
}

/* A thread in KVM_RUN gives the lock up when it parks. */
static int wait_parked(struct tern_vcpu *v)
{
	if (vcpu_lock(&v->lock, TASK_INTERRUPTIBLE))
		return -EINTR;
	v->extra |= VCPU_EXTRA_PAUSE;
	vcpu_unlock(&v->lock);
	return 0;
}

long abi_pause(struct tern_vm *vm)
{
	struct tern_vcpu *v;
	u32 i;
	int err;

	mutex_lock(&vm->lock);
	vm->paused = true;	/* vCPUs made from now on are, too */
	mutex_unlock(&vm->lock);
	vm_for_each_vcpu(i, v, vm) {
		WRITE_ONCE(v->paused, true);
		kick_request(&v->kick, VCPU_REQ_PAUSE);
	}
	vm_for_each_vcpu(i, v, vm) {
		err = wait_parked(v);
		if (err)
			return err;
	}
	return 0;
}

long abi_resume(struct tern_vm *vm)
{
	struct tern_vcpu *v;
	u32 i;

	mutex_lock(&vm->lock);
	vm->paused = false;
	vm_for_each_vcpu(i, v, vm) {
		WRITE_ONCE(v->paused, false);
		kick_post(&v->kick);
	}
	mutex_unlock(&vm->lock);
	return 0;
}
