// SPDX-License-Identifier: GPL-2.0
/* A GIC's registers by KVM_SET/GET_DEVICE_ATTR: when, whose, which. */
#include "lib.h"

#define DIST		KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST		KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define CPU		KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL		KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO
#define ICC_PMR		0xc230
#define ISENABLER1	0x104
#define ICENABLER1	0x184
#define ISPENDR1	0x204
#define ICFGR2		0xc08
#define IIDR		0x8

static int gic;

static int set(uint32_t group, uint64_t attr, uint64_t value)
{
	return set_attr(gic, group, attr, &value);
}

static int get(uint32_t group, uint64_t attr, uint64_t *value)
{
	*value = 0;
	return get_attr(gic, group, attr, value);
}

static uint64_t of(uint32_t group, uint64_t attr)
{
	uint64_t value;

	EXPECT(get(group, attr, &value), 0);
	return value;
}

static void before_init(int kvm)
{
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);
	uint64_t value;

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	gic = new_gic(vm);
	EXPECT(get(DIST, 0, &value), -EBUSY);
	EXPECT(set(DIST, 0, 0), -EBUSY);
	EXPECT(get(REDIST, 0, &value), -EBUSY);
	EXPECT(get(CPU, ICC_PMR, &value), -EBUSY);
	EXPECT(get(LEVEL, 32, &value), -EBUSY);
}

static void check_distributor(void)
{
	uint64_t iidr = of(DIST, IIDR);

	EXPECT(set(DIST, ISENABLER1, 0x5), 0);
	EXPECT(of(DIST, ISENABLER1), 0x5);
	/* clearing by userspace is by the clear register, as for a guest */
	EXPECT(set(DIST, ICENABLER1, 0x1), 0);
	EXPECT(of(DIST, ISENABLER1), 0x4);
	EXPECT(set(DIST, IIDR, iidr), 0);
	EXPECT(set(DIST, IIDR, iidr ^ 0xfff), -EINVAL);
	EXPECT(of(DIST, IIDR), iidr);
	/* nothing there: reads as zero, ignores writes */
	EXPECT(of(DIST, 0xf000), 0);
	EXPECT(set(DIST, 0xf000, 1), 0);
}

static void check_cpus(void)
{
	uint64_t second = 1UL << 32, none = 7UL << 32, value;

	EXPECT(set(REDIST, second | 0x10100, 0x80000000), 0);
	EXPECT(of(REDIST, second | 0x10100) & 0x80000000, 0x80000000);
	EXPECT(of(REDIST, 0x10100) & 0x80000000, 0);
	EXPECT(get(REDIST, none, &value), -EINVAL);
	EXPECT(set(REDIST, none | 0x10100, 0), -EINVAL);
	EXPECT(get(CPU, none | ICC_PMR, &value), -EINVAL);
	EXPECT(set(CPU, second | ICC_PMR, 0xf0), 0);
	EXPECT(of(CPU, second | ICC_PMR), 0xf0);
	EXPECT(of(CPU, ICC_PMR), 0);
	EXPECT(get(CPU, 0xffff, &value), -ENOENT);
	EXPECT(set(CPU, 0xffff, 0), -ENOENT);
}

static void check_levels(void)
{
	uint64_t value;

	/* only a level-triggered interrupt has one; SPIs start out as edges */
	EXPECT(set(DIST, ICFGR2, 0), 0);
	EXPECT(of(LEVEL, 32), 0);
	EXPECT(set(LEVEL, 32, 0x3), 0);
	EXPECT(of(LEVEL, 32), 0x3);
	/* userspace saves and restores what is latched, not what a line says */
	EXPECT(of(DIST, ISPENDR1), 0);
	EXPECT(set(LEVEL, 32, 0x0), 0);
	EXPECT(of(LEVEL, 32), 0);
	EXPECT(get(LEVEL, 33, &value), -EINVAL);
	EXPECT(get(LEVEL, 1UL << 10 | 32, &value), -EINVAL);
}

int main(void)
{
	struct vm vm;

	make_machine(&vm, 2);
	gic = vm.gic;
	check_distributor();
	check_cpus();
	check_levels();
	EXPECT(set_attr(gic, DIST, ISENABLER1, bad_pointer()), -EFAULT);
	EXPECT(get_attr(gic, DIST, ISENABLER1, bad_pointer()), -EFAULT);
	EXPECT(get_attr(gic, CPU, ICC_PMR, bad_pointer()), -EFAULT);
	before_init(vm.kvm);
	return 0;
}
