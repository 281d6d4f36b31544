// SPDX-License-Identifier: GPL-2.0
/*
 * What a guest's counters count: cycles at EL1 and at EL0, filtered by level,
 * not the client's own, in pairs, by software, and not what the client denies.
 */
#include <time.h>
#include "pmu.h"

/* cycles of a loop of x20 rounds with PMCCFILTR_EL0 = x21 */
GUEST(el1,
	"msr pmccfiltr_el0, x21\n\tmov x1, #0x47\n\tmsr pmcr_el0, x1\n\t"
	"mov x1, #0x80000000\n\tmsr pmcntenset_el0, x1\n\tisb\n\t"
	"mrs x2, pmccntr_el0\n\t"
	"1: subs x20, x20, #1\n\tb.ne 1b\n\tisb\n\t"
	"mrs x3, pmccntr_el0\n\tsub x0, x3, x2\n\t"
	REPORT);

/* the same loop at EL0 */
GUEST(el0,
	"b 2f\n\t.org el0 + 0x400\n\tmrs x3, pmccntr_el0\n\tsub x0, x3, x2\n\t"
	REPORT
	"2: adr x1, el0\n\tmsr vbar_el1, x1\n\t"
	"msr pmccfiltr_el0, x21\n\tmov x1, #0x47\n\tmsr pmcr_el0, x1\n\t"
	"mov x1, #0x80000000\n\tmsr pmcntenset_el0, x1\n\t"
	"adr x1, 3f\n\tmsr elr_el1, x1\n\tmov x1, #0x3c0\n\tmsr spsr_el1, x1\n\tisb\n\t"
	"mrs x2, pmccntr_el0\n\teret\n"
	"3: subs x20, x20, #1\n\tb.ne 3b\n\tsvc #0\n\t");

/* cycles between two exits to the client */
GUEST(client,
	"mov x1, #0x47\n\tmsr pmcr_el0, x1\n\t"
	"mov x1, #0x80000000\n\tmsr pmcntenset_el0, x1\n\tisb\n\t"
	"mrs x2, pmccntr_el0\n\t"
	REPORT
	"mrs x3, pmccntr_el0\n\tsub x0, x3, x2\n\t"
	REPORT);

/* counter 0 counts cycles from just below its end on, counter 1 its overflows, from x20 on; PMOVSSET_EL0 then */
GUEST(pair,
	"mov x1, #0x46\n\tmsr pmcr_el0, x1\n\t"
	"mov x1, #0x11\n\tmsr pmevtyper0_el0, x1\n\t"
	"mov x1, #0x1e\n\tmsr pmevtyper1_el0, x1\n\t"
	"mov x1, #-1\n\tmsr pmovsclr_el0, x1\n\tmsr pmcntenclr_el0, x1\n\tmsr pmintenclr_el1, x1\n\t"
	"mov w1, #0xfffff000\n\tmsr pmevcntr0_el0, x1\n\tmsr pmevcntr1_el0, x20\n\t"
	"mov x1, #3\n\tmsr pmcntenset_el0, x1\n\t"
	"mov x1, #0x41\n\tmsr pmcr_el0, x1\n\tisb\n"
	"1: mrs x1, pmevcntr1_el0\n\tcmp x1, x20\n\tb.eq 1b\n\t"
	"mov x0, x1\n\t" REPORT
	"mrs x0, pmovsset_el0\n\t" REPORT);

/* counter 2 by software, twice, to its end; its value and PMOVSSET_EL0 then */
GUEST(software,
	"mov x1, #0x46\n\tmsr pmcr_el0, x1\n\tmov x1, #-1\n\tmsr pmovsclr_el0, x1\n\t"
	"msr pmcntenclr_el0, x1\n\t"
	"msr pmevtyper2_el0, xzr\n\tmov w1, #0xfffffffe\n\tmsr pmevcntr2_el0, x1\n\t"
	"mov x1, #4\n\tmsr pmswinc_el0, x1\n\t"	/* PMCR_EL0.E is clear: nothing */
	"msr pmcntenset_el0, x1\n\tmov x2, #0x41\n\tmsr pmcr_el0, x2\n\tisb\n\t"
	"msr pmswinc_el0, x1\n\tmrs x0, pmevcntr2_el0\n\t" REPORT
	"mov x1, #4\n\tmsr pmswinc_el0, x1\n\tmrs x0, pmevcntr2_el0\n\t" REPORT
	"mrs x0, pmovsset_el0\n\t" REPORT);

/* Its access is done with: the next run begins where it is told to. */
static uint64_t report(struct vm *vm)
{
	uint64_t x = next_report(&vm->vcpu[0]);

	finish_exit(&vm->vcpu[0]);
	return x;
}

static uint64_t run(struct vm *vm, uint64_t rounds, uint64_t filter)
{
	GOOD(vcpu_set_pc(&vm->vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&vm->vcpu[0], 20, rounds));
	GOOD(vcpu_set_x(&vm->vcpu[0], 21, filter));
	return report(vm);
}

#define NOT_EL1	(1u << 31)
#define NOT_EL0	(1u << 30)

static void levels(struct vm *vm)
{
	LOAD(vm, el1);
	CHECK(run(vm, 20000, 0) >= 10000);
	CHECK(run(vm, 20000, NOT_EL0) >= 10000);
	EXPECT(run(vm, 20000, NOT_EL1), 0);
	EXPECT(run(vm, 20000, NOT_EL1 | NOT_EL0), 0);
	LOAD(vm, el0);
	CHECK(run(vm, 200000, NOT_EL1) >= 100000);
	EXPECT(run(vm, 20000, NOT_EL1 | NOT_EL0), 0);
	CHECK(run(vm, 200000, 0) >= 100000);
	/* once more, from memory: another vCPU's thread may have been here */
	CHECK(run(vm, 200000, NOT_EL1) >= 100000);
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The emulator's CPUs run at 1 GHz: cycles are nanoseconds. Elsewhere they are more. */
static void not_the_clients(struct vm *vm)
{
	const int64_t busy = 300000000;
	int64_t until;

	LOAD(vm, client);
	run(vm, 0, 0);
	for (until = now() + busy; now() < until;)
		;
	CHECK((int64_t)report(vm) < busy / 2);
}

static void pairs(struct vm *vm)
{
	uint64_t over;

	LOAD(vm, pair);
	CHECK(run(vm, 5, 0) == 6);
	EXPECT(report(vm) & 2, 0);
	CHECK(run(vm, 0xffffffff, 0) == 0);
	over = report(vm);
	EXPECT(over & 2, 2);
	LOAD(vm, software);
	EXPECT(run(vm, 0, 0), 0xffffffff);
	EXPECT(report(vm), 0);
	EXPECT(report(vm), 4);
}

static void denied(void)
{
	struct kvm_pmu_event_filter f = { .base_event = 0x11, .nevents = 1, .action = KVM_PMU_EVENT_DENY };
	struct vm vm;

	pmu_machine(&vm, true);
	EXPECT(set_attr(vm.vcpu[0].fd, KVM_ARM_VCPU_PMU_V3_CTRL, KVM_ARM_VCPU_PMU_V3_FILTER, &f), 0);
	pmu_add(&vm.vcpu[0], true);
	LOAD(&vm, el1);
	EXPECT(run(&vm, 20000, 0), 0);
	vm_fini(&vm);
}

int main(void)
{
	struct vm vm;

	pmu_machine(&vm, true);
	pmu_add(&vm.vcpu[0], true);
	levels(&vm);
	not_the_clients(&vm);
	pairs(&vm);
	vm_fini(&vm);
	denied();
	return 0;
}
