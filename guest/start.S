/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entry of the first and of later vCPUs, and the vectors. The MMU is on, with
 * an identity map: RAM is cacheable and exclusives work on every machine.
 */
#include "image.h"

#define SCTLR_RES1	0x30d00800
#define SCTLR_ON	(SCTLR_RES1 | 1 << 12 | 1 << 2 | 1)	/* I, C, M */

/* 39 bits of address from TTBR0, write-back, inner shareable, no TTBR1 */
#define TCR_MAP		(25 | 1 << 8 | 1 << 10 | 3 << 12 | 1 << 23)
#define TCR_IPS_SHIFT	32

#define FRAME_SIZE	272
#define FRAME_PC	248

	/* The image header, 128 bytes, branches here. */
	.section .text.start, "ax"
	bl	cpu_setup
	bl	guest_main
	mov	x0, #0
	bl	guest_finish

/* PSCI CPU_ON enters here; the context id is the function to call. */
	.global	guest_secondary
guest_secondary:
	mov	x19, x0
	bl	cpu_setup
	blr	x19
	ldr	w0, =0x84000002		// CPU_OFF
	hvc	#0
	b	.

cpu_setup:
	mrs	x0, mpidr_el1		// sixteen share an Aff1
	ubfx	x1, x0, #8, #8
	and	x0, x0, #0xf
	add	x0, x0, x1, lsl #4
	add	x0, x0, #1
	mov	x1, #GUEST_STACK_SIZE
	ldr	x2, =guest_stacks
	madd	x0, x0, x1, x2
	mov	sp, x0

	mov	x0, #0xff		// attribute 0: write-back, 1: nGnRnE
	msr	mair_el1, x0
	mrs	x0, id_aa64mmfr0_el1
	and	x0, x0, #0xf
	mov	x1, #5
	cmp	x0, x1			// 48 bits are all that 4K pages reach
	csel	x0, x0, x1, lo
	lsl	x0, x0, #TCR_IPS_SHIFT
	ldr	x1, =TCR_MAP
	orr	x0, x0, x1
	msr	tcr_el1, x0
	ldr	x0, =guest_map
	msr	ttbr0_el1, x0
	ldr	x0, =guest_vectors
	msr	vbar_el1, x0
	mov	x0, #3 << 20
	msr	cpacr_el1, x0
	tlbi	vmalle1
	dsb	nsh
	isb
	ldr	x0, =SCTLR_ON
	msr	sctlr_el1, x0
	isb
	ret
	.ltorg

	.macro	vector number
	.balign	128
	sub	sp, sp, #FRAME_SIZE
	stp	x0, x1, [sp]
	mov	x1, #\number
	b	exception
	.endm

	.text
	.balign	2048
	.global	guest_vectors
guest_vectors:
	.set	n, 0
	.rept	16
	vector	n
	.set	n, n + 1
	.endr

exception:
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x18, x19, [sp, #144]
	stp	x20, x21, [sp, #160]
	stp	x22, x23, [sp, #176]
	stp	x24, x25, [sp, #192]
	stp	x26, x27, [sp, #208]
	stp	x28, x29, [sp, #224]
	str	x30, [sp, #240]
	mrs	x2, elr_el1
	mrs	x3, spsr_el1
	stp	x2, x3, [sp, #FRAME_PC]
	mov	x0, sp
	bl	guest_exception
	ldp	x2, x3, [sp, #FRAME_PC]
	msr	elr_el1, x2
	msr	spsr_el1, x3
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	ldp	x18, x19, [sp, #144]
	ldp	x20, x21, [sp, #160]
	ldp	x22, x23, [sp, #176]
	ldp	x24, x25, [sp, #192]
	ldp	x26, x27, [sp, #208]
	ldp	x28, x29, [sp, #224]
	ldr	x30, [sp, #240]
	ldp	x0, x1, [sp], #FRAME_SIZE
	eret

	.bss
	.balign	16
guest_stacks:
	.skip	GUEST_STACK_SIZE * GUEST_MAX_VCPUS
