// SPDX-License-Identifier: GPL-2.0
/*
 * A VM's memory as a whole: its life, and the changes of its slots.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "dirty.h"
#include "stage2.h"

int mem_vm_init(struct mem *m, struct mm_struct *mm, unsigned int ipa_bits)
{
	int err;

	m->mm = mm;
	m->manual_protect = 0;
	m->inval_seq = 0;
	m->inval_count = 0;
	mutex_init(&m->slots_lock);
	m->inserts = 1;		/* a hole of zeroes is unknown */
	mem_slots_init(&m->slots);
	err = init_srcu_struct(&m->srcu);
	if (err)
		return err;
	err = mem_stage2_init(m, ipa_bits);
	if (err)
		goto out_srcu;
	err = mem_notifier_init(m);
	if (err)
		goto out_stage2;
	return 0;

out_stage2:
	mem_stage2_fini(m);
out_srcu:
	cleanup_srcu_struct(&m->srcu);
	return err;
}

/* The bounds of @slot as guest addresses. */
static u64 slot_ipa(const struct mem_slot *slot)
{
	return slot->gfn << PAGE_SHIFT;
}

static u64 slot_end(const struct mem_slot *slot)
{
	return (slot->gfn + slot->npages) << PAGE_SHIFT;
}

/* Nobody finds @slot any more, and nothing of it is mapped. It may still be in use under SRCU. */
static void take_out(struct mem *m, struct mem_slot *slot)
{
	write_lock(&m->lock);
	mem_slots_remove(&m->slots, slot);
	mem_stage2_unmap_locked(m, slot_ipa(slot), slot_end(slot), true);
	write_unlock(&m->lock);
}

static void put_in(struct mem *m, struct mem_slot *slot)
{
	write_lock(&m->lock);
	mem_slots_insert(&m->slots, slot);
	WRITE_ONCE(m->inserts, m->inserts + 1);
	write_unlock(&m->lock);
	mem_slots_publish_id(&m->slots, slot);
}

void mem_vm_fini(struct mem *m)
{
	struct mem_slot *slot;
	unsigned long id;

	mem_notifier_fini(m);
	xa_for_each(&m->slots.by_id, id, slot) {
		take_out(m, slot);
		mem_slots_forget(&m->slots, id);
		mem_dirty_free(slot->dirty);
		kfree(slot);
		cond_resched();
	}
	mem_slots_fini(&m->slots);
	mem_stage2_fini(m);
	cleanup_srcu_struct(&m->srcu);
}

/* What a slot's memory must be like: device memory has no dirty log. */
static int check_mappings(struct mem *m, const struct kvm_userspace_memory_region *r)
{
	u64 hva = r->userspace_addr, end = hva + r->memory_size;
	struct vm_area_struct *vma;
	int err = 0;

	if (!(r->flags & KVM_MEM_LOG_DIRTY_PAGES))
		return 0;
	mmap_read_lock(m->mm);
	for (; hva < end; hva = vma->vm_end) {
		vma = find_vma_intersection(m->mm, hva, end);
		if (!vma)
			break;
		if (vma->vm_flags & VM_PFNMAP) {
			err = -EINVAL;
			break;
		}
	}
	mmap_read_unlock(m->mm);
	return err;
}

static bool initially_set(const struct mem *m)
{
	return m->manual_protect & KVM_DIRTY_LOG_INITIALLY_SET;
}

/* A slot as @r wants it, with a dirty log (that of @old, if it has one) if it wants one; or an error pointer. */
static struct mem_slot *make_slot(struct mem *m, const struct kvm_userspace_memory_region *r,
				  const struct mem_slot *old)
{
	struct mem_slot *slot = mem_slots_prepare(&m->slots, r);

	if (!slot)
		return ERR_PTR(-ENOMEM);
	if (!(r->flags & KVM_MEM_LOG_DIRTY_PAGES))
		return slot;
	slot->dirty = old && old->dirty ? old->dirty : mem_dirty_alloc(slot, initially_set(m));
	if (slot->dirty)
		return slot;
	mem_slots_discard(&m->slots, slot, old);
	return ERR_PTR(-ENOMEM);
}

static int create_slot(struct mem *m, const struct kvm_userspace_memory_region *r)
{
	struct mem_slot *slot = make_slot(m, r, NULL);

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	put_in(m, slot);
	return 0;
}

/* What the guest could not write is no memory of its. */
static struct mem_gone gone_of(const struct mem_slot *slot)
{
	if (slot->flags & KVM_MEM_READONLY)
		return (struct mem_gone){};
	return (struct mem_gone){
		.ipa = slot_ipa(slot), .hva = slot->hva, .size = slot->npages << PAGE_SHIFT,
	};
}

