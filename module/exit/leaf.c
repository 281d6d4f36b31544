// SPDX-License-Identifier: GPL-2.0
/*
 * Tier (b): exits served with the guest's context loaded. What is not worth
 * it, or would need a lock, is left to a full exit.
 */
#include <asm/esr.h>
#include <asm/sysreg.h>
#include "../arch/esr.h"
#include "../host/context.h"
#include "../hyp/leaf.h"
#include "data.h"
#include "exit.h"

#define SGI_INTID_SHIFT	24
#define SGI_INTID	GENMASK_ULL(27, 24)
#define SGI_IRM		BIT_ULL(40)

/* ICC_SGI1R_EL1 (Arm GICv3 spec 12.2.21): affinities, and a target list of Aff0 values */
#define SGI_AFFINITY	(GENMASK_ULL(55, 48) | GENMASK_ULL(39, 32) | GENMASK_ULL(23, 16))
#define SGI_TARGETS	GENMASK_ULL(15, 0)

/* Does @val name the vCPU that @self, its sgi_self, stands for? */
static __always_inline bool sgi_hits(u64 val, u64 self)
{
	return !((val ^ self) & SGI_AFFINITY) && val & self & SGI_TARGETS;
}

/* An SGI to the sender alone, which fills its list register, or to a few others alone. */
static __always_inline enum hyp_leaf_result leaf_sgi(struct tern_vcpu *v, u64 val)
{
	u32 intid = val >> SGI_INTID_SHIFT & 15;

	if ((val & ~SGI_INTID) == v->vgic.sgi_self)
		return vgic_sgi_waits(&v->vgic, intid) || vgic_leaf_sgi_self(&v->vgic, intid) ? LEAF_DONE : LEAF_FULL;
	/* Waking hundreds (IRM: all but the sender) is not for masked interrupts. VGIC_NO_SGI has that bit, too. */
	if ((val | v->vgic.sgi_self) & SGI_IRM || sgi_hits(val, v->vgic.sgi_self) || !context_rcu_watches())
		return LEAF_FULL;
	vgic_leaf_sgi(&v->vgic, val);
	return LEAF_DONE;
}

/* ESR_EL2 of a write to ICC_SGI1R_EL1 but for Rt, which is bits 9:5 */
#define ISS_RT		GENMASK(9, 5)
#define ESR_SGI1R	((u32)ESR_ELx_EC_SYS64 << ESR_ELx_EC_SHIFT | ESR_ELx_IL | \
			 3 << 20 | 5 << 17 | 0 << 14 | 12 << 10 | 11 << 1)

/* Registers of the PMU that are only memory */
static noinline enum hyp_leaf_result leaf_pmu(struct tern_vcpu *v, u64 esr)
{
	u32 enc = SYSREG_ENCODE(ESR_SYS_OP0(esr), ESR_SYS_OP1(esr), ESR_SYS_CRN(esr), ESR_SYS_CRM(esr), ESR_SYS_OP2(esr));
	unsigned int rt = ESR_RT(esr);
	u64 val = vcpu_get_reg(v, rt);

	if (!pmu_leaf(&v->pmu, enc, !ESR_READ(esr), &val))
		return LEAF_FULL;
	hyp_leaf_skip();
	if (ESR_READ(esr))
		vcpu_set_reg(v, rt, val);
	return rt > 15 ? LEAF_DONE_ALL : LEAF_DONE;
}

static enum hyp_leaf_result leaf_sysreg(struct hyp_vcpu *h, u64 esr)
{
	struct tern_vcpu *v = container_of(h, struct tern_vcpu, hyp);
	unsigned long rt = esr >> 5 & 31;
	enum hyp_leaf_result r;

	if (((u32)esr & ~(u32)ISS_RT) != ESR_SGI1R)
		return v->pmu.present ? leaf_pmu(v, esr) : LEAF_FULL;
	r = leaf_sgi(v, rt == 31 ? 0 : v->hyp.x[rt]);
	if (likely(r == LEAF_DONE))
		hyp_leaf_skip();
	return r;
}

/* A plain load or store, without translation at stage 2, whose syndrome says all of it */
#define ESR_PLAIN_MASK	(ESR_ELx_ISV | ESR_ELx_FnV | ESR_ELx_CM | ESR_ELx_S1PTW | ESR_ELx_FSC_TYPE)
#define ESR_PLAIN	(ESR_ELx_ISV | ESR_ELx_FSC_FAULT)

static enum hyp_leaf_result leaf_abort(struct hyp_vcpu *h, u64 esr)
{
	struct tern_vcpu *v = container_of(h, struct tern_vcpu, hyp);
	u64 pstate = read_sysreg(spsr_el2), data = 0;
	bool write = esr & ESR_ELx_WNR;
	unsigned int len = DATA_LEN(esr);
	ipa_t ipa;

	if ((esr & ESR_PLAIN_MASK) != ESR_PLAIN || pstate & PSR_MODE32_BIT)
		return LEAF_FULL;
	if (write && !context_rcu_watches())
		return LEAF_FULL;	/* somebody may have to be woken */
	ipa = to_ipa((read_sysreg(hpfar_el2) & GENMASK_ULL(43, 4)) << 8 | (read_sysreg(far_el2) & ~PAGE_MASK));
	if (write)
		data = data_written(&v->hyp, esr, pstate, len);
	if (!vgic_leaf_mmio(&v->vgic, ipa, len, write, &data))
		return LEAF_FULL;
	hyp_leaf_skip();
	if (write)	/* of this vCPU's own interrupts, perhaps: an IPI would not come */
		return vgic_work(&v->vgic) ? LEAF_LEAVE : LEAF_DONE;
	data_read(&v->hyp, esr, pstate, data, len);
	return DATA_RT(esr) > 15 ? LEAF_DONE_ALL : LEAF_DONE;
}

void exit_leaf_init(struct hyp_vcpu *h)
{
	h->leaf[HYP_LEAF_SYSREG] = leaf_sysreg;
	h->leaf[HYP_LEAF_ABORT] = leaf_abort;
}
