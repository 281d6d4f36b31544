// SPDX-License-Identifier: GPL-2.0
/* Core registers keep what is written; PSTATE takes no impossible mode. */
#include "lib.h"

#define CORE(field)							\
	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE |		\
	 KVM_REG_ARM_CORE_REG(field))
#define VREG(n)								\
	(KVM_REG_ARM64 | KVM_REG_SIZE_U128 | KVM_REG_ARM_CORE |		\
	 KVM_REG_ARM_CORE_REG(fp_regs.vregs[n]))

static struct vm vm;

static void keeps(uint64_t id, uint64_t value)
{
	uint64_t got = 0;

	EXPECT(vcpu_set(&vm.vcpu[0], id, &value), 0);
	EXPECT(vcpu_get(&vm.vcpu[0], id, &got), 0);
	EXPECT(got, value);
}

static int set_pstate(uint64_t value)
{
	return vcpu_set(&vm.vcpu[0], CORE(regs.pstate), &value);
}

static void check_modes(void)
{
	uint64_t before = 0, after = 0;

	EXPECT(vcpu_get(&vm.vcpu[0], CORE(regs.pstate), &before), 0);
	EXPECT(before, 0x3c5);		/* EL1h, everything masked */
	EXPECT(set_pstate(0x3c9), -EINVAL);	/* EL2h */
	EXPECT(set_pstate(0x3cd), -EINVAL);	/* EL3h */
	EXPECT(set_pstate(0x3c1), -EINVAL);	/* no such mode */
	EXPECT(set_pstate(0x1d3), -EINVAL);	/* AArch32 supervisor */
	EXPECT(set_pstate(0x1da), -EINVAL);	/* AArch32 hypervisor */
	EXPECT(vcpu_get(&vm.vcpu[0], CORE(regs.pstate), &after), 0);
	EXPECT(after, before);
	EXPECT(set_pstate(0x3c4), 0);		/* EL1t */
	EXPECT(set_pstate(0x0), 0);		/* EL0 */
	EXPECT(set_pstate(0x3c5), 0);
}

int main(void)
{
	uint64_t vector[2] = { 0x0123456789abcdef, 0xfedcba9876543210 };
	uint64_t got[2] = { 0 };
	unsigned int i;

	make_bare(&vm, 1);
	for (i = 0; i < 31; i++)
		keeps(CORE(regs.regs[0]) + 2 * i, 0x1111000000000000 + i);
	keeps(CORE(regs.sp), 0x40001234);
	keeps(CORE(regs.pc), 0xffff000012345678);
	keeps(CORE(sp_el1), 0x40005678);
	keeps(CORE(elr_el1), 0xffff000087654321);
	for (i = 0; i < KVM_NR_SPSR; i++)
		keeps(CORE(spsr[0]) + 2 * i, 0x300 + i);
	for (i = 0; i < 32; i++) {
		vector[0] += i;
		EXPECT(vcpu_set(&vm.vcpu[0], VREG(0) + 4 * i, vector), 0);
		EXPECT(vcpu_get(&vm.vcpu[0], VREG(0) + 4 * i, got), 0);
		EXPECT(memcmp(got, vector, sizeof(got)), 0);
	}
	check_modes();
	return 0;
}
