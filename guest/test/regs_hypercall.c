// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("general registers survive a hypercall");

/* after[n] = xn, having entered the hypercall with xn = 0x1111 * n + 1 */
void hypercall_dump(uint64_t *after);
asm(	"	.text\n"
	"hypercall_dump:\n"
	"	sub	sp, sp, #112\n"
	"	stp	x19, x20, [sp]\n"
	"	stp	x21, x22, [sp, #16]\n"
	"	stp	x23, x24, [sp, #32]\n"
	"	stp	x25, x26, [sp, #48]\n"
	"	stp	x27, x28, [sp, #64]\n"
	"	stp	x29, x30, [sp, #80]\n"
	"	str	x0, [sp, #96]\n"
	"	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,"
		"21,22,23,24,25,26,27,28,29,30\n"
	"	mov	x\\n, #0x1111\n"
	"	mov	x0, #\\n\n"
	"	mul	x\\n, x\\n, x0\n"
	"	add	x\\n, x\\n, #1\n"
	"	.endr\n"
	"	mov	x0, #0x84000000\n"
	"	hvc	#0\n"
	"	sub	sp, sp, #16\n"
	"	str	x0, [sp]\n"
	"	ldr	x0, [sp, #112]\n"
	"	stp	x2, x3, [x0, #16]\n"
	"	str	x1, [x0, #8]\n"
	"	ldr	x1, [sp], #16\n"
	"	str	x1, [x0]\n"
	"	.irp	n, 4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,"
		"21,22,23,24,25,26,27,28,29,30\n"
	"	str	x\\n, [x0, #\\n * 8]\n"
	"	.endr\n"
	"	ldp	x19, x20, [sp]\n"
	"	ldp	x21, x22, [sp, #16]\n"
	"	ldp	x23, x24, [sp, #32]\n"
	"	ldp	x25, x26, [sp, #48]\n"
	"	ldp	x27, x28, [sp, #64]\n"
	"	ldp	x29, x30, [sp, #80]\n"
	"	add	sp, sp, #112\n"
	"	ret\n");

void guest_main(void)
{
	uint64_t after[31];
	unsigned int round, n;

	for (round = 0; round < 100; round++) {
		hypercall_dump(after);
		CHECK_EQ(after[0] >> 16, 1);
		/* x1 to x3 are results that PSCI_VERSION does not have. */
		CHECK_EQ(after[1], 0);
		CHECK_EQ(after[2], 0);
		CHECK_EQ(after[3], 0);
		for (n = 4; n < 31; n++)
			CHECK_EQ(after[n], 0x1111 * n + 1);
	}
}
