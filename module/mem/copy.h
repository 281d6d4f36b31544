/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies from and to guest memory: the part of mem.h that emulated devices
 * need, without the rest.
 */
#ifndef TERN_MEM_COPY_H
#define TERN_MEM_COPY_H

#include <linux/types.h>
#include "../arch/types.h"

struct mem;

/**
 * mem_read() / mem_write() - copy from and to guest memory, through the client's mapping
 *
 * May sleep; current->mm is @m->mm. A partial copy may have happened on error.
 * Return: 0, or -EFAULT when some of it is no memory, read-only (write), or not mapped by the client.
 */
int mem_read(struct mem *m, ipa_t ipa, void *buf, size_t len);
int mem_write(struct mem *m, ipa_t ipa, const void *buf, size_t len);

/** mem_ipa_backed() - is there a slot at @ipa; @writable (may be NULL): not read-only */
bool mem_ipa_backed(struct mem *m, ipa_t ipa, bool *writable);

/**
 * mem_word_or() - set bits @bits of the 32-bit word at @ipa, which is aligned; atomic against the guest
 *
 * Any context of the client's threads, the scheduler's included: does not wait for a page that is not there.
 * Return: 0, -EFAULT, or -EAGAIN (others write the word all the time)
 */
int mem_word_or(struct mem *m, ipa_t ipa, u32 bits);

/**
 * struct mem_gone - guest memory that a change of slots took away, if the guest could write it
 * @ipa:  where it was in the guest
 * @hva:  where it is in the client's address space
 * @size: 0: none was
 */
struct mem_gone {
	u64 ipa;
	u64 hva;
	u64 size;
};

static inline bool mem_gone_has(const struct mem_gone *g, u64 ipa)
{
	return ipa >= g->ipa && ipa - g->ipa < g->size;
}

/** mem_gone_word_xchg() - mem_word_xchg() where no slot leads any more: @ipa, which mem_gone_has(), as it was */
int mem_gone_word_xchg(const struct mem_gone *g, u64 ipa, u32 val, u32 *old);

/** mem_word_xchg() - store @val and give what was there, as one, with a full barrier; may sleep
 *  Return: 0, -EFAULT or -EAGAIN, and nothing was written */
int mem_word_xchg(struct mem *m, ipa_t ipa, u32 val, u32 *old);

/** mem_holes_forget() - where nothing was may be something now that is no slot (struct mem_hole) */
void mem_holes_forget(struct mem *m);

#endif
