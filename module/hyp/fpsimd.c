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
