// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own access to guest memory, through the client's mapping.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <asm/futex.h>
#include "mem.h"

/* The slot for an access at @ipa, and how much of @len lies in it; NULL: none. */
static struct mem_slot *slot_at(struct mem *m, u64 ipa, size_t len, size_t *part)
{
	struct mem_slot *slot = mem_slots_find(&m->slots, ipa >> PAGE_SHIFT);

	if (slot)
		*part = min_t(u64, len, ((slot->gfn + slot->npages) << PAGE_SHIFT) - ipa);
	return slot;
}

static void __user *user_at(const struct mem_slot *slot, u64 ipa)
{
	return (void __user *)(unsigned long)(mem_slot_hva(slot, ipa >> PAGE_SHIFT) +
					      offset_in_page(ipa));
}

static void mark_dirty(struct mem_slot *slot, u64 ipa, size_t len)
{
	u64 gfn = ipa >> PAGE_SHIFT, last = (ipa + len - 1) >> PAGE_SHIFT;

	for (; gfn <= last; gfn++)
		mem_slot_mark_dirty(slot, gfn);
}

int mem_read(struct mem *m, ipa_t ipa, void *buf, size_t len)
{
	struct mem_slot *slot;
	size_t part;
	int idx = srcu_read_lock(&m->srcu), err = 0;

	for (; len && !err; len -= part, buf += part, ipa.ipa += part) {
		slot = slot_at(m, ipa.ipa, len, &part);
		if (!slot || copy_from_user(buf, user_at(slot, ipa.ipa), part)) {
			err = -EFAULT;
			break;
		}
	}
	srcu_read_unlock(&m->srcu, idx);
	return err;
}

int mem_write(struct mem *m, ipa_t ipa, const void *buf, size_t len)
{
	struct mem_slot *slot;
	size_t part;
	int idx = srcu_read_lock(&m->srcu), err = 0;

	for (; len; len -= part, buf += part, ipa.ipa += part) {
		slot = slot_at(m, ipa.ipa, len, &part);
		if (!slot || (slot->flags & KVM_MEM_READONLY) ||
		    copy_to_user(user_at(slot, ipa.ipa), buf, part)) {
			err = -EFAULT;
			break;
		}
		mark_dirty(slot, ipa.ipa, part);
	}
	srcu_read_unlock(&m->srcu, idx);
	return err;
}

/*
 * The guest's atomics and these meet in the same memory. Linux has atomics on
 * user memory for its futexes; they are ordered by a full barrier after.
 */
static int word_op(struct mem *m, ipa_t ipa, int op, u32 arg, u32 *old)
{
	int idx = srcu_read_lock(&m->srcu), err = -EFAULT, was;
	struct mem_slot *slot = mem_slots_find(&m->slots, ipa.ipa >> PAGE_SHIFT);

	if (slot && !(slot->flags & KVM_MEM_READONLY))
		err = arch_futex_atomic_op_inuser(op, arg, &was, user_at(slot, ipa.ipa));
	if (!err) {
		mark_dirty(slot, ipa.ipa, sizeof(u32));
		*old = was;
	}
	srcu_read_unlock(&m->srcu, idx);
	return err;
}

int mem_word_or(struct mem *m, ipa_t ipa, u32 bits)
{
	u32 old;
	int err;

	pagefault_disable();
	err = word_op(m, ipa, FUTEX_OP_OR, bits, &old);
	pagefault_enable();
	return err;
}

int mem_word_xchg(struct mem *m, ipa_t ipa, u32 val, u32 *old)
{
	return word_op(m, ipa, FUTEX_OP_SET, val, old);
}

int mem_gone_word_xchg(const struct mem_gone *g, u64 ipa, u32 val, u32 *old)
{
	u32 __user *word = (u32 __user *)(unsigned long)(g->hva + (ipa - g->ipa));

	return arch_futex_atomic_op_inuser(FUTEX_OP_SET, val, old, word);
}

bool mem_ipa_backed(struct mem *m, ipa_t ipa, bool *writable)
{
	int idx = srcu_read_lock(&m->srcu);
	struct mem_slot *slot = mem_slots_find(&m->slots, ipa.ipa >> PAGE_SHIFT);

	if (slot && writable)
		*writable = !(slot->flags & KVM_MEM_READONLY);
	srcu_read_unlock(&m->srcu, idx);
	return slot;
}

void mem_holes_forget(struct mem *m)
{
	write_lock(&m->lock);
	WRITE_ONCE(m->inserts, m->inserts + 1);
	write_unlock(&m->lock);
}

struct mem_hole mem_hole_find(struct mem *m, ipa_t page)
{
	/* Read before the look-up: an insertion in between makes it unknown again. */
	u64 inserts = smp_load_acquire(&m->inserts);

	return (struct mem_hole){ page, mem_ipa_backed(m, page, NULL) ? 0 : inserts };
}
