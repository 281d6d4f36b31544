// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_SET_VCPU_EVENTS with ext_dabt_pending: the guest takes a synchronous
 * external abort, from each mode, with the PSTATE the architecture wants.
 */
#include "lib.h"

#define CORE(field)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(field))
#define SCTLR		ARM64_SYS_REG(3, 0, 1, 0, 0)
#define ESR		ARM64_SYS_REG(3, 0, 5, 2, 0)
#define VBAR		ARM64_SYS_REG(3, 0, 12, 0, 0)
#define VBAR_VALUE	RAM_BASE
#define START		(RAM_BASE + 0x1000)

#define SCTLR_RESET	0x00c50078UL
#define SPAN		(1UL << 23)
#define NZCV		(0xfUL << 28)
#define PAN		(1UL << 22)
#define SS		(1UL << 21)
#define EL0T		0x0UL
#define EL1T		0x4UL
#define EL1H		0x5UL
#define USR32		0x10UL
#define HANDLER		(0x3c0UL | EL1H)

/* Every vector reports: x9 is DOORBELL. */
GUEST(vectors,
	".rept 16\n\tstr x0, [x9]\n\t.balign 128\n\t.endr");

static struct vm vm;

static uint64_t get(uint64_t id)
{
	uint64_t value = 0;

	EXPECT(vcpu_get(&vm.vcpu[0], id, &value), 0);
	return value;
}

static int set(uint64_t id, uint64_t value)
{
	return vcpu_set(&vm.vcpu[0], id, &value);
}

/* the last exit's store is done with */
static void complete_mmio(void)
{
	struct vcpu *c = &vm.vcpu[0];

	c->run->immediate_exit = 1;
	EXPECT(vcpu_run(c), -EINTR);
	c->run->immediate_exit = 0;
}

static void abort_from(uint64_t pstate, uint64_t sctlr, unsigned int vector,
		       unsigned int class, uint64_t want)
{
	struct kvm_vcpu_events events = { .exception.ext_dabt_pending = 1 };
	int ret = set(CORE(regs.pstate), pstate);

	if (ret == -EINVAL && (pstate & 0x1f) == USR32)
		return;
	EXPECT(ret, 0);
	EXPECT(set(SCTLR, sctlr), 0);
	EXPECT(set(VBAR, VBAR_VALUE), 0);
	EXPECT(set(CORE(regs.regs[9]), DOORBELL), 0);
	EXPECT(set(CORE(regs.pc), START), 0);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_VCPU_EVENTS, &events), 0);
	next_report(&vm.vcpu[0]);

	EXPECT(get(CORE(regs.pc)), VBAR_VALUE + vector);
	EXPECT(get(CORE(regs.pstate)), want);
	/* built-in KVM sets bits 63:32, too */
	EXPECT(get(ESR) >> 26 & 0x3f, class);
	EXPECT(get(ESR) & 0x3f, 0x10);
	EXPECT(get(CORE(elr_el1)), START);
	EXPECT(get(CORE(spsr[0])), pstate);
	complete_mmio();
}

int main(void)
{
	make_machine(&vm, 1);
	LOAD(&vm, vectors);

	abort_from(EL1H, SCTLR_RESET, 0x200, 0x25, HANDLER);
	abort_from(EL1T, SCTLR_RESET, 0x000, 0x25, HANDLER);
	abort_from(EL0T, SCTLR_RESET, 0x400, 0x24, HANDLER);
	abort_from(USR32, SCTLR_RESET, 0x600, 0x24, HANDLER);

	abort_from(EL1H | NZCV, SCTLR_RESET, 0x200, 0x25, HANDLER | NZCV);
	abort_from(EL0T | PAN, SCTLR_RESET, 0x400, 0x24, HANDLER | PAN);
	abort_from(EL0T, SCTLR_RESET & ~SPAN, 0x400, 0x24, HANDLER | PAN);
	abort_from(EL1H | SS, SCTLR_RESET, 0x200, 0x25, HANDLER);
	return 0;
}
