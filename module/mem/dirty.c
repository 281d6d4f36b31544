// SPDX-License-Identifier: GPL-2.0
/*
 * The dirty log: which pages of a slot were written (KVM API 4.8, 4.117).
 *
 * A page's bit is set when it is mapped writable, under m->lock, or after the
 * kernel wrote to it. Whoever takes a bit away write-protects the page and
 * flushes before the client hears of it: a write that a TLB still let through
 * happened before the client copies the page.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "dirty.h"
#include "stage2.h"

static u64 log_words(const struct mem_slot *slot)
{
	return BITS_TO_LONGS(slot->npages);
}

unsigned long *mem_dirty_alloc(const struct mem_slot *slot, bool all_set)
{
	u64 words = log_words(slot);
	unsigned long *dirty = __vcalloc(2 * words, sizeof(long), GFP_KERNEL_ACCOUNT);

	if (dirty && all_set)
		bitmap_set(dirty, 0, slot->npages);
	return dirty;
}

void mem_dirty_free(unsigned long *dirty)
{
	kvfree(dirty);
}

int mem_set_manual_protect(struct mem *m, u64 caps)
{
	if (caps & ~(u64)MEM_DIRTY_LOG_CAPS)
		return -EINVAL;
	/* INITIALLY_SET means nothing without the other. */
	if (caps && !(caps & KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE))
		return -EINVAL;
	mutex_lock(&m->slots_lock);
	m->manual_protect = caps;
	mutex_unlock(&m->slots_lock);
	return 0;
}

/* The slot whose log the client wants; slots_lock. */
static struct mem_slot *logged_slot(struct mem *m, u32 id, int *err)
{
	struct mem_slot *slot;

	lockdep_assert_held(&m->slots_lock);
	*err = -EINVAL;
	if (id >= MEM_MAX_SLOTS)
		return NULL;
	*err = -ENOENT;
	slot = mem_slots_by_id(&m->slots, id);
	return slot && slot->dirty ? slot : NULL;
}

/* Write-protect the pages of @mask, bit 0 being page @first of the slot. */
static u64 protect_mask(struct mem *m, const struct mem_slot *slot, u64 first, unsigned long mask)
{
	u64 gfn = slot->gfn + first;

	/* From the first to the last: pages between them that are clean are protected already. */
	return mem_walk_wrprotect(&m->walk, (gfn + __ffs(mask)) << PAGE_SHIFT,
				  (gfn + __fls(mask) + 1) << PAGE_SHIFT);
}

/* Take all bits of the log into the scratch half. */
static void harvest(struct mem *m, struct mem_slot *slot)
{
	u64 words = log_words(slot), i, changed = 0;
	unsigned long *taken = slot->dirty + words;

	read_lock(&m->lock);
	for (i = 0; i < words; i++) {
		taken[i] = READ_ONCE(slot->dirty[i]) ? xchg(&slot->dirty[i], 0) : 0;
		if (taken[i])
			changed += protect_mask(m, slot, i * BITS_PER_LONG, taken[i]);
		cond_resched_rwlock_read(&m->lock);
	}
	read_unlock(&m->lock);
	if (changed)
		mem_stage2_flush(m);
}

int mem_get_dirty_log(struct mem *m, const struct kvm_dirty_log *log)
{
	unsigned long *bits;
	struct mem_slot *slot;
	int err;

	mutex_lock(&m->slots_lock);
	slot = logged_slot(m, log->slot, &err);
	if (slot) {
		bits = slot->dirty;
		/* With manual protection the bits stay until the client clears them. */
		if (!m->manual_protect) {
			harvest(m, slot);
			bits += log_words(slot);
		}
		err = copy_to_user(log->dirty_bitmap, bits, log_words(slot) * sizeof(long)) ?
		      -EFAULT : 0;
	}
	mutex_unlock(&m->slots_lock);
	return err;
}

/* Whole words, but for the last of the slot. */
static bool clear_range_valid(const struct mem_slot *slot, const struct kvm_clear_dirty_log *log)
{
	u64 behind;

	if (log->first_page > slot->npages)
		return false;
	behind = slot->npages - log->first_page;
	return log->num_pages <= behind &&
	       (log->num_pages == behind || !(log->num_pages % BITS_PER_LONG));
}

/* Clear the bits that the scratch half names, for pages from @first on. */
static void clear_named(struct mem *m, struct mem_slot *slot, u64 first, u64 words)
{
	const unsigned long *named = slot->dirty + log_words(slot);
	atomic_long_t *word = (atomic_long_t *)(slot->dirty + first / BITS_PER_LONG);
	unsigned long mask;
	u64 i, changed = 0;

	read_lock(&m->lock);
	for (i = 0; i < words; i++) {
		mask = named[i] ? named[i] & atomic_long_fetch_andnot(named[i], &word[i]) : 0;
		if (mask)
			changed += protect_mask(m, slot, first + i * BITS_PER_LONG, mask);
		cond_resched_rwlock_read(&m->lock);
	}
	read_unlock(&m->lock);
	if (changed)
		mem_stage2_flush(m);
}

static int clear_log(struct mem *m, struct mem_slot *slot, const struct kvm_clear_dirty_log *log)
{
	u64 words = BITS_TO_LONGS(log->num_pages);

	if (!clear_range_valid(slot, log))
		return -EINVAL;
	if (copy_from_user(slot->dirty + log_words(slot), log->dirty_bitmap, words * sizeof(long)))
		return -EFAULT;
	clear_named(m, slot, log->first_page, words);
	return 0;
}

int mem_clear_dirty_log(struct mem *m, const struct kvm_clear_dirty_log *log)
{
	struct mem_slot *slot;
	int err;

	if (log->slot >= MEM_MAX_SLOTS || log->first_page % BITS_PER_LONG)
		return -EINVAL;
	mutex_lock(&m->slots_lock);
	slot = logged_slot(m, log->slot, &err);
	if (slot)
		err = clear_log(m, slot, log);
	mutex_unlock(&m->slots_lock);
	return err;
}
