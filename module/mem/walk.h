/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stage-2 translation tables, 4 KB granule (Arm ARM D8.2, D8.3): the pure part.
 *
 * Nothing here knows Linux: memory, reference counts, caches and TLBs are
 * reached through struct mem_walk_ops, so that the walker runs natively under
 * sanitizers. The caller serialises: functions marked "exclusive" need the
 * stage-2 lock for writing, those marked "shared" need it at least for reading.
 *
 * The hardware may set the access flag of any valid leaf at any moment
 * (VTCR_EL2.HA), so valid entries are only changed by atomic operations.
 */
#ifndef TERN_MEM_WALK_H
#define TERN_MEM_WALK_H

#include <linux/types.h>

#define MEM_PAGE_SHIFT	12
#define MEM_PAGE_SIZE	(1UL << MEM_PAGE_SHIFT)
#define MEM_LAST_LEVEL	3

/** enum mem_prot - what the guest may do with a translation, and its memory type */
enum mem_prot {
	MEM_PROT_R	= 1,
	MEM_PROT_W	= 2,
	MEM_PROT_X	= 4,
	MEM_PROT_DEVICE	= 8,	/* Device-nGnRE; otherwise Normal write-back */
};

/**
 * struct mem_walk_ops - what the walker asks of its surroundings
 * @alloc:  a zeroed table page with no references, or NULL; never sleeps
 * @retire: a table page was unlinked; it may be reused once the flush that
 *          follows is done, not earlier, for a CPU may be walking it
 * @get:    one more valid entry in the table page; several at once under the shared lock
 * @put:    one fewer; Return: how many are left
 * @pa, @va: between a table page's address and its physical address
 * @flush_leaf: invalidate what TLBs hold of one leaf, on all CPUs, and wait
 * @flush_here: the same on this CPU alone
 * @flush:  the same for [ipa, ipa + size) at any level, walk caches included
 * @clean:  make memory coherent for a guest that bypasses the data cache
 * @sync_insn: make the instruction side see the memory's content
 */
struct mem_walk_ops {
	void *(*alloc)(void *ctx);
	void (*retire)(void *ctx, void *table);
	void (*get)(void *ctx, void *table);
	unsigned int (*put)(void *ctx, void *table);
	u64 (*pa)(void *ctx, const void *table);
	void *(*va)(void *ctx, u64 pa);
	void (*flush_leaf)(void *ctx, u64 ipa, unsigned int level);
	void (*flush_here)(void *ctx, u64 ipa);
	void (*flush)(void *ctx, u64 ipa, u64 size);
	void (*clean)(void *ctx, u64 pa, u64 size);
	void (*sync_insn)(void *ctx, u64 pa, u64 size);
};

/**
 * struct mem_walk - one set of translation tables
 * @ops, @ctx: surroundings
 * @root:     first of mem_walk_root_pages() contiguous, aligned, zeroed pages
 * @ipa_bits: size of the input address
 * @level:    where the walk starts, 0 to 2
 * @fwb:      the stage-2 attribute overrides stage 1's (HCR_EL2.FWB)
 * @clean_data: data must be cleaned when mapped (no FWB)
 * @sync_insn:  instructions must be synchronised when mapped (no DIC)
 */
struct mem_walk {
	const struct mem_walk_ops *ops;
	void *ctx;
	u64 *root;
	u8 ipa_bits;
	u8 level;
	bool fwb;
	bool clean_data;
	bool sync_insn;
};

/** struct mem_leaf - what a look-up found; @valid false: nothing, down to @level */
struct mem_leaf {
	u64 pa;			/* of the byte asked for */
	u8 level;
	bool valid;
	bool young;		/* access flag */
	unsigned int prot;
};

static inline u64 mem_level_size(unsigned int level)
{
	return 1ULL << (MEM_PAGE_SHIFT + 9 * (MEM_LAST_LEVEL - level));
}

/** mem_walk_start_level() - start level for an input size, with concatenation of up to 16 tables (D8.2.2) */
unsigned int mem_walk_start_level(unsigned int ipa_bits);

/** mem_walk_root_pages() - pages concatenated at the start level */
unsigned int mem_walk_root_pages(unsigned int ipa_bits);

/** mem_walk_pages_needed() - table pages that one mem_walk_map() may allocate */
static inline unsigned int mem_walk_pages_needed(const struct mem_walk *w)
{
	return MEM_LAST_LEVEL - w->level;
}

/**
 * mem_walk_map() - map one block or page; exclusive
 * @level: of the leaf: 1, 2 or 3; @ipa and @pa are multiples of its size
 *
 * Replaces whatever was there, by break-before-make (D8.14.1). A table that
 * stands where the leaf belongs is unlinked with all that hangs from it; a
 * larger block that stands in the way is broken, the rest of it refaults.
 * An identical leaf that is already there is left alone.
 *
 * Return: 0, -ENOMEM when @alloc gave nothing (what was unlinked until then
 * stays unlinked), -EINVAL for bad arguments.
 */
int mem_walk_map(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot);

/**
 * mem_walk_fill() - map one block or page where nothing is mapped; shared
 *
 * The same as mem_walk_map() in the common case: the tables are there and the
 * entry is not valid. Many may do this at once.
 * Return: 0, -EAGAIN when it takes mem_walk_map(), -EINVAL for bad arguments.
 */
int mem_walk_fill(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot);

/**
 * mem_walk_unmap() - unmap [ipa, end) and flush it; exclusive
 *
 * A block that sticks out at either side goes as a whole: the rest refaults.
 * Return: leaves removed.
 */
u64 mem_walk_unmap(struct mem_walk *w, u64 ipa, u64 end);

/** mem_walk_free() - unlink every table below the root; nothing uses this stage 2 any more */
void mem_walk_free(struct mem_walk *w);

/** mem_walk_wrprotect() - forbid writing in [ipa, end), without a flush; shared. Return: leaves changed */
u64 mem_walk_wrprotect(struct mem_walk *w, u64 ipa, u64 end);

/** mem_walk_age() - test, and clear when @clear, the access flags in [ipa, end), without a flush; shared */
bool mem_walk_age(struct mem_walk *w, u64 ipa, u64 end, bool clear);

/** mem_walk_mkyoung() - set the access flag of the leaf at @ipa; shared. Return: false when there is none */
bool mem_walk_mkyoung(struct mem_walk *w, u64 ipa);

/**
 * mem_walk_relax() - add permissions, and the access flag, to the leaf at @ipa; shared
 * @pa:    the leaf must still translate to this, otherwise nothing changes
 * @level: and be at this level
 *
 * Flushes: a TLB may hold the narrower permission, and a fault on it again
 * would not end (no break-before-make is needed, D8.14.1).
 * Return: 0, or -EAGAIN when the leaf is another one by now.
 */
int mem_walk_relax(struct mem_walk *w, u64 ipa, u64 pa, unsigned int level, unsigned int prot);

/** mem_walk_clean() - clean and invalidate the data cache of all normal memory mapped in [ipa, end); shared */
void mem_walk_clean(struct mem_walk *w, u64 ipa, u64 end);

/** mem_walk_lookup() - the leaf that translates @ipa; shared */
struct mem_leaf mem_walk_lookup(const struct mem_walk *w, u64 ipa);

#endif
