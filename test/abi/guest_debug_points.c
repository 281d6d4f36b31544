// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_GUESTDBG_USE_HW: the client's breakpoints and watchpoints, as many as
 * KVM_CAP_GUEST_DEBUG_HW_BPS and _WPS say, stop the guest, which sees nothing
 * of them in its own debug registers.
 */
#include "lib.h"

#define EC_BREAK	0x30
#define EC_WATCH	0x34
/* DBGBCR and DBGWCR: enabled, at EL1; four bytes, or stores to eight */
#define BCR		(1u | 1u << 1 | 0xfu << 5)
#define WCR		(1u | 1u << 1 | 2u << 3 | 0xffu << 5)

GUEST(points,
      "adr x1, points\n"
      "add x1, x1, #0x800\n"
      "1: nop\n"
      "mrs x0, dbgbcr0_el1\n"
      "mrs x2, mdscr_el1\n"
      "orr x0, x0, x2\n"
      REPORT
      "str x2, [x1]\n"
      "str x2, [x1, #8]\n"
      "b 1b\n");

#define NOP	(RAM_BASE + 8)
#define STORE	(RAM_BASE + 36)		/* str x2, [x1, #8] */
#define STORED	(RAM_BASE + 0x808)

static void set(struct vcpu *vcpu, struct kvm_guest_debug *debug, int want)
{
	EXPECT(vm_ioctl(vcpu->fd, KVM_SET_GUEST_DEBUG, debug), want);
}

static uint64_t pc_of(struct vcpu *vcpu)
{
	uint64_t pc;

	EXPECT(vcpu_get_pc(vcpu, &pc), 0);
	return pc;
}

static void check_break(struct vcpu *vcpu, unsigned int n)
{
	struct kvm_guest_debug debug = {
		.control = KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_HW,
	};

	debug.arch.dbg_bvr[n] = NOP;
	debug.arch.dbg_bcr[n] = BCR;
	set(vcpu, &debug, 0);
	EXPECT(vcpu_set_pc(vcpu, RAM_BASE), 0);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_BREAK);
	EXPECT(pc_of(vcpu), NOP);
	/* it hits again until the client steps over it */
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(pc_of(vcpu), NOP);
	EXPECT(vcpu_set_pc(vcpu, NOP + 4), 0);
	EXPECT(next_report(vcpu), 0);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(pc_of(vcpu), NOP);
}

static void check_watch(struct vcpu *vcpu, unsigned int n)
{
	struct kvm_guest_debug debug = {
		.control = KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_USE_HW,
	};

	debug.arch.dbg_wvr[n] = STORED;
	debug.arch.dbg_wcr[n] = WCR;
	set(vcpu, &debug, 0);
	EXPECT(vcpu_set_pc(vcpu, RAM_BASE), 0);
	EXPECT(next_report(vcpu), 0);
	expect_exit(vcpu, KVM_EXIT_DEBUG);
	EXPECT(vcpu->run->debug.arch.hsr >> 26, EC_WATCH);
	EXPECT(vcpu->run->debug.arch.far, STORED);
	EXPECT(pc_of(vcpu), STORE);
}

int main(void)
{
	struct kvm_guest_debug none = { 0 };
	struct vcpu *vcpu;
	struct vm vm;
	int breaks, watches, i;

	make_machine(&vm, 1);
	vcpu = &vm.vcpu[0];
	breaks = vm_capability(&vm, KVM_CAP_GUEST_DEBUG_HW_BPS);
	watches = vm_capability(&vm, KVM_CAP_GUEST_DEBUG_HW_WPS);
	CHECK(breaks >= 2 && breaks <= 16);
	CHECK(watches >= 2 && watches <= 16);
	LOAD(&vm, points);
	for (i = 0; i < breaks; i++)
		check_break(vcpu, i);
	for (i = 0; i < watches; i++)
		check_watch(vcpu, i);
	set(vcpu, &none, 0);
	EXPECT(next_report(vcpu), 0);
	EXPECT(next_report(vcpu), 0);
	return 0;
}
