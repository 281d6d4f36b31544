// SPDX-License-Identifier: GPL-2.0
#include "guest.h"

/* How long a test waits for what must come. */
#define PATIENCE_US	5000000

enum { VECTOR_SYNC = 4, VECTOR_IRQ = 5 };

void (*volatile guest_on_sync)(struct guest_frame *frame);
void (*volatile guest_on_irq)(struct guest_frame *frame);

uint64_t guest_map[512] __attribute__((aligned(4096))) = {
	0x00000000ull | MAP_BLOCK | MAP_DEVICE,
	0x40000000ull | MAP_BLOCK | MAP_NORMAL,
	0x80000000ull | MAP_BLOCK | MAP_NORMAL,
	0xc0000000ull | MAP_BLOCK | MAP_DEVICE,
};

void guest_map_set(unsigned int entry, uint64_t value)
{
	*(volatile uint64_t *)&guest_map[entry] = value;
	asm volatile("dsb ishst; tlbi vmalle1is; dsb ish; isb" : : : "memory");
}

void guest_finish(uint64_t status)
{
	db_write(DB_DONE, status);
	/* The client runs the vCPU no more. */
	for (;;)
		wfi();
}

void guest_say(const char *text, uint64_t value)
{
	db_write(DB_TEXT, (uintptr_t)text);
	db_write(DB_VALUE, value);
}

void guest_fail(const char *text, int line, uint64_t got, uint64_t want)
{
	irq_disable();
	db_write(DB_TEXT, (uintptr_t)text);
	guest_say("got", got);
	guest_say("want", want);
	guest_finish(line);
}

uint64_t guest_deadline(void)
{
	return sysreg_read(cntvct_el0) + guest_ticks(PATIENCE_US);
}

void guest_delay(unsigned int us)
{
	uint64_t end = sysreg_read(cntvct_el0) + guest_ticks(us);

	do
		isb();
	while (sysreg_read(cntvct_el0) < end);
}

static void unexpected(const struct guest_frame *frame, uint64_t vector)
{
	guest_say("exception that no one expected, vector", vector);
	guest_say("esr", sysreg_read(esr_el1));
	guest_say("far", sysreg_read(far_el1));
	guest_say("pc", frame->pc);
	guest_fail("a good run has no such exception", __LINE__, 1, 0);
}

void guest_exception(struct guest_frame *frame, uint64_t vector);
void guest_exception(struct guest_frame *frame, uint64_t vector)
{
	if (vector == VECTOR_SYNC && guest_on_sync)
		guest_on_sync(frame);
	else if (vector == VECTOR_IRQ && guest_on_irq)
		guest_on_irq(frame);
	else
		unexpected(frame, vector);
}

static volatile uint64_t caught_esr;
static volatile bool caught;
volatile uint64_t guest_caught_far;

static void catch_one(struct guest_frame *frame)
{
	caught_esr = sysreg_read(esr_el1);
	guest_caught_far = sysreg_read(far_el1);
	caught = true;
	/* A failed fetch came from a call: return to its caller instead. */
	frame->pc = ESR_EC(caught_esr) == EC_IABT_CUR ? frame->x[30] :
							 frame->pc + 4;
	guest_on_sync = NULL;
}

void guest_catch(void)
{
	caught = false;
	guest_on_sync = catch_one;
}

uint64_t guest_caught(void)
{
	guest_on_sync = NULL;
	return caught ? caught_esr | 1ull << 63 : 0;
}

struct smccc_result guest_hvc(uint64_t fn, uint64_t a1, uint64_t a2,
			      uint64_t a3)
{
	register uint64_t x0 asm("x0") = fn;
	register uint64_t x1 asm("x1") = a1;
	register uint64_t x2 asm("x2") = a2;
	register uint64_t x3 asm("x3") = a3;

	asm volatile("hvc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : :
		     "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
		     "x13", "x14", "x15", "x16", "x17", "memory");
	return (struct smccc_result){ x0, x1, x2, x3 };
}

struct smccc_result guest_smc(uint64_t fn)
{
	register uint64_t x0 asm("x0") = fn;
	register uint64_t x1 asm("x1") = 0;
	register uint64_t x2 asm("x2") = 0;
	register uint64_t x3 asm("x3") = 0;

	asm volatile("smc #0" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3) : :
		     "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",
		     "x13", "x14", "x15", "x16", "x17", "memory");
	return (struct smccc_result){ x0, x1, x2, x3 };
}

void guest_cpu_on(unsigned int n, void (*fn)(void))
{
	CHECK_EQ(guest_hvc(PSCI_CPU_ON, (n & 0xf) | n >> 4 << 8, (uintptr_t)guest_secondary,
			   (uintptr_t)fn).x0, 0);
}

/* The low bit tells the end from the beginning. */
static void mark(uint64_t value)
{
	if (value > 1)
		sysreg_write(cntv_cval_el0, value);
}

void guest_bench(uint64_t (*fn)(uint64_t iterations))
{
	uint64_t iterations = db_read(DB_BATCH);
	uint64_t batches = db_read(DB_BATCHES);
	uint64_t mark_value = db_read(DB_MARK);
	uint64_t ticks;

	fn(iterations);		/* memory mapped, code translated */
	while (batches--) {
		mark(mark_value);
		ticks = fn(iterations);
		mark(mark_value | 1);
		db_write(DB_SAMPLE, ticks);
	}
}
