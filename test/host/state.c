// SPDX-License-Identifier: GPL-2.0
/*
 * Guests leave the state of a busy host alone. On every CPU, beside vCPUs that
 * overwrite all they can, run threads that keep FP and SVE registers, pointer
 * authentication signatures, thread pointers and PSTATE bits, and look at them
 * again and again; others sleep by the timer and compare clocks.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <time.h>

#include "lib.h"

#define SECONDS		6
#define MAX_CPUS	8
#define VCPUS_PER_CPU	2
/* an emulator on a busy computer may stop for long, a lost timer stops for ever */
#define LATEST_MS	20000

#ifndef HWCAP_SVE
#define HWCAP_SVE	(1UL << 22)
#endif
#ifndef HWCAP_DIT
#define HWCAP_DIT	(1UL << 24)
#endif
#ifndef HWCAP_PACA
#define HWCAP_PACA	(1UL << 30)
#endif

/*
 * x0: vCPU number and seed; x28: nonzero with pointer authentication. Reports
 * 0 each time its own state survived an exit, else what did not.
 */
GUEST(spoiler,
	".arch armv8.3-a\n\t"
	"mov x20, x0\n\t"
	"mrs x2, cpacr_el1\n\torr x2, x2, #(3 << 20)\n\t"
	"msr cpacr_el1, x2\n\tisb\n\t"
	"cbz x28, 1f\n\t"
	"mrs x2, sctlr_el1\n\torr x2, x2, #(1 << 31)\n\t"
	"orr x2, x2, #(1 << 30)\n\torr x2, x2, #(1 << 27)\n\t"
	"orr x2, x2, #(1 << 13)\n\tmsr sctlr_el1, x2\n\tisb\n"
	"1: add x20, x20, #3\n\t"
	"cbz x28, 2f\n\t"
	"msr S3_0_C2_C1_0, x20\n\tmsr S3_0_C2_C1_1, x20\n\t"	/* APIA */
	"msr S3_0_C2_C1_2, x20\n\tmsr S3_0_C2_C1_3, x20\n\t"	/* APIB */
	"msr S3_0_C2_C2_0, x20\n\tmsr S3_0_C2_C2_1, x20\n\t"	/* APDA */
	"msr S3_0_C2_C2_2, x20\n\tmsr S3_0_C2_C2_3, x20\n\t"	/* APDB */
	"msr S3_0_C2_C3_0, x20\n\tmsr S3_0_C2_C3_1, x20\n\tisb\n\t"
	"adr x23, 1b\n\tpacia x23, x20\n\t"
	"adr x24, 1b\n\tpacdb x24, x20\n\t"
	"pacga x25, x20, x20\n"
	"2: msr tpidr_el0, x20\n\tmsr tpidr_el1, x20\n\t"
	"msr contextidr_el1, x20\n\tmsr sp_el0, x20\n\t"
	"msr tpidrro_el0, x20\n\t"
	"msr mdscr_el1, xzr\n\t"
	"mrs x5, cntvct_el0\n\tadd x5, x5, #4000\n\t"
	"msr cntv_cval_el0, x5\n\tmsr cntp_cval_el0, x5\n\t"
	"mov x5, #1\n\tmsr cntv_ctl_el0, x5\n\tmsr cntp_ctl_el0, x5\n\t"
	"mov w5, #0x00c00000\n\tmsr fpcr, x5\n\t"
	".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,"
	"24,25,26,27,28,29,30,31\n\tdup v\\n\\().2d, x20\n\t.endr\n\t"
	"mov x0, #0x84000000\n\thvc #0\n\t"
	"mov x0, #0\n\t" REPORT
	/* what came back */
	"mov x0, #1\n\tmrs x5, tpidr_el0\n\tcmp x5, x20\n\tb.ne 9f\n\t"
	"mov x0, #2\n\tmrs x5, tpidr_el1\n\tcmp x5, x20\n\tb.ne 9f\n\t"
	"mov x0, #3\n\tmrs x5, sp_el0\n\tcmp x5, x20\n\tb.ne 9f\n\t"
	"mov x0, #4\n\tmov x5, v0.d[0]\n\tcmp x5, x20\n\tb.ne 9f\n\t"
	"mov x0, #5\n\tmov x5, v31.d[1]\n\tcmp x5, x20\n\tb.ne 9f\n\t"
	"mov x0, #6\n\tmrs x5, fpcr\n\tmov w6, #0x00c00000\n\t"
	"cmp x5, x6\n\tb.ne 9f\n\t"
	"cbz x28, 1b\n\t"
	"mov x0, #7\n\tadr x5, 1b\n\tpacia x5, x20\n\tcmp x5, x23\n\tb.ne 9f\n\t"
	"mov x0, #8\n\tadr x5, 1b\n\tpacdb x5, x20\n\tcmp x5, x24\n\tb.ne 9f\n\t"
	"mov x0, #9\n\tpacga x5, x20, x20\n\tcmp x5, x25\n\tb.ne 9f\n\t"
	"b 1b\n"
	"9: " REPORT "b 9b\n\t"
	".arch armv8-a");

