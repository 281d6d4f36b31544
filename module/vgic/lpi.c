// SPDX-License-Identifier: GPL-2.0
/*
 * LPIs. See lpi.h.
 */
#include <asm/byteorder.h>
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../mem/copy.h"
#include "lpi.h"
#include "queue.h"
#include "regs.h"

/* GICR_PROPBASER, GICR_PENDBASER and the tables they point to */
#define PROPBASER_ADDR		GENMASK_ULL(51, 12)
#define PROPBASER_IDBITS	0x1fU
#define PENDBASER_ADDR		GENMASK_ULL(51, 16)
#define PROP_ENABLE		BIT(0)

/* Tables are read by words: of pending bits, and of properties, a byte for each LPI */
#define WORD		sizeof(u64)
#define CHUNK		512	/* bytes of a table at a time */
#define EACH_BYTE	0x0101010101010101ULL

static u32 slot(u32 intid)
{
	return array_index_nospec(intid - LPI_BASE, LPI_MAX);
}

u32 vgic_lpi_limit(const struct vgic *g)
{
	u32 bits = (READ_ONCE(g->propbaser) & PROPBASER_IDBITS) + 1;

	return 1U << min(bits, (u32)LPI_ID_BITS);
}

/* How many LPIs that is */
static u32 lpi_count(const struct vgic *g)
{
	u32 limit = vgic_lpi_limit(g);

	return limit > LPI_BASE ? limit - LPI_BASE : 0;
}

/* Pending bits */

static void mark(struct vgic_lpis *l, u32 n)
{
	if (!test_and_set_bit(n, l->pending))
		set_bit(BIT_WORD(n), l->summary);
}

static bool unmark(struct vgic_lpis *l, u32 n)
{
	u32 word = BIT_WORD(n);

	if (!test_and_clear_bit(n, l->pending))
		return false;
	if (!READ_ONCE(l->pending[word])) {
		clear_bit(word, l->summary);
		smp_mb__after_atomic();	/* summary before pending; mark() has it the other way round */
		if (READ_ONCE(l->pending[word]))
			set_bit(word, l->summary);
	}
	return true;
}

bool vgic_lpi_post(struct vgic_cpu *c, u32 intid)
{
	if (!smp_load_acquire(&c->lpi_on))
		return false;
	mark(c->lpi, slot(intid));
	smp_mb__after_atomic();
	return true;
}

bool vgic_lpi_unpost(struct vgic_cpu *c, u32 intid)
{
	return unmark(c->lpi, slot(intid));
}

bool vgic_lpi_take(struct vgic_cpu *c, u32 intid)
{
	return unmark(c->lpi, slot(intid));
}

void vgic_lpi_put(struct vgic_cpu *c, u32 intid)
{
	mark(c->lpi, slot(intid));
}

void vgic_lpi_poke(struct vgic_cpu *c, u32 intid)
{
	if (test_bit(slot(intid), c->vgic->lpi_props->enable))
		vgic_poke(c, VGIC_TODO_LPI);
}

u32 vgic_lpi_prio(const struct vgic_cpu *c, u32 intid)
{
	return READ_ONCE(c->vgic->lpi_props->prio[slot(intid)]);
}

u32 vgic_lpi_next(struct vgic_cpu *c, u32 intid)
{
	const struct vgic_lpis *l = c->lpi;
	unsigned long want, mask;
	u32 n = intid - LPI_BASE, word;

	if (n >= LPI_MAX || !READ_ONCE(c->lpi_on) || !atomic_read(&c->vgic->enabled))
		return 0;
	mask = ~0UL << n % BITS_PER_LONG;
	for (word = BIT_WORD(n); word < LPI_LONGS; word = find_next_bit(l->summary, LPI_LONGS, word + 1)) {
		want = READ_ONCE(l->pending[word]) & READ_ONCE(c->vgic->lpi_props->enable[word]) & mask;
		if (want)
			return LPI_BASE + word * BITS_PER_LONG + __ffs(want);
		mask = ~0UL;
	}
	return 0;
}

/* The vCPU's bits stay put, none of them in list registers, until end_halt(). */
static void begin_halt(struct vgic_cpu *c)
{
	mutex_lock(&c->vgic->lock);
	vgic_halt(c->vgic, c, 0, 0);
}

static void end_halt(struct vgic_cpu *c)
{
	vgic_resume(c->vgic);
	mutex_unlock(&c->vgic->lock);
}

void vgic_lpi_remapped(struct vgic *g)
{
	atomic_inc_return(&g->lpi_maps);
}

void vgic_lpi_drop(struct vgic_cpu *c, u32 intid)
{
	if (!READ_ONCE(c->lpi_on))
		return;
	begin_halt(c);
	unmark(c->lpi, slot(intid));
	end_halt(c);
}

