// SPDX-License-Identifier: GPL-2.0
/*
 * The stage-2 table walker. See walk.h for who may call what under which lock.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include "../arch/pte.h"
#include "walk.h"

#define ENTRIES		512

/* Bits of the input address that one table at @level resolves, together with the levels below it. */
static unsigned int table_bits(unsigned int level)
{
	return MEM_PAGE_SHIFT + 9 * (MEM_LAST_LEVEL + 1 - level);
}

unsigned int mem_walk_start_level(unsigned int ipa_bits)
{
	unsigned int level = 2;

	while (level && ipa_bits > table_bits(level) + 4)
		level--;
	return level;
}

unsigned int mem_walk_root_pages(unsigned int ipa_bits)
{
	unsigned int bits = table_bits(mem_walk_start_level(ipa_bits));

	return ipa_bits > bits ? 1U << (ipa_bits - bits) : 1;
}

static u64 ipa_limit(const struct mem_walk *w)
{
	return 1ULL << w->ipa_bits;
}

static bool pte_valid(u64 pte)
{
	return pte & S2_VALID;
}

static bool pte_is_table(u64 pte, unsigned int level)
{
	return level < MEM_LAST_LEVEL && (pte & (S2_VALID | S2_TABLE)) == (S2_VALID | S2_TABLE);
}

static u64 index_of(const struct mem_walk *w, unsigned int level, u64 ipa)
{
	u64 index = ipa / mem_level_size(level);

	/* Concatenated tables at the start level are one long table. */
	return level == w->level ? index : index % ENTRIES;
}

static u64 *entry_of(const struct mem_walk *w, u64 *table, unsigned int level, u64 ipa)
{
	return table + index_of(w, level, ipa);
}

static u64 *table_of(const struct mem_walk *w, u64 pte)
{
	return w->ops->va(w->ctx, pte & S2_ADDR);
}

static u64 attr_bits(const struct mem_walk *w, unsigned int prot)
{
	if (prot & MEM_PROT_DEVICE)
		return (w->fwb ? S2_ATTR_FWB_DEVICE_nGnRE : S2_ATTR_DEVICE_nGnRE) << S2_MEMATTR_SHIFT;
	return (w->fwb ? S2_ATTR_FWB_NORMAL_WB : S2_ATTR_NORMAL_WB) << S2_MEMATTR_SHIFT;
}

static bool pte_is_device(const struct mem_walk *w, u64 pte)
{
	return (pte & S2_MEMATTR) == attr_bits(w, MEM_PROT_DEVICE);
}

/* @pte with the permissions of @prot added, and accessed. */
static u64 pte_allow(u64 pte, unsigned int prot)
{
	pte |= S2_AF;
	if (prot & MEM_PROT_R)
		pte |= S2_READ;
	if (prot & MEM_PROT_W)
		pte |= S2_WRITE;
	if (prot & MEM_PROT_X)
		pte &= ~S2_XN;
	return pte;
}

static u64 leaf_pte(const struct mem_walk *w, u64 pa, unsigned int level, unsigned int prot)
{
	u64 pte = pa | S2_VALID | S2_SH_INNER | S2_XN | attr_bits(w, prot);

	if (level == MEM_LAST_LEVEL)
		pte |= S2_TABLE;
	return pte_allow(pte, prot);
}

static void table_get(struct mem_walk *w, u64 *table, unsigned int level)
{
	if (level != w->level)
		w->ops->get(w->ctx, table);
}

/* Return: entries left; the root counts as never empty. */
static unsigned int table_put(struct mem_walk *w, u64 *table, unsigned int level)
{
	return level == w->level ? 1 : w->ops->put(w->ctx, table);
}

/* Retire @table and the tables below. Their contents stay: a CPU may be walking them until the flush. */
static void retire_tree(struct mem_walk *w, u64 *table, unsigned int level)
{
	unsigned int i;

	if (level < MEM_LAST_LEVEL)
		for (i = 0; i < ENTRIES; i++)
			if (pte_is_table(READ_ONCE(table[i]), level))
				retire_tree(w, table_of(w, table[i]), level + 1);
	w->ops->retire(w->ctx, table);
}

