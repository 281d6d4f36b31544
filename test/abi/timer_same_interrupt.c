// SPDX-License-Identifier: GPL-2.0
/* Both timers on one PPI: the first KVM_RUN refuses with EINVAL. */
#include "lib.h"

int main(void)
{
	struct vm vm;
	int irq = 20;

	make_machine(&vm, 1);
	EXPECT(set_attr(vm.vcpu[0].fd, KVM_ARM_VCPU_TIMER_CTRL,
			KVM_ARM_VCPU_TIMER_IRQ_VTIMER, &irq), 0);
	EXPECT(set_attr(vm.vcpu[0].fd, KVM_ARM_VCPU_TIMER_CTRL,
			KVM_ARM_VCPU_TIMER_IRQ_PTIMER, &irq), 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINVAL);
	return 0;
}