static volatile bool over;

/* A thread's work, its CPU, and how often it looked. */
struct job {
	const char *name;
	void (*look)(struct job *job);
	unsigned int cpu;
	uint64_t seed;
	uint64_t count;
	struct vcpu *vcpu;
};

__attribute__((noreturn)) static void spoiled(const struct job *job,
					      const char *what)
{
	printf("CPU %u, look %llu of %s: %s\n", job->cpu,
	       (unsigned long long)job->count, job->name, what);
	exit(1);
}

/* Some thousand instructions, in which a guest may come and go. */
#define WAIT	"mov x9, #20000\n0: subs x9, x9, #1\n\tb.ne 0b\n\t"
#define EACH	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"	\
		"23,24,25,26,27,28,29,30,31"
#define ALL_V								\
	"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9",	\
	"v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",	\
	"v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",	\
	"v28", "v29", "v30", "v31"

/* The system call in the middle is one the kernel gives the registers up in. */
static void look_fp(struct job *job)
{
	uint64_t in[64], out[64], fpcr = 0;
	unsigned int i;

	for (i = 0; i < 64; i++)
		in[i] = job->seed + job->count * 64 + i;
	__asm__ volatile(
		"mov x10, #0x00400000\n\tmsr fpcr, x10\n\t"
		"mov x10, %[in]\n\t"
		".irp n," EACH "\n\tldr q\\n, [x10], #16\n\t.endr\n\t"
		WAIT
		"mov x8, #124\n\tsvc #0\n\t"	/* sched_yield */
		WAIT
		"mov x10, %[out]\n\t"
		".irp n," EACH "\n\tstr q\\n, [x10], #16\n\t.endr\n\t"
		"mrs %[fpcr], fpcr\n\tmsr fpcr, xzr\n\t"
		: [fpcr] "=&r" (fpcr)
		: [in] "r" (in), [out] "r" (out)
		: "x0", "x8", "x9", "x10", "cc", "memory", ALL_V);
	if (memcmp(in, out, sizeof(in)))
		spoiled(job, "a vector register changed");
	if (fpcr != 0x00400000)
		spoiled(job, "FPCR changed");
}

/* No system call: the kernel keeps SVE state only across interrupts. */
static void look_sve(struct job *job)
{
	static __thread unsigned char in[32 * 256], out[32 * 256];
	uint64_t length = 0, predicates = 0;
	size_t i;

	for (i = 0; i < sizeof(in); i++)
		in[i] = (unsigned char)(job->seed + job->count + i * 7);
	__asm__ volatile(
		".arch armv8.2-a+sve\n\t"
		"rdvl %[length], #1\n\t"
		"mov x10, %[in]\n\t"
		".irp n," EACH "\n\tldr z\\n, [x10]\n\taddvl x10, x10, #1\n\t"
		".endr\n\t"
		"ptrue p0.b\n\tptrue p15.b, vl3\n\t"
		WAIT WAIT
		"mov x10, %[out]\n\t"
		".irp n," EACH "\n\tstr z\\n, [x10]\n\taddvl x10, x10, #1\n\t"
		".endr\n\t"
		"cntp %[predicates], p0, p15.b\n\t"
		".arch armv8-a\n\t"
		: [length] "=&r" (length), [predicates] "=&r" (predicates)
		: [in] "r" (in), [out] "r" (out)
		: "x9", "x10", "cc", "memory", ALL_V);
	if (memcmp(in, out, 32 * length))
		spoiled(job, "an SVE register changed");
	if (predicates != 3)
		spoiled(job, "a predicate register changed");
}

