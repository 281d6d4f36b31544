// SPDX-License-Identifier: GPL-2.0
/* KVM_HAS_DEVICE_ATTR of a GIC, and unknown groups and attributes: ENXIO. */
#include "lib.h"

#define GRP(name)	KVM_DEV_ARM_VGIC_GRP_##name
#define ICC_PMR		0xc230		/* 3, 0, 4, 6, 0 */

static void check_unknown(int gic)
{
	uint64_t value = 0;

	EXPECT(has_attr(gic, 99, 0), -ENXIO);
	EXPECT(set_attr(gic, 99, 0, &value), -ENXIO);
	EXPECT(get_attr(gic, 99, 0, &value), -ENXIO);
	EXPECT(has_attr(gic, GRP(CTRL), 99), -ENXIO);
	EXPECT(set_attr(gic, GRP(CTRL), 99, NULL), -ENXIO);
	EXPECT(get_attr(gic, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT, &value),
	       -ENXIO);
	EXPECT(has_attr(gic, GRP(ADDR), KVM_VGIC_V2_ADDR_TYPE_CPU), -ENXIO);
	EXPECT(has_attr(gic, GRP(DIST_REGS), 1), -ENXIO);
	EXPECT(has_attr(gic, GRP(DIST_REGS), 0xf000), -ENXIO);
	EXPECT(has_attr(gic, GRP(REDIST_REGS), 2), -ENXIO);
	EXPECT(has_attr(gic, GRP(CPU_SYSREGS), 0xffff), -ENXIO);
	EXPECT(has_attr(gic, GRP(LEVEL_INFO), 1UL << 10), -ENXIO);
	EXPECT(has_attr(gic, GRP(CPU_REGS), 0), -ENXIO);
}

int main(void)
{
	struct vm vm;
	int gic;

	make_machine(&vm, 1);
	gic = vm.gic;
	EXPECT(has_attr(gic, GRP(ADDR), KVM_VGIC_V3_ADDR_TYPE_DIST), 0);
	EXPECT(has_attr(gic, GRP(ADDR), KVM_VGIC_V3_ADDR_TYPE_REDIST), 0);
	EXPECT(has_attr(gic, GRP(ADDR), KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION),
	       0);
	EXPECT(has_attr(gic, GRP(NR_IRQS), 0), 0);
	EXPECT(has_attr(gic, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT), 0);
	EXPECT(has_attr(gic, GRP(CTRL), KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES),
	       0);
	EXPECT(has_attr(gic, GRP(DIST_REGS), 0), 0);
	EXPECT(has_attr(gic, GRP(REDIST_REGS), 0x10100), 0);
	EXPECT(has_attr(gic, GRP(CPU_SYSREGS), ICC_PMR), 0);
	EXPECT(has_attr(gic, GRP(LEVEL_INFO), 32), 0);
	check_unknown(gic);
	EXPECT(vm_ioctl(gic, KVM_SET_DEVICE_ATTR, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(gic, KVM_GET_DEVICE_ATTR, bad_pointer()), -EFAULT);
	EXPECT(vm_ioctl(gic, KVM_HAS_DEVICE_ATTR, bad_pointer()), -EFAULT);
	return 0;
}
