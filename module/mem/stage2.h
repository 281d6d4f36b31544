/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The folder's own view of stage 2: the walker of walk.h on real memory, TLBs
 * and caches, with the locks and the breaks that long walks need.
 */
#ifndef TERN_MEM_STAGE2_H
#define TERN_MEM_STAGE2_H

#include "mem.h"

int mem_stage2_init(struct mem *m, unsigned int ipa_bits);

/** mem_stage2_fini() - nothing is mapped any more; no vCPU exists */
void mem_stage2_fini(struct mem *m);

/** mem_stage2_unmap() - unmap and flush [ipa, end), sleeping between pieces; takes m->lock */
void mem_stage2_unmap(struct mem *m, u64 ipa, u64 end);

/**
 * mem_stage2_unmap_locked() - the same with m->lock held for writing
 * @may_drop: the lock may be dropped for a moment where others wait for it or for the CPU
 */
void mem_stage2_unmap_locked(struct mem *m, u64 ipa, u64 end, bool may_drop);

/** mem_stage2_wrprotect() - write-protect and flush [ipa, end), sleeping between pieces; takes m->lock */
void mem_stage2_wrprotect(struct mem *m, u64 ipa, u64 end);

/** mem_stage2_clean() - clean the data cache of what is mapped in [ipa, end), sleeping between pieces; takes m->lock */
void mem_stage2_clean(struct mem *m, u64 ipa, u64 end);

/** mem_stage2_flush() - flush all of the VM's TLB entries on all CPUs */
void mem_stage2_flush(struct mem *m);

/**
 * struct mem_spares - table pages that a fault brings along
 *
 * They are allocated before m->lock is taken and given to the VM's pool under
 * it: whoever brought enough cannot run out.
 */
struct mem_spares {
	struct list_head pages;
	unsigned int count;
};

/** mem_spares_get() - what one mapping may need, unless the pool has it (@force: even so); may sleep; -ENOMEM */
int mem_spares_get(struct mem *m, struct mem_spares *s, bool force);

/** mem_spares_give() - to the pool; m->lock held for writing */
void mem_spares_give(struct mem *m, struct mem_spares *s);

/** mem_spares_drop() - free what was not given */
void mem_spares_drop(struct mem_spares *s);

/* cache.c: caches of memory by physical address */
void mem_cache_clean(u64 pa, u64 size);		/* data, clean and invalidate to the point of coherency */
void mem_cache_sync_insn(u64 pa, u64 size);	/* instructions, all CPUs */
void mem_cache_sync_insn_all(void);

/* notifier.c */
int mem_notifier_init(struct mem *m);
void mem_notifier_fini(struct mem *m);

/**
 * mem_notifier_stale() - what was learnt about @hva since inval_seq was @seq may not be mapped
 *
 * m->lock held. The caller read inval_seq, then smp_rmb(), then asked Linux what is at @hva.
 */
bool mem_notifier_stale(const struct mem *m, unsigned long seq, u64 hva);

#endif
