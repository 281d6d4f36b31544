// SPDX-License-Identifier: GPL-2.0
/*
 * vCPUs that send each other SGIs in every way, and meanwhile clear, activate,
 * read and route each other's interrupts: all of them get on.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "lib.h"

#define VCPUS		4
#define SECONDS		4

/*
 * x19 own number, x20 rounds, x21 the redistributor of the next vCPU, x22 the
 * distributor. Interrupts are taken by polling.
 */
GUEST(quarrel,
      "mov x19, x0\n\tmov x20, #0\n\t"
      "mov x22, #0x08000000\n\t"
      "add x1, x19, #1\n\tand x1, x1, #3\n\t"
      "mov x21, #0x0a0000\n\tadd x21, x21, x22\n\tadd x21, x21, x1, lsl #17\n\t"
      "mov x23, #1\n\tlsl x23, x23, x1\n\t"			/* target list: the next */
      "mov x24, #1\n\tlsl x24, x24, x19\n\t"			/* itself */
      "mov x1, #0xff\n\tmsr S3_0_C4_C6_0, x1\n\t"		/* ICC_PMR_EL1 */
      "mov x1, #1\n\tmsr S3_0_C12_C12_7, x1\n\tisb\n\t"		/* ICC_IGRPEN1_EL1 */
      "mov w1, #2\n\tstr w1, [x22]\n\t"				/* GICD_CTLR */
      "mov w1, #-1\n\tstr w1, [x22, #0x104]\n\t"		/* ISENABLER1 */
      "add x21, x21, #0x10000\n"
      "1:\tadd x20, x20, #1\n\t"
      "msr S3_0_C12_C11_5, x23\n\t"				/* SGI 0 to the next */
      "orr x1, x24, #0x1000000\n\tmsr S3_0_C12_C11_5, x1\n\t"	/* SGI 1 to itself */
      "mov x1, #0x2000000\n\torr x1, x1, #0x10000000000\n\tmsr S3_0_C12_C11_5, x1\n\t"	/* SGI 2 to all others */
      "mov w1, #3\n\tstr w1, [x21, #0x280]\n\t"			/* GICR_ICPENDR0 */
      "ldr w1, [x21, #0x300]\n\t"				/* GICR_ISACTIVER0 */
      "mov w1, #4\n\tstr w1, [x21, #0x300]\n\t"
      "str w1, [x21, #0x380]\n\t"				/* GICR_ICACTIVER0 */
      "mov w1, #0xf0\n\tstr w1, [x22, #0x204]\n\t"		/* GICD_ISPENDR1 */
      "mov w1, #0x30\n\tstr w1, [x22, #0x304]\n\t"		/* GICD_ISACTIVER1 */
      "add x2, x22, #0x6000\n\tadd x2, x2, #0x100\n\t"
      "and x1, x20, #3\n\tstr x1, [x2, #32]\n\tstr x1, [x2, #40]\n\t" /* IROUTER36, 37 */
      "mov w1, #0xf0\n\tstr w1, [x22, #0x284]\n\t"		/* GICD_ICPENDR1 */
      "str w1, [x22, #0x384]\n\t"				/* GICD_ICACTIVER1 */
      "mov x3, #8\n"
      "2:\tmrs x1, S3_0_C12_C12_0\n\tdsb sy\n\t"		/* ICC_IAR1_EL1 */
      "cmp x1, #1020\n\tb.hs 3f\n\tmsr S3_0_C12_C12_1, x1\n\t"	/* ICC_EOIR1_EL1 */
      "subs x3, x3, #1\n\tb.ne 2b\n"
      "3:\ttst x20, #15\n\tb.ne 1b\n\tmov x0, x20\n\t" REPORT "b 1b");

static struct vm vm;
static volatile bool over;
static unsigned long reports[VCPUS];

static void nothing(int signal)
{
	(void)signal;
}

static void *runner(void *arg)
{
	struct vcpu *v = arg;

	while (!over) {
		int reason = vcpu_run(v);

		CHECK(reason == KVM_EXIT_MMIO || reason == -EINTR);
		reports[v->id] += reason == KVM_EXIT_MMIO;
	}
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = nothing };
	pthread_t thread[VCPUS];
	time_t end;
	int i;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, VCPUS);
	LOAD(&vm, quarrel);
	for (i = 0; i < VCPUS; i++)
		EXPECT(pthread_create(&thread[i], NULL, runner, &vm.vcpu[i]), 0);
	for (end = time(NULL) + SECONDS; time(NULL) < end; usleep(5000))
		pthread_kill(thread[end % VCPUS], SIGUSR1);
	over = true;
	for (i = 0; i < VCPUS; i++) {
		while (pthread_tryjoin_np(thread[i], NULL)) {
			pthread_kill(thread[i], SIGUSR1);
			usleep(1000);
		}
		printf("vCPU %d: %lu reports\n", i, reports[i]);
	}
	for (i = 0; i < VCPUS; i++)
		CHECK(reports[i] > 0);
	return 0;
}
