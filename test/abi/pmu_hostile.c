// SPDX-License-Identifier: GPL-2.0
/*
 * Random values in all of the PMU's registers, from the guest and from the
 * client, while counters run, and vCPU threads that change: nothing breaks.
 */
#include <pthread.h>
#include "pmu.h"

/* x20: random state. Writes ever new values to registers in turn, until a round in 256 reports. */
#define NEXT	"eor x20, x20, x20, lsl #13\n\teor x20, x20, x20, lsr #7\n\teor x20, x20, x20, lsl #17\n\t"
#define PUT(reg) NEXT "msr " reg ", x20\n\t"
#define SMALL(reg) NEXT "and x1, x20, #0x1f\n\tmsr " reg ", x1\n\t"
#define EVENT(reg) NEXT "mov w2, #0xc0000000\n\torr w2, w2, #0x3f\n\tand x1, x20, x2\n\tmsr " reg ", x1\n\t"
GUEST(guest,
	"b 2f\n\t.org guest + 0x200\n\tmrs x1, elr_el1\n\tadd x1, x1, #4\n\tmsr elr_el1, x1\n\teret\n"
	"2: adr x1, guest\n\tmsr vbar_el1, x1\n\tmov x22, #64\n"
	"1: " EVENT("pmevtyper0_el0") EVENT("pmevtyper1_el0") EVENT("pmevtyper2_el0") EVENT("pmevtyper3_el0")
	PUT("pmevtyper4_el0") PUT("pmccfiltr_el0") PUT("pmevcntr0_el0") PUT("pmevcntr1_el0")
	PUT("pmccntr_el0") PUT("pmcntenset_el0") PUT("pmintenset_el1") PUT("pmovsset_el0")
	PUT("pmcr_el0") PUT("pmswinc_el0") SMALL("pmselr_el0") PUT("pmxevcntr_el0")
	EVENT("pmxevtyper_el0") PUT("pmuserenr_el0") "mov x1, #0x41\n\tmsr pmcr_el0, x1\n\t"
	"mrs x1, pmccntr_el0\n\tmrs x1, pmevcntr0_el0\n\tmrs x1, pmxevcntr_el0\n\tmrs x1, pmevcntr30_el0\n\t"
	PUT("pmcntenclr_el0") PUT("pmintenclr_el1") PUT("pmovsclr_el0")
	"subs x22, x22, #1\n\tb.ne 1b\n\tmov x0, x20\n\t" REPORT "b 2b\n");

static struct vm vm;
static uint64_t seed = 88172645463325252ULL;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static void *rounds(void *arg)
{
	unsigned int i;

	(void)arg;
	for (i = 0; i < 4; i++)
		CHECK(next_report(&vm.vcpu[0]));
	return NULL;
}

static void scribble(void)
{
	static const unsigned int crm9[] = { 12, 13, 14 };
	uint64_t id, val;
	unsigned int i;

	for (i = 0; i < 24; i++) {
		val = next();
		id = PMU_REG(3, 9, crm9[val >> 60 & 1 ? 0 : 2], val >> 50 & 7);
		if (i % 2)
			id = PMU_REG(3, 14, 8 | (val >> 58 & 7), val >> 50 & 7);
		vcpu_set(&vm.vcpu[0], id, &val);
		val = 0;
		vcpu_get(&vm.vcpu[0], id, &val);
	}
}

int main(void)
{
	pthread_t thread;
	unsigned int i;

	alarm(200);
	pmu_machine(&vm, true);
	pmu_add(&vm.vcpu[0], true);
	LOAD(&vm, guest);
	GOOD(vcpu_set_pc(&vm.vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&vm.vcpu[0], 20, next()));
	for (i = 0; i < 12; i++) {
		EXPECT(pthread_create(&thread, NULL, rounds, NULL), 0);
		pthread_join(thread, NULL);
		rounds(NULL);
		scribble();
	}
	vm_fini(&vm);
	return 0;
}
