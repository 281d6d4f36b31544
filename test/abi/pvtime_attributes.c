// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_PVTIME_CTRL: aligned, in memory, once. */
#include "lib.h"

#define GROUP		KVM_ARM_VCPU_PVTIME_CTRL
#define IPA		KVM_ARM_VCPU_PVTIME_IPA

static int vcpu;

static int set(uint64_t addr)
{
	return set_attr(vcpu, GROUP, IPA, &addr);
}

int main(void)
{
	uint64_t value = 0;
	struct vm vm;

	make_bare(&vm, 1);
	vcpu = vm.vcpu[0].fd;
	if (!vm_capability(&vm, KVM_CAP_STEAL_TIME))
		skip("no KVM_CAP_STEAL_TIME");
	EXPECT(has_attr(vcpu, GROUP, IPA), 0);
	EXPECT(has_attr(vcpu, GROUP, 1), -ENXIO);
	EXPECT(set_attr(vcpu, GROUP, 1, &value), -ENXIO);
	EXPECT(get_attr(vcpu, GROUP, IPA, &value), 0);
	EXPECT(value, -1UL);
	EXPECT(set(RAM_BASE + 8), -EINVAL);
	EXPECT(set(0x1000), -EINVAL);
	EXPECT(set(RAM_BASE + RAM_SIZE), -EINVAL);
	EXPECT(set_attr(vcpu, GROUP, IPA, bad_pointer()), -EFAULT);
	EXPECT(set(RAM_BASE + 64), 0);
	EXPECT(set(RAM_BASE + 64), -EEXIST);
	EXPECT(get_attr(vcpu, GROUP, IPA, &value), 0);
	EXPECT(value, RAM_BASE + 64);
	EXPECT(get_attr(vcpu, GROUP, IPA, bad_pointer()), -EFAULT);
	return 0;
}