void vgic_lpi_move_one(struct vgic_cpu *from, struct vgic_cpu *to, u32 intid)
{
	bool was;

	if (from == to || !READ_ONCE(from->lpi_on))
		return;
	begin_halt(from);
	was = unmark(from->lpi, slot(intid));
	end_halt(from);
	if (was && vgic_lpi_post(to, intid))
		vgic_lpi_poke(to, intid);
}

void vgic_lpi_move(struct vgic_cpu *from, struct vgic_cpu *to, const unsigned long *mask)
{
	unsigned long bits;
	u32 word;

	if (from == to || !READ_ONCE(from->lpi_on))
		return;
	begin_halt(from);
	for (word = 0; word < LPI_LONGS; word++) {
		bits = READ_ONCE(from->lpi->pending[word]) & (mask ? mask[word] : ~0UL);
		for (; bits; bits &= bits - 1) {
			u32 n = word * BITS_PER_LONG + __ffs(bits);

			if (unmark(from->lpi, n) && READ_ONCE(to->lpi_on))
				mark(to->lpi, n);
		}
	}
	end_halt(from);
	smp_mb__after_atomic();
	vgic_poke(to, VGIC_TODO_LPI);
}

/* Properties */

/* Bit n is PROP_ENABLE of byte n: the product moves bit 8n to 56 + n, and no two to the same place. */
static unsigned long enables(u64 props)
{
	return (props & PROP_ENABLE * EACH_BYTE) * 0x0102040810204080ULL >> 56;
}

/* From @n on, which begins a word of enable bits; vgic.lock held */
static void set_props(struct vgic_lpi_props *p, u32 n, const __le64 *prop, u32 count)
{
	u32 end = n + count, bit;
	unsigned long enable;
	u64 props;

	for (; n < end; n += BITS_PER_LONG) {
		enable = 0;
		for (bit = 0; bit < BITS_PER_LONG; bit += WORD) {
			props = le64_to_cpu(*prop++);
			WRITE_ONCE(p->prio8[(n + bit) / WORD],
				   cpu_to_le64(props & PRIO_MASK * EACH_BYTE));
			enable |= enables(props) << bit;
		}
		WRITE_ONCE(p->enable[BIT_WORD(n)], enable);
	}
}

static void set_prop(struct vgic *g, u32 n, u8 prop)
{
	mutex_lock(&g->lock);
	WRITE_ONCE(g->lpi_props->prio[n], prop & PRIO_MASK);
	if (prop & PROP_ENABLE)
		set_bit(n, g->lpi_props->enable);
	else
		clear_bit(n, g->lpi_props->enable);
	mutex_unlock(&g->lock);
}

static int read_props(struct vgic *g, u32 n, void *prop, u32 count)
{
	ipa_t ipa = { (g->propbaser & PROPBASER_ADDR) + n };

	return mem_read(g->mem, ipa, prop, count);
}

/* Not to be delivered from now on if it was disabled; to be delivered if it is pending and was enabled */
static void settle(struct vgic_cpu *c, u32 intid)
{
	if (!READ_ONCE(c->lpi_on))
		return;
	smp_mb();	/* enable before pending; pairs with raising */
	if (!test_bit(slot(intid), c->vgic->lpi_props->enable)) {
		begin_halt(c);
		end_halt(c);
	} else if (test_bit(slot(intid), c->lpi->pending)) {
		vgic_poke(c, VGIC_TODO_LPI);
	}
}

int vgic_lpi_reread(struct vgic *g, struct vgic_cpu *c, u32 intid)
{
	u8 prop;
	int err;

	if (!g->lpi_props || intid < LPI_BASE || intid >= vgic_lpi_limit(g))
		return 0;
	err = read_props(g, slot(intid), &prop, 1);
	if (err)
		return err;
	set_prop(g, slot(intid), prop);
	if (c)
		settle(c, intid);
	return 0;
}

/* An unreadable table says nothing: no LPI of it is enabled. Return: all of it was readable */
static bool read_all_props(struct vgic *g)
{
	u32 total = lpi_count(g), n;
	__le64 prop[CHUNK / WORD];
	bool readable = true;

	for (n = 0; n < LPI_MAX; n += CHUNK) {
		bool got = n < total && !read_props(g, n, prop, min_t(u32, CHUNK, total - n));

		if (!got)
			memset(prop, 0, sizeof(prop));
		readable &= got || n >= total;
		set_props(g->lpi_props, n, prop, CHUNK);
	}
	return readable;
}

void vgic_lpi_reread_all(struct vgic *g)
{
	struct vgic_cpu *c;
	u32 i;

	if (!g->lpi_props)
		return;
	if (!read_all_props(g))
		g->lpi_props_known = false;
	for (i = 0; i < vgic_nr_cpus(g); i++) {
		c = g->cpu[i];
		if (!c->lpi_on)
			continue;
		vgic_halt(g, c, 0, 0);	/* those disabled now leave its list registers */
		vgic_resume(g);
		vgic_poke(c, VGIC_TODO_LPI);
	}
}

