// SPDX-License-Identifier: GPL-2.0
/*
 * Pointers of the program's. What the kernel has read from, or written to, is
 * there; anything else is for the kernel to look at, for it can say EFAULT.
 */
#include <string.h>

#include "preload.h"

#define PAGE_MASK	4095ull		/* no page is smaller */

static bool is_proven(const struct preload_proof *proof, uint64_t page,
		      bool writable)
{
	unsigned int i;

	for (i = 0; i < PRELOAD_PROOFS; i++)
		if (proof->page[i] == page && (proof->writable[i] || !writable))
			return true;
	return false;
}

bool preload_proven(const struct preload_proof *proof, uint64_t addr,
		    size_t size, bool writable)
{
	uint64_t first = addr & ~PAGE_MASK, last;

	if (!first || __builtin_add_overflow(addr, size - 1, &last))
		return false;
	last &= ~PAGE_MASK;
	return is_proven(proof, first, writable) &&
	       (first == last || is_proven(proof, last, writable));
}

static void prove(struct preload_proof *proof, uint64_t page, bool writable)
{
	unsigned int i = proof->next;

	if (is_proven(proof, page, writable))
		return;
	proof->page[i] = page;
	proof->writable[i] = writable;
	proof->next = (i + 1) % PRELOAD_PROOFS;
}

void preload_prove(struct preload_proof *proof, uint64_t addr, size_t size,
		   bool writable)
{
	prove(proof, addr & ~PAGE_MASK, writable);
	prove(proof, (addr + size - 1) & ~PAGE_MASK, writable);
}

void preload_disprove(struct preload_proof *proof)
{
	memset(proof, 0, sizeof(*proof));
}
