// SPDX-License-Identifier: GPL-2.0
/*
 * Stage 2 on real memory: table pages, VTCR and VTTBR, TLB flushes by VMID,
 * residency of a VM on a CPU.
 */
#include <linux/align.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include "../arch/pte.h"
#include "../host/caps.h"
#include "../hyp/hyp.h"
#include "stage2.h"
#include "vmid.h"

/*
 * What is done under the lock in one go: up to 16384 pages. One flush of the
 * VMID a piece is little beside the piece.
 */
#define PIECE		(64ULL << 20)

#define NO_VCPU		(~0U)

static struct mem_vmid_space vmids;

int mem_global_init(void)
{
	return mem_vmid_space_init(&vmids, host_caps.vmid_bits, nr_cpu_ids, hyp_tlb_flush_all);
}

void mem_global_fini(void)
{
	mem_vmid_space_fini(&vmids);
}

/* The VM as TLBs know it. Return: its VMID, 0 when no CPU ever did. */
static u64 mmu_of(const struct mem *m, struct hyp_mmu *mmu)
{
	u64 vmid;

	/* Pairs with mem_vmid_use(): the VMID is read after the table was changed. */
	smp_mb();
	vmid = atomic64_read(&m->vmid);
	mmu->vttbr = m->baddr | mem_vmid_number(&vmids, vmid) << VTTBR_VMID_SHIFT;
	mmu->vtcr = m->vtcr;
	return vmid;
}

/*
 * Table pages: the number of valid entries is in page->private. It rises under
 * m->lock, where others may raise it too, and falls under m->lock for writing.
 */

static void *op_alloc(void *ctx)
{
	struct mem *m = ctx;
	struct page *page = list_first_entry_or_null(&m->pool, struct page, lru);

	if (!page)
		return NULL;
	list_del(&page->lru);
	m->pool_count--;
	return page_address(page);
}

static void op_retire(void *ctx, void *table)
{
	struct mem *m = ctx;

	list_add(&virt_to_page(table)->lru, &m->retired);
}

static void op_get(void *ctx, void *table)
{
	unsigned long *n = &virt_to_page(table)->private, old = READ_ONCE(*n);

	while (!try_cmpxchg(n, &old, old + 1))
		;
}

static unsigned int op_put(void *ctx, void *table)
{
	struct page *page = virt_to_page(table);

	set_page_private(page, page_private(page) - 1);
	return page_private(page);
}

static u64 op_pa(void *ctx, const void *table)
{
	return virt_to_phys(table);
}

static void *op_va(void *ctx, u64 pa)
{
	return phys_to_virt(pa);
}

static void free_tables(struct list_head *pages)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, pages, lru) {
		list_del(&page->lru);
		set_page_private(page, 0);
		__free_page(page);
	}
}

/*
 * Where entries of the VM may be used. CPUs that have them but no vCPU of the
 * VM drop them when they load one: the flush is counted for that, and then it
 * is looked once more, for what catch_up() says. Only this CPU has done by
 * itself what was counted.
 */
static enum mem_vmid_reach reach(struct mem *m, u64 vmid)
{
	enum mem_vmid_reach r = mem_vmid_reach(&vmids, vmid, smp_processor_id());
	struct mem_last *last = this_cpu_ptr(m->last);
	s64 count;

	if (r == MEM_VMID_ELSEWHERE)
		return r;
	dsb(ishst);	/* who sees the count walks the tables as they are now */
	count = atomic64_inc_return(&m->flushes2);
	r = mem_vmid_reach(&vmids, vmid, smp_processor_id());
	if (r != MEM_VMID_NOWHERE && last->flushes2 == count - 1)
		last->flushes2 = count;
	return r;
}

#define WHOLE_VM (~0ULL)

/* @size: WHOLE_VM: all of the VM's entries */
static void flush(struct mem *m, u64 ipa, u64 size)
{
	enum mem_vmid_reach r;
	struct hyp_mmu mmu;
	u64 vmid = mmu_of(m, &mmu);

	if (!vmid)
		return;
	preempt_disable();
	r = reach(m, vmid);
	if (r != MEM_VMID_NOWHERE)
		hyp_tlb_flush_range(&mmu, to_ipa(ipa), size, r == MEM_VMID_HERE);
	preempt_enable();
}

static void op_flush_leaf(void *ctx, u64 ipa, unsigned int level)
{
	flush(ctx, ipa, PAGE_SIZE);
}

static void op_flush_here(void *ctx, u64 ipa)
{
	struct hyp_mmu mmu;

	preempt_disable();
	if (mmu_of(ctx, &mmu))
		hyp_tlb_flush_range(&mmu, to_ipa(ipa), PAGE_SIZE, true);
	preempt_enable();
}