/* Break: unlink what is at @p, and flush it. */
static void break_entry(struct mem_walk *w, u64 *table, u64 *p, unsigned int level, u64 ipa)
{
	u64 size = mem_level_size(level);
	u64 old = xchg(p, 0);

	table_put(w, table, level);
	if (!pte_is_table(old, level)) {
		w->ops->flush_leaf(w->ctx, ALIGN_DOWN(ipa, size), level);
		return;
	}
	retire_tree(w, table_of(w, old), level + 1);
	w->ops->flush(w->ctx, ALIGN_DOWN(ipa, size), size);
}

/*
 * Add permissions to the valid leaf at @p. Only ever more is allowed, so the
 * entry may be changed in place (D8.14.1); instructions are synchronised before
 * they can be fetched. A CPU whose TLB still allows less faults, and comes here
 * itself: so this one's entry goes even when the leaf is found as it should be.
 */
static void leaf_allow(struct mem_walk *w, u64 *p, u64 ipa, unsigned int level, unsigned int prot)
{
	u64 size = mem_level_size(level);
	u64 old = READ_ONCE(*p), new;

	if (w->sync_insn && (prot & MEM_PROT_X) && (old & S2_XN))
		w->ops->sync_insn(w->ctx, old & S2_ADDR, size);
	do {
		new = pte_allow(old, prot);
	} while (new != old && !try_cmpxchg(p, &old, new));
	w->ops->flush_here(w->ctx, ALIGN_DOWN(ipa, size));
}

static bool map_args_valid(const struct mem_walk *w, u64 ipa, u64 pa, unsigned int level)
{
	u64 size;

	if (!level || level > MEM_LAST_LEVEL || level < w->level)
		return false;
	size = mem_level_size(level);
	return IS_ALIGNED(ipa | pa, size) && ipa < ipa_limit(w) && !(pa & ~S2_ADDR);
}

/* The table at @level that resolves @ipa, made where it is missing; NULL: no memory. */
static u64 *table_make(struct mem_walk *w, u64 ipa, unsigned int level)
{
	u64 *table = w->root, *next, *p, old;
	unsigned int l;

	for (l = w->level; l < level; l++, table = next) {
		p = entry_of(w, table, l, ipa);
		old = READ_ONCE(*p);
		if (pte_is_table(old, l)) {
			next = table_of(w, old);
			continue;
		}
		next = w->ops->alloc(w->ctx);
		if (!next)
			return NULL;
		if (pte_valid(old))
			break_entry(w, table, p, l, ipa);
		/* The zeroes of the new table are visible before the table is. */
		smp_store_release(p, w->ops->pa(w->ctx, next) | S2_VALID | S2_TABLE);
		table_get(w, table, l);
	}
	return table;
}

/* What is going to be mapped is made ready for the guest to see. */
static void sync_caches(struct mem_walk *w, u64 pa, unsigned int level, unsigned int prot)
{
	if (w->clean_data && !(prot & MEM_PROT_DEVICE))
		w->ops->clean(w->ctx, pa, mem_level_size(level));
	if (w->sync_insn && (prot & MEM_PROT_X))
		w->ops->sync_insn(w->ctx, pa, mem_level_size(level));
}

int mem_walk_map(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot)
{
	u64 leaf, old, *table, *p;

	if (!map_args_valid(w, ipa, pa, level))
		return -EINVAL;
	table = table_make(w, ipa, level);
	if (!table)
		return -ENOMEM;

	leaf = leaf_pte(w, pa, level, prot);
	p = entry_of(w, table, level, ipa);
	old = READ_ONCE(*p);
	if (pte_valid(old)) {
		if (!pte_is_table(old, level) && !((old ^ leaf) & (S2_ADDR | S2_MEMATTR))) {
			leaf_allow(w, p, ipa, level, prot);
			return 0;
		}
		break_entry(w, table, p, level, ipa);
	}
	sync_caches(w, pa, level, prot);
	smp_store_release(p, leaf);
	table_get(w, table, level);
	return 0;
}

