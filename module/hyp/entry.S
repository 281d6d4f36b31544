/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guest entry, and the vectors that stand while a guest runs: all the assembly
 * there is. It moves general registers; what is more is done in C (switch.c).
 *
 * Contract: while the guest runs SP_EL2 holds the address of its general
 * registers in struct hyp_vcpu (64-byte aligned), below which lies a red zone.
 * Offsets are generated (offsets.c). Exception entry and ERET synchronise the
 * context, so tiers (a) and (b) need no ISB.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>
#include <asm/sysreg.h>
#include "offsets.h"

#define EXIT_SYNC	0
#define EXIT_IRQ	1
#define EXIT_DABT	2
#define EXIT_FIQ	3
#define EXIT_SERROR	5

/* PSTATE fields as registers */
#define SYS_DIT		sys_reg(3, 3, 4, 2, 5)
#define SYS_TCO		sys_reg(3, 3, 4, 2, 7)

#define EC_FP		0x07
#define EC_HVC64	0x16
#define EC_SYS64	0x18
#define EC_SVE		0x19
#define EC_DABT		0x24
#define PSCI_VERSION	0x84000000
#define WORKAROUND_1	0x80008000
#define WORKAROUND_2	0x80007fff
#define WORKAROUND_3	0x80003fff

/* SPSR_EL2: BTYPE and SS end with the instruction that is stepped over (Arm ARM D1.4) */
#define SPSR_BTYPE	0xc00
#define SPSR_SS_BIT	21

	.text

/* Nothing may be speculated past an exception return. */
.macro	eret_sb
	eret
	dsb	nsh
	isb
.endm

