/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What this host can do, probed once at load and constant afterwards.
 */
#ifndef TERN_HOST_CAPS_H
#define TERN_HOST_CAPS_H

#include <linux/types.h>

/**
 * struct host_caps - facts of the CPUs, the GIC and the timer of this host
 * @ipa_bits:    largest intermediate physical address size (ID_AA64MMFR0_EL1.PARange)
 * @vmid_bits:   8 or 16 (ID_AA64MMFR1_EL1.VMIDBits)
 * @ptrauth:     address and generic authentication are implemented
 * @wfxt:        FEAT_WFxT
 * @evt:         ID_AA64MMFR2_EL1.EVT
 * @fwb:         FEAT_S2FWB: the stage-2 attribute overrides stage 1's
 * @dic:         instruction cache needs no invalidation (CTR_EL0.DIC)
 * @idc:         data cache needs no clean to the point of unification (CTR_EL0.IDC)
 * @xnx:         FEAT_XNX
 * @hafdbs:      hardware access flag at stage 2
 * @tlb_range:   FEAT_TLBIRANGE
 * @ssbs, @dit, @mte, @pan, @ras: the named feature
 * @pmu:         a PMUv3 is implemented
 * @sme:         SME is implemented and its registers can be trapped
 * @mismatched_cache: the CPUs' caches differ: their identification is trapped
 * @el0_32:      AArch32 is implemented at EL0 on every CPU
 * @nr_lr:       list registers (ICH_VTR_EL2.ListRegs + 1)
 * @pre_bits:    preemption bits (ICH_VTR_EL2.PREbits + 1)
 * @pri_bits:    priority bits (ICH_VTR_EL2.PRIbits + 1)
 * @nr_apr:      active-priority registers in each group: 1, 2 or 4
 * @vtr:         ICH_VTR_EL2, the same on every CPU
 * @a3v, @seis:  ICH_VTR_EL2.A3V, ICH_VTR_EL2.SEIS
 * @vtimer_irq, @ptimer_irq, @maint_irq: Linux interrupt numbers of the EL1
 *               virtual timer, the EL1 physical timer and GIC maintenance PPIs
 * @vtimer_ppi, @ptimer_ppi: their interrupt ids in the GIC (pINTID)
 * @cntfrq:      counter frequency in Hz
 */
struct host_caps {
	u8 ipa_bits;
	u8 vmid_bits;
	bool ptrauth;
	bool wfxt;
	u8 evt;
	bool fwb;
	bool dic;
	bool idc;
	bool xnx;
	bool hafdbs;
	bool tlb_range;
	bool ssbs;
	bool dit;
	bool mte;
	bool pan;
	bool ras;
	bool pmu;
	bool sme;
	bool mismatched_cache;
	bool el0_32;
	u8 nr_lr;
	u8 pre_bits;
	u8 pri_bits;
	u8 nr_apr;
	u64 vtr;
	bool a3v;
	bool seis;
	int vtimer_irq;
	int ptimer_irq;
	int maint_irq;
	u32 vtimer_ppi;
	u32 ptimer_ppi;
	u32 cntfrq;
};

extern struct host_caps host_caps;

/** host_caps_init() - probe; prints one plain line with the cure when tern cannot work here
 *  Return: 0 or a negative errno. */
int host_caps_init(void);

/** host_caps_check_cpu() - does this CPU, come online now, match the others?
 *  Return: 0, or -EINVAL after saying so in the kernel log. */
int host_caps_check_cpu(void);

#endif
