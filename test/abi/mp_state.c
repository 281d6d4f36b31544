// SPDX-License-Identifier: GPL-2.0
/* KVM_GET/SET_MP_STATE: runnable, stopped and suspended are all there are. */
#include "lib.h"

static int set(int vcpu, uint32_t state)
{
	struct kvm_mp_state mp = { .mp_state = state };

	return vm_ioctl(vcpu, KVM_SET_MP_STATE, &mp);
}

static uint32_t get(int vcpu)
{
	struct kvm_mp_state mp = { .mp_state = -1u };

	EXPECT(vm_ioctl(vcpu, KVM_GET_MP_STATE, &mp), 0);
	return mp.mp_state;
}

int main(void)
{
	int vm = new_vm(open_device());
	int vcpu = new_vcpu(vm, 0), off = new_vcpu(vm, 1);

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(init_vcpu(vm, off, VM_FEATURE(POWER_OFF)), 0);
	EXPECT(get(vcpu), KVM_MP_STATE_RUNNABLE);
	EXPECT(get(off), KVM_MP_STATE_STOPPED);
	EXPECT(set(vcpu, KVM_MP_STATE_HALTED), -EINVAL);
	EXPECT(set(vcpu, KVM_MP_STATE_UNINITIALIZED), -EINVAL);
	EXPECT(set(vcpu, 77), -EINVAL);
	EXPECT(get(vcpu), KVM_MP_STATE_RUNNABLE);
	EXPECT(set(vcpu, KVM_MP_STATE_STOPPED), 0);
	EXPECT(get(vcpu), KVM_MP_STATE_STOPPED);
	EXPECT(set(vcpu, KVM_MP_STATE_SUSPENDED), 0);
	EXPECT(get(vcpu), KVM_MP_STATE_SUSPENDED);
	EXPECT(set(vcpu, KVM_MP_STATE_RUNNABLE), 0);
	EXPECT(get(vcpu), KVM_MP_STATE_RUNNABLE);
	EXPECT(vm_ioctl(vcpu, KVM_SET_MP_STATE, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_GET_MP_STATE, bad_pointer()), -EFAULT);
	return 0;
}
