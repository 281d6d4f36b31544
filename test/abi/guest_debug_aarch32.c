// SPDX-License-Identifier: GPL-2.0
/*
 * A client debugs a guest's AArch32 EL0: BKPT is its own, and a step ends at
 * the next instruction, also behind one that traps and behind one that traps
 * though its condition fails.
 */
#include "lib.h"

#define CODE		(RAM_BASE + 0x800)
#define EC_STEP		0x32
#define EC_BKPT32	0x38

#define REG_PSTATE	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(regs.pstate))

GUEST(user32,
	".org user32 + 0x800\n\t"
	".inst 0xe1200172\n\t"			/* bkpt #0x12 */
	".inst 0xe3a00001\n\t"			/* mov r0, #1 */
	".inst 0xee100e10\n\t"			/* mrc p14, 0, r0, c0, c0, 0 (DBGDIDR) */
	".inst 0x0e100e10\n\t"			/* mrceq ..., with Z clear */
	".inst 0xe3a09409\n\t"			/* mov r9, #0x09000000 */
	".inst 0xe5890000\n\t"			/* str r0, [r9] */
	".inst 0xe320f000\n\t"			/* nop */
	".inst 0xeafffffe");			/* b . */

static struct vm vm;
static struct vcpu *vcpu;

static void control(uint32_t bits)
{
	struct kvm_guest_debug debug = { .control = bits };

	EXPECT(vm_ioctl(vcpu->fd, KVM_SET_GUEST_DEBUG, &debug), 0);
}

static void stop_at(unsigned int class, uint64_t pc)
{
	uint64_t at;

	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, class);
	EXPECT(vcpu_get_pc(vcpu, &at), 0);
	EXPECT(at, pc);
}

int main(void)
{
	uint64_t pstate = 0x1d0;
	unsigned int i;
	int ret;

	make_machine(&vm, 1);
	vcpu = &vm.vcpu[0];
	LOAD(&vm, user32);
	ret = vcpu_set(vcpu, REG_PSTATE, &pstate);
	if (ret == -EINVAL)
		skip("the host has no AArch32 at EL0");
	EXPECT(ret, 0);
	GOOD(vcpu_set_pc(vcpu, CODE));

	control(KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_SW_BP);
	stop_at(EC_BKPT32, CODE);
	EXPECT(vcpu->run->debug.arch.hsr & 0xffff, 0x12);

	GOOD(vcpu_set_pc(vcpu, CODE + 4));
	control(KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP);
	for (i = 2; i <= 5; i++)
		stop_at(EC_STEP, CODE + 4 * i);
	expect_exit(vcpu, KVM_EXIT_MMIO);
	stop_at(EC_STEP, CODE + 4 * 6);
	stop_at(EC_STEP, CODE + 4 * 7);
	stop_at(EC_STEP, CODE + 4 * 7);
	return 0;
}