/* Tables go: none is in a walk cache, and no walk that has begun reads them, on any CPU. */
static void flush_tables(struct mem *m)
{
	struct hyp_mmu mmu;

	atomic64_inc(&m->flush_requests);
	if (mmu_of(m, &mmu))
		hyp_tlb_flush_vmid(&mmu, false);
	free_tables(&m->retired);
}

static void op_flush(void *ctx, u64 ipa, u64 size)
{
	struct mem *m = ctx;

	if (list_empty(&m->retired))
		flush(m, ipa, size);
	else
		flush_tables(m);
}

static void op_clean(void *ctx, u64 pa, u64 size)
{
	mem_cache_clean(pa, size);
}

static void op_sync_insn(void *ctx, u64 pa, u64 size)
{
	mem_cache_sync_insn(pa, size);
}

static const struct mem_walk_ops walk_ops = {
	.alloc = op_alloc,
	.retire = op_retire,
	.get = op_get,
	.put = op_put,
	.pa = op_pa,
	.va = op_va,
	.flush_leaf = op_flush_leaf,
	.flush_here = op_flush_here,
	.flush = op_flush,
	.clean = op_clean,
	.sync_insn = op_sync_insn,
};

/* ID_AA64MMFR0_EL1.PARange and VTCR_EL2.PS of an address size. */
static u64 ps_of(unsigned int bits)
{
	static const u8 size[] = { 32, 36, 40, 42, 44, 48 };
	unsigned int ps = ARRAY_SIZE(size) - 1;

	while (ps && size[ps] > bits)
		ps--;
	return ps;
}

static u64 vtcr_of(const struct mem_walk *w)
{
	u64 vtcr = VTCR_RES1 | VTCR_SH0_INNER | VTCR_ORGN0_WBWA | VTCR_IRGN0_WBWA;

	vtcr |= ps_of(host_caps.ipa_bits) << VTCR_PS_SHIFT;
	vtcr |= VTCR_T0SZ(w->ipa_bits);
	vtcr |= (u64)(2 - w->level) << VTCR_SL0_SHIFT;
	if (host_caps.hafdbs)
		vtcr |= VTCR_HA;
	if (host_caps.vmid_bits == 16)
		vtcr |= VTCR_VS_16BIT;
	return vtcr;
}

static int last_init(struct mem *m)
{
	int cpu;

	m->last = alloc_percpu_gfp(struct mem_last, GFP_KERNEL_ACCOUNT);
	if (!m->last)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		per_cpu_ptr(m->last, cpu)->vcpu = NO_VCPU;
	return 0;
}

int mem_stage2_init(struct mem *m, unsigned int ipa_bits)
{
	unsigned int pages = mem_walk_root_pages(ipa_bits);
	struct page *root;

	rwlock_init(&m->lock);
	INIT_LIST_HEAD(&m->pool);
	INIT_LIST_HEAD(&m->retired);
	atomic64_set(&m->vmid, 0);
	/* Concatenated tables are aligned to their size; so is what the page allocator gives. */
	root = alloc_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO, order_base_2(pages));
	if (!root)
		return -ENOMEM;
	m->walk = (struct mem_walk){
		.ops = &walk_ops,
		.ctx = m,
		.root = page_address(root),
		.ipa_bits = ipa_bits,
		.level = mem_walk_start_level(ipa_bits),
		.fwb = host_caps.fwb,
		.clean_data = !host_caps.fwb,
		.sync_insn = !host_caps.dic,
	};
	m->baddr = page_to_phys(root);
	m->vtcr = vtcr_of(&m->walk);
	if (!last_init(m))
		return 0;
	__free_pages(root, order_base_2(pages));
	return -ENOMEM;
}

void mem_stage2_fini(struct mem *m)
{
	write_lock(&m->lock);
	mem_walk_free(&m->walk);
	write_unlock(&m->lock);
	flush_tables(m);
	free_tables(&m->pool);
	free_percpu(m->last);
	free_pages((unsigned long)m->walk.root,
		   order_base_2(mem_walk_root_pages(m->walk.ipa_bits)));
}

void mem_stage2_flush(struct mem *m)
{
	atomic64_inc(&m->flush_requests);
	flush(m, 0, WHOLE_VM);
}

/* The end of the piece that begins at @ipa. */
static u64 piece_end(u64 ipa, u64 end)
{
	return min(end, ALIGN_DOWN(ipa, PIECE) + PIECE);
}

