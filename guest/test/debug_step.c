// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("a guest steps itself: one instruction at a time, trapped or not");

/*
 * Between two BRKs is one instruction of each kind of exit. From the first BRK
 * to the second the guest steps (Arm ARM D2.12): each step must end at the
 * next instruction, whoever carried it out.
 */
#define MDSCR_SS	(1u << 0)
#define MDSCR_KDE	(1u << 13)
#define PSTATE_SS	(1u << 21)
#define PSTATE_D	(1u << 9)
#define EC_STEP_CUR	0x33
#define EC_BRK		0x3c
#define MAX_STEPS	64

extern const char step_begin[], step_end[];

static volatile uint64_t stepped[MAX_STEPS];
static volatile unsigned int steps, breaks;

static void begin(struct guest_frame *frame)
{
	sysreg_write(mdscr_el1, MDSCR_SS | MDSCR_KDE);
	isb();
	frame->pstate = (frame->pstate | PSTATE_SS) & ~(uint64_t)PSTATE_D;
}

static void end(struct guest_frame *frame)
{
	sysreg_write(mdscr_el1, 0);
	isb();
	frame->pstate = (frame->pstate & ~(uint64_t)PSTATE_SS) | PSTATE_D;
}

static void on_debug(struct guest_frame *frame)
{
	uint64_t class = ESR_EC(sysreg_read(esr_el1));

	if (class == EC_BRK) {
		frame->pc += 4;
		if (breaks++ == 0)
			begin(frame);
		else
			end(frame);
		return;
	}
	CHECK_EQ(class, EC_STEP_CUR);
	CHECK(steps < MAX_STEPS);
	stepped[steps++] = frame->pc;
	frame->pstate |= PSTATE_SS;
}

static void run(void)
{
	uint64_t gicd = GUEST_GICD_BASE, echo = GUEST_DOORBELL + DB_ECHO;
	uint64_t hole = GUEST_HOLE, sgi = 2;	/* to vCPU 1, which is not there */

	steps = breaks = 0;
	guest_on_sync = on_debug;
	asm volatile(
	"	mov	w0, #0x84000000\n"
	"	brk	#0\n"
	"	.global	step_begin, step_end\n"
	"step_begin:\n"
	"	nop\n"
	"	hvc	#0\n"
	"	mov	w0, #0x84000000\n"
	"	add	w0, w0, #10\n"		/* PSCI_FEATURES */
	"	hvc	#0\n"
	"	mrs	x0, id_aa64pfr0_el1\n"
	"	mrs	x0, id_aa64mmfr2_el1\n"
	"	mrs	x0, ctr_el0\n"
	"	mrs	x0, mdscr_el1\n"
	"	mrs	x0, dbgbvr0_el1\n"
	"	msr	icc_sgi1r_el1, %[sgi]\n"
	"	ldr	w0, [%[gicd]]\n"
	"	str	w0, [%[gicd]]\n"
	"	str	x0, [%[echo]]\n"
	"	ldr	x0, [%[echo]]\n"
	"	ldr	x0, [%[hole]]\n"
	"	.inst	0x9e670000\n"		/* fmov d0, x0 */
	"	nop\n"
	"	b	1f\n"
	"1:	nop\n"
	"step_end:\n"
	"	brk	#0\n"
	: : [gicd] "r"(gicd), [echo] "r"(echo), [hole] "r"(hole), [sgi] "r"(sgi)
	: "x0", "x1", "x2", "x3", "memory");
	guest_on_sync = NULL;
}

void guest_main(void)
{
	unsigned int want = (step_end - step_begin) / 4, i, round;

	sysreg_write(oslar_el1, 0);
	isb();
	for (round = 0; round < 3; round++) {
		run();
		CHECK_EQ(breaks, 2);
		for (i = 0; i < steps; i++)
			CHECK_EQ(stepped[i], (uintptr_t)step_begin + 4 * i + 4);
		CHECK_EQ(steps, want);
		db_write(DB_DISTURB, 0);
	}

	/* The OS lock keeps steps away (Arm ARM D2.4), and the guest out of none of its code. */
	sysreg_write(oslar_el1, 1);
	isb();
	run();
	CHECK_EQ(breaks, 2);
	CHECK_EQ(steps, 0);
}
