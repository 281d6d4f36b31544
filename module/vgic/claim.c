// SPDX-License-Identifier: GPL-2.0
/*
 * Which vCPU an SPI belongs to, and changing that or active state while vCPUs
 * run.
 *
 * Nothing gets lost between CPUs because each side writes, has a full barrier,
 * and then reads what the others wrote:
 *   raise:   pending written, then held, holder and route read, for whom to poke;
 *   claim:   held and holder written, then pending read (again);
 *   release: held cleared, then pending read, for whom to poke;
 *   reroute: route written, then pending read, for whom to poke.
 */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include "queue.h"
#include "regs.h"

bool vgic_claim(struct vgic_cpu *c, u32 b, u32 mask)
{
	struct vgic *g = c->vgic;

	if (atomic_read(&c->held[b]) & mask)
		return true;
	if (atomic_fetch_or(mask, &g->spi[b - 1].held) & mask)
		return false;	/* its holder pokes us when it lets go */
	WRITE_ONCE(g->holder[(b - 1) * 32 + __ffs(mask)], c->index);
	atomic_fetch_or(mask, &c->held[b]);
	return true;
}

void vgic_release(struct vgic_cpu *c, u32 b, u32 mask, struct vgic_cpu *self)
{
	struct vgic_bank *k = vgic_bank_of(c, b);
	struct vgic_cpu *next;

	atomic_andnot(mask, &c->held[b]);
	atomic_fetch_andnot(mask, &k->held);
	if (!(vgic_bank_pending(k) & atomic_read(&k->enable) & mask))
		return;
	next = vgic_spi_server(c->vgic, b, mask);
	if (next && next == self)
		next->carry |= BIT(b);
	else if (next)
		vgic_poke(next, BIT(b));
}

void vgic_halt(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask)
{
	struct vgic_cpu *v;
	u32 i;

	preempt_disable();
	for (i = 0; i < g->nr_cpus; i++) {
		v = g->cpu[i];
		if (c ? v == c : (atomic_read(&v->held[b]) | atomic_read(&v->target[b])) & mask)
			WRITE_ONCE(v->stop, 1);
	}
	smp_mb();	/* stop before listed; pairs with vgic_flush_slow() */
	for (i = 0; i < g->nr_cpus; i++) {
		v = g->cpu[i];
		if (!v->stop || !READ_ONCE(v->listed))
			continue;
		vgic_poke(v, BIT(b));
		while (smp_load_acquire(&v->listed))
			cpu_relax();
	}
}

void vgic_resume(struct vgic *g)
{
	u32 i;

	for (i = 0; i < g->nr_cpus; i++)
		if (g->cpu[i]->stop)
			smp_store_release(&g->cpu[i]->stop, 0);
	preempt_enable();
}

static void activate_spi(struct vgic *g, u32 b, u32 mask)
{
	u32 route = g->route[(b - 1) * 32 + __ffs(mask)];

	if (!(atomic_read(&g->spi[b - 1].held) & mask) && route != VGIC_NO_CPU)
		vgic_claim(g->cpu[route], b, mask);
	vgic_poke_spi(g, b, mask);
}

void vgic_activate(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask)
{
	if (c) {
		atomic_fetch_or(mask, &c->own.active);
		vgic_poke(c, BIT(0) | (c->hwmap & mask ? VGIC_TODO_HW : 0));
		return;
	}
	atomic_fetch_or(mask, &g->spi[b - 1].active);
	for (; mask; mask &= mask - 1)
		activate_spi(g, b, mask & -mask);
}

void vgic_deactivate(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask)
{
	if (c) {
		atomic_fetch_andnot(mask, &c->own.active);
		vgic_poke(c, BIT(0) | (c->hwmap & mask ? VGIC_TODO_HW : 0));
		return;
	}
	mask &= atomic_fetch_andnot(mask, &g->spi[b - 1].active);
	for (mask &= atomic_read(&g->spi[b - 1].held); mask; mask &= mask - 1)
		vgic_release(g->cpu[g->holder[(b - 1) * 32 + __ffs(mask)]], b, mask & -mask, NULL);
}

void vgic_reroute(struct vgic *g, u32 n, bool move)
{
	struct vgic_cpu *to = vgic_cpu_by_mpidr(g, g->irouter[n]);
	u32 b = n / 32 + 1, mask = BIT(n % 32), old = g->route[n];
	struct vgic_bank *k = &g->spi[b - 1];

	if (old != VGIC_NO_CPU)
		atomic_andnot(mask, &g->cpu[old]->target[b]);
	if (to)
		atomic_or(mask, &to->target[b]);
	WRITE_ONCE(g->route[n], to ? to->index : VGIC_NO_CPU);
	smp_mb();	/* route before pending; pairs with raising */

	if (to && move && atomic_read(&k->held) & mask) {
		atomic_andnot(mask, &g->cpu[g->holder[n]]->held[b]);
		g->holder[n] = to->index;
		atomic_fetch_or(mask, &to->held[b]);
	}
	if (to && atomic_read(&k->active) & mask)
		activate_spi(g, b, mask);
	else
		vgic_poke_spis(g, b, mask);
}