void mem_stage2_unmap_locked(struct mem *m, u64 ipa, u64 end, bool may_drop)
{
	u64 next;

	for (; ipa < end; ipa = next) {
		next = piece_end(ipa, end);
		mem_walk_unmap(&m->walk, ipa, next);
		if (may_drop && next < end)
			cond_resched_rwlock_write(&m->lock);
	}
}

void mem_stage2_unmap(struct mem *m, u64 ipa, u64 end)
{
	write_lock(&m->lock);
	mem_stage2_unmap_locked(m, ipa, end, true);
	write_unlock(&m->lock);
}

void mem_stage2_wrprotect(struct mem *m, u64 ipa, u64 end)
{
	u64 next, changed = 0;

	read_lock(&m->lock);
	for (; ipa < end; ipa = next) {
		next = piece_end(ipa, end);
		changed += mem_walk_wrprotect(&m->walk, ipa, next);
		if (next < end)
			cond_resched_rwlock_read(&m->lock);
	}
	read_unlock(&m->lock);
	if (changed)
		mem_stage2_flush(m);
}

/* Cleaning goes by every line of memory: smaller pieces. */
#define CLEAN_PIECE	(2ULL << 20)

void mem_stage2_clean(struct mem *m, u64 ipa, u64 end)
{
	u64 next;

	read_lock(&m->lock);
	for (; ipa < end; ipa = next) {
		next = min(end, ALIGN_DOWN(ipa, CLEAN_PIECE) + CLEAN_PIECE);
		mem_walk_clean(&m->walk, ipa, next);
		cond_resched_rwlock_read(&m->lock);
	}
	read_unlock(&m->lock);
}

int mem_spares_get(struct mem *m, struct mem_spares *s, bool force)
{
	unsigned int want = mem_walk_pages_needed(&m->walk);
	struct page *page;

	INIT_LIST_HEAD(&s->pages);
	s->count = 0;
	if (!force && READ_ONCE(m->pool_count) >= want)
		return 0;
	while (s->count < want) {
		page = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!page) {
			mem_spares_drop(s);
			return -ENOMEM;
		}
		set_page_private(page, 0);
		list_add(&page->lru, &s->pages);
		s->count++;
	}
	return 0;
}

void mem_spares_give(struct mem *m, struct mem_spares *s)
{
	list_splice_init(&s->pages, &m->pool);
	m->pool_count += s->count;
	s->count = 0;
}

void mem_spares_drop(struct mem_spares *s)
{
	free_tables(&s->pages);
	s->count = 0;
}

/*
 * What is stale here, and no more. A CPU that never had the VM has
 * nothing of it: when a number is lent again all TLBs were flushed in between.
 * Whoever counts a flush up does so before it looks at who is loaded where, and
 * the counts are read here after the VMID was made active: who is not seen
 * there sees the count.
 */
static enum hyp_stale catch_up(struct mem *m, unsigned int index, u64 flushes)
{
	struct mem_last *last = this_cpu_ptr(m->last);
	struct mem_last now = { index, flushes, atomic64_read(&m->flushes2) };
	enum hyp_stale stale = HYP_STALE_NONE;

	if (last->vcpu == now.vcpu && last->flushes == now.flushes && last->flushes2 == now.flushes2)
		return HYP_STALE_NONE;
	if (last->vcpu != NO_VCPU)
		stale = last->flushes2 == now.flushes2 ? HYP_STALE_STAGE1 : HYP_STALE_BOTH;
	*last = now;
	return stale;
}

void mem_catch_up(struct mem *m, unsigned int index, u64 flushes)
{
	hyp_flush_stale(catch_up(m, index, flushes));
}

enum hyp_stale mem_load(struct mem *m, struct hyp_vcpu *h, unsigned int index, u64 flushes)
{
	unsigned int cpu = smp_processor_id();

	mem_vmid_use(&vmids, &m->vmid, cpu);
	h->vmid = atomic64_read(&m->vmid);
	h->vttbr = m->baddr | mem_vmid_number(&vmids, h->vmid) << VTTBR_VMID_SHIFT;
	h->vtcr = m->vtcr;
	h->vmid_active = &vmids.cpu[cpu].active;
	return catch_up(m, index, flushes);
}

void mem_unload(struct mem *m)
{
	mem_vmid_unuse(&vmids, smp_processor_id());
}

void mem_vmid_renew(struct mem *m, struct hyp_vcpu *h)
{
	u64 vttbr;

	mem_vmid_use(&vmids, &m->vmid, smp_processor_id());
	h->vmid = atomic64_read(&m->vmid);
	vttbr = m->baddr | mem_vmid_number(&vmids, h->vmid) << VTTBR_VMID_SHIFT;
	if (h->vttbr != vttbr)
		hyp_set_vttbr(h, vttbr);
}
