// SPDX-License-Identifier: GPL-2.0
/* immediate_exit: KVM_RUN gives EINTR, the MMIO before it being complete. */
#include "lib.h"

GUEST(counter, "mov x0, #0\n"
	       "1: add x0, x0, #1\n\t" REPORT "b 1b");

int main(void)
{
	struct vcpu *vcpu;
	uint64_t before, after;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, counter);
	vcpu = &vm.vcpu[0];
	vcpu->run->immediate_exit = 1;
	EXPECT(vcpu_run(vcpu), -EINTR);
	GOOD(vcpu_get_pc(vcpu, &before));
	EXPECT(before, RAM_BASE);
	vcpu->run->immediate_exit = 0;
	EXPECT(next_report(vcpu), 1);
	GOOD(vcpu_get_pc(vcpu, &before));
	vcpu->run->immediate_exit = 1;
	EXPECT(vcpu_run(vcpu), -EINTR);
	GOOD(vcpu_get_pc(vcpu, &after));
	EXPECT(after, before + 4);
	EXPECT(vcpu_run(vcpu), -EINTR);
	vcpu->run->immediate_exit = 0;
	EXPECT(next_report(vcpu), 2);
	return 0;
}
