// SPDX-License-Identifier: GPL-2.0
/* Redistributor regions: index order, count, overlap, not mixed with REDIST. */
#include "lib.h"

#define GROUP		KVM_DEV_ARM_VGIC_GRP_ADDR
#define REGION		KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION

static int gic;

static int set(uint64_t index, uint64_t base, uint64_t count, uint64_t flags)
{
	uint64_t value = count << 52 | base | flags << 12 | index;

	return set_attr(gic, GROUP, REGION, &value);
}

static int get(uint64_t index, uint64_t *value)
{
	*value = index;
	return get_attr(gic, GROUP, REGION, value);
}

static int legacy(uint64_t base)
{
	return set_attr(gic, GROUP, KVM_VGIC_V3_ADDR_TYPE_REDIST, &base);
}

static void check_legacy_first(int kvm)
{
	int vm = GOOD(ask(kvm, KVM_CREATE_VM, 32));

	new_vcpu(vm, 0);
	gic = new_gic(vm);
	EXPECT(legacy(0x10000000), 0);
	EXPECT(legacy(0x20000000), -EEXIST);
	EXPECT(set(0, 0x20000000, 1, 0), -EINVAL);
}

int main(void)
{
	int kvm = open_device();
	int vm = GOOD(ask(kvm, KVM_CREATE_VM, 32));
	uint64_t value;

	new_vcpu(vm, 0);
	gic = new_gic(vm);
	EXPECT(get(0, &value), -ENOENT);
	EXPECT(set(1, 0x10000000, 1, 0), -EINVAL);
	EXPECT(set(0, 0x10000000, 0, 0), -EINVAL);
	EXPECT(set(0, 0x10000000, 1, 1), -EINVAL);
	EXPECT(set(0, 1UL << 32, 1, 0), -E2BIG);
	EXPECT(set(0, 0xfffe0000, 2, 0), -E2BIG);
	EXPECT(set(0, 0x10000000, 2, 0), 0);
	EXPECT(set(0, 0x20000000, 2, 0), -EINVAL);
	EXPECT(set(2, 0x20000000, 2, 0), -EINVAL);
	EXPECT(set(1, 0x10020000, 1, 0), -EINVAL);
	EXPECT(legacy(0x30000000), -EINVAL);
	EXPECT(set(1, 0x10040000, 1, 0), 0);
	EXPECT(get(1, &value), 0);
	EXPECT(value, 1UL << 52 | 0x10040000 | 1);
	EXPECT(get(2, &value), -ENOENT);
	EXPECT(set_attr(gic, GROUP, REGION, bad_pointer()), -EFAULT);
	check_legacy_first(kvm);
	return 0;
}
