// SPDX-License-Identifier: GPL-2.0
/*
 * Life and configuration of the virtual GIC.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../arch/ich.h"
#include "../host/caps.h"
#include "dist.h"
#include "its.h"
#include "queue.h"
#include "redist.h"
#include "regs.h"

#define DEFAULT_IRQS 256

void vgic_vm_init(struct vgic *g, u32 ipa_bits)
{
	memset(g, 0, sizeof(*g));
	mutex_init(&g->lock);
	g->ipa_bits = ipa_bits;
	g->dist_base = VGIC_ADDR_UNDEF;
}

void vgic_vm_fini(struct vgic *g)
{
	vgic_its_free_all(g);
	kvfree(g->lpi_props);
	g->lpi_props = NULL;
	kfree(g->region);
	g->region = NULL;
	g->nr_regions = 0;
}

int vgic_create(struct vgic *g)
{
	int err = 0;

	mutex_lock(&g->lock);
	if (g->created)
		err = -EEXIST;
	g->created = true;
	mutex_unlock(&g->lock);
	return err;
}

int vgic_cpu_init(struct vgic_cpu *c, struct vgic *g, u32 index, u32 id, struct kick *kick,
		  struct hyp_gic *hw, struct hyp_vcpu *hyp)
{
	int err = 0;

	memset(c, 0, sizeof(*c));
	c->vgic = g;
	c->index = index;
	c->id = id;
	c->kick = kick;
	c->hw = hw;
	c->hyp = hyp;
	vgic_redist_reset(c);

	mutex_lock(&g->lock);
	if (g->initialized)
		err = -EBUSY;
	else if (g->created && vgic_redist_placed(g, index) && !vgic_layout_ok(g))
		err = -EINVAL;
	if (!err) {
		g->cpu[index] = c;
		smp_store_release(&g->nr_cpus, index + 1);
	}
	mutex_unlock(&g->lock);
	return err;
}

void vgic_cpu_fini(struct vgic_cpu *c)
{
	struct vgic *g = c->vgic;

	if (!g)
		return;
	mutex_lock(&g->lock);
	if (g->nr_cpus == c->index + 1 && g->cpu[c->index] == c)
		g->nr_cpus = c->index;
	mutex_unlock(&g->lock);
	kvfree(c->lpi);
	c->lpi = NULL;
}

void vgic_cpu_reset(struct vgic_cpu *c)
{
	atomic_fetch_andnot(c->hwmap, &c->own.active);
	atomic_fetch_andnot(c->hwmap, &c->own.latch);
	atomic_fetch_andnot(c->hwmap, &c->own.line);
	if (c->hwmap)
		vgic_poke(c, VGIC_TODO_HW);
}

static void init_cpu(struct vgic_cpu *c)
{
	c->hw->vmcr = 0;
	c->pri_bits = host_caps.pri_bits;
	c->id_bits = VTR_IDBITS(host_caps.vtr);
}

int vgic_init(struct vgic *g)
{
	u32 i;

	mutex_lock(&g->lock);
	if (!g->initialized) {
		if (!g->nr_spis)
			g->nr_spis = DEFAULT_IRQS - VGIC_PRIVATE;
		if (!g->impl_rev)
			g->impl_rev = IIDR_REV_LATEST;
		vgic_dist_reset(g);
		for (i = 0; i < g->nr_cpus; i++)
			init_cpu(g->cpu[i]);
		smp_store_release(&g->initialized, true);
	}
	mutex_unlock(&g->lock);
	return 0;
}

static void note_frames(struct vgic *g)
{
	u32 i;

	vgic_note_frame(g, g->dist_base, GICD_SIZE);
	for (i = 0; i < g->nr_regions; i++)
		vgic_note_frame(g, g->region[i].base, (u64)(g->region[i].count ?: g->nr_cpus) * GICR_SIZE);
}

static int map_resources_locked(struct vgic *g)
{
	if (g->nr_cpus && !vgic_redist_placed(g, g->nr_cpus - 1))
		return -ENXIO;
	if (g->dist_base == VGIC_ADDR_UNDEF)
		return -ENXIO;
	if (!vgic_layout_ok(g))
		return -EINVAL;
	if (!g->initialized)
		return -EBUSY;
	note_frames(g);
	vgic_redist_settle(g);
	smp_store_release(&g->ready, true);
	return 0;
}

int vgic_map_resources(struct vgic *g)
{
	int err = 0;

	mutex_lock(&g->lock);
	if (g->created && !g->ready)
		err = map_resources_locked(g);
	mutex_unlock(&g->lock);
	return err;
}

int vgic_set_nr_irqs(struct vgic *g, u32 nr)
{
	int err = 0;

	if (nr < VGIC_PRIVATE + 32 || nr > VGIC_MAX_IRQS || nr % 32)
		return -EINVAL;
	mutex_lock(&g->lock);
	if (g->nr_spis)
		err = -EBUSY;	/* set before, by the client or by vgic_init() */
	else
		g->nr_spis = nr - VGIC_PRIVATE;
	mutex_unlock(&g->lock);
	return err;
}

