// SPDX-License-Identifier: GPL-2.0
/*
 * The stage-2 walker against a page-by-page model, with a TLB that remembers
 * what it was not told to forget.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "arch/pte.h"
#include "mem/walk.h"

#define MAX_TABLES	4096
#define MAX_TLB		64
#define PAGE		MEM_PAGE_SIZE
#define BLOCK2		(2ULL << 20)
#define BLOCK1		(1ULL << 30)

struct table {
	void *page;
	unsigned int refs;
	bool retired;
};

struct tlb_entry {
	u64 ipa;
	struct mem_leaf leaf;
};

/* The surroundings of one walker. */
struct world {
	struct mem_walk walk;
	struct table table[MAX_TABLES];
	unsigned int tables;
	int allocs_left;	/* negative: no limit */
	struct tlb_entry tlb[MAX_TLB];
	unsigned int tlb_used;
	unsigned int flushes;
	u64 cleaned, synced;	/* bytes */
	u64 clean_pa;
};

static struct table *table_find(struct world *w, const void *page)
{
	unsigned int i;

	for (i = 0; i < w->tables; i++)
		if (w->table[i].page == page)
			return &w->table[i];
	fail_msg("%p is no table", page);
	return NULL;
}

static void *fake_alloc(void *ctx)
{
	struct world *w = ctx;
	void *page;

	if (!w->allocs_left)
		return NULL;
	if (w->allocs_left > 0)
		w->allocs_left--;
	assert_true(w->tables < MAX_TABLES);
	page = aligned_alloc(PAGE, PAGE);
	assert_non_null(page);
	memset(page, 0, PAGE);
	w->table[w->tables++] = (struct table){ .page = page };
	return page;
}

static void fake_retire(void *ctx, void *page)
{
	struct table *t = table_find(ctx, page);

	assert_false(t->retired);
	t->retired = true;
}

static void fake_get(void *ctx, void *page)
{
	struct table *t = table_find(ctx, page);

	assert_false(t->retired);
	assert_true(__atomic_add_fetch(&t->refs, 1, __ATOMIC_SEQ_CST) <= 512);
}

static unsigned int fake_put(void *ctx, void *page)
{
	struct table *t = table_find(ctx, page);

	assert_false(t->retired);
	assert_true(t->refs);
	return --t->refs;
}

static u64 fake_pa(void *ctx, const void *page)
{
	return (u64)(uintptr_t)page;
}

static void *fake_va(void *ctx, u64 pa)
{
	return (void *)(uintptr_t)pa;
}

/* Retired tables go when the TLBs have forgotten them. */
static void free_retired(struct world *w)
{
	unsigned int i = 0;

	while (i < w->tables) {
		if (!w->table[i].retired) {
			i++;
			continue;
		}
		free(w->table[i].page);
		w->table[i] = w->table[--w->tables];
	}
}

/* At a flush, what was cached is either gone from the tables or still translates to the same. */
static void forget(struct world *w, u64 ipa, u64 size)
{
	struct mem_leaf now;
	unsigned int i = 0;

	w->flushes++;
	while (i < w->tlb_used) {
		struct tlb_entry *e = &w->tlb[i];

		if (e->ipa < ipa || e->ipa >= ipa + size) {
			i++;
			continue;
		}
		now = mem_walk_lookup(&w->walk, e->ipa);
		assert_true(!now.valid || (now.pa == e->leaf.pa && now.level == e->leaf.level));
		*e = w->tlb[--w->tlb_used];
	}
}

static void fake_flush_leaf(void *ctx, u64 ipa, unsigned int level)
{
	assert_int_equal(ipa & (mem_level_size(level) - 1), 0);
	forget(ctx, ipa, mem_level_size(level));
}

/* One CPU is all that this world has. */
static void fake_flush_here(void *ctx, u64 ipa)
{
	struct mem_leaf leaf = mem_walk_lookup(&((struct world *)ctx)->walk, ipa);

	assert_true(leaf.valid);
	forget(ctx, ipa, mem_level_size(leaf.level));
}