static int move_slot(struct mem *m, const struct kvm_userspace_memory_region *r,
		     struct mem_slot *old, struct mem_gone *gone)
{
	struct mem_slot *slot = make_slot(m, r, old);

	if (IS_ERR(slot))
		return PTR_ERR(slot);
	*gone = gone_of(old);
	take_out(m, old);
	put_in(m, slot);
	synchronize_srcu_expedited(&m->srcu);
	if (old->dirty != slot->dirty)
		mem_dirty_free(old->dirty);
	kfree(old);
	return 0;
}

static void delete_slot(struct mem *m, struct mem_slot *slot)
{
	take_out(m, slot);
	mem_slots_forget(&m->slots, slot->id);
	synchronize_srcu_expedited(&m->srcu);
	mem_dirty_free(slot->dirty);
	kfree(slot);
}

static int start_log(struct mem *m, struct mem_slot *slot)
{
	unsigned long *dirty = mem_dirty_alloc(slot, initially_set(m));

	if (!dirty)
		return -ENOMEM;
	write_lock(&m->lock);
	smp_store_release(&slot->dirty, dirty);
	slot->flags |= KVM_MEM_LOG_DIRTY_PAGES;
	write_unlock(&m->lock);
	/* Pages that are dirty to begin with are protected as the client clears them. */
	if (!initially_set(m))
		mem_stage2_wrprotect(m, slot_ipa(slot), slot_end(slot));
	return 0;
}

static void stop_log(struct mem *m, struct mem_slot *slot)
{
	unsigned long *dirty = slot->dirty;

	write_lock(&m->lock);
	WRITE_ONCE(slot->dirty, NULL);
	slot->flags &= ~KVM_MEM_LOG_DIRTY_PAGES;
	write_unlock(&m->lock);
	synchronize_srcu_expedited(&m->srcu);
	mem_dirty_free(dirty);
}

static int change_flags(struct mem *m, const struct kvm_userspace_memory_region *r,
			struct mem_slot *slot)
{
	/* Logging is the only flag that may change. */
	if (r->flags & KVM_MEM_LOG_DIRTY_PAGES)
		return start_log(m, slot);
	stop_log(m, slot);
	return 0;
}

static int change_slot(struct mem *m, const struct kvm_userspace_memory_region *r, struct mem_gone *gone)
{
	struct mem_slot *old;
	int change = mem_slots_check(&m->slots, r, m->walk.ipa_bits, &old);
	int err;

	if (change == MEM_SLOT_DELETE) {
		*gone = gone_of(old);
		delete_slot(m, old);
		return 0;
	}
	if (change <= MEM_SLOT_NOTHING)
		return change;
	err = check_mappings(m, r);
	if (err)
		return err;
	switch (change) {
	case MEM_SLOT_CREATE:
		return create_slot(m, r);
	case MEM_SLOT_MOVE:
		return move_slot(m, r, old, gone);
	default:
		return change_flags(m, r, old);
	}
}

/* An address that a process may name: no tag, and all of it in the lower half. */
static bool address_sane(const struct kvm_userspace_memory_region *r)
{
	return r->userspace_addr == untagged_addr(r->userspace_addr) &&
	       access_ok((void __user *)(unsigned long)r->userspace_addr, r->memory_size);
}

int mem_set_slot(struct mem *m, const struct kvm_userspace_memory_region *r,
		 void (*leave)(struct mem *m, const struct mem_gone *gone))
{
	struct mem_gone gone = {};
	int err;

	if (!address_sane(r))
		return -EINVAL;
	mutex_lock(&m->slots_lock);
	err = change_slot(m, r, &gone);
	if (gone.size)
		leave(m, &gone);
	mutex_unlock(&m->slots_lock);
	return err;
}

void mem_unmap_all(struct mem *m)
{
	struct mem_slot *slot;
	unsigned long id;

	if (m->walk.fwb) {
		mem_cache_sync_insn_all();
		return;
	}
	mutex_lock(&m->slots_lock);
	xa_for_each(&m->slots.by_id, id, slot) {
		mem_stage2_unmap(m, slot_ipa(slot), slot_end(slot));
		cond_resched();
	}
	mutex_unlock(&m->slots_lock);
}

void mem_flush_caches(struct mem *m)
{
	struct mem_slot *slot;
	unsigned long id;

	if (m->walk.fwb)
		return;
	mutex_lock(&m->slots_lock);
	xa_for_each(&m->slots.by_id, id, slot)
		mem_stage2_clean(m, slot_ipa(slot), slot_end(slot));
	mutex_unlock(&m->slots_lock);
}
