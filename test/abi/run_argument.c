// SPDX-License-Identifier: GPL-2.0
/* KVM_RUN takes no argument. */
#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

int main(void)
{
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, idle);
	EXPECT(ask(vm.vcpu[0].fd, KVM_RUN, 1), -EINVAL);
	EXPECT(ask(vm.vcpu[0].fd, KVM_RUN, 1UL << 40), -EINVAL);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	return 0;
}