static void fake_flush(void *ctx, u64 ipa, u64 size)
{
	forget(ctx, ipa, size);
	free_retired(ctx);
}

static void fake_clean(void *ctx, u64 pa, u64 size)
{
	struct world *w = ctx;

	w->cleaned += size;
	w->clean_pa = pa;
}

static void fake_sync_insn(void *ctx, u64 pa, u64 size)
{
	((struct world *)ctx)->synced += size;
}

static const struct mem_walk_ops fake_ops = {
	.alloc = fake_alloc,
	.retire = fake_retire,
	.get = fake_get,
	.put = fake_put,
	.pa = fake_pa,
	.va = fake_va,
	.flush_leaf = fake_flush_leaf,
	.flush_here = fake_flush_here,
	.flush = fake_flush,
	.clean = fake_clean,
	.sync_insn = fake_sync_insn,
};

static struct world *world_new(unsigned int ipa_bits)
{
	struct world *w = calloc(1, sizeof(*w));
	size_t root = mem_walk_root_pages(ipa_bits) * PAGE;

	assert_non_null(w);
	w->allocs_left = -1;
	w->walk.ops = &fake_ops;
	w->walk.ctx = w;
	w->walk.root = aligned_alloc(root, root);
	assert_non_null(w->walk.root);
	memset(w->walk.root, 0, root);
	w->walk.ipa_bits = ipa_bits;
	w->walk.level = mem_walk_start_level(ipa_bits);
	w->walk.sync_insn = true;
	w->walk.clean_data = true;
	return w;
}

static void world_free(struct world *w)
{
	mem_walk_free(&w->walk);
	free_retired(w);
	assert_int_equal(w->tables, 0);
	free(w->walk.root);
	free(w);
}

/* A CPU translates @ipa, and its TLB keeps that. */
static struct mem_leaf touch(struct world *w, u64 ipa)
{
	struct mem_leaf leaf = mem_walk_lookup(&w->walk, ipa);

	if (leaf.valid && w->tlb_used < MAX_TLB)
		w->tlb[w->tlb_used++] = (struct tlb_entry){ ipa, leaf };
	return leaf;
}

/* No TLB holds a translation that the tables do not have (any more). */
static void check_tlb(struct world *w)
{
	struct mem_leaf now;
	unsigned int i;

	for (i = 0; i < w->tlb_used; i++) {
		now = mem_walk_lookup(&w->walk, w->tlb[i].ipa);
		assert_true(now.valid);
		assert_int_equal(now.pa, w->tlb[i].leaf.pa);
	}
}

