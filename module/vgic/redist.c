// SPDX-License-Identifier: GPL-2.0
/*
 * The redistributors: their register map over bank 0 of each vCPU (Arm IHI
 * 0069 12.11), and the regions they live in. Region after region, in order of
 * their index, takes the vCPUs in order of theirs.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "access.h"
#include "lpi.h"
#include "queue.h"
#include "redist.h"
#include "regs.h"
#include "words.h"

/* Regions */

static u32 region_used(const struct vgic *g, const struct vgic_region *r)
{
	u32 n = g->nr_cpus > r->first ? g->nr_cpus - r->first : 0;

	return r->count ? min(n, r->count) : n;
}

static u64 region_size(const struct vgic *g, const struct vgic_region *r)
{
	return (u64)(r->count ?: g->nr_cpus) * GICR_SIZE;
}

static const struct vgic_region *region_of(const struct vgic *g, u32 index)
{
	const struct vgic_region *r;

	for (r = g->region; r < g->region + g->nr_regions; r++)
		if (index >= r->first && (!r->count || index - r->first < r->count))
			return r;
	return NULL;
}

bool vgic_redist_placed(const struct vgic *g, u32 index)
{
	return region_of(g, index);
}

struct vgic_cpu *vgic_redist_at(struct vgic *g, u64 ipa, u32 *off)
{
	const struct vgic_region *r;

	for (r = g->region; r < g->region + g->nr_regions; r++) {
		u64 in = ipa - r->base;

		if (ipa < r->base || in >= (u64)region_used(g, r) * GICR_SIZE)
			continue;
		*off = in % GICR_SIZE;
		return g->cpu[r->first + in / GICR_SIZE];
	}
	return NULL;
}

/* No other redistributor follows this one in memory. */
static bool is_last(const struct vgic *g, u32 index)
{
	const struct vgic_region *next, *r = region_of(g, index);

	if (!r || index - r->first + 1 < region_used(g, r))
		return false;
	if (!r->count || index - r->first + 1 < r->count)
		return true;
	for (next = g->region; next < g->region + g->nr_regions; next++)
		if (next->base == r->base + region_size(g, r) && region_used(g, next))
			return false;
	return true;
}

void vgic_redist_settle(struct vgic *g)
{
	u32 i;

	for (i = 0; i < g->nr_cpus; i++) {
		const struct vgic_region *r = region_of(g, i);

		g->cpu[i]->redist = r->base + (u64)(i - r->first) * GICR_SIZE;
		g->cpu[i]->last = is_last(g, i);
	}
}

/* Once guests run the layout stands; before that the client may be changing it. */
static bool is_last_now(struct vgic_cpu *c)
{
	bool last;

	if (smp_load_acquire(&c->vgic->ready))
		return c->last;
	mutex_lock(&c->vgic->lock);
	last = is_last(c->vgic, c->index);
	mutex_unlock(&c->vgic->lock);
	return last;
}

int vgic_check_range(const struct vgic *g, u64 base, u64 size)
{
	if (base & 0xffff || size & 0xffff || base + size < base)
		return -EINVAL;
	if (base >> g->ipa_bits || base + size > BIT_ULL(g->ipa_bits))
		return -E2BIG;
	return 0;
}

static bool overlap(u64 a, u64 a_size, u64 b, u64 b_size)
{
	return a < b + b_size && b < a + a_size;
}

static bool hits_region(const struct vgic *g, u64 base, u64 size)
{
	const struct vgic_region *r;

	for (r = g->region; r < g->region + g->nr_regions; r++)
		if (overlap(base, size, r->base, region_size(g, r)))
			return true;
	return false;
}

bool vgic_layout_ok(const struct vgic *g)
{
	const struct vgic_region *r;

	for (r = g->region; r < g->region + g->nr_regions; r++)
		if (vgic_check_range(g, r->base, region_size(g, r)))
			return false;
	return g->dist_base == VGIC_ADDR_UNDEF || !hits_region(g, g->dist_base, GICD_SIZE);
}

void vgic_note_frame(struct vgic *g, u64 base, u64 size)
{
	u64 end = base + size;

	if (g->hull_size) {
		end = max(end, g->hull_base + g->hull_size);
		base = min(base, g->hull_base);
	}
	/* Readers see the old hull, none, or the new one. */
	WRITE_ONCE(g->hull_size, 0);
	smp_wmb();
	WRITE_ONCE(g->hull_base, base);
	smp_wmb();
	WRITE_ONCE(g->hull_size, end - base);
}

/* The single region of the older interface excludes all others. */
static int check_region(const struct vgic *g, u32 index, u64 base, u32 count)
{
	u64 size = (u64)(count ?: g->nr_cpus) * GICR_SIZE;

	if (base + size < base)
		return -EINVAL;
	if (g->nr_regions && !count)
		return g->region[0].count ? -EINVAL : -EEXIST;
	if ((g->nr_regions && !g->region[0].count) || index != g->nr_regions)
		return -EINVAL;
	if (!count && g->dist_base != VGIC_ADDR_UNDEF && overlap(base, size, g->dist_base, GICD_SIZE))
		return -EINVAL;
	if (hits_region(g, base, size))
		return -EINVAL;
	return vgic_check_range(g, base, size);
}

