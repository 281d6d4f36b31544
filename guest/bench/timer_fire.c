// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH("virtual timer set, expired, taken, put off and ended");

/*
 * It expires as it is set, so that nothing is waited for. The handler moves
 * the compare value to x11, far ahead, and tells the loop by x9.
 */
asm(	"	.text\n"
	"	.balign	2048\n"
	"timer_vectors:\n"
	"	.skip	0x280\n"
	"	mrs	x10, icc_iar1_el1\n"
	"	msr	cntv_cval_el0, x11\n"
	"	isb\n"
	"	msr	icc_eoir1_el1, x10\n"
	"	mov	x9, #1\n"
	"	eret\n"
	"	.balign	2048\n");
extern char timer_vectors[];

/* Far, but not so far that an offset added to it makes it near. */
#define FAR_AHEAD	(1ull << 62)

static uint64_t batch(uint64_t n)
{
	sysreg_write(cntv_cval_el0, FAR_AHEAD);
	sysreg_write(cntv_ctl_el0, 1);
	return BENCH_LOOP(n, FAR_AHEAD, 0,
			  "	mov	x11, %[in0]\n"
			  "	mov	x9, #0\n"
			  "	msr	cntv_cval_el0, xzr\n"
			  "2:	cbz	x9, 2b\n",
			  "x9", "x10", "x11");
}

void guest_main(void)
{
	gic_init();
	gic_enable(PPI_VTIMER, 0xa0);
	sysreg_write(vbar_el1, timer_vectors);
	isb();
	irq_enable();
	guest_bench(batch);
	irq_disable();
	sysreg_write(cntv_ctl_el0, 0);
}
