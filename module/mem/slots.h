/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory slots: which part of the client's address space is which part of the
 * guest's memory. The pure part: rules and look-up, no stage 2.
 *
 * Look-up by guest frame takes no lock, only SRCU (a latch tree: two copies,
 * one always at rest). Look-up by host address is under the stage-2 lock.
 * Writers hold mem->slots_lock. Insertion and removal allocate nothing but
 * what mem_slots_prepare() got, so that a change cannot fail half-way.
 */
#ifndef TERN_MEM_SLOTS_H
#define TERN_MEM_SLOTS_H

#include <linux/interval_tree.h>
#include <linux/kvm.h>
#include <linux/rbtree_latch.h>
#include <linux/types.h>
#include <linux/xarray.h>

#define MEM_MAX_SLOTS	32767		/* KVM_CAP_NR_MEMSLOTS of built-in KVM on arm64 */

/**
 * struct mem_slot - one memory slot
 * @by_gfn: in mem_slots.by_gfn
 * @by_hva: in mem_slots.by_hva, inclusive of its last byte
 * @gfn:    first guest frame
 * @npages: number of pages, never 0
 * @hva:    where the client keeps it
 * @flags:  KVM_MEM_LOG_DIRTY_PAGES, KVM_MEM_READONLY; changes under the stage-2 lock
 * @id:     the client's number
 * @dead:   removed; set under the stage-2 lock, nothing may be mapped from it any more
 * @dirty:  one bit a page, then as many again as scratch for KVM_GET_DIRTY_LOG;
 *          NULL when dirty pages are not logged. Published by store-release,
 *          freed after an SRCU grace period.
 */
struct mem_slot {
	struct latch_tree_node by_gfn;
	struct interval_tree_node by_hva;
	u64 gfn;
	u64 npages;
	u64 hva;
	u32 flags;
	u32 id;
	bool dead;
	unsigned long *dirty;
};

/**
 * struct mem_slots - all slots of a VM
 * @npages:  pages in all of them
 * @changes: counts changes of @by_hva, for who drops the lock while going through it
 */
struct mem_slots {
	struct latch_tree_root by_gfn;
	struct rb_root_cached by_hva;
	struct xarray by_id;
	u64 npages;
	u64 changes;
};

/** enum mem_slot_change - what a KVM_SET_USER_MEMORY_REGION amounts to */
enum mem_slot_change {
	MEM_SLOT_NOTHING,
	MEM_SLOT_CREATE,
	MEM_SLOT_DELETE,
	MEM_SLOT_MOVE,
	MEM_SLOT_FLAGS,
};

void mem_slots_init(struct mem_slots *s);
void mem_slots_fini(struct mem_slots *s);	/* all slots were removed before */

/**
 * mem_slots_check() - judge a request by KVM's rules, changing nothing
 * @old: the slot of that number, or NULL
 *
 * Return: enum mem_slot_change, -EINVAL, -EEXIST (overlap), -EFAULT (beyond
 * the guest's address space).
 */
int mem_slots_check(struct mem_slots *s, const struct kvm_userspace_memory_region *r,
		    unsigned int ipa_bits, struct mem_slot **old);

/** mem_slots_prepare() - a slot for @r, and room for it in @s; -ENOMEM */
struct mem_slot *mem_slots_prepare(struct mem_slots *s,
				   const struct kvm_userspace_memory_region *r);

/** mem_slots_discard() - undo mem_slots_prepare(); @had: the number is still in use by another slot */
void mem_slots_discard(struct mem_slots *s, struct mem_slot *slot, bool had);

/** mem_slots_insert() - @slot is found by address from now on; stage-2 lock too */
void mem_slots_insert(struct mem_slots *s, struct mem_slot *slot);

/** mem_slots_publish_id() - @slot is found by its number from now on, instead of another or of none */
void mem_slots_publish_id(struct mem_slots *s, struct mem_slot *slot);

/** mem_slots_remove() - nobody finds @slot by address from now on; stage-2 lock too */
void mem_slots_remove(struct mem_slots *s, struct mem_slot *slot);

/** mem_slots_forget() - the number @id is free from now on */
void mem_slots_forget(struct mem_slots *s, u32 id);

/** mem_slots_find() - the slot that holds guest frame @gfn, or NULL; under SRCU */
struct mem_slot *mem_slots_find(struct mem_slots *s, u64 gfn);

/** mem_slots_by_id() - the slot numbered @id, or NULL; slots_lock */
struct mem_slot *mem_slots_by_id(struct mem_slots *s, u32 id);

static inline u64 mem_slot_hva(const struct mem_slot *slot, u64 gfn)
{
	return slot->hva + ((gfn - slot->gfn) << 12);
}

/** mem_slot_max_level() - largest leaf (1, 2 or 3) that may map the page at @gfn: the block lies in
 *  the slot, and guest and host addresses are congruent */
unsigned int mem_slot_max_level(const struct mem_slot *slot, u64 gfn);

/** mem_slot_mark_dirty() - note that @gfn was written; a no-op when not logging; under SRCU */
void mem_slot_mark_dirty(struct mem_slot *slot, u64 gfn);

#endif
