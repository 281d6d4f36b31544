// SPDX-License-Identifier: GPL-2.0
/*
 * Stage-2 faults: find out what the client has mapped there, and map the same
 * for the guest.
 */
#include <linux/mm.h>
#include <linux/hugetlb.h>
#include <linux/pgtable.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include "../host/caps.h"
#include "stage2.h"

/**
 * struct host_page - what the client has at one address
 * @pfn:      its page frame
 * @page:     the page with a reference to it, or NULL (special mappings have none)
 * @writable: the client may write it
 */
struct host_page {
	u64 pfn;
	struct page *page;
	bool writable;
};

/* A fault being served. */
struct job {
	struct mem *m;
	struct mem_slot *slot;
	const struct mem_fault *f;
	u64 gfn;
	u64 hva;
	bool write;
	bool logging;		/* as seen before the host page was asked for */
	unsigned long seq;
	struct host_page host;
};

/*
 * A stage-1 walk reads descriptors; only where they may be read already does
 * it fault for want of writing (hardware update of access and dirty flags).
 */
static bool is_write(const struct mem_fault *f)
{
	if (f->s1ptw)
		return f->permission;
	/* DC IVAC needs write permission, whatever the caller makes of WnR then. */
	return !f->exec && (f->write || (f->cache_op && f->permission));
}

/* No special case below: mapped and writable, with nothing to sleep for. */
static bool host_page_fast(u64 hva, struct host_page *h)
{
	if (!get_user_page_fast_only(hva, FOLL_WRITE, &h->page))
		return false;
	h->writable = true;
	return true;
}

/* Poisoned memory: the client's thread learns what its guest touched. */
static void send_poison_signal(struct mem *m, u64 hva)
{
	unsigned int shift = PAGE_SHIFT;
	struct vm_area_struct *vma;

	mmap_read_lock(m->mm);
	vma = find_vma_intersection(m->mm, hva, hva + 1);
	if (vma)
		shift = ilog2(vma_kernel_pagesize(vma));
	mmap_read_unlock(m->mm);
	send_sig_mceerr(BUS_MCEERR_AR, (void __user *)(unsigned long)hva, shift, current);
}

/* A mapping without pages (device memory): take the frame from the page table. mmap_lock held. */
static int host_special_locked(struct mem *m, struct vm_area_struct *vma, u64 hva, bool write,
			       struct host_page *h)
{
	spinlock_t *lock;
	pte_t *pte;
	int err;

	err = follow_pte(m->mm, hva, &pte, &lock);
	if (err) {
		bool unlocked = false;

		/* Not there yet: let its driver put it there. */
		err = fixup_user_fault(m->mm, hva, write ? FAULT_FLAG_WRITE : 0, &unlocked);
		if (unlocked)
			return -EAGAIN;
		if (!err)
			err = follow_pte(m->mm, hva, &pte, &lock);
		if (err)
			return -EFAULT;
	}
	__acquire(lock);	/* for sparse: success means locked */
	h->page = NULL;
	h->pfn = pte_pfn(*pte);
	h->writable = pte_write(*pte);
	pte_unmap_unlock(pte, lock);
	return write && !h->writable ? -EFAULT : 0;
}

static int host_special(struct mem *m, u64 hva, bool write, struct host_page *h)
{
	struct vm_area_struct *vma;
	int err = -EFAULT;

	mmap_read_lock(m->mm);
	vma = find_vma_intersection(m->mm, hva, hva + 1);
	if (vma && (vma->vm_flags & (VM_IO | VM_PFNMAP)) &&
	    (!write || (vma->vm_flags & VM_WRITE)))
		err = host_special_locked(m, vma, hva, write, h);
	mmap_read_unlock(m->mm);
	return err;
}

/*
 * What is at job->hva, faulted in. The page is taken writable where that costs
 * the client nothing, to save the guest a second fault.
 * Return: 0, -EAGAIN (look again), -EHWPOISON, -EFAULT.
 */
static int host_page_get(struct job *j)
{
	bool may_write = !(j->slot->flags & KVM_MEM_READONLY);
	struct host_page *h = &j->host, upgraded;
	unsigned int flags = FOLL_HWPOISON | (j->write ? FOLL_WRITE : 0);
	long n;

	*h = (struct host_page){ 0 };
	if (!may_write || !host_page_fast(j->hva, h)) {
		n = get_user_pages_unlocked(j->hva, 1, &h->page, flags);
		if (n == -EHWPOISON)
			return n;
		if (n != 1)
			return host_special(j->m, j->hva, j->write, h);
		h->writable = j->write;
		if (!j->write && may_write && host_page_fast(j->hva, &upgraded)) {
			put_page(h->page);
			*h = upgraded;
		}
	}
	h->pfn = page_to_pfn(h->page);
	return 0;
}

