// SPDX-License-Identifier: GPL-2.0
/*
 * A guest's AArch32 EL0: debug registers that trap read as designed, the
 * performance monitors are UNDEFINED, exceptions arrive at EL1's vector for
 * AArch32, a store to nowhere is an MMIO exit.
 */
#include "lib.h"

#define CODE		(RAM_BASE + 0x800)
#define ESR_UNDEF	0x02000000UL
#define ESR_SVC		0x46000000UL
#define MARK		0x5eedUL

#define REG_PSTATE	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(regs.pstate))
#define REG_VBAR	ARM64_SYS_REG(3, 0, 12, 0, 0)

/*
 * At 0x600, exceptions from AArch32: report ESR_EL1, ELR_EL1, SPSR_EL1 and
 * r0, step over an undefined instruction, and go on. A32 code is at 0x800.
 */
GUEST(user32,
	".org user32 + 0x600\n\t"
	"mov x20, x0\n\tmrs x0, esr_el1\n\t" REPORT
	"mrs x0, elr_el1\n\t" REPORT
	"mrs x0, spsr_el1\n\t" REPORT
	"mov x0, x20\n\t" REPORT
	"mrs x21, esr_el1\n\tlsr x21, x21, #26\n\tcbnz x21, 1f\n\t"
	"mrs x21, elr_el1\n\tadd x21, x21, #4\n\tmsr elr_el1, x21\n"
	"1:\teret\n\t"
	".org user32 + 0x800\n\t"
	".inst 0xee100e10, 0xef000001\n\t"	/* mrc p14, 0, r0, c0, c0, 0 (DBGDIDR); svc #1 */
	".inst 0xee120e10, 0xef000002\n\t"	/* DBGDSAR */
	".inst 0xee110e10, 0xef000003\n\t"	/* DBGDRAR */
	".inst 0xec510e01, 0xef000004\n\t"	/* mrrc p14, 0, r0, r1, c1 (DBGDRAR) */
	".inst 0x0e100e10, 0xef000005\n\t"	/* mrceq ... (DBGDIDR), with Z clear */
	".inst 0xee190f1c, 0xef000006\n\t"	/* mrc p15, 0, r0, c9, c12, 0 (PMCR) */
	".inst 0xe3a09409, 0xe5890000\n\t"	/* mov r9, #0x09000000; str r0, [r9] */
	".inst 0xef000007");

static struct vm vm;
static uint64_t esr, elr, spsr, r0;

static void next_exception(void)
{
	esr = next_report(&vm.vcpu[0]);
	elr = next_report(&vm.vcpu[0]);
	spsr = next_report(&vm.vcpu[0]);
	r0 = next_report(&vm.vcpu[0]);
}

/* the system call that ends step n, which leaves r0 behind */
static void expect_svc(unsigned int n)
{
	next_exception();
	EXPECT(esr, ESR_SVC | n);
	EXPECT(elr, CODE + 8 * n);
	EXPECT(spsr & 0x1f, 0x10);
}

static void set_r0(uint64_t value)
{
	GOOD(vcpu_set_x(&vm.vcpu[0], 0, value));
}

static void enter_user32(void)
{
	uint64_t vbar = RAM_BASE, pstate = 0x1d0;
	int ret = vcpu_set(&vm.vcpu[0], REG_PSTATE, &pstate);

	if (ret == -EINVAL)
		skip("the host has no AArch32 at EL0");
	EXPECT(ret, 0);
	EXPECT(vcpu_set(&vm.vcpu[0], REG_VBAR, &vbar), 0);
	GOOD(vcpu_set_pc(&vm.vcpu[0], CODE));
}

static void expect_mmio32(void)
{
	struct vcpu *c = &vm.vcpu[0];

	expect_exit(c, KVM_EXIT_MMIO);
	EXPECT(c->run->mmio.phys_addr, DOORBELL);
	EXPECT(c->run->mmio.len, 4);
	EXPECT(c->run->mmio.is_write, 1);
}

int main(void)
{
	make_machine(&vm, 1);
	LOAD(&vm, user32);
	enter_user32();

	set_r0(MARK);
	expect_svc(1);
	EXPECT(r0 >> 16 & 0xf, 6);	/* Armv8 debug */
	expect_svc(2);
	EXPECT(r0, 0);
	expect_svc(3);
	EXPECT(r0, 0);
	expect_svc(4);
	EXPECT(r0, 0);
	expect_svc(5);
	EXPECT(r0, 0);

	next_exception();
	EXPECT(esr, ESR_UNDEF);
	EXPECT(elr, CODE + 8 * 5);
	EXPECT(spsr & 0x1f, 0x10);
	expect_svc(6);

	expect_mmio32();
	next_exception();
	EXPECT(esr, ESR_SVC | 7);
	return 0;
}