/* What an unmapping took away: leaves, and the span they translated. */
struct removed {
	u64 leaves;
	u64 start;
	u64 end;
};

/* Return: @table has become empty (and is not the root). */
static bool unmap_in(struct mem_walk *w, struct removed *r, u64 *table, unsigned int level,
		     u64 ipa, u64 end)
{
	u64 size = mem_level_size(level), next, old, *p;
	bool empty = false;

	for (; ipa < end; ipa = next) {
		next = min(end, ALIGN_DOWN(ipa, size) + size);
		p = entry_of(w, table, level, ipa);
		old = READ_ONCE(*p);
		if (!pte_valid(old))
			continue;
		if (pte_is_table(old, level)) {
			if (!unmap_in(w, r, table_of(w, old), level + 1, ipa, next))
				continue;
			xchg(p, 0);
			w->ops->retire(w->ctx, table_of(w, old));
		} else {
			xchg(p, 0);
			r->leaves++;
			r->start = min(r->start, ALIGN_DOWN(ipa, size));
			r->end = ALIGN_DOWN(ipa, size) + size;
		}
		empty = !table_put(w, table, level);
	}
	return empty;
}

u64 mem_walk_unmap(struct mem_walk *w, u64 ipa, u64 end)
{
	struct removed r = { .start = ~0ULL };

	end = min(end, ipa_limit(w));
	unmap_in(w, &r, w->root, w->level, ALIGN_DOWN(ipa, MEM_PAGE_SIZE), end);
	if (r.leaves)
		w->ops->flush(w->ctx, r.start, r.end - r.start);
	return r.leaves;
}

void mem_walk_free(struct mem_walk *w)
{
	u64 i, n = (u64)ENTRIES * mem_walk_root_pages(w->ipa_bits), old;

	for (i = 0; i < n; i++) {
		old = xchg(&w->root[i], 0);
		if (pte_is_table(old, w->level))
			retire_tree(w, table_of(w, old), w->level + 1);
	}
}

/* Called for each valid leaf, with the part [ipa, end) of it that is asked for. */
typedef void (*leaf_fn)(struct mem_walk *w, u64 *p, unsigned int level, u64 ipa, u64 end,
			void *arg);

static void visit_in(struct mem_walk *w, u64 *table, unsigned int level, u64 ipa, u64 end,
		     leaf_fn fn, void *arg)
{
	u64 size = mem_level_size(level), next, pte, *p;

	for (; ipa < end; ipa = next) {
		next = min(end, ALIGN_DOWN(ipa, size) + size);
		p = entry_of(w, table, level, ipa);
		pte = READ_ONCE(*p);
		if (pte_is_table(pte, level))
			visit_in(w, table_of(w, pte), level + 1, ipa, next, fn, arg);
		else if (pte_valid(pte))
			fn(w, p, level, ipa, next, arg);
	}
}

static void visit(struct mem_walk *w, u64 ipa, u64 end, leaf_fn fn, void *arg)
{
	visit_in(w, w->root, w->level, ALIGN_DOWN(ipa, MEM_PAGE_SIZE), min(end, ipa_limit(w)),
		 fn, arg);
}

/* Clear @bit of the leaf at @p. Return: it was set. */
static bool leaf_clear(u64 *p, u64 bit)
{
	u64 old = READ_ONCE(*p);

	do {
		if (!(old & bit))
			return false;
	} while (!try_cmpxchg(p, &old, old & ~bit));
	return true;
}

static void wrprotect_leaf(struct mem_walk *w, u64 *p, unsigned int level, u64 ipa, u64 end,
			   void *arg)
{
	u64 *changed = arg;

	*changed += leaf_clear(p, S2_WRITE);
}

u64 mem_walk_wrprotect(struct mem_walk *w, u64 ipa, u64 end)
{
	u64 changed = 0;

	visit(w, ipa, end, wrprotect_leaf, &changed);
	return changed;
}

static void clear_young_leaf(struct mem_walk *w, u64 *p, unsigned int level, u64 ipa, u64 end,
			   void *arg)
{
	bool *young = arg;

	*young |= leaf_clear(p, S2_AF);
}

