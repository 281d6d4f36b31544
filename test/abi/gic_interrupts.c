// SPDX-License-Identifier: GPL-2.0
/* The number of interrupts: 64 to 1024 (less 1 for 1020), in 32s, once. */
#include "lib.h"

#define GROUP		KVM_DEV_ARM_VGIC_GRP_NR_IRQS

static int gic;

static int set(uint32_t count)
{
	return set_attr(gic, GROUP, 0, &count);
}

static uint32_t get(void)
{
	uint32_t count = 0;

	EXPECT(get_attr(gic, GROUP, 0, &count), 0);
	return count;
}

int main(void)
{
	int vm = new_vm(open_device());

	new_vcpu(vm, 0);
	gic = new_gic(vm);
	EXPECT(get(), 32);
	EXPECT(set(0), -EINVAL);
	EXPECT(set(32), -EINVAL);
	EXPECT(set(63), -EINVAL);
	EXPECT(set(65), -EINVAL);
	EXPECT(set(1056), -EINVAL);
	EXPECT(set(-32u), -EINVAL);
	EXPECT(set_attr(gic, GROUP, 0, bad_pointer()), -EFAULT);
	EXPECT(set(128), 0);
	EXPECT(get(), 128);
	EXPECT(set(128), -EBUSY);
	EXPECT(set(256), -EBUSY);
	EXPECT(get(), 128);
	EXPECT(get_attr(gic, GROUP, 0, bad_pointer()), -EFAULT);
	return 0;
}
