// SPDX-License-Identifier: GPL-2.0
/* PMUSERENR_EL0: what a guest's EL0 may access; the rest is UNDEFINED. */
#include "pmu.h"
#include "../../uapi/tern.h"

/*
 * Runs the instruction at 4: at EL0 with PMUSERENR_EL0 = x20. Reports ESR_EL1,
 * and then x5.
 */
GUEST(guest,
	"b 2f\n\t.org guest + 0x400\n\tmrs x0, esr_el1\n\t" REPORT
	"mov x0, x5\n\t" REPORT
	"2: adr x1, guest\n\tmsr vbar_el1, x1\n\tmsr pmuserenr_el0, x20\n\t"
	"mov x1, #7\n\tmsr pmselr_el0, x1\n\tmrs x4, pmuserenr_el0\n\t"
	"adr x1, 3f\n\tmsr elr_el1, x1\n\tmov x1, #0x3c0\n\tmsr spsr_el1, x1\n\tisb\n\t"
	"mov x5, #0\n\teret\n"
	"3: nop\n\tsvc #0\n\t");

/* where the instruction is */
static uint64_t hole(void)
{
	size_t i;

	for (i = 0; guest + i < guest_end; i += 4)
		if (!memcmp(guest + i, "\x1f\x20\x03\xd5", 4))
			return RAM_BASE + i;
	CHECK(false);
	return 0;
}

#define MRS(op1, crn, crm, op2) \
	(0xd5300005u | (op1) << 16 | (crn) << 12 | (crm) << 8 | (op2) << 5 | 3 << 19)
#define MSR(op1, crn, crm, op2) (MRS(op1, crn, crm, op2) & ~(1u << 21))

enum { EN = 1, SW = 2, CR = 4, ER = 8 };

static const struct {
	uint32_t insn;
	uint32_t allowed;	/* by any of these bits; ~0: always */
	bool open;		/* built-in KVM opens it in a way that QEMU 7.2 takes for not trapped at all */
} table[] = {
	{ MRS(3, 9, 12, 0), EN, false },	/* PMCR */
	{ MSR(3, 9, 12, 1), EN, false },	/* PMCNTENSET */
	{ MSR(3, 9, 12, 4), EN | SW, true },	/* PMSWINC */
	{ MRS(3, 9, 12, 5), EN | ER, true },	/* PMSELR */
	{ MSR(3, 9, 12, 5), EN | ER, true },
	{ MRS(3, 9, 12, 6), EN, false },	/* PMCEID0 */
	{ MRS(3, 9, 13, 0), EN | CR, true },	/* PMCCNTR */
	{ MSR(3, 9, 13, 0), EN, false },
	{ MRS(3, 14, 8, 0), EN | ER, true },	/* PMEVCNTR0 */
	{ MSR(3, 14, 8, 0), EN, false },
	{ MRS(3, 14, 12, 0), EN, false },	/* PMEVTYPER0 */
	{ MRS(3, 9, 14, 0), ~0u, false },	/* PMUSERENR */
	{ MRS(3, 9, 14, 3), EN, false },	/* PMOVSSET */
};

int main(void)
{
	uint64_t where = hole(), bits, esr;
	struct vm vm;
	struct vcpu *c = vm.vcpu;
	size_t i;

	pmu_machine(&vm, true);
	pmu_add(c, true);
	LOAD(&vm, guest);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (table[i].open && !vm_capability(&vm, TERN_CAP_MANY))
			continue;
		GOOD(vm_write(&vm, where, &table[i].insn, 4));
		for (bits = 0; bits < 16; bits++) {
			bool good = table[i].allowed == ~0u || table[i].allowed & bits;

			GOOD(vcpu_set_pc(c, RAM_BASE));
			GOOD(vcpu_set_x(c, 20, bits));
			esr = next_report(c);
			if (esr >> 26 != (good ? 0x15 : 0))
				printf("instruction %#x, PMUSERENR_EL0 %llu: ESR_EL1 %#llx\n", table[i].insn,
				       (unsigned long long)bits, (unsigned long long)esr);
			CHECK(esr >> 26 == (good ? 0x15 : 0));
			next_report(c);
			finish_exit(c);
		}
	}
	vm_fini(&vm);
	return 0;
}
