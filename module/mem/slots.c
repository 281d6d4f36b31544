// SPDX-License-Identifier: GPL-2.0
/*
 * Memory slots: KVM's rules and the three indexes (by guest frame, by host
 * address, by number). See slots.h for the locks.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include "slots.h"
#include "walk.h"

#define SLOT_FLAGS	(KVM_MEM_LOG_DIRTY_PAGES | KVM_MEM_READONLY)
#define MAX_PAGES	((1ULL << 31) - 1)	/* so that a page's number in its slot is an int */

/* A range of guest frames, as the look-up key. */
struct gfn_range {
	u64 first;
	u64 end;
};

static struct mem_slot *slot_of(struct latch_tree_node *n)
{
	return container_of(n, struct mem_slot, by_gfn);
}

static bool slot_less(struct latch_tree_node *a, struct latch_tree_node *b)
{
	return slot_of(a)->gfn < slot_of(b)->gfn;
}

/* Zero when the key and the slot have a frame in common. */
static int slot_comp(void *key, struct latch_tree_node *n)
{
	const struct mem_slot *slot = slot_of(n);
	const struct gfn_range *r = key;

	if (r->end <= slot->gfn)
		return -1;
	return r->first >= slot->gfn + slot->npages;
}

static const struct latch_tree_ops slot_ops = {
	.less = slot_less,
	.comp = slot_comp,
};

void mem_slots_init(struct mem_slots *s)
{
	*s = (struct mem_slots){ .by_hva = RB_ROOT_CACHED };
	seqcount_latch_init(&s->by_gfn.seq);
	xa_init(&s->by_id);
}

void mem_slots_fini(struct mem_slots *s)
{
	xa_destroy(&s->by_id);
}

static struct mem_slot *find_overlap(struct mem_slots *s, u64 first, u64 end)
{
	struct gfn_range key = { first, end };
	struct latch_tree_node *n;

	if (first >= end)
		return NULL;
	n = latch_tree_find(&key, &s->by_gfn, &slot_ops);
	return n ? slot_of(n) : NULL;
}

struct mem_slot *mem_slots_find(struct mem_slots *s, u64 gfn)
{
	return find_overlap(s, gfn, gfn + 1);
}

struct mem_slot *mem_slots_by_id(struct mem_slots *s, u32 id)
{
	return id < MEM_MAX_SLOTS ? xa_load(&s->by_id, id) : NULL;
}

static bool request_sane(const struct kvm_userspace_memory_region *r)
{
	const u64 in_page = MEM_PAGE_SIZE - 1;

	/* The upper half of the number is an address space; arm64 has one. */
	if ((r->flags & ~SLOT_FLAGS) || r->slot >= MEM_MAX_SLOTS)
		return false;
	if ((r->memory_size | r->guest_phys_addr | r->userspace_addr) & in_page)
		return false;
	return r->guest_phys_addr + r->memory_size >= r->guest_phys_addr &&
	       r->userspace_addr + r->memory_size >= r->userspace_addr &&
	       r->memory_size >> MEM_PAGE_SHIFT <= MAX_PAGES;
}

/* Does [gfn, gfn + npages) meet another slot than @self, which is as large (or NULL)? */
static bool overlaps(struct mem_slots *s, u64 gfn, u64 npages, const struct mem_slot *self)
{
	u64 end = gfn + npages;

	/* What of the range lies before @self, and what behind: in between there is nothing but @self. */
	if (!self)
		return find_overlap(s, gfn, end);
	return find_overlap(s, gfn, min(end, self->gfn)) ||
	       find_overlap(s, max(gfn, self->gfn + self->npages), end);
}

static int judge_change(const struct mem_slot *old, const struct kvm_userspace_memory_region *r)
{
	if (r->userspace_addr != old->hva || r->memory_size >> MEM_PAGE_SHIFT != old->npages ||
	    ((r->flags ^ old->flags) & KVM_MEM_READONLY))
		return -EINVAL;
	if (r->guest_phys_addr >> MEM_PAGE_SHIFT != old->gfn)
		return MEM_SLOT_MOVE;
	return r->flags == old->flags ? MEM_SLOT_NOTHING : MEM_SLOT_FLAGS;
}

