// SPDX-License-Identifier: GPL-2.0
/*
 * Cache maintenance for memory handed to a guest (Arm ARM D7.5).
 */
#include <linux/bitfield.h>
#include <linux/mm.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#include "stage2.h"

#define CTR_DMINLINE_FIELD	GENMASK_ULL(19, 16)	/* smallest data line, log2 of words */
#define CTR_L1IP_FIELD	GENMASK_ULL(15, 14)
#define L1IP_IS_PIPT	3

/* CTR_EL0 as all CPUs agree on it: the smallest line of any. */
static u64 cache_type(void)
{
	return read_sanitised_ftr_reg(SYS_CTR_EL0);
}

void mem_cache_clean(u64 pa, u64 size)
{
	u64 line = 4ULL << FIELD_GET(CTR_DMINLINE_FIELD, cache_type());
	u64 p = (u64)phys_to_virt(pa), end = p + size;

	for (p &= ~(line - 1); p < end; p += line)
		asm volatile("dc civac, %0" :: "r" (p) : "memory");
	dsb(sy);
}

void mem_cache_sync_insn_all(void)
{
	asm volatile("ic ialluis" ::: "memory");
	dsb(ish);
	isb();
}

void mem_cache_sync_insn(u64 pa, u64 size)
{
	unsigned long va = (unsigned long)phys_to_virt(pa);

	/* A virtually indexed cache may hold the lines at the guest's address too. */
	if (FIELD_GET(CTR_L1IP_FIELD, cache_type()) == L1IP_IS_PIPT) {
		caches_clean_inval_pou(va, va + size);
		return;
	}
	mem_cache_clean(pa, size);
	mem_cache_sync_insn_all();
}
