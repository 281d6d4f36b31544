// SPDX-License-Identifier: GPL-2.0
/* The firmware pseudo-registers: values, limits, and frozen once run. */
#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

static struct vm vm;

static int set(uint64_t id, uint64_t value)
{
	return vcpu_set(&vm.vcpu[0], id, &value);
}

static uint64_t get(uint64_t id)
{
	uint64_t value = 0;

	EXPECT(vcpu_get(&vm.vcpu[0], id, &value), 0);
	return value;
}

static void check_psci(void)
{
	EXPECT(get(KVM_REG_ARM_PSCI_VERSION), 0x10001);
	EXPECT(set(KVM_REG_ARM_PSCI_VERSION, 0x1), -EINVAL);
	EXPECT(set(KVM_REG_ARM_PSCI_VERSION, 0x10002), -EINVAL);
	EXPECT(set(KVM_REG_ARM_PSCI_VERSION, 0x2), 0);
	EXPECT(get(KVM_REG_ARM_PSCI_VERSION), 0x2);
	EXPECT(set(KVM_REG_ARM_PSCI_VERSION, 0x10000), 0);
	EXPECT(set(KVM_REG_ARM_PSCI_VERSION, 0x10001), 0);
}

static void check_workaround(uint64_t id)
{
	uint64_t level = get(id);

	CHECK(level <= 0xf);
	EXPECT(set(id, level), 0);
	EXPECT(set(id, 0), 0);
	EXPECT(set(id, 0x100), -EINVAL);
	EXPECT(set(id, 0xf), -EINVAL);
}

static void check_bitmaps(void)
{
	uint64_t hyp = get(KVM_REG_ARM_VENDOR_HYP_BMAP);

	EXPECT(set(KVM_REG_ARM_STD_BMAP, 1UL << 63), -EINVAL);
	EXPECT(set(KVM_REG_ARM_STD_HYP_BMAP, 1UL << 63), -EINVAL);
	EXPECT(set(KVM_REG_ARM_VENDOR_HYP_BMAP, 1UL << 63), -EINVAL);
	EXPECT(set(KVM_REG_ARM_VENDOR_HYP_BMAP, 0), 0);
	EXPECT(get(KVM_REG_ARM_VENDOR_HYP_BMAP), 0);
	EXPECT(set(KVM_REG_ARM_VENDOR_HYP_BMAP, hyp), 0);
}

int main(void)
{
	uint64_t standard;

	make_machine(&vm, 1);
	LOAD(&vm, idle);
	check_psci();
	check_workaround(KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_1);
	check_workaround(KVM_REG_ARM_SMCCC_ARCH_WORKAROUND_3);
	check_bitmaps();

	standard = get(KVM_REG_ARM_STD_BMAP);
	next_report(&vm.vcpu[0]);
	EXPECT(set(KVM_REG_ARM_STD_BMAP, standard), 0);
	EXPECT(set(KVM_REG_ARM_STD_BMAP, standard ^ 1), -EBUSY);
	EXPECT(get(KVM_REG_ARM_STD_BMAP), standard);
	return 0;
}
