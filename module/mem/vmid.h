/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VMIDs: which VM a TLB entry belongs to. There are 2^8 or 2^16, VMs may be
 * more, so VMIDs are lent for a generation. When they run out, all TLBs are
 * flushed and a new generation begins, in which only the VMIDs that are in
 * use on some CPU at that moment are already taken.
 */
#ifndef TERN_MEM_VMID_H
#define TERN_MEM_VMID_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/spinlock.h>
#include <linux/types.h>

/**
 * struct mem_vmid_cpu - one CPU's part
 * @active:   VMID with generation that the CPU uses; 0 after a roll-over took
 *            note of it; NOTHING between two users, and before the first
 * @reserved: what was active at the last roll-over: still valid, once renewed
 */
struct mem_vmid_cpu {
	atomic64_t active;
	u64 reserved;
} ____cacheline_aligned_in_smp;

/**
 * struct mem_vmid_space - the allocator
 * @bits:       8 or 16
 * @generation: a multiple of 2^bits, never 0
 * @map:        VMIDs taken in this generation; @lock
 * @next:       where to look for a free one
 * @flush_all:  flush every VMID on every CPU
 */
struct mem_vmid_space {
	unsigned int bits;
	unsigned int nr_cpus;
	atomic64_t generation;
	raw_spinlock_t lock;
	unsigned long *map;
	unsigned int next;
	struct mem_vmid_cpu *cpu;
	void (*flush_all)(void);
};

/** mem_vmid_space_init() - Return: 0, -ENOMEM, -EINVAL when CPUs could hold all VMIDs at once */
int mem_vmid_space_init(struct mem_vmid_space *s, unsigned int bits, unsigned int nr_cpus,
			void (*flush_all)(void));
void mem_vmid_space_fini(struct mem_vmid_space *s);

/** mem_vmid_use() - @vmid (0: none yet) is made valid and active on @cpu; interrupts masked, on that CPU */
void mem_vmid_use(struct mem_vmid_space *s, atomic64_t *vmid, unsigned int cpu);

/** mem_vmid_unuse() - no VMID is in use on @cpu; preemption off, on that CPU */
void mem_vmid_unuse(struct mem_vmid_space *s, unsigned int cpu);

/** enum mem_vmid_reach - which CPUs may use a VMID's translations now */
enum mem_vmid_reach {
	MEM_VMID_NOWHERE,
	MEM_VMID_HERE,
	MEM_VMID_ELSEWHERE,	/* elsewhere, too; or it is not known */
};

/** mem_vmid_reach() - of @vmid, seen from @cpu, which is ours and stays so */
enum mem_vmid_reach mem_vmid_reach(const struct mem_vmid_space *s, u64 vmid, unsigned int cpu);

/** mem_vmid_number() - what the hardware is told */
static inline u64 mem_vmid_number(const struct mem_vmid_space *s, u64 vmid)
{
	return vmid & ((1ULL << s->bits) - 1);
}

#endif
