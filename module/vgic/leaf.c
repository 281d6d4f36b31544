// SPDX-License-Identifier: GPL-2.0
/*
 * What of the GIC is served in tier (b), with the guest's context loaded.
 */
#include <linux/kernel.h>
#include "../arch/ich.h"
#include "../host/caps.h"
#include "access.h"
#include "queue.h"
#include "redist.h"
#include "regs.h"

/* List register of SGI @intid among those in use, or their number */
static __always_inline u32 listed_sgi(const struct hyp_gic *hw, u32 intid)
{
	u32 n;

	for (n = 0; n < hw->nr_used && LR_VINTID(hw->lr[n]) != intid; n++)
		;
	return n;
}

/* As in vgic_flush_slow(): listed first, then stop. False leaves things as they were. */
static __always_inline bool may_list(struct vgic_cpu *c)
{
	u32 listed = c->listed;

	WRITE_ONCE(c->listed, listed | 1);
	smp_mb();
	if (likely(!READ_ONCE(c->stop)))
		return true;
	smp_store_release(&c->listed, listed);
	return false;
}

bool vgic_leaf_sgi_self(struct vgic_cpu *c, u32 intid)
{
	struct hyp_gic *hw = c->hw;
	struct vgic_bank *k = &c->own;
	u32 mask = BIT(intid), n;
	u64 lr = 0;

	if (!(atomic_read(&k->enable) & mask) || !atomic_read(&c->vgic->enabled)) {
		atomic_or(mask, &k->latch);
		atomic64_or(BIT(0), &c->todo);
		return true;
	}
	n = listed_sgi(hw, intid);
	if (n < hw->nr_used)
		lr = hyp_gic_peek(n) & LR_STATE;
	else if (n == host_caps.nr_lr || atomic_read(&k->active) & mask)
		return false;
	if (!may_list(c))
		return false;
	lr |= LR_PENDING | intid | (u64)READ_ONCE(k->prio[intid]) << LR_PRIO_SHIFT;
	if (atomic_read(&k->group) & mask)
		lr |= LR_GROUP1;
	c->took |= BIT(n);
	hyp_gic_poke(hw, n, lr);
	WRITE_ONCE(c->listed, hw->nr_used);
	return true;
}

#define SGI_AFFINITY	(GENMASK_ULL(55, 48) | GENMASK_ULL(39, 32) | GENMASK_ULL(23, 16))

static noinline struct vgic_cpu *sgi_search(struct vgic *g, u64 val, u32 n)
{
	return vgic_cpu_by_mpidr(g, (val >> 48 & 0xff) << 32 | (val >> 32 & 0xff) << 16 | (val >> 16 & 0xff) << 8 | n);
}

/* The target @n of @val: no search where ids are affinities, as they are unless a client changed them */
static __always_inline struct vgic_cpu *sgi_target(struct vgic *g, u64 val, u32 n)
{
	u32 i = n | (val >> 16 & 0xff) << 4 | (val >> 32 & 0xff) << 12;

	if (likely(i < vgic_nr_cpus(g) && g->cpu[i]->sgi_self == ((val & SGI_AFFINITY) | BIT(n))))
		return g->cpu[i];
	return sgi_search(g, val, n);
}

void vgic_leaf_sgi(struct vgic_cpu *from, u64 val)
{
	u32 mask = BIT(val >> 24 & 0xf), targets = val & 0xffff;

	for (; targets; targets &= targets - 1) {
		struct vgic_cpu *to = sgi_target(from->vgic, val, __ffs(targets));

		if (!to)
			continue;
		atomic_fetch_or(mask, &to->own.latch);	/* before todo: a full barrier */
		atomic64_or(BIT(0), &to->todo);
		kick_post(to->kick);
	}
}

/*
 * Writes act on what is in the banks, so with anything in the list registers
 * they wait until an exit has brought it back.
 */
static bool access_reg(struct vgic_access *a, const struct vgic_regs *regs, bool listed, bool write, u64 *val)
{
	const struct vgic_reg *r = vgic_reg_find(a->g, regs, a->off, a->len);

	if (!write)
		*val = 0;
	if (!r || (r->bits && !a->c && vgic_first_intid(r, a->off) < VGIC_PRIVATE))
		return true;	/* RAZ/WI */
	if (r->slow & (write ? SLOW_WRITE : SLOW_READ) || (write && listed))
		return false;
	a->off -= r->off;
	if (!write && r->read)
		*val = r->read(a);
	if (write && r->write)
		r->write(a, *val);
	return true;
}

bool vgic_leaf_mmio(struct vgic_cpu *c, ipa_t ipa, unsigned int len, bool write, u64 *val)
{
	struct vgic_access a = { .g = c->vgic, .off = ipa.ipa - c->vgic->dist_base, .len = len };

	if (ipa.ipa - c->vgic->dist_base < GICD_SIZE)
		return access_reg(&a, &vgic_dist_regs, c->listed, write, val);
	a.c = c;
	a.off = ipa.ipa - c->redist;
	if (ipa.ipa - c->redist >= GICR_SIZE)
		a.c = vgic_redist_at(a.g, ipa.ipa, &a.off);
	return a.c && access_reg(&a, &vgic_redist_regs, c->listed, write, val);
}