.macro	save_x4_to_x19
	stp	x4, x5, [sp, #CTX_X + 8 * 4]
	stp	x6, x7, [sp, #CTX_X + 8 * 6]
	stp	x8, x9, [sp, #CTX_X + 8 * 8]
	stp	x10, x11, [sp, #CTX_X + 8 * 10]
	stp	x12, x13, [sp, #CTX_X + 8 * 12]
	stp	x14, x15, [sp, #CTX_X + 8 * 14]
	stp	x16, x17, [sp, #CTX_X + 8 * 16]
	stp	x18, x19, [sp, #CTX_X + 8 * 18]
.endm

.macro	save_x20_to_x29
	stp	x20, x21, [sp, #CTX_X + 8 * 20]
	stp	x22, x23, [sp, #CTX_X + 8 * 22]
	stp	x24, x25, [sp, #CTX_X + 8 * 24]
	stp	x26, x27, [sp, #CTX_X + 8 * 26]
	stp	x28, x29, [sp, #CTX_X + 8 * 28]
.endm

.macro	load_x2_to_x19
	ldp	x2, x3, [sp, #CTX_X + 8 * 2]
	ldp	x4, x5, [sp, #CTX_X + 8 * 4]
	ldp	x6, x7, [sp, #CTX_X + 8 * 6]
	ldp	x8, x9, [sp, #CTX_X + 8 * 8]
	ldp	x10, x11, [sp, #CTX_X + 8 * 10]
	ldp	x12, x13, [sp, #CTX_X + 8 * 12]
	ldp	x14, x15, [sp, #CTX_X + 8 * 14]
	ldp	x16, x17, [sp, #CTX_X + 8 * 16]
	ldp	x18, x19, [sp, #CTX_X + 8 * 18]
.endm

.macro	load_x20_to_x29
	ldp	x20, x21, [sp, #CTX_X + 8 * 20]
	ldp	x22, x23, [sp, #CTX_X + 8 * 22]
	ldp	x24, x25, [sp, #CTX_X + 8 * 24]
	ldp	x26, x27, [sp, #CTX_X + 8 * 26]
	ldp	x28, x29, [sp, #CTX_X + 8 * 28]
.endm

/* x30, x0 and x1, the last three, and go */
.macro	load_rest_eret
	ldr	x30, [sp, #CTX_X + 8 * 30]
	ldp	x0, x1, [sp, #CTX_X]
	eret_sb
.endm

/*
 * u64 hyp_guest_enter(u64 *x): run the guest whose registers are at x.
 * Interrupts masked, the guest's HCR_EL2, CPTR_EL2 and VBAR_EL2 in place.
 * Returns an enum hyp_exit with these three still in place, PSTATE.PAN set. Of
 * the registers that a function keeps this one keeps x18, x29 and SP: its caller
 * (hyp_guest_run()) knows what else it wants.
 */
SYM_FUNC_START(hyp_guest_enter)
	stp	x18, x29, [x0, #CTX_HOST_X18]
	mov	x1, sp
	mrs	x2, sp_el0
	str	x1, [x0, #CTX_HOST_SP]
	stp	x30, x2, [x0, #CTX_HOST_LR]
	mov	sp, x0
	ldp	x1, x2, [sp, #CTX_PC]
	ldr	x3, [sp, #CTX_SP_EL0]
	msr	elr_el2, x1
	msr	spsr_el2, x2
	msr	sp_el0, x3
	load_x2_to_x19
	load_x20_to_x29
	load_rest_eret
SYM_FUNC_END(hyp_guest_enter)

/* Tier (c). x0: enum hyp_exit; the guest's x0 and x1 are saved. */
SYM_CODE_START_LOCAL(exit_full)
	stp	x2, x3, [sp, #CTX_X + 8 * 2]
SYM_INNER_LABEL(exit_full_x4, SYM_L_LOCAL)
	save_x4_to_x19
	str	x30, [sp, #CTX_X + 8 * 30]
SYM_INNER_LABEL(exit_full_x20, SYM_L_LOCAL)
	save_x20_to_x29
	mrs	x1, elr_el2
	mrs	x2, spsr_el2
	mrs	x3, sp_el0
	stp	x1, x2, [sp, #CTX_PC]
	str	x3, [sp, #CTX_SP_EL0]
	tbnz	x0, #0, 1f
	mrs	x4, esr_el2
	mrs	x5, far_el2
	mrs	x6, hpfar_el2
	stp	x4, x5, [sp, #CTX_ESR]
	str	x6, [sp, #CTX_HPFAR]
1:	mov	x1, sp
	ldp	x18, x29, [x1, #CTX_HOST_X18]
	ldp	x30, x2, [x1, #CTX_HOST_LR]
	ldr	x3, [x1, #CTX_HOST_SP]
	msr	sp_el0, x2
	mov	sp, x3
	/* SCTLR_EL2.SPAN acts only when HCR_EL2.TGE is set (Arm ARM, PSTATE.PAN) */
	SET_PSTATE_PAN(1)
	/* PSTATE bits that exception entry changes and the host relies on */
	ldr	x2, [x1, #CTX_FLAGS]
	tbz	x2, #0, 2f
	ldr	x3, [x1, #CTX_HOST_DIT]
	msr_s	SYS_DIT, x3
2:	tbz	x2, #1, 3f
	ldr	x3, [x1, #CTX_HOST_TCO]
	msr_s	SYS_TCO, x3
3:	ret
	sb
SYM_CODE_END(exit_full)

/*
 * Tier (b). The guest's x0 to x3 are saved, x1 holds ESR_EL2, x2 the offset of
 * the C function's address (struct hyp_vcpu.leaf). C runs on the
 * host's stack with the host's SP_EL0 (its current task), so that per-CPU
 * data, preemption counts and raw spinlocks work. x20 to x29 are left to the
 * C function, which keeps them as any does, but where the instruction may name
 * one of them: such an exit begins at exit_leaf_all.
 */
SYM_CODE_START_LOCAL(exit_leaf_all)
	save_x20_to_x29
SYM_INNER_LABEL(exit_leaf, SYM_L_LOCAL)
	save_x4_to_x19
	ldr	x5, [sp, x2]
	mrs	x2, sp_el0
	ldp	x4, x18, [sp, #CTX_HOST_SP]	/* x18: the host's shadow call stack, in kernels that have one */
	ldr	x3, [sp, #CTX_HOST_SP_EL0]
	str	x30, [sp, #CTX_X + 8 * 30]
	str	x2, [sp, #CTX_SP_EL0]
	msr	sp_el0, x3
	sub	x0, sp, #HYP_VCPU_X
	mov	x19, sp
	mov	sp, x4
	blr	x5
	mov	sp, x19
	/* Had C met a breakpoint or a tracer, the host's vectors would stand (vector_host). */
	ldr	x3, [sp, #CTX_VECTORS]
	ldr	x2, [sp, #CTX_SP_EL0]
	msr	vbar_el2, x3
	msr	sp_el0, x2
	cbnz	w0, 1f
	load_x2_to_x19
	load_rest_eret
1:	tbnz	w0, #LEAF_DONE_ALL_BIT, 2f
	/* LEAF_FULL - 1 is EXIT_SYNC, LEAF_LEAVE - 1 is EXIT_IRQ */
	sub	x0, x0, #1
	b	exit_full_x20
2:	load_x2_to_x19
	load_x20_to_x29
	load_rest_eret
SYM_CODE_END(exit_leaf_all)

/*
 * A hypercall other than PSCI_VERSION, or one whose answer the vector has not.
 * x0 and x1 are saved. SMCCC_ARCH_WORKAROUND_1 to 3 ask for what the vector has
 * just done; like the firmware's, they change x0 alone (Arm DEN0028 7.4).
 */
SYM_CODE_START_LOCAL(exit_hvc)
	ldr	x1, [sp, #CTX_FAST_HVC]
	cbz	x1, 1f
	mov	w1, #WORKAROUND_1
	cmp	w0, w1
	mov	w1, #WORKAROUND_2
	ccmp	w0, w1, #4, ne
	mov	w1, #WORKAROUND_3
	ccmp	w0, w1, #4, ne
	b.ne	1f
	ldr	x1, [sp, #CTX_X + 8 * 1]
	mov	x0, xzr
	eret_sb
1:	mov	x0, #EXIT_SYNC
	b	exit_full
SYM_CODE_END(exit_hvc)

/* Not a hypercall. x0 and x1 are saved, w1 is the exception class: that of an abort and few others has bit 5 set. */
SYM_CODE_START_LOCAL(exit_not_hvc)
	tbnz	w1, #5, exit_abort
	mrs	x1, esr_el2
	stp	x2, x3, [sp, #CTX_X + 8 * 2]
	ldr	x2, [sp, #CTX_FAST_ID_MATCH]
	and	w3, w1, w2
	lsr	x2, x2, #32
	cmp	w3, w2
	b.ne	3f
	/* ESR_ELx.ISS of a system-register trap: op2 [19:17], CRm [4:1], direction [0] */
	ubfx	w2, w1, #17, #3
	bfi	w2, w1, #3, #4
	add	x2, sp, x2, lsl #3
	mrs	x3, elr_el2
	ldr	x0, [x2, #CTX_FAST_ID]
	add	x3, x3, #4
	msr	elr_el2, x3
	mrs	x3, spsr_el2
	and	w2, w3, #SPSR_BTYPE
	tbnz	x3, #SPSR_SS_BIT, 2f
	cbnz	w2, 2f
1:	ubfx	w1, w1, #5, #5
	adr	x2, set_xt
	add	x2, x2, x1, lsl #4
	mov	x1, x0
	ret	x2
	sb
2:	bic	x3, x3, #SPSR_BTYPE
	bic	x3, x3, #(1 << SPSR_SS_BIT)
	msr	spsr_el2, x3
	b	1b
	/* Only these are ever served by a leaf function. */
3:	lsr	w2, w1, #26
	cmp	w2, #EC_SYS64
	b.ne	4f
	mov	x2, #CTX_LEAF_SYSREG
	tbz	w1, #9, exit_leaf		/* ESR_ELx.ISS.Rt is below 16 */
	b	exit_leaf_all
4:	cmp	w2, #EC_FP
	mov	w0, #EC_SVE
	ccmp	w2, w0, #4, ne
	mov	x2, #CTX_LEAF_FP
	b.eq	exit_leaf
	mov	x0, #EXIT_SYNC
	b	exit_full_x4
SYM_CODE_END(exit_not_hvc)

/* As above. A data abort where there is a register frame of the GIC, as HPFAR_EL2 has it, is looked at more closely in C. */
SYM_CODE_START_LOCAL(exit_abort)
	cmp	w1, #EC_DABT
	b.ne	2f
	stp	x2, x3, [sp, #CTX_X + 8 * 2]
	mrs	x2, hpfar_el2
	ldp	x0, x3, [sp, #CTX_FAST_FRAME]
	sub	x2, x2, x0
	cmp	x2, x3
	b.lo	1f
	mov	x0, #EXIT_DABT
	b	exit_full_x4
1:	mrs	x1, esr_el2
	mov	x2, #CTX_LEAF_ABORT
	tbz	w1, #20, exit_leaf		/* ESR_ELx.ISS.SRT is below 16 */
	b	exit_leaf_all
2:	mov	x0, #EXIT_SYNC
	b	exit_full
SYM_CODE_END(exit_abort)

/* Return to the guest with x1 in its register Xt: 16 bytes of code for each t; x0 to x3 are saved. */
	.balign	16
SYM_CODE_START_LOCAL(set_xt)
	mov	x0, x1
	ldr	x1, [sp, #CTX_X + 8 * 1]
	b	set_xt_23
	nop
	ldr	x0, [sp, #CTX_X]
	b	set_xt_23
	nop
	nop
	mov	x2, x1
	ldr	x3, [sp, #CTX_X + 8 * 3]
	b	set_xt_01
	nop
	mov	x3, x1
	ldr	x2, [sp, #CTX_X + 8 * 2]
	b	set_xt_01
	nop
	.irp	t, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, zr
	mov	x\t, x1
	ldp	x2, x3, [sp, #CTX_X + 8 * 2]
	ldp	x0, x1, [sp, #CTX_X]
	b	set_xt_eret
	.endr
set_xt_23:
	ldp	x2, x3, [sp, #CTX_X + 8 * 2]
	eret_sb
set_xt_01:
	ldp	x0, x1, [sp, #CTX_X]
set_xt_eret:
	eret_sb
SYM_CODE_END(set_xt)

/*
 * An exception at EL2 while these vectors stand: give the host its vectors
 * back and take the exception again, so that the host's handler (and its
 * exception table) sees it. TPIDR_EL2 is the host's per-CPU offset.
 */
.macro vector_host
	.balign	128
	stp	x0, x1, [sp, #-16]!
	ldr	x0, =hyp_host_vbar
	mrs	x1, tpidr_el2
	ldr	x0, [x0, x1]
	msr	vbar_el2, x0
	isb
	ldp	x0, x1, [sp], #16
	eret_sb
.endm

/*
 * Before anything at EL2 branches, a guest's branch history is made useless,
 * in the way that the CPU needs (host/predictor.c). x0 and x1 are saved; x0 is
 * kept.
 */
.macro	cure_none
.endm

.macro	cure_loop
	ldr	w1, [sp, #CTX_CURE]
.Lcure\@:
	b	. + 4
	subs	w1, w1, #1
	b.ne	.Lcure\@
	sb
.endm

.macro	cure_clear
	hint	#22				/* CLRBHB */
	isb
.endm

/* SMCCC 1.1: x0 to x3 are lost, the others kept */
.macro	cure_firmware
	stp	x2, x3, [sp, #CTX_X + 8 * 2]
	ldr	w0, [sp, #CTX_CURE]
	smc	#0
	ldp	x2, x3, [sp, #CTX_X + 8 * 2]
	ldr	x0, [sp, #CTX_X]
.endm

.macro	vector_full cure, type
	.balign	128
	stp	x0, x1, [sp, #CTX_X]
	cure_\cure
	mov	x0, #\type
	b	exit_full
.endm

/* Lower EL, AArch64, synchronous: the hypercall first, it has the least to do. */
.macro	vector_sync64 cure
	.balign	128
	stp	x0, x1, [sp, #CTX_X]
	cure_\cure
	mrs	x1, esr_el2
	lsr	w1, w1, #26
	cmp	w1, #EC_HVC64
	b.ne	exit_not_hvc
	mov	w1, #PSCI_VERSION
	cmp	w0, w1
	b.ne	exit_hvc
	ldr	x0, [sp, #CTX_FAST_HVC]
	cbz	x0, exit_hvc
	mov	x1, xzr
	mov	x2, xzr
	mov	x3, xzr
	eret_sb
.endm

.macro	vectors cure
	.rept	8
	vector_host
	.endr

	vector_sync64 \cure
	vector_full \cure, EXIT_IRQ
	vector_full \cure, EXIT_FIQ
	vector_full \cure, EXIT_SERROR

	/* Lower EL, AArch32 */
	vector_full \cure, EXIT_SYNC
	vector_full \cure, EXIT_IRQ
	vector_full \cure, EXIT_FIQ
	vector_full \cure, EXIT_SERROR
	.balign	128
.endm

/* In the order of enum predictor_kind. A vector of more than 128 bytes makes an .org go back. */
	.balign	2048
SYM_CODE_START(hyp_vectors)
	vectors	none
	.org	hyp_vectors + 2048
	vectors	loop
	.org	hyp_vectors + 2 * 2048
	vectors	clear
	.org	hyp_vectors + 3 * 2048
	vectors	firmware
	.org	hyp_vectors + 4 * 2048
SYM_CODE_END(hyp_vectors)

	/* DECLARE_PER_CPU(u64, hyp_host_vbar) */
	.pushsection .data..percpu, "aw"
	.balign	8
SYM_DATA(hyp_host_vbar, .quad 0)
	.popsection
