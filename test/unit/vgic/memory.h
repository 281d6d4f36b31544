/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guest memory for the tables of LPIs: one slot, with unbacked addresses
 * around it.
 */
#ifndef TERN_TEST_MEMORY_H
#define TERN_TEST_MEMORY_H

#include "mem/copy.h"

#define MEMORY_BASE	0x40000000ULL
#define MEMORY_SIZE	0x100000ULL

/**
 * struct mem - stands for the VM's
 * @reads:  bytes that mem_read() copied
 * @writes: calls of mem_write()
 */
struct mem {
	u8 byte[MEMORY_SIZE];
	u32 reads;
	u32 writes;
};

static inline u64 *memory_word(struct mem *m, u64 ipa)
{
	return (u64 *)&m->byte[ipa - MEMORY_BASE];
}

#endif
