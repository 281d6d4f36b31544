// SPDX-License-Identifier: GPL-2.0
/*
 * FP and SIMD registers change hands only when the guest uses them.
 *
 * Once after each resume, before the guest gets the registers, the host's state is
 * put away (hyp_fp_grant). After that the guest's first FP instruction since
 * an entry traps, and tier (b) loads its registers; they are saved before
 * interrupts are unmasked, since a softirq may use the registers and knows
 * nothing of a guest.
 */
#include <asm/neon.h>
#include <asm/sysreg.h>
#include "internal.h"

void hyp_fp_grant(struct hyp_vcpu *h)
{
	/*
	 * Begin saves the task's state and marks the registers as nobody's;
	 * the pair is all that is wanted. The task finds its state again on
	 * its way to user space.
	 */
	kernel_neon_begin();
	preempt_disable();
	kernel_neon_end();
	h->fp_granted = h->running;
	preempt_enable();
}

#define FP_PAIRS(X) \
	X(0, 1) X(2, 3) X(4, 5) X(6, 7) X(8, 9) X(10, 11) X(12, 13) X(14, 15) \
	X(16, 17) X(18, 19) X(20, 21) X(22, 23) X(24, 25) X(26, 27) X(28, 29) X(30, 31)

#define FP_ASM	".arch_extension fp\n.arch_extension simd\n"
#define FP_STP(a, b) "stp q" #a ", q" #b ", [%0, #16 * " #a "]\n"
#define FP_LDP(a, b) "ldp q" #a ", q" #b ", [%0, #16 * " #a "]\n"

void hyp_fp_save(struct hyp_fp *fp)
{
	asm volatile(FP_ASM FP_PAIRS(FP_STP) :: "r"(fp->v) : "memory");
	fp->fpsr = read_sysreg(fpsr);
	fp->fpcr = read_sysreg(fpcr);
}

void hyp_fp_load(const struct hyp_fp *fp)
{
	asm volatile(FP_ASM FP_PAIRS(FP_LDP) :: "r"(fp->v) : "memory");
	write_sysreg(fp->fpsr, fpsr);
	write_sysreg(fp->fpcr, fpcr);
}