struct signatures {
	uint64_t ia, ib, da, db, ga;
};

static void sign(struct signatures *s, uint64_t pointer, uint64_t context)
{
	s->ia = s->ib = s->da = s->db = pointer;
	__asm__ volatile(
		".arch armv8.3-a\n\t"
		"pacia %0, %5\n\tpacib %1, %5\n\tpacda %2, %5\n\t"
		"pacdb %3, %5\n\tpacga %4, %6, %5\n\t"
		".arch armv8-a\n\t"
		: "+r" (s->ia), "+r" (s->ib), "+r" (s->da), "+r" (s->db),
		  "=&r" (s->ga)
		: "r" (context), "r" (pointer));
}

static void look_pauth(struct job *job)
{
	struct signatures before, after;
	uint64_t pointer = 0x400000 + job->count * 4;

	sign(&before, pointer, job->seed);
	__asm__ volatile(WAIT : : : "x9", "cc");
	sched_yield();
	__asm__ volatile(WAIT : : : "x9", "cc");
	sign(&after, pointer, job->seed);
	if (memcmp(&before, &after, sizeof(before)))
		spoiled(job, "a signature changed");
}

static uint64_t thread_pointer(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, tpidr_el0" : "=r" (value));
	return value;
}

/* DIT and SSBS are the process's own: PSTATE bits that exceptions save. */
static void look_thread(struct job *job)
{
	uint64_t pointer = thread_pointer(), dit = 1UL << 24, got = dit;
	bool has_dit = getauxval(AT_HWCAP) & HWCAP_DIT;

	if (has_dit)
		__asm__ volatile("msr S3_3_C4_C2_5, %0" : : "r" (dit));
	__asm__ volatile(WAIT : : : "x9", "cc");
	if (thread_pointer() != pointer)
		spoiled(job, "TPIDR_EL0 changed");
	if (has_dit)
		__asm__ volatile("mrs %0, S3_3_C4_C2_5" : "=r" (got));
	if (got != dit)
		spoiled(job, "PSTATE.DIT changed");
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000UL + now.tv_nsec;
}

static uint64_t counter(void)
{
	uint64_t value;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (value));
	return value;
}

static uint64_t frequency(void)
{
	uint64_t value;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r" (value));
	return value;
}

/* A sleep ends, not early, and the counter agrees with the clock about it. */
static void look_timer(struct job *job)
{
	struct timespec sleep = { .tv_nsec = 1000000 + job->count % 7 * 300000 };
	uint64_t ticks = counter(), begun = now_ns(CLOCK_MONOTONIC_RAW);
	uint64_t slept, counted;

	clock_nanosleep(CLOCK_MONOTONIC, 0, &sleep, NULL);
	slept = now_ns(CLOCK_MONOTONIC_RAW) - begun;
	counted = (counter() - ticks) * 1000000000UL / frequency();
	if (slept + 1000000 < (uint64_t)sleep.tv_nsec)
		spoiled(job, "a sleep ended early");
	if (slept > LATEST_MS * 1000000UL)
		spoiled(job, "a sleep ended late");
	if (counted + 1000000 < slept)
		spoiled(job, "the counter lost time");
}

/*
 * KVM_RUN is a system call, and so leaves the caller's vector registers alone:
 * they are the ones that a guest's would replace first.
 */
static long run_keeping_fp(struct job *job)
{
	uint64_t in[64], out[64];
	register long x0 __asm__("x0") = job->vcpu->fd;
	register long x1 __asm__("x1") = KVM_RUN;
	register long x2 __asm__("x2") = 0;
	register long x8 __asm__("x8") = 29;	/* ioctl */
	unsigned int i;

	for (i = 0; i < 64; i++)
		in[i] = job->seed - job->count * 64 - i;
	__asm__ volatile(
		"mov x10, %[in]\n\t"
		".irp n," EACH "\n\tldr q\\n, [x10], #16\n\t.endr\n\t"
		"svc #0\n\t"
		"mov x10, %[out]\n\t"
		".irp n," EACH "\n\tstr q\\n, [x10], #16\n\t.endr\n\t"
		: "+r" (x0)
		: "r" (x1), "r" (x2), "r" (x8), [in] "r" (in), [out] "r" (out)
		: "x10", "cc", "memory", ALL_V);
	if (memcmp(in, out, sizeof(in)))
		spoiled(job, "a vector register of the vCPU's thread changed");
	return x0;
}

