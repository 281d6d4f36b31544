// SPDX-License-Identifier: GPL-2.0
/*
 * A counter that overflows raises the interrupt, and goes on counting; clearing
 * the flag lowers it. Without a GIC the client is told.
 */
#include "pmu.h"

/* spin until counter 0 overflowed, report, clear the flag, report; and again */
GUEST(guest,
	"mov x1, #0x46\n\tmsr pmcr_el0, x1\n\tmov x1, #-1\n\tmsr pmovsclr_el0, x1\n\t"
	"msr pmcntenclr_el0, x1\n\tmsr pmintenclr_el1, x1\n\t"
	"mov x1, #0x11\n\tmsr pmevtyper0_el0, x1\n"
	"1: mov w1, #0xffff0000\n\tmsr pmevcntr0_el0, x1\n\t"
	"mov x1, #1\n\tmsr pmintenset_el1, x1\n\tmsr pmcntenset_el0, x1\n\t"
	"mov x1, #0x41\n\tmsr pmcr_el0, x1\n\tisb\n"
	"2: mrs x0, pmovsset_el0\n\ttbz x0, #0, 2b\n\t" REPORT
	"mrs x0, pmevcntr0_el0\n\t" REPORT
	"mov x1, #1\n\tmsr pmovsclr_el0, x1\n\tmrs x0, pmovsset_el0\n\t" REPORT
	"b 1b\n");

static void with_gic(void)
{
	unsigned int i;
	struct vm vm;

	pmu_machine(&vm, true);
	pmu_add(&vm.vcpu[0], true);
	LOAD(&vm, guest);
	GOOD(vcpu_set_pc(&vm.vcpu[0], RAM_BASE));
	for (i = 0; i < 20; i++) {
		CHECK(next_report(&vm.vcpu[0]) & 1);
		CHECK(pmu_line(&vm));
		CHECK(next_report(&vm.vcpu[0]) < 0xffff0000);
		EXPECT(next_report(&vm.vcpu[0]) & 1, 0);
		CHECK(!pmu_line(&vm));
	}
	vm_fini(&vm);
}

static void without_gic(void)
{
	struct vm vm;
	struct vcpu *c = vm.vcpu;

	pmu_machine(&vm, false);
	pmu_add(c, false);
	LOAD(&vm, guest);
	GOOD(vcpu_set_pc(c, RAM_BASE));
	EXPECT(vcpu_run(c), -EINTR);
	CHECK(c->run->s.regs.device_irq_level & KVM_ARM_DEV_PMU);
	CHECK(next_report(c) & 1);
	next_report(c);
	EXPECT(vcpu_run(c), -EINTR);
	EXPECT(c->run->s.regs.device_irq_level & KVM_ARM_DEV_PMU, 0);
	vm_fini(&vm);
}

/* What is restored before the first run counts on from there; the line follows the registers. */
static void restored(void)
{
	uint64_t one = 1, pmcr, start = 0x123456789, value;
	struct vm vm;
	struct vcpu *c = vm.vcpu;

	pmu_machine(&vm, true);
	pmu_add(c, true);
	LOAD(&vm, guest);
	GOOD(vcpu_get(c, PMCR, &pmcr));
	pmcr = (pmcr & ~0xffULL) | 0x41;
	GOOD(vcpu_set(c, PMCR, &pmcr));
	value = 0x80000001;
	GOOD(vcpu_set(c, PMCNTENSET, &value));
	GOOD(vcpu_set(c, PMOVSSET, &one));
	GOOD(vcpu_set(c, PMU_REG(0, 9, 14, 1), &one));
	GOOD(vcpu_set(c, PMCCNTR, &start));
	GOOD(vcpu_set_pc(c, RAM_BASE + 0x4000));
	GOOD(vm_write(&vm, RAM_BASE + 0x4000, (const uint32_t[]) {
		0xd53b9d00,	/* mrs x0, pmccntr_el0 */
		0xd2a12009,	/* mov x9, #0x09000000 */
		0xf9000120,	/* str x0, [x9] */
	}, 12));
	value = next_report(c);
	CHECK(value > start && value < start + 0x10000000000);
	CHECK(pmu_line(&vm));
	/* and a client finds the value that it has now */
	GOOD(vcpu_get(c, PMCCNTR, &start));
	CHECK(start >= value);
	vm_fini(&vm);
}

int main(void)
{
	with_gic();
	without_gic();
	restored();
	return 0;
}
