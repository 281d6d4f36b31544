// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_TIMER_CTRL: the timers' PPIs, before the first run alone. */
#include "lib.h"

#define GROUP		KVM_ARM_VCPU_TIMER_CTRL
#define VTIMER		KVM_ARM_VCPU_TIMER_IRQ_VTIMER
#define PTIMER		KVM_ARM_VCPU_TIMER_IRQ_PTIMER

GUEST(idle, "1: " REPORT "b 1b");

static int set(int vcpu, uint64_t which, int irq)
{
	return set_attr(vcpu, GROUP, which, &irq);
}

static int get(int vcpu, uint64_t which)
{
	int irq = -1;

	EXPECT(get_attr(vcpu, GROUP, which, &irq), 0);
	return irq;
}

static void without_gic(int kvm)
{
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(set(vcpu, VTIMER, 27), -EINVAL);
	EXPECT(get(vcpu, VTIMER), 27);
}

int main(void)
{
	struct vm vm;
	int vcpu;

	make_machine(&vm, 2);
	LOAD(&vm, idle);
	vcpu = vm.vcpu[0].fd;
	EXPECT(has_attr(vcpu, GROUP, VTIMER), 0);
	EXPECT(has_attr(vcpu, GROUP, PTIMER), 0);
	EXPECT(has_attr(vcpu, GROUP, 9), -ENXIO);
	EXPECT(get(vcpu, VTIMER), 27);
	EXPECT(get(vcpu, PTIMER), 30);
	EXPECT(set(vcpu, VTIMER, 15), -EINVAL);
	EXPECT(set(vcpu, VTIMER, 32), -EINVAL);
	EXPECT(set(vcpu, VTIMER, -1), -EINVAL);
	EXPECT(set(vcpu, 9, 20), -ENXIO);
	EXPECT(set_attr(vcpu, GROUP, VTIMER, bad_pointer()), -EFAULT);
	EXPECT(get_attr(vcpu, GROUP, VTIMER, bad_pointer()), -EFAULT);
	EXPECT(set(vcpu, VTIMER, 20), 0);
	EXPECT(get(vcpu, VTIMER), 20);
	/* one for all vCPUs */
	EXPECT(get(vm.vcpu[1].fd, VTIMER), 20);
	EXPECT(set(vm.vcpu[1].fd, VTIMER, 27), 0);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	EXPECT(set(vcpu, VTIMER, 21), -EBUSY);
	EXPECT(get(vcpu, VTIMER), 27);
	without_gic(vm.kvm);
	return 0;
}
