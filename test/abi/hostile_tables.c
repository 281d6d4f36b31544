// SPDX-License-Identifier: GPL-2.0
/*
 * Guest page tables that lie in MMIO, in nothing and beyond all addresses, or
 * whose entries do, or that are their own next level: an abort in the guest,
 * which goes on.
 */
#include "lib.h"

#define IDENTITY	0x40010000UL
#define TABLE		0x40020000UL
#define HIGH		0xffffff8000000000UL

#define HANDLER								\
	"mrs x5, esr_el1\n\tmrs x6, elr_el1\n\tadd x6, x6, #4\n\t"	\
	"msr elr_el1, x6\n\teret\n\t.balign 128\n\t"

/*
 * x1: TTBR1 to try, x2: address to touch by it. Reports the ESR_EL1 of the
 * access, 0 if there was no exception, and PAR_EL1 of its translation.
 */
GUEST(walker,
	"adr x3, 2f\n\tmsr vbar_el1, x3\n\t"
	"ldr x3, =0x40010000\n\tmsr ttbr0_el1, x3\n\t"
	/* 39 bits on both sides, 4K granule, write-back walks, 40-bit output */
	"ldr x3, =0x2b5193519\n\tmsr tcr_el1, x3\n\t"
	/* 0: write-back, 1: device */
	"mov x3, #0xff\n\tmsr mair_el1, x3\n\t"
	"msr ttbr1_el1, xzr\n\tisb\n\ttlbi vmalle1\n\tdsb nsh\n\tisb\n\t"
	"mrs x3, sctlr_el1\n\tmov x4, #0x1005\n\torr x3, x3, x4\n\t"
	"msr sctlr_el1, x3\n\tisb\n"
	"1: mov x0, #0\n\t" REPORT
	"msr ttbr1_el1, x1\n\tisb\n\ttlbi vmalle1\n\tdsb nsh\n\tisb\n\t"
	"mov x5, #0\n\tldr x4, [x2]\n\tmov x0, x5\n\t" REPORT
	"at s1e1r, x2\n\tisb\n\tmrs x0, par_el1\n\t" REPORT "b 1b\n\t"
	".ltorg\n\t"
	".balign 2048\n"
	"2: .rept 16\n\t" HANDLER ".endr\n");

static struct vm vm;

static uint64_t touch(uint64_t ttbr, uint64_t offset, uint64_t *par)
{
	uint64_t esr;

	EXPECT(next_report(&vm.vcpu[0]), 0);
	GOOD(vcpu_set_x(&vm.vcpu[0], 1, ttbr));
	GOOD(vcpu_set_x(&vm.vcpu[0], 2, HIGH + offset));
	esr = next_report(&vm.vcpu[0]);
	*par = next_report(&vm.vcpu[0]);
	return esr;
}

/* a data abort at EL1 */
static void aborts(uint64_t ttbr, uint64_t offset)
{
	uint64_t par, esr = touch(ttbr, offset, &par);

	if ((esr >> 26 & 0x3f) == 0x25)
		return;
	printf("table %#lx, offset %#lx: ESR %#lx, PAR %#lx\n", ttbr, offset,
	       esr, par);
	exit(1);
}

int main(void)
{
	uint64_t *identity, *table, par;

	make_machine(&vm, 1);
	LOAD(&vm, walker);
	identity = vm_host(&vm, IDENTITY, PAGE);
	table = vm_host(&vm, TABLE, PAGE);
	CHECK(identity && table);
	identity[0] = 0x405;			/* device, accessed */
	identity[1] = RAM_BASE | 0x701;		/* memory, shareable */

	aborts(DOORBELL, 0);
	aborts(DIST_BASE, 0);
	aborts(REDIST_BASE, 0);
	aborts(0x10000000, 0);
	aborts(0xfffff000, 0);
	aborts(0xfffffff000, 0);

	table[0] = DOORBELL | 3;
	table[1] = DIST_BASE | 3;
	table[2] = 0xfffff000 | 3;
	table[3] = TABLE | 0x403;		/* itself, down to a page */
	table[4] = 0xffffffffc000 | 3;
	aborts(TABLE, 0);
	aborts(TABLE, 1UL << 30);
	aborts(TABLE, 2UL << 30);
	aborts(TABLE, 4UL << 30);
	EXPECT(touch(TABLE, 3UL << 30 | 3UL << 21 | 3UL << 12, &par), 0);
	EXPECT(par & 1, 0);
	EXPECT(par & 0xfffffffff000, TABLE);
	return 0;
}