static void look_guest(struct job *job)
{
	static const char *const what[] = {
		"", "TPIDR_EL0", "TPIDR_EL1", "SP_EL0", "V0", "V31", "FPCR",
		"APIAKey", "APDBKey", "APGAKey",
	};
	const struct kvm_run *run = job->vcpu->run;
	uint64_t report;

	EXPECT(run_keeping_fp(job), 0);
	EXPECT(run->exit_reason, KVM_EXIT_MMIO);
	EXPECT(run->mmio.phys_addr, DOORBELL);
	memcpy(&report, run->mmio.data, sizeof(report));
	if (report)
		spoiled(job, report < sizeof(what) / sizeof(what[0]) ?
			what[report] : "a guest register changed");
}

static void *work(void *arg)
{
	struct job *job = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->cpu, &set);
	EXPECT(sched_setaffinity(0, sizeof(set), &set), 0);
	for (; !over; job->count++)
		job->look(job);
	return NULL;
}

static struct job jobs[MAX_CPUS * 16];
static unsigned int nr_jobs;

static void add_job(const char *name, void (*look)(struct job *),
		    unsigned int cpu, struct vcpu *vcpu)
{
	struct job *job = &jobs[nr_jobs];

	job->name = name;
	job->look = look;
	job->cpu = cpu;
	job->vcpu = vcpu;
	job->seed = 0x1234567800000000UL + (uint64_t)nr_jobs++ * 0x10000;
}

static void make_guest(struct vm *vm, unsigned int vcpus)
{
	uint32_t features = 0;
	unsigned int i;

	GOOD(vm_init(vm, device_path()));
	GOOD(vm_add_memory(vm, RAM_BASE, RAM_SIZE, 0));
	LOAD(vm, spoiler);
	if (vm_capability(vm, KVM_CAP_ARM_PTRAUTH_ADDRESS))
		features = VM_FEATURE(PTRAUTH_ADDRESS) |
			   VM_FEATURE(PTRAUTH_GENERIC);
	for (i = 0; i < vcpus; i++) {
		GOOD(vm_add_vcpu(vm, features));
		GOOD(vcpu_set_pc(&vm->vcpu[i], RAM_BASE));
		GOOD(vcpu_set_x(&vm->vcpu[i], 0, i + 1));
		GOOD(vcpu_set_x(&vm->vcpu[i], 28, !!features));
	}
	GOOD(vm_add_vgic(vm, DIST_BASE, REDIST_BASE, 96));
}

int main(void)
{
	unsigned long caps = getauxval(AT_HWCAP);
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, i;
	pthread_t threads[MAX_CPUS * 16];
	struct vm vm;

	if (cpus > MAX_CPUS)
		cpus = MAX_CPUS;
	make_guest(&vm, cpus * VCPUS_PER_CPU);
	for (cpu = 0; cpu < cpus; cpu++) {
		add_job("FP", look_fp, cpu, NULL);
		add_job("thread state", look_thread, cpu, NULL);
		add_job("timer", look_timer, cpu, NULL);
		if (caps & HWCAP_SVE)
			add_job("SVE", look_sve, cpu, NULL);
		if (caps & HWCAP_PACA)
			add_job("pointer authentication", look_pauth, cpu, NULL);
		for (i = 0; i < VCPUS_PER_CPU; i++)
			add_job("guest", look_guest, cpu,
				&vm.vcpu[cpu * VCPUS_PER_CPU + i]);
	}
	for (i = 0; i < nr_jobs; i++)
		EXPECT(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
	sleep(SECONDS);
	over = true;
	for (i = 0; i < nr_jobs; i++)
		EXPECT(pthread_join(threads[i], NULL), 0);
	for (i = 0; i < nr_jobs; i++)
		if (jobs[i].count < 10)
			spoiled(&jobs[i], "hardly ran");
	return 0;
}