static void test_young_leaf(struct mem_walk *w, u64 *p, unsigned int level, u64 ipa, u64 end,
			   void *arg)
{
	bool *young = arg;

	*young |= !!(READ_ONCE(*p) & S2_AF);
}

bool mem_walk_age(struct mem_walk *w, u64 ipa, u64 end, bool clear)
{
	bool young = false;

	visit(w, ipa, end, clear ? clear_young_leaf : test_young_leaf, &young);
	return young;
}

static void clean_leaf(struct mem_walk *w, u64 *p, unsigned int level, u64 ipa, u64 end,
			   void *arg)
{
	u64 pte = READ_ONCE(*p);

	if (!pte_is_device(w, pte))
		w->ops->clean(w->ctx, (pte & S2_ADDR) + (ipa & (mem_level_size(level) - 1)),
			      end - ipa);
}

void mem_walk_clean(struct mem_walk *w, u64 ipa, u64 end)
{
	visit(w, ipa, end, clean_leaf, NULL);
}

/* Where the walk for @ipa ends: the entry, valid or not, and its level. */
static u64 *find_entry(const struct mem_walk *w, u64 ipa, unsigned int *level)
{
	u64 *table = w->root, *p, pte;
	unsigned int l;

	for (l = w->level;; l++) {
		p = entry_of(w, table, l, ipa);
		pte = READ_ONCE(*p);
		if (!pte_is_table(pte, l))
			break;
		table = table_of(w, pte);
	}
	*level = l;
	return p;
}

bool mem_walk_mkyoung(struct mem_walk *w, u64 ipa)
{
	unsigned int level;
	u64 *p, old;

	if (ipa >= ipa_limit(w))
		return false;
	p = find_entry(w, ipa, &level);
	old = READ_ONCE(*p);
	do {
		if (!pte_valid(old))
			return false;
	} while (!try_cmpxchg(p, &old, old | S2_AF));
	/* No flush: an entry without the access flag is never held in a TLB (D8.13). */
	return true;
}

/*
 * Under the shared lock tables neither come nor go, and the only change to an
 * entry that is not valid is this one.
 */
int mem_walk_fill(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot)
{
	unsigned int found;
	u64 *p, old = 0;

	if (!map_args_valid(w, ipa, pa, level))
		return -EINVAL;
	p = find_entry(w, ipa, &found);
	if (found != level || READ_ONCE(*p))
		return -EAGAIN;
	sync_caches(w, pa, level, prot);
	if (!try_cmpxchg(p, &old, leaf_pte(w, pa, level, prot)))
		return -EAGAIN;
	table_get(w, p - index_of(w, level, ipa), level);
	return 0;
}

int mem_walk_relax(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot)
{
	unsigned int found;
	u64 *p, pte;

	if (ipa >= ipa_limit(w))
		return -EINVAL;
	p = find_entry(w, ipa, &found);
	pte = READ_ONCE(*p);
	if (!pte_valid(pte) || found != level || (pte & S2_ADDR) != pa)
		return -EAGAIN;
	leaf_allow(w, p, ipa, level, prot);
	return 0;
}

struct mem_leaf mem_walk_lookup(const struct mem_walk *w, u64 ipa)
{
	struct mem_leaf leaf = { 0 };
	unsigned int level;
	u64 pte;

	if (ipa >= ipa_limit(w))
		return leaf;
	pte = READ_ONCE(*find_entry(w, ipa, &level));
	leaf.level = level;
	if (!pte_valid(pte))
		return leaf;
	leaf.valid = true;
	leaf.young = pte & S2_AF;
	leaf.pa = (pte & S2_ADDR) + (ipa & (mem_level_size(level) - 1));
	leaf.prot = (pte & S2_READ ? MEM_PROT_R : 0) | (pte & S2_WRITE ? MEM_PROT_W : 0) |
		    (pte & S2_XN ? 0 : MEM_PROT_X) |
		    (pte_is_device(w, pte) ? MEM_PROT_DEVICE : 0);
	return leaf;
}