/*
 * The vCPUs share one property table. What is read of it may be kept until a
 * vCPU's LPIs are off, the table is another, or an INV or INVALL says that it
 * changed (Arm IHI 0069, 5.1.1): the first vCPU that enables its LPIs reads it.
 */
static void learn_props(struct vgic *g)
{
	if (g->lpi_props_known)
		return;
	g->lpi_props_known = true;
	vgic_lpi_reread_all(g);
}

/* Pending tables: bit n of the table is INTID n, so the first 1024 bytes are none of ours. */

static ipa_t pending_at(const struct vgic_cpu *c, u32 byte)
{
	return (ipa_t){ (READ_ONCE(c->pendbaser) & PENDBASER_ADDR) + LPI_BASE / 8 + byte };
}

static u32 pending_bytes(const struct vgic *g)
{
	return lpi_count(g) / 8;
}

/* vCPU's LPIs off, so that nobody else looks */
static void load_pending(struct vgic_cpu *c)
{
	u32 total = pending_bytes(c->vgic), at, i;
	__le64 buf[CHUNK / WORD];
	u64 bits;

	for (at = 0; at < total; at += CHUNK) {
		u32 len = min_t(u32, CHUNK, total - at);

		if (mem_read(c->vgic->mem, pending_at(c, at), buf, len))
			return;
		for (i = 0; i < len / WORD; i++)
			for (bits = le64_to_cpu(buf[i]); bits; bits &= bits - 1)
				mark(c->lpi, (at + i * WORD) * 8 + __ffs(bits));
	}
}

int vgic_lpi_load_one(struct vgic_cpu *c, u32 intid)
{
	u32 n = slot(intid);
	u8 bits;
	int err;

	if (!READ_ONCE(c->lpi_on))
		return 0;
	err = mem_read(c->vgic->mem, pending_at(c, n / 8), &bits, 1);
	if (!err && bits >> n % 8 & 1 && vgic_lpi_post(c, intid))
		vgic_lpi_poke(c, intid);
	return err;
}

/* Only what differs is written, so that a client that copies changed pages finds few. */
static int save_pending(struct vgic_cpu *c)
{
	u32 total = pending_bytes(c->vgic), at, i;
	__le64 old[CHUNK / WORD], now[CHUNK / WORD];
	int err = 0;

	for (at = 0; at < total && !err; at += CHUNK) {
		u32 len = min_t(u32, CHUNK, total - at);

		for (i = 0; i < len / WORD; i++)
			now[i] = cpu_to_le64(READ_ONCE(c->lpi->pending[at / WORD + i]));
		err = mem_read(c->vgic->mem, pending_at(c, at), old, len);
		if (!err && memcmp(old, now, len))
			err = mem_write(c->vgic->mem, pending_at(c, at), now, len);
	}
	return err;
}

int vgic_save_pending_tables(struct vgic *g)
{
	int err = 0;
	u32 i;

	if (!vgic_initialized(g))
		return -ENXIO;
	mutex_lock(&g->lock);
	for (i = 0; i < g->nr_cpus && !err; i++)
		if (g->cpu[i]->lpi_on)
			err = save_pending(g->cpu[i]);
	mutex_unlock(&g->lock);
	return err;
}

/* GICR_CTLR.EnableLPIs */

static int allocate(struct vgic_cpu *c)
{
	struct vgic *g = c->vgic;

	if (!g->lpi_props)
		g->lpi_props = kvzalloc(sizeof(*g->lpi_props), GFP_KERNEL_ACCOUNT);
	if (!c->lpi)
		c->lpi = kvzalloc(sizeof(*c->lpi), GFP_KERNEL_ACCOUNT);
	return g->lpi_props && c->lpi ? 0 : -ENOMEM;
}

int vgic_lpi_prepare(struct vgic_cpu *c)
{
	int err;

	mutex_lock(&c->vgic->lock);
	err = allocate(c);
	mutex_unlock(&c->vgic->lock);
	return err;
}

/* What was pending is forgotten, as in built-in KVM. */
static void switch_off(struct vgic_cpu *c)
{
	u32 n;

	smp_store_release(&c->lpi_on, false);
	c->vgic->lpi_props_known = false;
	vgic_lpi_remapped(c->vgic);
	vgic_halt(c->vgic, c, 0, 0);
	for (n = find_first_bit(c->lpi->pending, LPI_MAX); n < LPI_MAX;
	     n = find_next_bit(c->lpi->pending, LPI_MAX, n + 1))
		unmark(c->lpi, n);
	vgic_resume(c->vgic);
}

int vgic_lpi_switch(struct vgic_cpu *c, bool on)
{
	int err;

	if (on == c->lpi_on)
		return 0;
	if (!on) {
		switch_off(c);
		return 0;
	}
	err = allocate(c);
	if (err)
		return err;
	learn_props(c->vgic);
	if (!(c->pendbaser & PENDBASER_PTZ))
		load_pending(c);
	smp_store_release(&c->lpi_on, true);
	vgic_poke(c, VGIC_TODO_LPI);
	return 0;
}