int vgic_set_dist(struct vgic *g, u64 base)
{
	int err;

	mutex_lock(&g->lock);
	err = g->dist_base != VGIC_ADDR_UNDEF ? -EEXIST : vgic_check_range(g, base, GICD_SIZE);
	if (!err)
		g->dist_base = base;
	mutex_unlock(&g->lock);
	return err;
}

void vgic_set_ack(struct vgic *g, void (*ack)(void *opaque, u32 intid), void *opaque)
{
	g->ack = ack;
	g->ack_opaque = opaque;
}

static bool is_ppi(u32 intid)
{
	return intid >= 16 && intid < VGIC_PRIVATE;
}

int vgic_own(struct vgic_cpu *c, u32 intid)
{
	if (!vgic_initialized(c->vgic))
		return -EAGAIN;
	if (!is_ppi(intid))
		return -EINVAL;
	if (c->owned & BIT(intid))
		return -EEXIST;
	WRITE_ONCE(c->owned, c->owned | BIT(intid));
	return 0;
}

int vgic_map_hw(struct vgic_cpu *c, u32 intid, u32 host_intid, const struct vgic_hw_ops *ops, void *opaque)
{
	struct vgic_map *m;

	if (!is_ppi(intid))
		return -EINVAL;
	for (m = c->map; m < c->map + VGIC_MAX_MAPS && m->ops; m++)
		;
	if (m == c->map + VGIC_MAX_MAPS)
		return -ENOSPC;
	m->intid = intid;
	m->host_intid = host_intid;
	m->ops = ops;
	m->opaque = opaque;
	c->hwmap |= BIT(intid);
	return 0;
}

void vgic_unmap_hw(struct vgic_cpu *c, u32 intid)
{
	struct vgic_map *m;

	for (m = c->map; m < c->map + VGIC_MAX_MAPS; m++) {
		if (!m->ops || m->intid != intid)
			continue;
		memset(m, 0, sizeof(*m));
		c->hwmap &= ~BIT(intid);
	}
}

int vgic_mmio(struct vgic_cpu *c, ipa_t ipa, unsigned int len, bool write, u64 *val)
{
	struct vgic *g = c->vgic;
	struct vgic_its *its;
	u32 off;

	if (!READ_ONCE(g->ready))
		return -ENXIO;
	if (ipa.ipa - g->dist_base < GICD_SIZE)
		return vgic_dist_access(g, ipa.ipa - g->dist_base, len, false, write, val);
	its = vgic_its_at(g, ipa.ipa);
	if (its)
		return vgic_its_mmio(its, ipa.ipa - vgic_its_base(its), len, write, val);
	c = vgic_redist_at(g, ipa.ipa, &off);
	return c ? vgic_redist_access(c, off, len, false, write, val) : -ENXIO;
}

/* Lines of SGIs do not exist. Set whatever the trigger is, so that a client may restore in any order. */
int vgic_level_uaccess(struct vgic *g, struct vgic_cpu *c, u32 intid, bool write, u32 *val)
{
	u32 b = intid / 32, mask = b ? ~0U : VGIC_PPIS;
	struct vgic_bank *k;

	if (intid % 32)
		return -EINVAL;
	if (intid >= g->nr_spis + VGIC_PRIVATE) {
		if (!write)
			*val = 0;
		return 0;
	}
	k = vgic_bank_of(c, b);
	if (!write) {
		*val = atomic_read(&k->line) & ~atomic_read(&k->edge) & mask;
		return 0;
	}
	vgic_assign(&k->line, mask, *val);
	if (b)
		vgic_poke_spis(g, b, *val);
	else
		vgic_poke(c, BIT(0));
	return 0;
}
