// SPDX-License-Identifier: GPL-2.0
/*
 * busy VCPUS SECONDS: a VMM whose guest keeps every kind of exit
 * going on each of its vCPUs: hypercalls, register traps, MMIO to userspace and
 * in the kernel, timer interrupts' programming, sleeping in WFI, SGIs, FP and
 * memory seen for the first time. Says "running" once all vCPUs do, and exits
 * with 0 when all of them still did in the last second.
 */
#include <pthread.h>
#include <time.h>

#include "lib.h"

#define RAM2		0x80000000UL
#define RAM2_SIZE	0x4000000UL

/*
 * x20: vCPU number, x21: RAM2, x22: turns, x23: the distributor.
 * The timer wakes WFI through the pending interrupt alone: PPI 27 is enabled
 * in the redistributor, never taken since PSTATE.I stays set.
 */
GUEST(worker,
	"mov x20, x0\n\t"
	"mov x23, #0x08000000\n\t"
	"mov w2, #0x12\n\tstr w2, [x23]\n\t"		/* GICD_CTLR */
	"mov x3, #0x0a0000\n\tadd x3, x3, x23\n\t"
	"add x3, x3, x20, lsl #17\n\tadd x3, x3, #0x10000\n\t"
	"mov w2, #0x08000000\n\t"
	"str w2, [x3, #0x100]\n\t"			/* GICR_ISENABLER0 */
	"mov x2, #1\n\tmsr S3_0_C12_C12_7, x2\n\t"	/* ICC_IGRPEN1_EL1 */
	"mov x2, #0xff\n\tmsr S3_0_C4_C6_0, x2\n\t"	/* ICC_PMR_EL1 */
	"mrs x2, cpacr_el1\n\torr x2, x2, #(3 << 20)\n\t"
	"msr cpacr_el1, x2\n\tisb\n\t"
	"mov x21, #0x80000000\n\tmov x22, #0\n"
	"1: mov x0, #0x84000000\n\thvc #0\n\t"		/* PSCI_VERSION */
	"mrs x0, id_aa64pfr0_el1\n\t"
	"ldr w0, [x23, #4]\n\t"				/* GICD_TYPER */
	"fmov d3, x22\n\tfadd d3, d3, d3\n\t"
	"and x4, x22, #0x3fff\n\tadd x4, x21, x4, lsl #12\n\t"
	"str x22, [x4]\n\t"
	"mrs x5, cntvct_el0\n\tadd x5, x5, #2000\n\t"
	"msr cntv_cval_el0, x5\n\tmov x5, #1\n\tmsr cntv_ctl_el0, x5\n\t"
	"isb\n\twfi\n\tmsr cntv_ctl_el0, xzr\n\t"
	"mov x5, #(1 << 40)\n\torr x5, x5, #1\n\t"
	"msr S3_0_C12_C11_5, x5\n\t"			/* ICC_SGI1R_EL1 */
	"add x22, x22, #1\n\tmov x0, x22\n\t" REPORT "b 1b");

static struct vm vm;
static volatile uint64_t progress[VM_MAX_VCPUS];

static void *run_vcpu(void *arg)
{
	struct vcpu *vcpu = arg;

	for (;;)
		progress[vcpu->id] = next_report(vcpu);
	return NULL;
}

static void wait_for_progress(unsigned int vcpus)
{
	uint64_t before[VM_MAX_VCPUS];
	unsigned int i, tries;

	for (i = 0; i < vcpus; i++)
		before[i] = progress[i];
	for (i = 0; i < vcpus; i++) {
		for (tries = 0; tries < 3000 && progress[i] == before[i]; tries++)
			usleep(10000);
		CHECK(progress[i] != before[i]);
	}
}

int main(int argc, char **argv)
{
	unsigned int vcpus = argc > 1 ? atoi(argv[1]) : 2, i;
	time_t end = time(NULL) + (argc > 2 ? atoi(argv[2]) : 5);
	pthread_t thread;

	CHECK(vcpus >= 1 && vcpus <= 8);
	alarm(600);
	make_machine(&vm, vcpus);
	LOAD(&vm, worker);
	EXPECT(set_slot(vm.fd, 30, 0, RAM2, RAM2_SIZE, pages(RAM2_SIZE)), 0);
	for (i = 0; i < vcpus; i++)
		EXPECT(pthread_create(&thread, NULL, run_vcpu, &vm.vcpu[i]), 0);
	wait_for_progress(vcpus);
	puts("running");
	do {
		sleep(1);
		wait_for_progress(vcpus);
	} while (time(NULL) < end);
	return 0;
}
