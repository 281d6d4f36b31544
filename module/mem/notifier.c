// SPDX-License-Identifier: GPL-2.0
/*
 * Linux changes what is mapped where in the client (swapping, migration, KSM,
 * ballooning, munmap); the guest's mapping follows.
 *
 * No page is pinned. A fault learns what is at a host address, takes m->lock
 * and maps it only if no invalidation has begun or ended since. An invalidation
 * counts itself before it unmaps, under the same lock.
 *
 * There is no change_pte callback: Linux brackets each call of it by an
 * invalidation of the same page, after which nothing is left to change.
 */
#include <linux/interval_tree.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include "stage2.h"

static struct mem *mem_of(struct mmu_notifier *n)
{
	return container_of(n, struct mem, notifier);
}

/* The part of a slot that lies in the host range [start, last], as guest addresses. */
struct span {
	u64 ipa;
	u64 end;
};

static struct span span_in(const struct mem_slot *slot, u64 start, u64 last)
{
	u64 base = slot->gfn << PAGE_SHIFT;
	u64 from = max(start, slot->hva), to = min(last, (u64)slot->by_hva.last);

	return (struct span){
		.ipa = base + (ALIGN_DOWN(from, PAGE_SIZE) - slot->hva),
		.end = base + (ALIGN_DOWN(to, PAGE_SIZE) + PAGE_SIZE - slot->hva),
	};
}

static struct mem_slot *slot_of(struct interval_tree_node *n)
{
	return container_of(n, struct mem_slot, by_hva);
}

static struct interval_tree_node *first_in(struct mem *m, u64 start, u64 last)
{
	return interval_tree_iter_first(&m->slots.by_hva, start, last);
}

/*
 * Unmap all that is in [start, last]. Where the lock may be dropped, slots may
 * come and go meanwhile: then begin again. What was unmapped stays so, for the
 * caller announced the invalidation or nobody can map any more, and an empty
 * piece is soon passed.
 */
static void unmap_hva(struct mem *m, u64 start, u64 last, bool may_drop)
{
	struct interval_tree_node *n;
	struct span s;
	u64 changes;

again:
	changes = m->slots.changes;
	for (n = first_in(m, start, last); n; n = interval_tree_iter_next(n, start, last)) {
		s = span_in(slot_of(n), start, last);
		mem_stage2_unmap_locked(m, s.ipa, s.end, may_drop);
		if (may_drop)
			cond_resched_rwlock_write(&m->lock);
		if (m->slots.changes != changes)
			goto again;
	}
}

static int range_start(struct mmu_notifier *n, const struct mmu_notifier_range *range)
{
	struct mem *m = mem_of(n);

	if (range->start >= range->end)
		return 0;
	write_lock(&m->lock);
	if (!m->inval_count++) {
		m->inval_start = range->start;
		m->inval_end = range->end;
	} else {
		/* Several at once: their hull, a little too much. */
		m->inval_start = min_t(u64, m->inval_start, range->start);
		m->inval_end = max_t(u64, m->inval_end, range->end);
	}
	unmap_hva(m, range->start, range->end - 1, mmu_notifier_range_blockable(range));
	write_unlock(&m->lock);
	return 0;
}

static void range_end(struct mmu_notifier *n, const struct mmu_notifier_range *range)
{
	struct mem *m = mem_of(n);

	if (range->start >= range->end)
		return;
	write_lock(&m->lock);
	WRITE_ONCE(m->inval_seq, m->inval_seq + 1);
	m->inval_count--;
	write_unlock(&m->lock);
}

bool mem_notifier_stale(const struct mem *m, unsigned long seq, u64 hva)
{
	lockdep_assert_held(&m->lock);
	if (m->inval_count && hva >= m->inval_start && hva < m->inval_end)
		return true;
	return m->inval_seq != seq;
}

static bool age_hva(struct mem *m, u64 start, u64 end, bool clear)
{
	struct interval_tree_node *n;
	bool young = false;
	struct span s;

	if (start >= end)
		return false;
	read_lock(&m->lock);
	for (n = first_in(m, start, end - 1); n; n = interval_tree_iter_next(n, start, end - 1)) {
		s = span_in(slot_of(n), start, end - 1);
		young |= mem_walk_age(&m->walk, s.ipa, s.end, clear);
	}
	read_unlock(&m->lock);
	return young;
}

static int clear_flush_young(struct mmu_notifier *n, struct mm_struct *mm, unsigned long start,
			     unsigned long end)
{
	bool young = age_hva(mem_of(n), start, end, true);

	if (young)
		mem_stage2_flush(mem_of(n));
	return young;
}

/* No flush: a page in use may look idle for a while, which is what the caller asks for. */
static int clear_young(struct mmu_notifier *n, struct mm_struct *mm, unsigned long start,
		       unsigned long end)
{
	return age_hva(mem_of(n), start, end, true);
}

static int test_young(struct mmu_notifier *n, struct mm_struct *mm, unsigned long address)
{
	return age_hva(mem_of(n), address, address + PAGE_SIZE, false);
}

/* The address space goes away: its last thread has left every guest, and none can come back. */
static void release(struct mmu_notifier *n, struct mm_struct *mm)
{
	struct mem *m = mem_of(n);

	write_lock(&m->lock);
	unmap_hva(m, 0, ~0ULL, true);
	write_unlock(&m->lock);
}

static const struct mmu_notifier_ops notifier_ops = {
	.invalidate_range_start = range_start,
	.invalidate_range_end = range_end,
	.clear_flush_young = clear_flush_young,
	.clear_young = clear_young,
	.test_young = test_young,
	.release = release,
};

int mem_notifier_init(struct mem *m)
{
	m->notifier.ops = &notifier_ops;
	return mmu_notifier_register(&m->notifier, m->mm);
}

void mem_notifier_fini(struct mem *m)
{
	mmu_notifier_unregister(&m->notifier, m->mm);
}
