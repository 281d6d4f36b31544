// SPDX-License-Identifier: GPL-2.0
/*
 * The loops of guest/bench, run by Xen as its first domain: what the same
 * exits cost there. Figures go to Xen's console.
 */
#include "../../guest/gic.h"

#define ITERATIONS	256
#define BATCHES		17

#define CONSOLE_IO	18	/* hypercall number; 0: write */

static void say(const char *text)
{
	register uint64_t x0 asm("x0") = 0;
	register uint64_t x1 asm("x1") = 0;
	register const char *x2 asm("x2") = text;
	register uint64_t x16 asm("x16") = CONSOLE_IO;

	while (text[x1])
		x1++;
	asm volatile("hvc #0xea1" : "+r"(x0), "+r"(x1), "+r"(x2) : "r"(x16) :
		     "memory");
}

uint64_t guest_deadline(void)
{
	return sysreg_read(cntvct_el0) + sysreg_read(cntfrq_el0);
}

void guest_fail(const char *text, int line, uint64_t got, uint64_t want)
{
	(void)line;
	(void)got;
	(void)want;
	say(text);
	for (;;)
		wfi();
}

static void say_figure(const char *name, uint64_t value)
{
	char text[32], *p = text + sizeof(text);

	*--p = '\0';
	*--p = '\n';
	do
		*--p = '0' + value % 10;
	while (value /= 10);
	say(name);
	say(p);
}

static uint64_t hypercall(uint64_t n)
{
	return BENCH_LOOP(n, PSCI_VERSION, 0,
			  "	mov	x0, %[in0]\n"
			  "	hvc	#0\n",
			  "x0", "x1", "x2", "x3");
}

static uint64_t id_register(uint64_t n)
{
	return BENCH_LOOP(n, 0, 0, "	mrs	x0, id_aa64pfr0_el1\n", "x0");
}

static uint64_t gicd_read(uint64_t n)
{
	return BENCH_LOOP(n, GUEST_GICD_BASE + GICD_TYPER, 0,
			  "	ldr	w0, [%[in0]]\n", "x0");
}

static uint64_t sgi_send(uint64_t n)
{
	return BENCH_LOOP(n, 1, 0, "	msr	icc_sgi1r_el1, %[in0]\n");
}

asm(	"	.text\n"
	"	.balign	2048\n"
	"xen_vectors:\n"
	"	.skip	0x280\n"
	"	mrs	x10, icc_iar1_el1\n"
	"	msr	icc_eoir1_el1, x10\n"
	"	mov	x9, #1\n"
	"	eret\n"
	"	.balign	2048\n");
extern char xen_vectors[] __attribute__((visibility("hidden")));

static uint64_t sgi_self(uint64_t n)
{
	return BENCH_LOOP(n, 1, 0,
			  "	mov	x9, #0\n"
			  "	msr	icc_sgi1r_el1, %[in0]\n"
			  "2:	cbz	x9, 2b\n",
			  "x9", "x10");
}

/* The median of the batches, in hundredths of an iteration's instructions. */
static void measure(const char *name, uint64_t (*fn)(uint64_t n))
{
	uint64_t ticks[BATCHES], t;
	unsigned int i, j;

	fn(ITERATIONS);
	for (i = 0; i < BATCHES; i++) {
		t = fn(ITERATIONS);
		for (j = i; j && ticks[j - 1] > t; j--)
			ticks[j] = ticks[j - 1];
		ticks[j] = t;
	}
	say_figure(name, ticks[BATCHES / 2] * 100 / ITERATIONS);
}

void xen_main(void);
void xen_main(void)
{
	measure("bench hypercall ", hypercall);
	measure("bench id_register ", id_register);
	measure("bench gicd_read ", gicd_read);
	gic_init();
	measure("bench sgi_send ", sgi_send);
	gic_enable(0, 0xa0);
	sysreg_write(vbar_el1, xen_vectors);
	isb();
	irq_enable();
	measure("bench sgi_self ", sgi_self);
	irq_disable();
	say("bench done\n");
	asm volatile("mov x0, %0; hvc #0" : : "r"((uint64_t)PSCI_SYSTEM_OFF) :
		     "x0", "x1", "x2", "x3", "memory");
}