static void start_levels(void **state)
{
	static const struct {
		unsigned int bits, level, pages;
	} want[] = {
		{ 32, 2, 4 }, { 33, 2, 8 }, { 34, 2, 16 }, { 35, 1, 1 }, { 36, 1, 1 },
		{ 39, 1, 1 }, { 40, 1, 2 }, { 42, 1, 8 }, { 43, 1, 16 }, { 44, 0, 1 }, { 48, 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_int_equal(mem_walk_start_level(want[i].bits), want[i].level);
		assert_int_equal(mem_walk_root_pages(want[i].bits), want[i].pages);
	}
}

/* The first and the last page of each input size can be mapped, and nothing beyond. */
static void ends_of_space(void **state)
{
	unsigned int bits;

	for (bits = 32; bits <= 48; bits++) {
		struct world *w = world_new(bits);
		u64 last = (1ULL << bits) - PAGE;

		assert_int_equal(mem_walk_map(&w->walk, 0, 0x1000, 3, MEM_PROT_R), 0);
		assert_int_equal(mem_walk_map(&w->walk, last, 0x2000, 3, MEM_PROT_R), 0);
		assert_int_equal(mem_walk_map(&w->walk, last + PAGE, 0x2000, 3, MEM_PROT_R), -EINVAL);
		assert_int_equal(mem_walk_lookup(&w->walk, 0x123).pa, 0x1123);
		assert_int_equal(mem_walk_lookup(&w->walk, last + 7).pa, 0x2007);
		assert_false(mem_walk_lookup(&w->walk, PAGE).valid);
		assert_false(mem_walk_lookup(&w->walk, 1ULL << bits).valid);
		assert_false(mem_walk_mkyoung(&w->walk, 1ULL << bits));
		assert_int_equal(mem_walk_relax(&w->walk, 1ULL << bits, 0, 3, MEM_PROT_R), -EINVAL);
		assert_int_equal(mem_walk_unmap(&w->walk, 0, ~0ULL), 2);
		assert_int_equal(w->tables, 0);
		world_free(w);
	}
}

static void bad_arguments(void **state)
{
	struct world *w = world_new(34), *big = world_new(48);

	assert_int_equal(mem_walk_map(&w->walk, 0, 0, 1, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, 0, 0, 4, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, 0x800, 0, 3, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, 0, 0x800, 3, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, PAGE, 0, 2, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, 0, PAGE, 2, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&w->walk, 0, 1ULL << 48, 3, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&big->walk, 0, 0, 0, MEM_PROT_R), -EINVAL);
	assert_int_equal(mem_walk_map(&big->walk, 0, 0, 1, MEM_PROT_R), 0);
	assert_int_equal(w->tables, 0);
	world_free(w);
	world_free(big);
}

/* The bits as the architecture has them. */
static void descriptor_bits(void **state)
{
	struct world *w = world_new(34);
	u64 *root = w->walk.root;

	assert_int_equal(mem_walk_map(&w->walk, BLOCK2, 4 * BLOCK2, 2, MEM_PROT_R | MEM_PROT_W), 0);
	/* AF, inner shareable, read-write, write-back, block; XN */
	assert_int_equal(root[1], 4 * BLOCK2 | 0x00400000000007fdULL);
	mem_walk_unmap(&w->walk, 0, ~0ULL);
	assert_int_equal(mem_walk_map(&w->walk, BLOCK2, 4 * BLOCK2, 2, MEM_PROT_R | MEM_PROT_X), 0);
	assert_int_equal(root[1], 4 * BLOCK2 | 0x77dULL);
	mem_walk_unmap(&w->walk, 0, ~0ULL);
	assert_int_equal(mem_walk_map(&w->walk, 0, 4 * BLOCK2, 2, MEM_PROT_R | MEM_PROT_DEVICE), 0);
	assert_int_equal(root[0], 4 * BLOCK2 | 0x0040000000000745ULL);
	w->walk.fwb = true;
	assert_int_equal(mem_walk_map(&w->walk, BLOCK2, 4 * BLOCK2, 2, MEM_PROT_R), 0);
	assert_int_equal(root[1], 4 * BLOCK2 | 0x0040000000000759ULL);
	w->walk.fwb = false;
	assert_int_equal(mem_walk_map(&w->walk, 8 * BLOCK2, 0x5000, 3, MEM_PROT_R), 0);
	assert_int_equal(root[8] & 3, 3);
	assert_int_equal(*(u64 *)(uintptr_t)(root[8] & S2_ADDR), 0x004000000000577fULL);
	world_free(w);
}

static void caches(void **state)
{
	struct world *w = world_new(40);

	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R | MEM_PROT_W);
	assert_int_equal(w->cleaned, PAGE);
	assert_int_equal(w->synced, 0);
	/* Executable afterwards, once. */
	assert_int_equal(mem_walk_relax(&w->walk, 0, 0, 3, MEM_PROT_R | MEM_PROT_X), 0);
	assert_int_equal(mem_walk_relax(&w->walk, 0, 0, 3, MEM_PROT_R | MEM_PROT_X), 0);
	assert_int_equal(w->synced, PAGE);
	assert_int_equal(w->cleaned, PAGE);
	mem_walk_map(&w->walk, BLOCK2, BLOCK2, 2, MEM_PROT_R | MEM_PROT_X);
	assert_int_equal(w->synced, PAGE + BLOCK2);
	/* Devices have no caches. */
	w->cleaned = 0;
	mem_walk_map(&w->walk, BLOCK1, BLOCK1, 3, MEM_PROT_R | MEM_PROT_DEVICE);
	assert_int_equal(w->cleaned, 0);
	/* Part of a block is cleaned, not the whole; what is not mapped and devices are not. */
	mem_walk_clean(&w->walk, BLOCK2 + 3 * PAGE, BLOCK2 + 5 * PAGE);
	assert_int_equal(w->cleaned, 2 * PAGE);
	assert_int_equal(w->clean_pa, BLOCK2 + 3 * PAGE);
	mem_walk_clean(&w->walk, 0, ~0ULL);
	assert_int_equal(w->cleaned, 3 * PAGE + BLOCK2);
	world_free(w);
}

