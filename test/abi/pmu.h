/* SPDX-License-Identifier: GPL-2.0 */
/* Virtual machines with performance monitors, for the pmu_* tests. */
#ifndef TERN_TEST_ABI_PMU_H
#define TERN_TEST_ABI_PMU_H

#include "lib.h"

#define PMU_IRQ		23
#define PMU_REG(op1, crn, crm, op2)	ARM64_SYS_REG(3, op1, crn, crm, op2)
#define PMCR		PMU_REG(3, 9, 12, 0)
#define PMCNTENSET	PMU_REG(3, 9, 12, 1)
#define PMOVSSET	PMU_REG(3, 9, 14, 3)
#define PMCCNTR		PMU_REG(3, 9, 13, 0)
#define PMEVCNTR0	PMU_REG(3, 14, 8, 0)

static inline void pmu_add(const struct vcpu *c, bool gic)
{
	int irq = PMU_IRQ;

	if (gic)
		EXPECT(set_attr(c->fd, KVM_ARM_VCPU_PMU_V3_CTRL, KVM_ARM_VCPU_PMU_V3_IRQ, &irq), 0);
	EXPECT(set_attr(c->fd, KVM_ARM_VCPU_PMU_V3_CTRL, KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
}

/* one vCPU; pmu_add() is still to be called */
static inline void pmu_machine(struct vm *vm, bool gic)
{
	int kvm = open_device();

	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PMU_V3) <= 0)
		skip("this host has no PMU that perf drives");
	close(kvm);
	GOOD(vm_init(vm, device_path()));
	GOOD(vm_add_memory(vm, RAM_BASE, RAM_SIZE, 0));
	GOOD(vm_add_vcpu(vm, VM_FEATURE(PMU_V3)));
	if (gic)
		GOOD(vm_add_vgic(vm, DIST_BASE, REDIST_BASE, 96));
}

/* the level of the overflow interrupt, as the GIC has it */
static inline bool pmu_line(const struct vm *vm)
{
	uint32_t levels = 0;

	EXPECT(get_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO, 0, &levels), 0);
	return levels >> PMU_IRQ & 1;
}

#endif
