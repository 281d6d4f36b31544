// SPDX-License-Identifier: GPL-2.0
/* A guest's AArch32 EL0 has FP registers, and they survive exits to userspace. */
#include "lib.h"

#define CODE		(RAM_BASE + 0x800)
#define SVC(n)		(0x46000000UL | (n))
#define ONE		0x3f800000UL	/* 1.0 and 2.0 as single precision */
#define TWO		0x40000000UL

#define REG_PSTATE	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(regs.pstate))
#define REG_VBAR	ARM64_SYS_REG(3, 0, 12, 0, 0)
#define REG_CPACR	ARM64_SYS_REG(3, 0, 1, 0, 2)

/* At 0x600, exceptions from AArch32: report ESR_EL1 and r0. A32 code is at 0x800. */
GUEST(user32,
	".org user32 + 0x600\n\t"
	"mov x20, x0\n\tmrs x0, esr_el1\n\t" REPORT
	"mov x0, x20\n\t" REPORT
	"eret\n\t"
	".org user32 + 0x800\n\t"
	".inst 0xee000a10\n\t"		/* vmov s0, r0 */
	".inst 0xe3a00000, 0xef000001\n\t"	/* mov r0, #0; svc #1 */
	".inst 0xee100a10, 0xef000002\n\t"	/* vmov r0, s0; svc #2 */
	".inst 0xee300a00\n\t"		/* vadd.f32 s0, s0, s0 */
	".inst 0xee100a10, 0xef000003");

static struct vm vm;

static void set(uint64_t id, uint64_t value)
{
	EXPECT(vcpu_set(&vm.vcpu[0], id, &value), 0);
}

static void enter_user32(void)
{
	uint64_t pstate = 0x1d0;
	int ret = vcpu_set(&vm.vcpu[0], REG_PSTATE, &pstate);

	if (ret == -EINVAL)
		skip("the host has no AArch32 at EL0");
	EXPECT(ret, 0);
	set(REG_VBAR, RAM_BASE);
	set(REG_CPACR, 3 << 20);
	GOOD(vcpu_set_pc(&vm.vcpu[0], CODE));
}

static void expect_svc(unsigned int n, uint64_t r0)
{
	EXPECT(next_report(&vm.vcpu[0]), SVC(n));
	EXPECT(next_report(&vm.vcpu[0]), r0);
}

int main(void)
{
	make_machine(&vm, 1);
	LOAD(&vm, user32);
	enter_user32();
	GOOD(vcpu_set_x(&vm.vcpu[0], 0, ONE));
	expect_svc(1, 0);
	expect_svc(2, ONE);
	expect_svc(3, TWO);
	return 0;
}