/* Mapping what is mapped adds permissions and takes none. */
static void permissions_add_up(void **state)
{
	struct world *w = world_new(40);
	const u64 ipa = 5 * PAGE, pa = 9 * PAGE;

	assert_int_equal(mem_walk_map(&w->walk, ipa, pa, 3, MEM_PROT_R | MEM_PROT_W), 0);
	touch(w, ipa);
	assert_int_equal(mem_walk_map(&w->walk, ipa, pa, 3, MEM_PROT_R), 0);
	/* Nothing changed, but who asks may have an older entry in its TLB. */
	assert_int_equal(w->flushes, 1);
	assert_int_equal(mem_walk_lookup(&w->walk, ipa).prot, MEM_PROT_R | MEM_PROT_W);
	assert_int_equal(mem_walk_map(&w->walk, ipa, pa, 3, MEM_PROT_R | MEM_PROT_X), 0);
	assert_int_equal(w->flushes, 2);
	assert_int_equal(mem_walk_lookup(&w->walk, ipa).prot, MEM_PROT_R | MEM_PROT_W | MEM_PROT_X);
	/* Another page, or another type of memory, takes its place with its own permissions. */
	touch(w, ipa);
	assert_int_equal(mem_walk_map(&w->walk, ipa, pa + PAGE, 3, MEM_PROT_R), 0);
	assert_int_equal(w->flushes, 3);
	assert_int_equal(mem_walk_lookup(&w->walk, ipa).prot, MEM_PROT_R);
	assert_int_equal(mem_walk_map(&w->walk, ipa, pa + PAGE, 3, MEM_PROT_R | MEM_PROT_DEVICE), 0);
	assert_int_equal(mem_walk_lookup(&w->walk, ipa).prot, MEM_PROT_R | MEM_PROT_DEVICE);
	check_tlb(w);
	world_free(w);
}

static void relax_only_the_same(void **state)
{
	struct world *w = world_new(40);

	assert_int_equal(mem_walk_relax(&w->walk, 0, 0, 3, MEM_PROT_R), -EAGAIN);
	mem_walk_map(&w->walk, BLOCK2, BLOCK2, 2, MEM_PROT_R);
	assert_int_equal(mem_walk_relax(&w->walk, BLOCK2 + PAGE, BLOCK2 + PAGE, 3, MEM_PROT_W), -EAGAIN);
	assert_int_equal(mem_walk_relax(&w->walk, BLOCK2, BLOCK2, 3, MEM_PROT_W), -EAGAIN);
	assert_int_equal(mem_walk_relax(&w->walk, BLOCK2 + PAGE, 0, 2, MEM_PROT_W), -EAGAIN);
	assert_int_equal(mem_walk_lookup(&w->walk, BLOCK2).prot, MEM_PROT_R);
	assert_int_equal(mem_walk_relax(&w->walk, BLOCK2 + PAGE, BLOCK2, 2, MEM_PROT_W), 0);
	assert_int_equal(mem_walk_lookup(&w->walk, BLOCK2).prot, MEM_PROT_R | MEM_PROT_W);
	assert_int_equal(w->flushes, 1);
	world_free(w);
}

