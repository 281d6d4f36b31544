// SPDX-License-Identifier: GPL-2.0
/*
 * What is a guest's own stays its own, whichever threads run it on whichever
 * CPUs, while other vCPUs, signals and ioctls come in between.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "lib.h"

#define VCPUS		5
#define RUNNERS		4
#define SECONDS		4
#define WRONG		0xdeadUL

#define TPIDR_EL0	ARM64_SYS_REG(3, 3, 13, 0, 2)
#define TPIDR_EL1	ARM64_SYS_REG(3, 0, 13, 0, 4)
#define MAIR_EL1	ARM64_SYS_REG(3, 0, 10, 2, 0)

/* the guest's number in \reg, and is it still there? */
#define SET(reg)	"msr " #reg ", x19\n\t"
#define ASK(reg)	"mrs x1, " #reg "\n\tcmp x1, x19\n\tb.ne 9f\n\t"
#define SETV(n)		"fmov v" #n ".d[1], x19\n\tfmov d" #n ", x20\n\tmov v" #n ".d[1], x19\n\t"
#define ASKV(n)		"fmov x1, d" #n "\n\tcmp x1, x20\n\tb.ne 9f\n\t" \
			"fmov x1, v" #n ".d[1]\n\tcmp x1, x19\n\tb.ne 9f\n\t"
#define REGISTERS(X) \
	X(tpidr_el0) X(tpidrro_el0) X(tpidr_el1) X(sp_el0) X(elr_el1) \
	X(far_el1) X(mair_el1) X(ttbr0_el1) X(ttbr1_el1) X(cntv_cval_el0) \
	X(cntp_cval_el0)
#define VECTORS(X)	X(0) X(1) X(7) X(8) X(15) X(16) X(30) X(31)

/* A report after each 64 rounds; a yield to the other vCPUs (WFE) now and then. */
GUEST(keeper, ".arch armv8.3-a\n\t"
      "add x19, x0, #1\n\tmov x20, #0\n\t"
      "mov x1, #3 << 20\n\tmsr cpacr_el1, x1\n\tadr x1, 7f\n\t"
      "msr vbar_el1, x1\n\tisb\n\t"
      REGISTERS(SET)
      "1:\tadd x20, x20, #1\n\t"
      VECTORS(SETV)
      "msr S3_0_C2_C1_2, x20\n\tmsr S3_0_C2_C1_3, x19\n\t"	/* APIBKey */
      "msr S3_0_C2_C1_0, x20\n\tmsr S3_0_C2_C1_1, x19\n\t"	/* APIAKey */
      "isb\n\t"
      "tst x20, #63\n\tb.ne 2f\n\t"
      "mov x0, x20\n\t" REPORT
      "2:\ttst x20, #7\n\tb.ne 3f\n\twfe\n"
      "3:\t" REGISTERS(ASK) VECTORS(ASKV)
      "mrs x1, S3_0_C2_C1_2\n\tcmp x1, x20\n\tb.ne 9f\n\t"
      "mrs x1, S3_0_C2_C1_3\n\tcmp x1, x19\n\tb.ne 9f\n\t"
      "mrs x1, S3_0_C2_C1_0\n\tcmp x1, x20\n\tb.ne 9f\n\t"
      "mrs x1, S3_0_C2_C1_1\n\tcmp x1, x19\n\tb.ne 9f\n\t"
      "b 1b\n"
      "8:\tmrs x1, esr_el1\n"
      "9:\tmov x0, #0xdead\n\tlsl x0, x0, #32\n\torr x0, x0, x1\n\t" REPORT "b 9b\n"
      ".balign 2048\n7:\t.rept 16\n\t.balign 128\n\tb 8b\n\t.endr");

static struct vm vm;
static volatile bool over;
static unsigned long runs;

static void nothing(int signal)
{
	(void)signal;
}

static void wander(unsigned int *seed)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(rand_r(seed) % sysconf(_SC_NPROCESSORS_ONLN), &set);
	CHECK(!sched_setaffinity(0, sizeof(set), &set));
}

/* One vCPU has one page for the exits of all threads: only what it can say in any case is checked. */
static void run_one(struct vcpu *v)
{
	int reason = vcpu_run(v);
	uint64_t value;

	if (reason == -EINTR)
		return;
	CHECK(reason == KVM_EXIT_MMIO || reason == KVM_EXIT_INTR);
	memcpy(&value, v->run->mmio.data, sizeof(value));
	CHECK(value >> 32 != WRONG);
	__atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
}

static void *runner(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;
	int i, n;

	while (!over) {
		struct vcpu *v = &vm.vcpu[rand_r(&seed) % VCPUS];

		if (!(rand_r(&seed) % 4))
			wander(&seed);
		n = rand_r(&seed) % 8;
		for (i = 0; i < n && !over; i++)
			run_one(v);
	}
	return NULL;
}

static void *reader(void *arg)
{
	unsigned int seed = 77;
	uint64_t value;

	while (!over) {
		struct vcpu *v = &vm.vcpu[rand_r(&seed) % VCPUS];

		wander(&seed);
		EXPECT(vcpu_get(v, TPIDR_EL0, &value), 0);
		EXPECT(value, v->id + 1);
		EXPECT(vcpu_set(v, TPIDR_EL0, &value), 0);
		EXPECT(vcpu_get(v, TPIDR_EL1, &value), 0);
		EXPECT(value, v->id + 1);
		EXPECT(vcpu_get(v, MAIR_EL1, &value), 0);
		EXPECT(value, v->id + 1);
		usleep(rand_r(&seed) % 3000);
	}
	return arg;
}

int main(void)
{
	struct sigaction action = { .sa_handler = nothing };
	pthread_t thread[RUNNERS + 1];
	unsigned int seed = 1;
	time_t end;
	long i;

	sigaction(SIGUSR1, &action, NULL);
	make_bare(&vm, 0);
	if (!vm_capability(&vm, KVM_CAP_ARM_PTRAUTH_ADDRESS))
		skip("no pointer authentication");
	for (i = 0; i < VCPUS; i++) {
		GOOD(vm_add_vcpu(&vm, VM_FEATURE(PTRAUTH_ADDRESS) | VM_FEATURE(PTRAUTH_GENERIC)));
		EXPECT(vcpu_set_pc(&vm.vcpu[i], RAM_BASE), 0);
		EXPECT(vcpu_set_x(&vm.vcpu[i], 0, i), 0);
	}
	GOOD(vm_add_vgic(&vm, DIST_BASE, REDIST_BASE, 96));
	LOAD(&vm, keeper);
	for (i = 0; i < VCPUS; i++)
		CHECK(next_report(&vm.vcpu[i]) == 64);
	for (i = 0; i < RUNNERS; i++)
		EXPECT(pthread_create(&thread[i], NULL, runner, (void *)(i + 1)), 0);
	EXPECT(pthread_create(&thread[i], NULL, reader, NULL), 0);
	for (end = time(NULL) + SECONDS; time(NULL) < end; usleep(rand_r(&seed) % 2000))
		pthread_kill(thread[rand_r(&seed) % RUNNERS], SIGUSR1);
	over = true;
	for (i = 0; i <= RUNNERS; i++) {
		if (i < RUNNERS)
			pthread_kill(thread[i], SIGUSR1);
		EXPECT(pthread_join(thread[i], NULL), 0);
	}
	printf("%lu runs\n", runs);
	CHECK(runs > 100);
	return 0;
}
