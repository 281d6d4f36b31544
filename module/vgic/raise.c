// SPDX-License-Identifier: GPL-2.0
/*
 * Raising interrupts, and whom that concerns. Any context, no lock.
 *
 * Raising writes the pending state, has a full barrier, and then reads
 * held/holder/route to find the vCPU; claim.c has the other sides.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include "queue.h"
#include "regs.h"

void vgic_poke(struct vgic_cpu *c, u64 banks)
{
	atomic64_or(banks, &c->todo);
	kick_post(c->kick);	/* a full barrier first */
}

struct vgic_cpu *vgic_spi_server(struct vgic *g, u32 b, u32 mask)
{
	u32 n = (b - 1) * 32 + __ffs(mask);
	u32 cpu = atomic_read(&g->spi[b - 1].held) & mask ? READ_ONCE(g->holder[n]) : READ_ONCE(g->route[n]);

	return cpu == VGIC_NO_CPU ? NULL : g->cpu[cpu];
}

void vgic_poke_spi(struct vgic *g, u32 b, u32 mask)
{
	struct vgic_cpu *c = vgic_spi_server(g, b, mask);

	if (c)
		vgic_poke(c, BIT(b));
}

void vgic_poke_spis(struct vgic *g, u32 b, u32 mask)
{
	struct vgic_bank *k = &g->spi[b - 1];

	mask &= vgic_bank_pending(k) | atomic_read(&k->active) | atomic_read(&k->held);
	for (; mask; mask &= mask - 1)
		vgic_poke_spi(g, b, mask & -mask);
}

int vgic_set_irq(struct vgic *g, struct vgic_cpu *c, u32 intid, bool level)
{
	u32 b = intid / 32, mask = BIT(intid % 32);

	if (!vgic_initialized(g))
		return -EBUSY;
	if (intid < VGIC_PRIVATE) {
		if (!c)
			return -EINVAL;
		if (!(READ_ONCE(c->owned) & mask) && vgic_bank_drive(&c->own, mask, level))
			vgic_poke(c, BIT(0));
		return 0;
	}
	if (!vgic_valid_spi(g, intid))
		return -EINVAL;
	b = array_index_nospec(b, VGIC_BANKS);
	if (vgic_bank_drive(&g->spi[b - 1], mask, level))
		vgic_poke_spi(g, b, mask);
	return 0;
}

int vgic_set_ppi(struct vgic_cpu *c, u32 intid, bool level)
{
	if (!vgic_initialized(c->vgic))
		return -EBUSY;
	if (intid < 16 || intid >= VGIC_PRIVATE)
		return -EINVAL;
	if (vgic_bank_drive(&c->own, BIT(intid), level))
		vgic_poke(c, BIT(0));
	return 0;
}

int vgic_watch(struct vgic *g, u32 intid, bool on)
{
	u32 b = intid / 32, mask = BIT(intid % 32);

	if (!vgic_initialized(g))
		return -EBUSY;
	if (!vgic_valid_spi(g, intid))
		return -EINVAL;
	if (on)
		atomic_fetch_or(mask, &g->spi[b - 1].watch);
	else
		atomic_fetch_andnot(mask, &g->spi[b - 1].watch);
	vgic_poke_spis(g, b, mask);	/* LR.EOI may be missing */
	return 0;
}

/*
 * ICC_SGI1R may raise an SGI of either group, the others only of group 0: as
 * built-in KVM reads GICD_CTLR.DS = 1.
 */
static inline void sgi_post(struct vgic_cpu *to, struct vgic_cpu *from, u32 mask, enum vgic_sgi_kind kind)
{
	if (kind != VGIC_SGI1R && atomic_read(&to->own.group) & mask)
		return;
	atomic_fetch_or(mask, &to->own.latch);
	if (to == from)
		atomic64_or(BIT(0), &to->todo);
	else
		vgic_poke(to, BIT(0));
}

/* vCPU ids, and so indices, are MPIDR affinities with Aff0 limited to 0..15, unless a client changed them. */
struct vgic_cpu *vgic_cpu_by_mpidr(struct vgic *g, u64 mpidr)
{
	u32 n = vgic_nr_cpus(g), i = (mpidr & 0xf) | (mpidr >> 8 & 0xff) << 4 | (mpidr >> 16 & 0xff) << 12;

	if (i < n && (g->cpu[i]->hyp->reg[REG_MPIDR_EL1] & MPIDR_AFF) == mpidr)
		return g->cpu[i];
	for (i = 0; i < n; i++)
		if ((g->cpu[i]->hyp->reg[REG_MPIDR_EL1] & MPIDR_AFF) == mpidr)
			return g->cpu[i];
	return NULL;
}

void vgic_cpu_load(struct vgic_cpu *c)
{
	u64 mpidr = c->hyp->reg[REG_MPIDR_EL1];

	if (likely(mpidr == c->sgi_mpidr))
		return;
	c->sgi_mpidr = mpidr;
	if (!READ_ONCE(c->vgic->created)) {
		c->sgi_self = VGIC_NO_SGI;
		return;
	}
	c->sgi_self = (mpidr >> 32 & 0xff) << 48 | (mpidr >> 16 & 0xff) << 32 | (mpidr >> 8 & 0xff) << 16 |
		      BIT_ULL(mpidr & 0xf);
}

/* ICC_SGI1R_EL1: Aff3 55:48, IRM 40, Aff2 39:32, INTID 27:24, Aff1 23:16, targets 15:0 */
void vgic_sgi(struct vgic_cpu *from, u64 val, enum vgic_sgi_kind kind)
{
	u64 aff = (val >> 48 & 0xff) << 32 | (val >> 32 & 0xff) << 16 | (val >> 16 & 0xff) << 8;
	u32 mask = BIT(val >> 24 & 0xf), targets = val & 0xffff, i;
	struct vgic *g = from->vgic;
	struct vgic_cpu *to;

	if ((val & ~(0xfULL << 24)) == from->sgi_self) {
		sgi_post(from, from, mask, kind);
		return;
	}
	if (val & BIT_ULL(40)) {
		for (i = 0; i < vgic_nr_cpus(g); i++)
			if (g->cpu[i] != from)
				sgi_post(g->cpu[i], from, mask, kind);
		return;
	}
	for (; targets; targets &= targets - 1) {
		to = vgic_cpu_by_mpidr(g, aff | __ffs(targets));
		if (to)
			sgi_post(to, from, mask, kind);
	}
}