static void block_and_table_replace_each_other(void **state)
{
	struct world *w = world_new(40);
	unsigned int i;

	for (i = 0; i < 512; i += 7) {
		mem_walk_map(&w->walk, BLOCK1 + i * PAGE, i * PAGE, 3, MEM_PROT_R);
		touch(w, BLOCK1 + i * PAGE);
	}
	assert_int_equal(w->tables, 2);
	assert_int_equal(mem_walk_map(&w->walk, BLOCK1, 8 * BLOCK2, 2, MEM_PROT_R), 0);
	assert_int_equal(w->tables, 1);
	assert_int_equal(w->tlb_used, 0);
	assert_int_equal(touch(w, BLOCK1 + 77 * PAGE).pa, 8 * BLOCK2 + 77 * PAGE);
	/* A page out of the block: the rest has to fault again. */
	assert_int_equal(mem_walk_map(&w->walk, BLOCK1 + 3 * PAGE, PAGE, 3, MEM_PROT_R), 0);
	assert_int_equal(w->tlb_used, 0);
	assert_int_equal(mem_walk_lookup(&w->walk, BLOCK1 + 3 * PAGE).pa, PAGE);
	assert_false(mem_walk_lookup(&w->walk, BLOCK1 + 4 * PAGE).valid);
	/* A 1 GB block over all of it. */
	assert_int_equal(mem_walk_map(&w->walk, BLOCK1, BLOCK1, 1, MEM_PROT_R), 0);
	assert_int_equal(w->tables, 0);
	assert_int_equal(mem_walk_unmap(&w->walk, BLOCK1 + PAGE, BLOCK1 + 2 * PAGE), 1);
	assert_false(mem_walk_lookup(&w->walk, BLOCK1).valid);
	world_free(w);
}

static void one_flush_for_a_range(void **state)
{
	struct world *w = world_new(40);
	unsigned int i;

	for (i = 0; i < 2000; i++)
		mem_walk_map(&w->walk, i * PAGE, i * PAGE, 3, MEM_PROT_R);
	touch(w, 0);
	touch(w, 1999 * PAGE);
	assert_int_equal(mem_walk_unmap(&w->walk, 0, BLOCK1), 2000);
	assert_int_equal(w->flushes, 1);
	assert_int_equal(w->tlb_used, 0);
	assert_int_equal(w->tables, 0);
	assert_int_equal(mem_walk_unmap(&w->walk, 0, ~0ULL), 0);
	assert_int_equal(w->flushes, 1);
	world_free(w);
}

static void no_memory(void **state)
{
	struct world *w = world_new(48);
	int n;

	for (n = 0; n < 3; n++) {
		w->allocs_left = n;
		assert_int_equal(mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R), -ENOMEM);
		assert_false(mem_walk_lookup(&w->walk, 0).valid);
		mem_walk_free(&w->walk);
		fake_flush(w, 0, ~0ULL);
	}
	assert_int_equal(mem_walk_pages_needed(&w->walk), 3);
	w->allocs_left = 3;
	assert_int_equal(mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R), 0);
	/* A block is not broken for a page that cannot be mapped. */
	w->allocs_left = -1;
	assert_int_equal(mem_walk_map(&w->walk, BLOCK2, BLOCK2, 2, MEM_PROT_R), 0);
	w->allocs_left = 0;
	assert_int_equal(mem_walk_map(&w->walk, BLOCK2, 0, 3, MEM_PROT_R), -ENOMEM);
	assert_true(mem_walk_lookup(&w->walk, BLOCK2 + PAGE).valid);
	world_free(w);
}

