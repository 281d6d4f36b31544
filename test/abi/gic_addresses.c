// SPDX-License-Identifier: GPL-2.0
/* The addresses of distributor and redistributors: alignment, range, once. */
#include "lib.h"

#define GROUP		KVM_DEV_ARM_VGIC_GRP_ADDR
#define DIST		KVM_VGIC_V3_ADDR_TYPE_DIST
#define REDIST		KVM_VGIC_V3_ADDR_TYPE_REDIST

static int gic;

static int set(uint64_t type, uint64_t addr)
{
	return set_attr(gic, GROUP, type, &addr);
}

static uint64_t get(uint64_t type)
{
	uint64_t addr = 0;

	EXPECT(get_attr(gic, GROUP, type, &addr), 0);
	return addr;
}

int main(void)
{
	int kvm = open_device();
	int vm = GOOD(ask(kvm, KVM_CREATE_VM, 32));
	uint64_t end = 1UL << 32;

	new_vcpu(vm, 0);
	new_vcpu(vm, 1);
	gic = new_gic(vm);
	EXPECT(get(DIST), -1UL);
	EXPECT(get(REDIST), -1UL);

	EXPECT(set(DIST, DIST_BASE + 0x1000), -EINVAL);
	EXPECT(set(DIST, DIST_BASE + 0x8000), -EINVAL);
	EXPECT(set(DIST, end), -E2BIG);
	EXPECT(set(DIST, 1UL << 47), -E2BIG);
	EXPECT(set(REDIST, REDIST_BASE + 0x1000), -EINVAL);
	EXPECT(set(REDIST, end), -E2BIG);
	/* two redistributors, one of which fits */
	EXPECT(set(REDIST, end - 0x20000), -E2BIG);
	EXPECT(get(DIST), -1UL);
	EXPECT(get(REDIST), -1UL);

	EXPECT(set_attr(gic, GROUP, DIST, bad_pointer()), -EFAULT);
	EXPECT(set(DIST, DIST_BASE), 0);
	EXPECT(set(DIST, DIST_BASE), -EEXIST);
	EXPECT(set(DIST, DIST_BASE + 0x10000), -EEXIST);
	EXPECT(get(DIST), DIST_BASE);
	/* on the distributor */
	EXPECT(set(REDIST, DIST_BASE - 0x20000), -EINVAL);
	EXPECT(set(REDIST, REDIST_BASE), 0);
	EXPECT(set(REDIST, REDIST_BASE), -EEXIST);
	EXPECT(get(REDIST), REDIST_BASE);
	EXPECT(get_attr(gic, GROUP, DIST, bad_pointer()), -EFAULT);

	/* GICv2's, and none */
	EXPECT(set(KVM_VGIC_V2_ADDR_TYPE_DIST, DIST_BASE), -ENXIO);
	EXPECT(set(KVM_VGIC_V2_ADDR_TYPE_CPU, DIST_BASE), -ENXIO);
	EXPECT(set(99, DIST_BASE), -ENXIO);
	return 0;
}
