// SPDX-License-Identifier: GPL-2.0
/*
 * Offsets for entry.S, from the address that SP_EL2 has while the guest runs:
 * the first of the general registers. Compiled to assembly only; the build
 * turns the marks into hyp/offsets.h.
 */
#include <linux/kbuild.h>
#include "hyp.h"

#define CTX(name, field) \
	DEFINE(CTX_##name, offsetof(struct hyp_vcpu, field) - offsetof(struct hyp_vcpu, x))

int main(void)
{
	DEFINE(HYP_VCPU_X, offsetof(struct hyp_vcpu, x));
	CTX(X, x);
	CTX(PC, pc);
	CTX(PSTATE, pstate);
	CTX(SP_EL0, sp_el0);
	CTX(ESR, esr);
	CTX(HPFAR, hpfar);
	CTX(FAST_HVC, fast_hvc);
	CTX(FAST_ID_MATCH, fast_id_match);
	CTX(VECTORS, vectors);
	CTX(CURE, cure);
	CTX(LEAF_SYSREG, leaf[HYP_LEAF_SYSREG]);
	CTX(LEAF_ABORT, leaf[HYP_LEAF_ABORT]);
	CTX(LEAF_FP, leaf[HYP_LEAF_FP]);
	CTX(FAST_FRAME, fast_frame);
	CTX(FLAGS, flags);
	CTX(FAST_ID, fast_id);
	CTX(HOST_SP, host.sp);
	CTX(HOST_X18, host.x18);
	CTX(HOST_LR, host.lr);
	CTX(HOST_SP_EL0, host.sp_el0);
	CTX(HOST_DIT, host.dit);
	CTX(HOST_TCO, host.tco);
	DEFINE(LEAF_DONE_ALL_BIT, ilog2(LEAF_DONE_ALL));
	return 0;
}