int mem_slots_check(struct mem_slots *s, const struct kvm_userspace_memory_region *r,
		    unsigned int ipa_bits, struct mem_slot **old)
{
	u64 gfn = r->guest_phys_addr >> MEM_PAGE_SHIFT;
	u64 npages = r->memory_size >> MEM_PAGE_SHIFT;
	int change = MEM_SLOT_CREATE;

	*old = NULL;
	if (!request_sane(r))
		return -EINVAL;
	*old = mem_slots_by_id(s, r->slot);
	if (!npages)
		return *old ? MEM_SLOT_DELETE : -EINVAL;

	if (*old)
		change = judge_change(*old, r);
	if (change == MEM_SLOT_CREATE && s->npages + npages < s->npages)
		return -EINVAL;
	if (change != MEM_SLOT_CREATE && change != MEM_SLOT_MOVE)
		return change;
	if (overlaps(s, gfn, npages, *old))
		return -EEXIST;
	if (gfn + npages > 1ULL << (ipa_bits - MEM_PAGE_SHIFT))
		return -EFAULT;
	return change;
}

struct mem_slot *mem_slots_prepare(struct mem_slots *s, const struct kvm_userspace_memory_region *r)
{
	struct mem_slot *slot = kzalloc(sizeof(*slot), GFP_KERNEL_ACCOUNT);

	if (!slot)
		return NULL;
	if (!xa_load(&s->by_id, r->slot) &&
	    xa_reserve(&s->by_id, r->slot, GFP_KERNEL_ACCOUNT)) {
		kfree(slot);
		return NULL;
	}
	slot->gfn = r->guest_phys_addr >> MEM_PAGE_SHIFT;
	slot->npages = r->memory_size >> MEM_PAGE_SHIFT;
	slot->hva = r->userspace_addr;
	slot->flags = r->flags;
	slot->id = r->slot;
	slot->by_hva.start = slot->hva;
	slot->by_hva.last = slot->hva + r->memory_size - 1;
	return slot;
}

void mem_slots_discard(struct mem_slots *s, struct mem_slot *slot, bool had)
{
	if (!had)
		xa_release(&s->by_id, slot->id);
	kfree(slot);
}

void mem_slots_insert(struct mem_slots *s, struct mem_slot *slot)
{
	latch_tree_insert(&slot->by_gfn, &s->by_gfn, &slot_ops);
	interval_tree_insert(&slot->by_hva, &s->by_hva);
	s->npages += slot->npages;
	s->changes++;
}

void mem_slots_remove(struct mem_slots *s, struct mem_slot *slot)
{
	slot->dead = true;
	latch_tree_erase(&slot->by_gfn, &s->by_gfn, &slot_ops);
	interval_tree_remove(&slot->by_hva, &s->by_hva);
	s->npages -= slot->npages;
	s->changes++;
}

void mem_slots_publish_id(struct mem_slots *s, struct mem_slot *slot)
{
	/* The room was reserved, or another slot of this number is replaced: nothing to allocate. */
	xa_store(&s->by_id, slot->id, slot, GFP_NOWAIT);
}

void mem_slots_forget(struct mem_slots *s, u32 id)
{
	xa_erase(&s->by_id, id);
}

unsigned int mem_slot_max_level(const struct mem_slot *slot, u64 gfn)
{
	u64 start = slot->gfn << MEM_PAGE_SHIFT;
	u64 end = start + (slot->npages << MEM_PAGE_SHIFT);
	u64 ipa = gfn << MEM_PAGE_SHIFT, size;
	unsigned int level;

	for (level = 1; level < MEM_LAST_LEVEL; level++) {
		size = mem_level_size(level);
		if ((start ^ slot->hva) & (size - 1))
			continue;
		if ((ipa & ~(size - 1)) >= start && (ipa & ~(size - 1)) + size <= end)
			break;
	}
	return level;
}

void mem_slot_mark_dirty(struct mem_slot *slot, u64 gfn)
{
	unsigned long *dirty = smp_load_acquire(&slot->dirty);

	if (dirty && !test_bit(gfn - slot->gfn, dirty))
		set_bit(gfn - slot->gfn, dirty);
}