static int add_region_locked(struct vgic *g, u32 index, u64 base, u32 count)
{
	u32 n = g->nr_regions;
	struct vgic_region *r;
	int err = check_region(g, index, base, count);

	if (err)
		return err;
	if (g->ready)
		return -EBUSY;	/* vCPUs look the regions up without a lock */
	r = krealloc(g->region, (n + 1) * sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	g->region = r;
	r[n].base = base;
	r[n].index = index;
	r[n].count = count;
	r[n].first = n ? r[n - 1].first + r[n - 1].count : 0;
	g->nr_regions = n + 1;

	/* The whole layout is checked once it has a vCPU to place, else at the first KVM_RUN. */
	if (g->nr_cpus > r[n].first && !vgic_layout_ok(g)) {
		g->nr_regions = n;
		return -EINVAL;
	}
	return 0;
}

int vgic_add_region(struct vgic *g, u32 index, u64 base, u32 count)
{
	int err;

	mutex_lock(&g->lock);
	err = add_region_locked(g, index, base, count);
	mutex_unlock(&g->lock);
	return err;
}

int vgic_get_region(struct vgic *g, u32 index, struct vgic_region *r)
{
	int err = -ENOENT;

	mutex_lock(&g->lock);
	if (index < g->nr_regions) {
		*r = g->region[index];
		err = 0;
	}
	mutex_unlock(&g->lock);
	return err;
}

/* Registers */

static u64 read_ctlr(const struct vgic_access *a)
{
	u32 val = READ_ONCE(a->c->lpi_on) ? R_CTLR_LPIS : 0;

	return a->g->impl_rev >= IIDR_REV_LATEST ? val | R_CTLR_IR | R_CTLR_CES : val;
}

static int write_ctlr(const struct vgic_access *a, u64 val)
{
	int err = 0;

	if (!vgic_has_its(a->g))
		return 0;
	mutex_lock(&a->g->lock);
	err = vgic_lpi_switch(a->c, val & R_CTLR_LPIS);
	mutex_unlock(&a->g->lock);
	return a->user ? err : 0;
}

static u64 read_iidr(const struct vgic_access *a)
{
	return IIDR_PRODUCT | IIDR_ARM;
}

static u64 read_typer(const struct vgic_access *a)
{
	u64 aff = a->c->hyp->reg[REG_MPIDR_EL1] & AFF_210;
	u64 val = aff << R_TYPER_AFF_SHIFT | (u64)(a->c->id & 0xffff) << R_TYPER_CPU_SHIFT;

	if (vgic_has_its(a->g))
		val |= R_TYPER_PLPIS;
	if (is_last_now(a->c))
		val |= R_TYPER_LAST;
	return vgic_part(a, val);
}

/* The LPI tables. Storing an address with LPIs enabled is UNPREDICTABLE, and ignored here. */
#define R_INNER_SHIFT		7
#define R_SHARE_SHIFT		10
#define R_OUTER_SHIFT		56
#define PROPBASER_RES0		(GENMASK_ULL(63, 59) | GENMASK_ULL(55, 52) | GENMASK_ULL(6, 5))
#define PENDBASER_RES0		(BIT_ULL(63) | GENMASK_ULL(61, 59) | GENMASK_ULL(55, 52) | \
				 GENMASK_ULL(15, 12) | GENMASK_ULL(6, 0))
#define R_BASER_RESET		(3ULL << R_INNER_SHIFT | 1ULL << R_SHARE_SHIFT)

static u64 sanitise_baser(u64 val)
{
	return baser_sanitise(val, R_INNER_SHIFT, R_SHARE_SHIFT, R_OUTER_SHIFT);
}

static u64 read_propbaser(const struct vgic_access *a)
{
	return vgic_part(a, READ_ONCE(a->g->propbaser));
}

static int write_propbaser(const struct vgic_access *a, u64 val)
{
	mutex_lock(&a->g->lock);
	val = sanitise_baser(vgic_merge(a, a->g->propbaser, val)) & ~PROPBASER_RES0;
	if (!a->c->lpi_on && val != a->g->propbaser) {
		WRITE_ONCE(a->g->propbaser, val);
		a->g->lpi_props_known = false;
	}
	mutex_unlock(&a->g->lock);
	return 0;
}

static u64 read_pendbaser(const struct vgic_access *a)
{
	return vgic_part(a, READ_ONCE(a->c->pendbaser) & ~PENDBASER_PTZ);
}

static int write_pendbaser(const struct vgic_access *a, u64 val)
{
	mutex_lock(&a->g->lock);
	if (!a->c->lpi_on)
		WRITE_ONCE(a->c->pendbaser, sanitise_baser(vgic_merge(a, a->c->pendbaser, val)) &
						 ~PENDBASER_RES0);
	mutex_unlock(&a->g->lock);
	return 0;
}