static void write_protection(void **state)
{
	struct world *w = world_new(40);

	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R | MEM_PROT_W | MEM_PROT_X);
	mem_walk_map(&w->walk, PAGE, 0, 3, MEM_PROT_R);
	mem_walk_map(&w->walk, 2 * PAGE, 0, 3, MEM_PROT_R | MEM_PROT_W);
	mem_walk_map(&w->walk, BLOCK2, BLOCK2, 2, MEM_PROT_R | MEM_PROT_W);
	assert_int_equal(mem_walk_wrprotect(&w->walk, 0, 2 * PAGE), 1);
	assert_int_equal(mem_walk_lookup(&w->walk, 0).prot, MEM_PROT_R | MEM_PROT_X);
	assert_int_equal(mem_walk_lookup(&w->walk, 2 * PAGE).prot, MEM_PROT_R | MEM_PROT_W);
	/* Part of a block: all of it. */
	assert_int_equal(mem_walk_wrprotect(&w->walk, BLOCK2 + 9 * PAGE, BLOCK2 + 10 * PAGE), 1);
	assert_int_equal(mem_walk_lookup(&w->walk, BLOCK2).prot, MEM_PROT_R);
	assert_int_equal(mem_walk_wrprotect(&w->walk, 0, ~0ULL), 1);
	assert_int_equal(mem_walk_wrprotect(&w->walk, 0, ~0ULL), 0);
	world_free(w);
}

static void access_flag(void **state)
{
	struct world *w = world_new(40);

	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R);
	mem_walk_map(&w->walk, BLOCK2, BLOCK2, 2, MEM_PROT_R);
	assert_true(mem_walk_age(&w->walk, 0, PAGE, false));
	assert_true(mem_walk_age(&w->walk, 0, PAGE, true));
	assert_false(mem_walk_age(&w->walk, 0, PAGE, true));
	assert_false(mem_walk_lookup(&w->walk, 0).young);
	assert_true(mem_walk_lookup(&w->walk, BLOCK2).young);
	assert_true(mem_walk_mkyoung(&w->walk, 0));
	assert_true(mem_walk_age(&w->walk, 0, PAGE, false));
	assert_false(mem_walk_mkyoung(&w->walk, PAGE));
	assert_false(mem_walk_age(&w->walk, PAGE, BLOCK2, true));
	assert_true(mem_walk_age(&w->walk, 0, ~0ULL, true));
	assert_false(mem_walk_age(&w->walk, 0, ~0ULL, false));
	/* Mapping it again counts as an access. */
	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R);
	assert_true(mem_walk_lookup(&w->walk, 0).young);
	world_free(w);
}

/* A leaf goes where nothing is and its table is there, and nowhere else. */
static void fill(void **state)
{
	struct world *w = world_new(40);

	assert_int_equal(mem_walk_fill(&w->walk, 0, PAGE, 3, MEM_PROT_R), -EAGAIN);
	assert_int_equal(mem_walk_fill(&w->walk, PAGE, 0, 2, MEM_PROT_R), -EINVAL);
	assert_int_equal(w->tables, 0);
	mem_walk_map(&w->walk, 0, PAGE, 3, MEM_PROT_R);
	w->cleaned = 0;
	assert_int_equal(mem_walk_fill(&w->walk, 0, PAGE, 3, MEM_PROT_R | MEM_PROT_W), -EAGAIN);
	assert_int_equal(mem_walk_fill(&w->walk, 0, 0, 2, MEM_PROT_R), -EAGAIN);
	assert_int_equal(w->cleaned, 0);
	assert_int_equal(mem_walk_fill(&w->walk, PAGE, 5 * PAGE, 3, MEM_PROT_R | MEM_PROT_X), 0);
	assert_int_equal(w->cleaned, PAGE);
	assert_int_equal(w->synced, PAGE);
	assert_int_equal(touch(w, PAGE + 7).pa, 5 * PAGE + 7);
	assert_int_equal(mem_walk_lookup(&w->walk, PAGE).prot, MEM_PROT_R | MEM_PROT_X);
	assert_int_equal(mem_walk_fill(&w->walk, BLOCK2, 2 * BLOCK2, 2, MEM_PROT_R), 0);
	assert_int_equal(mem_walk_fill(&w->walk, BLOCK2 + PAGE, 0, 3, MEM_PROT_R), -EAGAIN);
	assert_int_equal(mem_walk_fill(&w->walk, 2 * BLOCK1, BLOCK1, 1, MEM_PROT_R), 0);
	assert_int_equal(w->flushes, 0);
	assert_int_equal(mem_walk_unmap(&w->walk, 0, ~0ULL), 4);
	assert_int_equal(w->tables, 0);
	assert_int_equal(w->tlb_used, 0);
	world_free(w);
}

