// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_GUESTDBG_SINGLESTEP: each KVM_RUN runs one instruction, also one that
 * exits, and says so by KVM_EXIT_DEBUG (api.rst, KVM_SET_GUEST_DEBUG).
 */
#include "lib.h"

#define EC_STEP		0x32
#define PSTATE_SS	(1u << 21)

/* One of each kind of exit. What is stored at the doorbell comes to the client. */
GUEST(stepped,
      "mov x9, #0x09000000\n"
      "mov x10, #0x08000000\n"
      "mov x0, #0x84000000\n"
      "hvc #0\n"			/* PSCI_VERSION */
      "mov x1, x0\n"
      "movz x0, #0x8400, lsl #16\n"
      "movk x0, #0xa\n"
      "hvc #0\n"			/* PSCI_FEATURES */
      "mrs x0, id_aa64pfr0_el1\n"
      "mrs x0, mdscr_el1\n"
      "mov x1, #2\n"
      "msr icc_sgi1r_el1, x1\n"
      "ldr w0, [x10]\n"
      "str x1, [x9]\n"
      "ldr x2, [x9]\n"
      "mov x3, #3 << 20\n"
      "msr cpacr_el1, x3\n"
      "isb\n"
      "fmov d0, x3\n"
      "fmov x4, d0\n"
      "1: b 1b\n");

static uint64_t get(struct vcpu *vcpu, uint64_t field)
{
	uint64_t value;

	EXPECT(vcpu_get(vcpu, KVM_REG_ARM64 | KVM_REG_SIZE_U64 |
			KVM_REG_ARM_CORE | field, &value), 0);
	return value;
}

static void control(struct vcpu *vcpu, uint32_t bits)
{
	struct kvm_guest_debug debug = { .control = bits };

	EXPECT(vm_ioctl(vcpu->fd, KVM_SET_GUEST_DEBUG, &debug), 0);
}

static void step_to(struct vcpu *vcpu, uint64_t pc)
{
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_STEP);
	EXPECT(get(vcpu, KVM_REG_ARM_CORE_REG(regs.pc)), pc);
	/* what makes the step is not the guest's to see */
	EXPECT(get(vcpu, KVM_REG_ARM_CORE_REG(regs.pstate)) & PSTATE_SS, 0);
}

static bool is_doorbell(uint32_t insn)
{
	return insn == 0xf9000121 || insn == 0xf9400122;	/* str x1, [x9]; ldr x2, [x9] */
}

int main(void)
{
	uint64_t pc, last = RAM_BASE + (stepped_end - stepped) - 4;
	uint64_t answer = 0x1122334455667788;
	unsigned int doorbells = 0;
	struct vcpu *vcpu;
	struct vm vm;

	make_machine(&vm, 1);
	vcpu = &vm.vcpu[0];
	if (!vm_capability(&vm, KVM_CAP_SET_GUEST_DEBUG))
		skip("no KVM_CAP_SET_GUEST_DEBUG");
	LOAD(&vm, stepped);
	control(vcpu, KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP);
	for (pc = RAM_BASE; pc < last; pc += 4) {
		if (is_doorbell(*(uint32_t *)vm_host(&vm, pc, 4))) {
			expect_exit(vcpu, KVM_EXIT_MMIO);
			if (!vcpu->run->mmio.is_write)
				memcpy(vcpu->run->mmio.data, &answer, 8);
			doorbells++;
		}
		step_to(vcpu, pc + 4);
	}
	EXPECT(doorbells, 2);
	EXPECT(get(vcpu, KVM_REG_ARM_CORE_REG(regs.regs[2])), answer);
	EXPECT(get(vcpu, KVM_REG_ARM_CORE_REG(regs.regs[4])), 3 << 20);
	step_to(vcpu, last);

	/* Without it the guest runs on. */
	control(vcpu, 0);
	EXPECT(vcpu_set_pc(vcpu, RAM_BASE), 0);
	expect_exit(vcpu, KVM_EXIT_MMIO);
	return 0;
}