/* An LPI's properties have changed. The upper half speaks of virtual PEs, which there are none of. */
static int write_invlpir(const struct vgic_access *a, u64 val)
{
	if (!(a->off & 4) && READ_ONCE(a->c->lpi_on))
		vgic_lpi_reread(a->g, a->c, val);
	return 0;
}

static int write_invallr(const struct vgic_access *a, u64 val)
{
	if ((a->off & 4) || !READ_ONCE(a->c->lpi_on))
		return 0;
	mutex_lock(&a->g->lock);
	vgic_lpi_reread_all(a->g);
	mutex_unlock(&a->g->lock);
	return 0;
}

static const struct vgic_reg redist_regs[] = {
	VGIC_REG_SLOW(R_CTLR, 4, 0, 4, SLOW_WRITE, read_ctlr, write_ctlr),
	VGIC_REG(R_IIDR, 4, 0, 4, read_iidr, NULL),
	VGIC_REG(R_TYPER, 8, 0, 8 | 4, read_typer, NULL),
	VGIC_REG(R_STATUSR, 4, 0, 4, NULL, NULL),
	VGIC_REG(R_WAKER, 4, 0, 4, NULL, NULL),
	VGIC_REG_SLOW(R_PROPBASER, 8, 0, 8 | 4, SLOW_WRITE, read_propbaser, write_propbaser),
	VGIC_REG_SLOW(R_PENDBASER, 8, 0, 8 | 4, SLOW_WRITE, read_pendbaser, write_pendbaser),
	VGIC_REG_SLOW(R_INVLPIR, 8, 0, 8 | 4, SLOW_WRITE, NULL, write_invlpir),
	VGIC_REG_SLOW(R_INVALLR, 8, 0, 8 | 4, SLOW_WRITE, NULL, write_invallr),
	VGIC_REG(R_SYNCR, 4, 0, 4, NULL, NULL),
	VGIC_REG(D_IDREGS, IDREGS_LEN, 0, 4, vgic_read_idregs, NULL),
	VGIC_REG(R_SGI + D_IGROUPR, 4, 0, 4, vgic_read_group, vgic_write_group),
	VGIC_REG(R_SGI + D_ISENABLER, 4, 0, 4, vgic_read_enable, vgic_write_senable),
	VGIC_REG(R_SGI + D_ICENABLER, 4, 0, 4, vgic_read_enable, vgic_write_cenable),
	VGIC_REG_SLOW(R_SGI + D_ISPENDR, 4, 0, 4, SLOW_READ, vgic_read_spend, vgic_write_spend),
	VGIC_REG_SLOW(R_SGI + D_ICPENDR, 4, 0, 4, SLOW_BOTH, vgic_read_cpend, vgic_write_cpend),
	VGIC_REG_SLOW(R_SGI + D_ISACTIVER, 4, 0, 4, SLOW_BOTH, vgic_read_active, vgic_write_sactive),
	VGIC_REG_SLOW(R_SGI + D_ICACTIVER, 4, 0, 4, SLOW_BOTH, vgic_read_active, vgic_write_cactive),
	VGIC_REG(R_SGI + D_IPRIORITYR, 32, 0, 4 | 1, vgic_read_prio, vgic_write_prio),
	VGIC_REG(R_SGI + D_ICFGR, 8, 0, 4, vgic_read_cfg, vgic_write_cfg),
	VGIC_REG(R_SGI + D_IGRPMODR, 4, 0, 4, NULL, NULL),
	VGIC_REG(R_SGI + D_NSACR, 4, 0, 4, NULL, NULL),
};

const struct vgic_regs vgic_redist_regs = { redist_regs, ARRAY_SIZE(redist_regs) };

int vgic_redist_access(struct vgic_cpu *c, u32 off, u32 len, bool user, bool write, u64 *val)
{
	struct vgic_access a = { .g = c->vgic, .c = c, .off = off, .len = len, .user = user };

	return vgic_reg_access(&a, &vgic_redist_regs, write, val);
}

bool vgic_redist_has(struct vgic *g, u32 offset)
{
	return vgic_reg_find(g, &vgic_redist_regs, offset, 4);
}

int vgic_redist_uaccess(struct vgic_cpu *c, u32 offset, bool write, u32 *val)
{
	u64 v = *val;
	int err;

	if (vgic_word_access(c->vgic, c, offset - R_SGI, write, val))
		return 0;
	err = vgic_redist_access(c, offset, 4, true, write, &v);

	*val = v;
	return err;
}

void vgic_redist_reset(struct vgic_cpu *c)
{
	vgic_bank_reset(&c->own);
	atomic_set(&c->own.enable, 0xffff);
	atomic_set(&c->own.edge, 0xffff);
	c->pendbaser = R_BASER_RESET;
}
