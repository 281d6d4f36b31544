// SPDX-License-Identifier: GPL-2.0
/*
 * A guest that writes all ones, then zeroes, to every system register it can
 * name, hypervisor's included: undefined at worst.
 */
#include "lib.h"

#define HANDLER								\
	"mrs x6, elr_el1\n\tadd x6, x6, #4\n\tmsr elr_el1, x6\n\t"	\
	"add x21, x21, #1\n\teret\n\t.balign 128\n\t"

/*
 * The instruction at 3 is patched by the host; MMU and vectors are kept away
 * from by the host's choice of registers. x20: value, x21: exceptions.
 */
GUEST(writer,
	"adr x3, 8f\n\tmsr vbar_el1, x3\n\tmov x21, #0\n\t"
	"3: nop\n\tisb\n\tmov x0, x21\n\t" REPORT "b .\n\t"
	".balign 2048\n"
	"8: .rept 16\n\t" HANDLER ".endr\n");

#define PATCHED		3	/* index of the instruction at 3 */

/* MSR (register) x20, op0 2 or 3 */
static uint32_t msr(unsigned int encoding)
{
	return 0xd5000000 | encoding << 5 | 20;
}

/* Registers whose value ends the guest's control of itself. */
static bool suicidal(unsigned int encoding)
{
	unsigned int op0 = encoding >> 14, op1 = encoding >> 11 & 7;
	unsigned int crn = encoding >> 7 & 15, crm = encoding >> 3 & 15;
	unsigned int op2 = encoding & 7;

	/* SCTLR_EL1, VBAR_EL1 */
	return op0 == 3 && op1 == 0 &&
	       ((crn == 1 && crm == 0 && op2 == 0) ||
		(crn == 12 && crm == 0 && op2 == 0));
}

static void attempt(struct vm *vm, unsigned int encoding, uint64_t value)
{
	uint32_t *code = vm_host(vm, RAM_BASE, PAGE);

	code[PATCHED] = msr(encoding);
	EXPECT(init_vcpu(vm->fd, vm->vcpu[0].fd, 0), 0);
	GOOD(vcpu_set_pc(&vm->vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&vm->vcpu[0], 20, value));
	CHECK(next_report(&vm->vcpu[0]) <= 1);
	finish_exit(&vm->vcpu[0]);
}

int main(void)
{
	unsigned int encoding;
	struct vm vm;

	make_machine(&vm, 1);
	LOAD(&vm, writer);
	/* op0 2 and 3: bit 15 set; a prime step reaches each kind of them */
	for (encoding = 0x8000; encoding < 0x10000; encoding += 37) {
		if (suicidal(encoding))
			continue;
		attempt(&vm, encoding, -1UL);
		attempt(&vm, encoding, 0);
	}
	return 0;
}
