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
static __always_inline bool sgi_hits(u64 val, u64 mpidr)
{
	return (val >> 16 & 0xff) == (mpidr >> 8 & 0xff) &&
	       (val >> 32 & 0xff) == (mpidr >> 16 & 0xff) &&
	       (val >> 48 & 0xff) == (mpidr >> 32 & 0xff) &&
	       val >> (mpidr & 0xf) & 1;
}

/* An SGI to the sender alone, which fills its list register, or to a few others alone. */
static __always_inline enum hyp_leaf_result leaf_sgi(struct tern_vcpu *v, u64 val)
{
	u32 intid = val >> SGI_INTID_SHIFT & 15;

	if ((val & ~SGI_INTID) == v->vgic.sgi_self)
		return vgic_sgi_waits(&v->vgic, intid) || vgic_leaf_sgi_self(&v->vgic, intid) ? LEAF_DONE : LEAF_FULL;
	/* Waking hundreds (IRM: all but the sender) is not for masked interrupts. */
	if (!v->vm->vgic.created || val & SGI_IRM || sgi_hits(val, v->hyp.reg[REG_MPIDR_EL1]) || !context_rcu_watches())
		return LEAF_FULL;
	vgic_sgi(&v->vgic, val, VGIC_SGI1R);
	return LEAF_DONE;
}

/* ESR_EL2.ISS of a write to ICC_SGI1R_EL1 but for Rt, which is bits 9:5 */
#define ISS_RT		GENMASK(9, 5)
#define ISS_SGI1R	(3 << 20 | 5 << 17 | 0 << 14 | 12 << 10 | 11 << 1)

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

static __always_inline enum hyp_leaf_result leaf_sysreg(struct tern_vcpu *v, u64 esr)
{
	unsigned int rt = esr >> 5 & 31;
	enum hyp_leaf_result r;

	if ((esr & (GENMASK(24, 0) & ~ISS_RT)) != ISS_SGI1R)
		return v->pmu.present ? leaf_pmu(v, esr) : LEAF_FULL;
	r = leaf_sgi(v, rt == 31 ? 0 : v->hyp.x[rt]);
	if (likely(r == LEAF_DONE))
		hyp_leaf_skip();
	return r;
}

/* A plain load or store, without translation at stage 2, whose syndrome says all of it */
#define ESR_PLAIN_MASK	(ESR_ELx_ISV | ESR_ELx_FnV | ESR_ELx_CM | ESR_ELx_S1PTW | ESR_ELx_FSC_TYPE)
#define ESR_PLAIN	(ESR_ELx_ISV | ESR_ELx_FSC_FAULT)

static noinline enum hyp_leaf_result leaf_abort(struct tern_vcpu *v, u64 esr)
{
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

/* WFI: an interrupt that has just come in is on its way by IPI, but need not be waited for. */
static __always_inline enum hyp_leaf_result leaf_wfx(struct tern_vcpu *v)
{
	if (!vgic_work(&v->vgic))
		return LEAF_FULL;
	hyp_leaf_skip();
	return LEAF_LEAVE;
}

enum hyp_leaf_result exit_leaf(struct hyp_vcpu *h, u64 esr)
{
	struct tern_vcpu *v = container_of(h, struct tern_vcpu, hyp);

	switch (ESR_ELx_EC(esr)) {
	case ESR_ELx_EC_SYS64:
		return leaf_sysreg(v, esr);
	case ESR_ELx_EC_DABT_LOW:
		return leaf_abort(v, esr);
	default:
		return leaf_wfx(v);
	}
}