#define FILLERS	4

struct filler {
	struct world *w;
	unsigned int done;
	u64 pa;
};

static void *fill_pages(void *arg)
{
	struct filler *f = arg;
	unsigned int i;
	int err;

	for (i = 1; i < 512; i++) {
		err = mem_walk_fill(&f->w->walk, i * PAGE, f->pa + i * PAGE, 3, MEM_PROT_R);
		assert_true(!err || err == -EAGAIN);
		f->done += !err;
	}
	return NULL;
}

/* Several fill the same table at once: each entry is one's, whole, and counted once. */
static void concurrent_fill(void **state)
{
	struct filler f[FILLERS];
	struct world *w = world_new(40);
	pthread_t thread[FILLERS];
	unsigned int i, done = 0;

	/* These two count for themselves. */
	w->walk.clean_data = false;
	w->walk.sync_insn = false;
	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R);
	for (i = 0; i < FILLERS; i++) {
		f[i] = (struct filler){ w, 0, (i + 1) * BLOCK1 };
		assert_int_equal(pthread_create(&thread[i], NULL, fill_pages, &f[i]), 0);
	}
	for (i = 0; i < FILLERS; i++) {
		pthread_join(thread[i], NULL);
		done += f[i].done;
	}
	assert_int_equal(done, 511);
	for (i = 1; i < 512; i++)
		assert_int_equal(mem_walk_lookup(&w->walk, i * PAGE).pa % BLOCK1, i * PAGE);
	assert_int_equal(mem_walk_unmap(&w->walk, 0, ~0ULL), 512);
	assert_int_equal(w->tables, 0);
	world_free(w);
}

/* The model: what each page of a window should translate to. */
#define WINDOW_PAGES	(3 * BLOCK1 / PAGE)

struct model_page {
	u64 pa;
	u8 level;		/* 0: nothing */
	u8 prot;
};

static struct model_page *model;

static void model_drop_block(u64 page)
{
	u64 n, first, i;

	if (!model[page].level)
		return;
	n = mem_level_size(model[page].level) / PAGE;
	first = page & ~(n - 1);
	for (i = first; i < first + n; i++)
		model[i].level = 0;
}

static void model_map(u64 page, u64 pa, unsigned int level, unsigned int prot)
{
	u64 n = mem_level_size(level) / PAGE, i;
	struct model_page *p = &model[page];

	if (p->level == level && p->pa == pa && !((p->prot ^ prot) & MEM_PROT_DEVICE))
		prot |= p->prot;
	for (i = page; i < page + n; i++) {
		/* A larger block in the way goes as a whole; a smaller one is replaced. */
		if (model[i].level && model[i].level < level)
			model_drop_block(i);
		model[i] = (struct model_page){ pa + (i - page) * PAGE, level, prot };
	}
}

static void model_check(struct world *w, u64 page)
{
	struct mem_leaf leaf = mem_walk_lookup(&w->walk, page * PAGE);

	assert_int_equal(leaf.valid, !!model[page].level);
	if (!leaf.valid)
		return;
	assert_int_equal(leaf.level, model[page].level);
	assert_int_equal(leaf.pa, model[page].pa);
	assert_int_equal(leaf.prot, model[page].prot);
}

static u64 rnd(u64 n)
{
	return (((u64)random() << 31) ^ random()) % n;
}

static void random_map(struct world *w)
{
	unsigned int level = rnd(64) ? (rnd(4) ? 3 : 2) : 1;
	unsigned int prot = MEM_PROT_R | rnd(8) * MEM_PROT_W;
	u64 n = mem_level_size(level) / PAGE, page = rnd(WINDOW_PAGES) & ~(n - 1), pa;

	/* Crowd some of them, so that leaves meet. */
	if (level == 3 && rnd(2))
		page = rnd(2048);
	pa = (rnd(4) * BLOCK1 + page * PAGE) & ~(mem_level_size(level) - 1);
	prot &= ~(rnd(4) ? MEM_PROT_DEVICE : 0);
	if (rnd(2) || mem_walk_fill(&w->walk, page * PAGE, pa, level, prot))
		assert_int_equal(mem_walk_map(&w->walk, page * PAGE, pa, level, prot), 0);
	model_map(page, pa, level, prot);
}

