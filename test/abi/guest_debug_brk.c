// SPDX-License-Identifier: GPL-2.0
/*
 * BRK is the client's while it debugs, with KVM_EXIT_DEBUG, and the guest's
 * own otherwise.
 */
#include "lib.h"

#define EC_BRK	0x3c

/* The vector of an exception at EL1h reports ESR_EL1 and skips the BRK. */
GUEST(breaker,
      "adr x1, breaker\n"
      "msr vbar_el1, x1\n"
      "isb\n"
      "1: brk #0x1234\n"
      "mov x0, #7\n"
      REPORT
      "b 1b\n"
      ".balign 0x200\n"
      "mrs x0, esr_el1\n"
      REPORT
      "mrs x1, elr_el1\n"
      "add x1, x1, #4\n"
      "msr elr_el1, x1\n"
      "eret\n");

#define BRK	(RAM_BASE + 12)

static void control(struct vcpu *vcpu, uint32_t bits)
{
	struct kvm_guest_debug debug = { .control = bits };

	EXPECT(vm_ioctl(vcpu->fd, KVM_SET_GUEST_DEBUG, &debug), 0);
}

static void check_client(struct vcpu *vcpu)
{
	uint64_t pc;

	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_BRK);
	EXPECT(vcpu->run->debug.arch.hsr & 0xffff, 0x1234);
	EXPECT(vcpu_get_pc(vcpu, &pc), 0);
	EXPECT(pc, BRK);
	EXPECT(vcpu_set_pc(vcpu, BRK + 4), 0);
	EXPECT(next_report(vcpu), 7);
}

static void check_own(struct vcpu *vcpu)
{
	uint64_t esr = next_report(vcpu);

	EXPECT(esr >> 26, EC_BRK);
	EXPECT(esr & 0xffff, 0x1234);
	EXPECT(next_report(vcpu), 7);
}

int main(void)
{
	struct vcpu *vcpu;
	struct vm vm;

	make_machine(&vm, 1);
	vcpu = &vm.vcpu[0];
	LOAD(&vm, breaker);
	check_own(vcpu);
	control(vcpu, KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_SW_BP);
	check_client(vcpu);
	check_client(vcpu);
	/* without ENABLE nothing else counts */
	control(vcpu, KVM_GUESTDBG_USE_SW_BP);
	check_own(vcpu);
	return 0;
}
