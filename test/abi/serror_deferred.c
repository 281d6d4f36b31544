// SPDX-License-Identifier: GPL-2.0
/*
 * An SError that a guest deferred with ESB is in its DISR_EL1, and in no other
 * vCPU's; the client can save and restore it.
 */
#define _GNU_SOURCE
#include <sched.h>

#include "lib.h"

#define DISR_EL1	ARM64_SYS_REG(3, 0, 12, 1, 1)
#define ISS		0x123UL
#define DEFERRED	(1UL << 31 | ISS)

/* vCPU 0 defers what is pending; all report DISR_EL1 twice */
GUEST(deferrer, "cbnz x0, 1f\n\thint #16\n"
      "1:\tmrs x0, S3_0_C12_C1_1\n\t" REPORT "b 1b");

int main(void)
{
	struct kvm_vcpu_events events = {
		.exception.serror_pending = 1,
		.exception.serror_has_esr = 1,
		.exception.serror_esr = ISS,
	};
	uint64_t value = 0;
	cpu_set_t set;
	struct vm vm;

	/* on one CPU, whose register the vCPUs have in turn */
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	CHECK(!sched_setaffinity(0, sizeof(set), &set));
	make_machine(&vm, 2);
	if (!vm_capability(&vm, KVM_CAP_ARM_INJECT_SERROR_ESR))
		skip("no RAS extension");
	LOAD(&vm, deferrer);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_VCPU_EVENTS, &events), 0);
	EXPECT(next_report(&vm.vcpu[0]), DEFERRED);
	EXPECT(next_report(&vm.vcpu[1]), 0);
	EXPECT(next_report(&vm.vcpu[0]), DEFERRED);
	EXPECT(vcpu_get(&vm.vcpu[0], DISR_EL1, &value), 0);
	EXPECT(value, DEFERRED);
	value = 0;
	EXPECT(vcpu_set(&vm.vcpu[0], DISR_EL1, &value), 0);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	EXPECT(next_report(&vm.vcpu[1]), 0);
	return 0;
}
