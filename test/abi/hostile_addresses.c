// SPDX-License-Identifier: GPL-2.0
/*
 * A guest without MMU that reads, writes, jumps to and makes atomics on every
 * kind of address: an exit, an abort in the guest, or ENOSYS; never more.
 */
#include "lib.h"

#define HANDLER								\
	"mrs x0, esr_el1\n\tmov x9, #0x09000000\n\tstr x0, [x9]\n\t"	\
	"b .\n\t.balign 128\n\t"

/* x2: what to do, x1: where */
GUEST(hostile,
	"adr x3, 8f\n\tmsr vbar_el1, x3\n\t"
	"mov x4, #1\n\tadr x3, 2f\n\tadd x3, x3, x2, lsl #3\n\tbr x3\n"
	"2: ldr x0, [x1]\n\tb 7f\n\t"
	"str x4, [x1]\n\tb 7f\n\t"
	"br x1\n\tb 7f\n\t"
	"ldxr x0, [x1]\n\tb 7f\n\t"
	"ldp x4, x5, [x1]\n\tb 7f\n\t"
	"ldr q0, [x1]\n\tb 7f\n\t"
	"stp x4, x5, [x1]\n\tb 7f\n\t"
	"dc civac, x1\n\tb 7f\n\t"
	"ic ivau, x1\n\tb 7f\n\t"
	"dc zva, x1\n\tb 7f\n\t"
	"ldr x0, [x1], #8\n\tb 7f\n\t"
	"ldar x0, [x1]\n\tb 7f\n\t"
	"prfm pldl1keep, [x1]\n\tb 7f\n\t"
	"stlxr w5, x4, [x1]\n\tb 7f\n"
	"7: mov x0, #0\n\t" REPORT "b .\n\t"
	".balign 2048\n"
	"8: .rept 16\n\t" HANDLER ".endr\n");

#define ACTIONS		14

static const uint64_t places[] = {
	0, DOORBELL + 0x1000, DIST_BASE, DIST_BASE + 0xfff8,
	REDIST_BASE, REDIST_BASE + 0x1fff8, REDIST_BASE + 0x20000,
	RAM_BASE + RAM_SIZE, RAM_BASE - 8, 0xfffffff8, 0xfffffffffff8,
	0x7fffffffffff8, 0xfffffffffffff8, 0xfffffffffffffff8,
};

/* One attempt in a fresh machine: it ends within a few exits. */
static void attempt(uint64_t place, unsigned int action)
{
	struct vm vm;
	int i, ret = 0;

	make_machine(&vm, 1);
	LOAD(&vm, hostile);
	GOOD(vcpu_set_x(&vm.vcpu[0], 1, place));
	GOOD(vcpu_set_x(&vm.vcpu[0], 2, action));
	for (i = 0; i < 4; i++) {
		ret = vcpu_run(&vm.vcpu[0]);
		if (ret != KVM_EXIT_MMIO)
			break;
		if (vm.vcpu[0].run->mmio.phys_addr == DOORBELL)
			break;
		EXPECT(vm.vcpu[0].run->mmio.phys_addr & ~7UL, place & ~7UL);
	}
	if (ret != KVM_EXIT_MMIO && ret != -ENOSYS) {
		printf("action %u at %#llx: %d\n", action,
		       (unsigned long long)place, ret);
		exit(1);
	}
	CHECK(i < 4);
	vm_fini(&vm);
}

int main(void)
{
	unsigned int place, action;

	for (place = 0; place < sizeof(places) / sizeof(places[0]); place++)
		for (action = 0; action < ACTIONS; action++)
			attempt(places[place], action);
	return 0;
}
