// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_BENCH("SGI to self, taken, acknowledged and ended");

/*
 * The shortest handler there is, in the vector itself: acknowledge, end, and
 * tell the loop by x9.
 */
asm(	"	.text\n"
	"	.balign	2048\n"
	"sgi_vectors:\n"
	"	.skip	0x280\n"
	"	mrs	x10, icc_iar1_el1\n"
	"	msr	icc_eoir1_el1, x10\n"
	"	mov	x9, #1\n"
	"	eret\n"
	"	.balign	2048\n");
extern char sgi_vectors[];

static uint64_t batch(uint64_t n)
{
	return BENCH_LOOP(n, 1, 0,
			  "	mov	x9, #0\n"
			  "	msr	icc_sgi1r_el1, %[in0]\n"
			  "2:	cbz	x9, 2b\n",
			  "x9", "x10");
}

void guest_main(void)
{
	gic_init();
	gic_enable(0, 0xa0);
	sysreg_write(vbar_el1, sgi_vectors);
	isb();
	irq_enable();
	guest_bench(batch);
	irq_disable();
}