static void random_unmap(struct world *w)
{
	u64 page = rnd(2) ? rnd(2048) : rnd(WINDOW_PAGES), i;
	u64 end = page + 1 + rnd(rnd(8) ? 64 : 100000);

	if (end > WINDOW_PAGES)
		end = WINDOW_PAGES;
	mem_walk_unmap(&w->walk, page * PAGE, end * PAGE);
	for (i = page; i < end; i++)
		model_drop_block(i);
}

static void random_wrprotect(struct world *w)
{
	u64 page = rnd(2048), i, k, n, first;

	mem_walk_wrprotect(&w->walk, page * PAGE, (page + 50) * PAGE);
	for (i = page; i < page + 50; i++) {
		if (!model[i].level)
			continue;
		n = mem_level_size(model[i].level) / PAGE;
		first = i & ~(n - 1);
		for (k = first; k < first + n; k++)
			model[k].prot &= ~MEM_PROT_W;
		i = first + n - 1;
	}
}

static void random_against_model(void **state)
{
	struct world *w = world_new(40);
	unsigned int round, i;

	srandom(20240601);
	model = calloc(WINDOW_PAGES, sizeof(*model));
	assert_non_null(model);
	for (round = 0; round < 4000; round++) {
		switch (rnd(8)) {
		case 0:
			random_unmap(w);
			break;
		case 1:
			random_wrprotect(w);
			break;
		default:
			random_map(w);
		}
		check_tlb(w);
		for (i = 0; i < 20; i++) {
			u64 page = i < 10 ? rnd(2048) : rnd(WINDOW_PAGES);

			model_check(w, page);
			touch(w, page * PAGE);
		}
	}
	for (i = 0; i < WINDOW_PAGES; i++)
		model_check(w, i);
	mem_walk_unmap(&w->walk, 0, ~0ULL);
	assert_int_equal(w->tables, 0);
	assert_int_equal(w->tlb_used, 0);
	free(model);
	world_free(w);
}

/* The hardware sets access flags while permissions change: neither loses the other's change. */
static void *set_access_flags(void *arg)
{
	struct world *w = arg;
	int i;

	for (i = 0; i < 20000; i++)
		mem_walk_mkyoung(&w->walk, 0);
	return NULL;
}

static void concurrent_access_flag(void **state)
{
	struct world *w = world_new(40);
	pthread_t thread;
	int i;

	mem_walk_map(&w->walk, 0, 0, 3, MEM_PROT_R | MEM_PROT_X);
	assert_int_equal(pthread_create(&thread, NULL, set_access_flags, w), 0);
	for (i = 0; i < 20000; i++) {
		assert_int_equal(mem_walk_relax(&w->walk, 0, 0, 3, MEM_PROT_W), 0);
		assert_int_equal(mem_walk_wrprotect(&w->walk, 0, PAGE), 1);
		mem_walk_age(&w->walk, 0, PAGE, true);
	}
	pthread_join(thread, NULL);
	assert_int_equal(mem_walk_lookup(&w->walk, 0).prot, MEM_PROT_R | MEM_PROT_X);
	world_free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_levels),
		cmocka_unit_test(ends_of_space),
		cmocka_unit_test(bad_arguments),
		cmocka_unit_test(descriptor_bits),
		cmocka_unit_test(caches),
		cmocka_unit_test(permissions_add_up),
		cmocka_unit_test(relax_only_the_same),
		cmocka_unit_test(block_and_table_replace_each_other),
		cmocka_unit_test(one_flush_for_a_range),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(write_protection),
		cmocka_unit_test(access_flag),
		cmocka_unit_test(fill),
		cmocka_unit_test(concurrent_fill),
		cmocka_unit_test(random_against_model),
		cmocka_unit_test(concurrent_access_flag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
