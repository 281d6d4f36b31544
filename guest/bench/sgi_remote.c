// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH_WITH("SGI to a running vCPU on another CPU, the sender's side",
		 .vcpus = 3, .needs = GUEST_NEEDS_CPUS);

enum { SENDER, WITNESS, TARGET };

/*
 * Where CPUs run at the same time the sender's clock tells what sending costs.
 * An emulator that counts instructions runs them by turns, and its one clock
 * counts those of all: 0 to 1 to 2 to 0, at each interrupt sent and at each
 * YIELD. So the witness, between sender and target, notes when it has its
 * turn, and the target when it gives its own away: what lies between the two
 * is not the sender's, but for five instructions.
 */
struct note {
	uint64_t at, count;
};
static volatile struct note noted[3] __attribute__((aligned(64)));
volatile uint64_t remote_taken;
static volatile bool ready;
static bool by_turns;

#define SPIN_ROUNDS	2000

static void __attribute__((noreturn)) note_turns(unsigned int vcpu)
{
	asm volatile("1:	mrs	x0, cntvct_el0\n"
		     "	add	x1, x1, #1\n"
		     "	stp	x0, x1, [%0]\n"
		     "	yield\n"
		     "	b	1b\n"
		     : : "r"(&noted[vcpu]) : "x0", "x1", "memory");
	__builtin_unreachable();
}

static void witness(void)
{
	ready = true;
	note_turns(WITNESS);
}

/* Whatever it interrupts keeps its registers. */
asm(	"	.text\n"
	"	.balign	2048\n"
	"remote_vectors:\n"
	"	.skip	0x280\n"
	"	msr	tpidr_el1, x0\n"
	"	msr	tpidr_el0, x1\n"
	"	mrs	x0, icc_iar1_el1\n"
	"	msr	icc_eoir1_el1, x0\n"
	"	ldr	x1, =remote_taken\n"
	"	ldr	x0, [x1]\n"
	"	add	x0, x0, #1\n"
	"	str	x0, [x1]\n"
	"	mrs	x1, tpidr_el0\n"
	"	mrs	x0, tpidr_el1\n"
	"	eret\n"
	"	.ltorg\n"
	"	.balign	2048\n");
extern char remote_vectors[];

static void target(void)
{
	gic_init_cpu();
	gic_enable(1, 0xa0);
	sysreg_write(vbar_el1, remote_vectors);
	isb();
	irq_enable();
	ready = true;
	note_turns(TARGET);
}

/* Sends one: the sender's ticks, or 0 when others had more than one turn. */
static uint64_t send_one(void)
{
	uint64_t before[2] = { noted[WITNESS].count, noted[TARGET].count };
	uint64_t turns[2], taken = remote_taken;
	uint64_t a, b;

	asm volatile("mrs	%0, cntvct_el0\n"
		     "msr	icc_sgi1r_el1, %2\n"
		     "mrs	%1, cntvct_el0\n"
		     : "=&r"(a), "=&r"(b)
		     : "r"(1ull << 24 | 1ull << TARGET) : "memory");
	turns[0] = noted[WITNESS].count - before[0];
	turns[1] = noted[TARGET].count - before[1];
	if (by_turns && turns[0])
		a += noted[TARGET].at - noted[WITNESS].at;
	while (remote_taken == taken)
		asm volatile("yield" : : : "memory");
	if (by_turns && (turns[0] > 1 || turns[1] != turns[0]))
		return 0;
	return b - a;
}

static uint64_t batch(uint64_t n)
{
	uint64_t sum = 0, ticks;

	while (n) {
		ticks = send_one();
		sum += ticks;
		n -= !!ticks;
	}
	return sum;
}

/* While this vCPU has its turn the witness notes nothing. */
static bool turns_are_taken(void)
{
	uint64_t count;
	unsigned int i, quiet = 0;

	for (i = 0; i < 4; i++) {
		volatile unsigned int spin = SPIN_ROUNDS;

		count = noted[WITNESS].count;
		while (spin)
			spin--;
		quiet += noted[WITNESS].count == count;
	}
	return quiet >= 3;
}

static void start(unsigned int vcpu, void (*fn)(void))
{
	ready = false;
	guest_cpu_on(vcpu, fn);
	while (!ready)
		asm volatile("yield" : : : "memory");
}

void guest_main(void)
{
	gic_init();
	start(WITNESS, witness);
	start(TARGET, target);
	by_turns = turns_are_taken();
	guest_bench(batch);
}
