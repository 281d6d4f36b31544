// SPDX-License-Identifier: GPL-2.0
/*
 * Stage-2 TLB maintenance.
 *
 * The host runs with HCR_EL2.TGE set, where TLBI instructions act on its own
 * regime. To act on a guest's, VTTBR_EL2 must hold the guest's VMID and TGE
 * must be clear (Arm ARM D8.14, scope of TLB maintenance instructions).
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include "../host/compat.h"
#include "internal.h"

/* Beyond this many pages one invalidation of the whole VMID is cheaper. */
#define TLB_MAX_PAGES	512

#define SCTLR_M		BIT_ULL(0)
#define TCR_EPD		(BIT_ULL(7) | BIT_ULL(23))

struct tlb_scope {
	unsigned long flags;
	u64 vttbr, vtcr, hcr, tcr, sctlr;
};

/*
 * CPUs that translate speculatively through AT while EL1's registers belong to
 * another VMID must not walk any stage 1 meanwhile (Arm erratum 1165522 and
 * its kin).
 */
static void tlb_stop_walks(struct tlb_scope *s)
{
	if (!compat_has_speculative_at())
		return;
	s->tcr = read_sysreg_s(SYS_TCR_EL12);
	write_sysreg_s(s->tcr | TCR_EPD, SYS_TCR_EL12);
	isb();
	s->sctlr = read_sysreg_s(SYS_SCTLR_EL12);
	write_sysreg_s(s->sctlr | SCTLR_M, SYS_SCTLR_EL12);
	isb();
}

static void tlb_start_walks(const struct tlb_scope *s)
{
	if (!compat_has_speculative_at())
		return;
	isb();
	write_sysreg_s(s->tcr, SYS_TCR_EL12);
	write_sysreg_s(s->sctlr, SYS_SCTLR_EL12);
}

static void tlb_scope_enter(struct tlb_scope *s, const struct hyp_mmu *m)
{
	local_irq_save(s->flags);
	s->hcr = read_sysreg(hcr_el2);
	s->vttbr = read_sysreg(vttbr_el2);
	s->vtcr = read_sysreg(vtcr_el2);
	if (s->vttbr != m->vttbr || s->vtcr != m->vtcr) {
		tlb_stop_walks(s);
		write_sysreg(m->vtcr, vtcr_el2);
		write_sysreg(m->vttbr, vttbr_el2);
		isb();
	}
	write_sysreg(s->hcr & ~HCR_TGE, hcr_el2);
	isb();
}

static void tlb_scope_leave(const struct tlb_scope *s, const struct hyp_mmu *m)
{
	write_sysreg(s->hcr, hcr_el2);
	isb();
	if (s->vttbr != m->vttbr || s->vtcr != m->vtcr) {
		write_sysreg(s->vttbr, vttbr_el2);
		write_sysreg(s->vtcr, vtcr_el2);
		tlb_start_walks(s);
		isb();
	}
	local_irq_restore(s->flags);
}

#define tlbi(op)	asm volatile("tlbi " #op ::: "memory")
#define tlbi_ipa(op, i)	asm volatile("tlbi " #op ", %0" :: "r"((i) >> 12) : "memory")

/* TLBI, and the barrier that waits for it, on this CPU alone or on all */
#define tlbi_in(op, here)	do { if (here) tlbi(op); else tlbi(op##is); } while (0)
#define tlbi_ipa_in(op, i, here) do { if (here) tlbi_ipa(op, i); else tlbi_ipa(op##is, i); } while (0)
#define dsb_in(here)		do { if (here) dsb(nsh); else dsb(ish); } while (0)

void hyp_tlb_flush_range(const struct hyp_mmu *m, ipa_t ipa, u64 size, bool here)
{
	struct tlb_scope s;
	u64 i;

	if (size > TLB_MAX_PAGES * PAGE_SIZE) {
		hyp_tlb_flush_vmid(m, here);
		return;
	}
	dsb(ishst);
	tlb_scope_enter(&s, m);
	for (i = 0; i < size; i += PAGE_SIZE)
		tlbi_ipa_in(ipas2e1, ipa.ipa + i, here);
	/* Combined entries are not tagged by IPA: drop stage 1's with stage 2's. */
	dsb_in(here);
	tlbi_in(vmalle1, here);
	dsb_in(here);
	isb();
	tlb_scope_leave(&s, m);
}

void hyp_tlb_flush_vmid(const struct hyp_mmu *m, bool here)
{
	struct tlb_scope s;

	dsb(ishst);
	tlb_scope_enter(&s, m);
	tlbi_in(vmalls12e1, here);
	dsb_in(here);
	isb();
	tlb_scope_leave(&s, m);
}

/* The guest's registers stand, VTTBR_EL2 among them: TGE is all that is in the way. */
void hyp_flush_stale(enum hyp_stale stale)
{
	unsigned long flags;
	u64 hcr;

	if (stale == HYP_STALE_NONE)
		return;
	local_irq_save(flags);
	hcr = read_sysreg(hcr_el2);
	write_sysreg(hcr & ~HCR_TGE, hcr_el2);
	isb();
	if (stale == HYP_STALE_BOTH)
		tlbi(vmalls12e1);
	else
		tlbi(vmalle1);
	asm volatile("ic iallu");
	dsb(nsh);
	write_sysreg(hcr, hcr_el2);
	isb();
	local_irq_restore(flags);
}

void hyp_tlb_flush_all(void)
{
	dsb(ishst);
	tlbi(alle1is);
	/* A VIPT instruction cache may hold lines of the VMID's previous owner. */
	asm volatile("ic ialluis");
	dsb(ish);
}
