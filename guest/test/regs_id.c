// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("an ID register reads the same into every register, changing no other");

/*
 * One function for each destination n: every other register holds 0x1111 * n
 * + 1, the ID register is read into xn, and all are stored to after[]. x30 and
 * the address of after[] are kept on the stack.
 */
asm(	"	.text\n"
	"	.macro	fill except\n"
	"	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
		"20,21,22,23,24,25,26,27,28,29,30\n"
	"	.if	\\n - \\except\n"
	"	movz	x\\n, #(0x1111 * \\n + 1) & 0xffff\n"
	"	movk	x\\n, #(0x1111 * \\n + 1) >> 16, lsl #16\n"
	"	.endif\n"
	"	.endr\n"
	"	.endm\n"
	"	.macro	reader rt, number\n"
	"	.balign	16\n"
	"id_reader_\\number:\n"
	"	stp	x29, x30, [sp, #-112]!\n"
	"	stp	x19, x20, [sp, #16]\n"
	"	stp	x21, x22, [sp, #32]\n"
	"	stp	x23, x24, [sp, #48]\n"
	"	stp	x25, x26, [sp, #64]\n"
	"	stp	x27, x28, [sp, #80]\n"
	"	str	x0, [sp, #96]\n"
	"	fill	\\number\n"
	"	mrs	\\rt, id_aa64pfr0_el1\n"
	"	b	id_store\n"
	"	.endm\n"
	"	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
		"20,21,22,23,24,25,26,27,28,29,30\n"
	"	reader	x\\n, \\n\n"
	"	.endr\n"
	"	reader	xzr, 31\n"
	"id_store:\n"
	"	stp	x0, x1, [sp, #-16]!\n"
	"	ldr	x0, [sp, #112]\n"
	"	.irp	n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
		"20,21,22,23,24,25,26,27,28,29,30\n"
	"	str	x\\n, [x0, #\\n * 8]\n"
	"	.endr\n"
	"	ldp	x2, x1, [sp], #16\n"
	"	stp	x2, x1, [x0]\n"
	"	ldp	x19, x20, [sp, #16]\n"
	"	ldp	x21, x22, [sp, #32]\n"
	"	ldp	x23, x24, [sp, #48]\n"
	"	ldp	x25, x26, [sp, #64]\n"
	"	ldp	x27, x28, [sp, #80]\n"
	"	ldp	x29, x30, [sp], #112\n"
	"	ret\n"
	"	.balign	8\n"
	"id_readers:\n"
	"	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,"
		"20,21,22,23,24,25,26,27,28,29,30,31\n"
	"	.quad	id_reader_\\n\n"
	"	.endr\n");
extern void (* const id_readers[32])(uint64_t *after);

void guest_main(void)
{
	uint64_t id = sysreg_read(id_aa64pfr0_el1);
	uint64_t after[31];
	unsigned int rt, n;

	/* EL1 and EL0 at least in AArch64: not some zero that is everywhere. */
	CHECK(id & 0xf);
	for (rt = 0; rt < 32; rt++) {
		id_readers[rt](after);
		for (n = 0; n < 31; n++)
			CHECK_EQ(after[n], n == rt ? id : 0x1111 * n + 1);
	}
}
