// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what a guest at EL1 finds at each of the 2^15 encodings of MRS and
 * MSR (op0 = 2, 3): the value read, or UNDEFINED; written zero, or UNDEFINED.
 * The output of two implementations on one host is the same.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <sched.h>
#include "lib.h"

#define RESULTS		0x40080000UL
#define FIRST		0x8000U
#define COUNT		0x8000U
#define MRS		0xd5200000U
#define MSR		0xd5000000U

struct result {
	uint64_t value;
	uint64_t esr;	/* of the exception it took, or 0 */
};

/*
 * x20: where results go, x21: first encoding, x22: last plus one, x23: value
 * to write, x24: opcode. The instruction is made in place. What a write of
 * zero upsets is put right before the next.
 */
GUEST(probe,
	"1: mrs x10, esr_el1\n\tmrs x11, elr_el1\n\tadd x11, x11, #4\n\t"
	"msr elr_el1, x11\n\teret\n"
	"\t.org probe + 0x200\n\tb 1b\n"
	"\t.org probe + 0x800\n\tmrs x25, sctlr_el1\n"
	"2: adr x5, probe\n\tmsr vbar_el1, x5\n\tmsr sctlr_el1, x25\n\t"
	"msr spsel, #1\n\tmsr daifset, #15\n\tisb\n\t"
	"lsl w1, w21, #5\n\torr w1, w1, w24\n\tadr x2, 3f\n\tstr w1, [x2]\n\t"
	"dc cvau, x2\n\tdsb sy\n\tic ivau, x2\n\tdsb sy\n\tisb\n\t"
	"mov x10, #0\n\tmov x0, x23\n"
	"3: nop\n\tisb\n\t"
	"stp x0, x10, [x20], #16\n\tadd x21, x21, #1\n\tcmp x21, x22\n\t"
	"b.ne 2b\n\tadr x5, probe\n\tmsr vbar_el1, x5\n\tmsr sctlr_el1, x25\n\t"
	"msr spsel, #1\n\tisb\n\t"
	REPORT);

/* Counters and what is computed from them, and random numbers */
static bool lives(unsigned int enc)
{
	unsigned int op1 = enc >> 11 & 7, crn = enc >> 7 & 15, crm = enc >> 3 & 15;

	return op1 == 3 && ((crn == 14 && crm <= 3) || (crn == 2 && crm == 4));
}

static const struct result *run(struct vm *vm, uint32_t opcode)
{
	struct vcpu *c = &vm->vcpu[0];

	GOOD(vcpu_set_pc(c, RAM_BASE + 0x800));
	GOOD(vcpu_set_x(c, 20, RESULTS));
	GOOD(vcpu_set_x(c, 21, FIRST));
	GOOD(vcpu_set_x(c, 22, FIRST + COUNT));
	GOOD(vcpu_set_x(c, 23, 0));
	GOOD(vcpu_set_x(c, 24, opcode));
	next_report(c);
	return vm_host(vm, RESULTS, COUNT * sizeof(struct result));
}

static void print(const char *how, const struct result *r)
{
	unsigned int i, enc;

	for (i = 0; i < COUNT; i++) {
		enc = FIRST + i;
		if (r[i].esr && r[i].esr >> 26 == 0)
			continue;
		printf("%s S%u_%u_C%u_C%u_%u ", how, enc >> 14, enc >> 11 & 7,
		       enc >> 7 & 15, enc >> 3 & 15, enc & 7);
		if (r[i].esr)
			printf("exception %#" PRIx64 "\n", r[i].esr);
		else
			printf("%016" PRIx64 "\n", lives(enc) ? 0 : r[i].value);
	}
}

static void add_pmu(const struct vcpu *c)
{
	int irq = 23;

	EXPECT(set_attr(c->fd, KVM_ARM_VCPU_PMU_V3_CTRL, KVM_ARM_VCPU_PMU_V3_IRQ, &irq), 0);
	EXPECT(set_attr(c->fd, KVM_ARM_VCPU_PMU_V3_CTRL, KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
}

static void dump(uint32_t features, bool gic)
{
	struct vm vm;

	GOOD(vm_init(&vm, device_path()));
	GOOD(vm_add_memory(&vm, RAM_BASE, RAM_SIZE, 0));
	GOOD(vm_add_vcpu(&vm, features));
	if (gic)
		GOOD(vm_add_vgic(&vm, DIST_BASE, REDIST_BASE, 96));
	if (features & VM_FEATURE(PMU_V3))
		add_pmu(&vm.vcpu[0]);
	LOAD(&vm, probe);
	printf("features %#x%s\n", features, gic ? "" : ", no GIC");
	print("MRS", run(&vm, MRS));
	print("MSR", run(&vm, MSR));
	print("MRS again", run(&vm, MRS));
	vm_fini(&vm);
}

/*
 * Built-in KVM leaves the virtual CPU interface alone for a VM without a GIC,
 * which then finds what another VM left in the CPU: on one CPU always the same.
 */
static void stay_on_one_cpu(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	EXPECT(sched_setaffinity(0, sizeof(one), &one), 0);
}

int main(void)
{
	int kvm = open_device();

	stay_on_one_cpu();
	/* built-in KVM is slow here: it logs what it does not know */
	alarm(500);
	dump(0, true);
	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PTRAUTH_ADDRESS) > 0)
		dump(VM_FEATURE(PTRAUTH_ADDRESS) | VM_FEATURE(PTRAUTH_GENERIC), true);
	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PMU_V3) > 0)
		dump(VM_FEATURE(PMU_V3), true);
	dump(0, false);
	return 0;
}