static void host_page_put(struct host_page *h)
{
	if (!h->page)
		return;
	mark_page_accessed(h->page);
	put_page(h->page);
}

static bool is_device(const struct host_page *h)
{
	return !pfn_is_map_memory(h->pfn);
}

/* Does the host's block at @level with first frame @first hold @pfn? */
static bool block_holds(u64 first, unsigned int level, u64 pfn)
{
	return pfn >= first && pfn < first + (mem_level_size(level) >> PAGE_SHIFT);
}

/*
 * The level at which the client's own tables map @pfn at @hva. m->lock is held
 * and nothing was invalidated, so the mapping stands; interrupts are masked so
 * that the tables do, too (whoever frees one waits for that).
 */
static unsigned int host_level(const struct mem *m, u64 hva, u64 pfn)
{
	unsigned int level = MEM_LAST_LEVEL;
	unsigned long flags;
	pgd_t *pgdp, pgd;
	p4d_t *p4dp, p4d;
	pud_t *pudp, pud;
	pmd_t pmd;

	local_irq_save(flags);
	pgdp = pgd_offset(m->mm, hva);
	pgd = READ_ONCE(*pgdp);
	if (pgd_none(pgd))
		goto out;
	p4dp = p4d_offset_lockless(pgdp, pgd, hva);
	p4d = READ_ONCE(*p4dp);
	if (!p4d_present(p4d))
		goto out;
	pudp = pud_offset_lockless(p4dp, p4d, hva);
	pud = READ_ONCE(*pudp);
	if (!pud_present(pud))
		goto out;
	if (pud_leaf(pud)) {
		if (block_holds(pud_pfn(pud), 1, pfn))
			level = 1;
		goto out;
	}
	pmd = READ_ONCE(*pmd_offset_lockless(pudp, pud, hva));
	if (pmd_present(pmd) && pmd_leaf(pmd) && block_holds(pmd_pfn(pmd), 2, pfn))
		level = 2;
out:
	local_irq_restore(flags);
	return level;
}

/* The largest leaf that may map the page; m->lock held, nothing stale. */
static unsigned int leaf_level(const struct job *j)
{
	const struct mem_walk *w = &j->m->walk;
	unsigned int level;

	/* Dirty pages are told apart one by one. */
	if (j->logging || !j->host.page || is_device(&j->host))
		return MEM_LAST_LEVEL;
	level = max3(mem_slot_max_level(j->slot, j->gfn), (unsigned int)w->level, 1U);
	if (level < MEM_LAST_LEVEL)
		level = max(level, host_level(j->m, j->hva, j->host.pfn));
	return level;
}

static unsigned int leaf_prot(const struct job *j)
{
	unsigned int prot = MEM_PROT_R;

	/* While logging, a page that is only read stays protected. */
	if (j->host.writable && (j->write || !j->logging))
		prot |= MEM_PROT_W;
	if (is_device(&j->host))
		return prot | MEM_PROT_DEVICE;
	/* Without need to synchronise the instruction side, there is no reason to fault again for it. */
	if (j->f->exec || host_caps.dic)
		prot |= MEM_PROT_X;
	return prot;
}

/* Is what was found out still true? m->lock held. */
static bool job_stale(const struct job *j)
{
	bool logging = j->slot->flags & KVM_MEM_LOG_DIRTY_PAGES;

	return j->slot->dead || logging != j->logging ||
	       mem_notifier_stale(j->m, j->seq, j->hva);
}

/* The guest can write the page from now on: tell the host and the log. m->lock held. */
static void note_writable(struct job *j)
{
	if (j->host.page && !PageReserved(j->host.page))
		SetPageDirty(j->host.page);
	mem_slot_mark_dirty(j->slot, j->gfn);
}

/* A permission fault whose leaf stays where it is, or a translation fault whose tables are there. */
static int map_easy(struct job *j, unsigned int prot)
{
	unsigned int level = leaf_level(j);
	u64 size = mem_level_size(level), ipa = j->gfn << PAGE_SHIFT;
	u64 pa = ALIGN_DOWN(j->host.pfn << PAGE_SHIFT, size);

	if (!j->f->permission)
		return mem_walk_fill(&j->m->walk, ALIGN_DOWN(ipa, size), pa, level, prot);
	if (level != j->f->level)
		return -EAGAIN;
	return mem_walk_relax(&j->m->walk, ipa, pa, level, prot);
}

/*
 * Most faults: many vCPUs at once may do this.
 * Return: 0 (done, or stale and the guest will fault again), or -EAGAIN when it takes more.
 */
static int map_shared(struct job *j)
{
	unsigned int prot = leaf_prot(j);
	struct mem *m = j->m;
	int err = 0;

	read_lock(&m->lock);
	if (!job_stale(j)) {
		err = map_easy(j, prot);
		if (!err && (prot & MEM_PROT_W))
			note_writable(j);
	}
	read_unlock(&m->lock);
	return err;
}

/* Return: 0 (mapped, or stale and the guest will fault again), -ENOMEM when the pool was too small. */
static int map(struct job *j, struct mem_spares *spares)
{
	unsigned int level, prot = leaf_prot(j);
	struct mem *m = j->m;
	int err = 0;
	u64 size;

	write_lock(&m->lock);
	mem_spares_give(m, spares);
	if (!job_stale(j)) {
		level = leaf_level(j);
		size = mem_level_size(level);
		err = mem_walk_map(&m->walk, ALIGN_DOWN(j->gfn << PAGE_SHIFT, size),
				   ALIGN_DOWN(j->host.pfn << PAGE_SHIFT, size), level, prot);
		if (!err && (prot & MEM_PROT_W))
			note_writable(j);
	}
	write_unlock(&m->lock);
	return err;
}

static int map_with_spares(struct job *j)
{
	struct mem_spares spares;
	bool force = false;
	int err;

	do {
		err = mem_spares_get(j->m, &spares, force);
		if (err)
			return err;
		err = map(j, &spares);
		/* Others emptied the pool; what is brought along cannot be taken. */
		force = !force;
	} while (err == -ENOMEM && force);
	return err;
}

static int map_page(struct job *j)
{
	int err;

	if (is_device(&j->host) && j->f->exec)
		return MEM_ABORT_SEA;
	err = map_shared(j);
	if (err)
		err = map_with_spares(j);
	return err ? err : MEM_RESUME;
}

/* There is memory at job->hva: map it. */
static int serve(struct job *j)
{
	int err;

	if (j->f->permission && !j->write && !j->f->exec)
		return -EFAULT;		/* everything mapped is readable */

	j->logging = READ_ONCE(j->slot->flags) & KVM_MEM_LOG_DIRTY_PAGES;
	j->seq = READ_ONCE(j->m->inval_seq);
	/* Pairs with the lock of the notifier: see mem_notifier_stale(). */
	smp_rmb();
	err = host_page_get(j);
	switch (err) {
	case 0:
		err = map_page(j);
		host_page_put(&j->host);
		return err;
	case -EAGAIN:
		return MEM_RESUME;
	case -EHWPOISON:
		send_poison_signal(j->m, j->hva);
		return MEM_RESUME;
	default:
		return -EFAULT;
	}
}

/* The guest touched what is no memory, or wrote where it may only read. */
static int no_memory(const struct mem_fault *f, bool slot)
{
	/* Neither instructions nor stage-1 tables can be emulated. */
	if (f->exec || f->s1ptw)
		return MEM_ABORT_SEA;
	if (f->cache_op && !slot)
		return MEM_SKIP;
	return MEM_MMIO;
}

static int fault_in_slots(struct mem *m, const struct mem_fault *f)
{
	struct job j = { .m = m, .f = f, .gfn = f->ipa.ipa >> PAGE_SHIFT, .write = is_write(f) };

	j.slot = mem_slots_find(&m->slots, j.gfn);
	if (!j.slot || (j.write && (j.slot->flags & KVM_MEM_READONLY)))
		return no_memory(f, j.slot);
	if (f->access_flag) {
		read_lock(&m->lock);
		mem_walk_mkyoung(&m->walk, f->ipa.ipa);
		read_unlock(&m->lock);
		return MEM_RESUME;
	}
	j.hva = mem_slot_hva(j.slot, j.gfn);
	return serve(&j);
}

int mem_fault(struct mem *m, const struct mem_fault *f)
{
	int idx, ret;

	if (f->ipa.ipa >> host_caps.ipa_bits)
		return MEM_ABORT_SIZE;
	if (f->ipa.ipa >> m->walk.ipa_bits)
		return MEM_ABORT_SEA;
	idx = srcu_read_lock(&m->srcu);
	ret = fault_in_slots(m, f);
	srcu_read_unlock(&m->srcu, idx);
	return ret;
}
