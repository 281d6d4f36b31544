// SPDX-License-Identifier: GPL-2.0
/*
 * The VMID allocator. A VMID stays with its VM from generation to generation
 * where it can; roll-over is the only time anybody flushes.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include "vmid.h"

/* Number 0 is never lent: it means "none yet". */
#define FIRST_NUMBER	1

/* Active between two users. Not 0, so that the next needs no lock; of no generation, so that nothing is kept for it. */
#define NOTHING		(1ULL << 63)

static u64 generation_size(const struct mem_vmid_space *s)
{
	return 1ULL << s->bits;
}

static bool is_current(const struct mem_vmid_space *s, u64 vmid)
{
	return !((vmid ^ atomic64_read(&s->generation)) >> s->bits);
}

int mem_vmid_space_init(struct mem_vmid_space *s, unsigned int bits, unsigned int nr_cpus,
			void (*flush_all)(void))
{
	unsigned int i;

	*s = (struct mem_vmid_space){ .bits = bits, .nr_cpus = nr_cpus, .next = FIRST_NUMBER,
				      .flush_all = flush_all };
	/* After a roll-over with every CPU in a guest one must be left to lend. */
	if (generation_size(s) - FIRST_NUMBER <= nr_cpus)
		return -EINVAL;
	raw_spin_lock_init(&s->lock);
	atomic64_set(&s->generation, generation_size(s));
	s->map = bitmap_zalloc(generation_size(s), GFP_KERNEL);
	s->cpu = kcalloc(nr_cpus, sizeof(*s->cpu), GFP_KERNEL);
	if (!s->map || !s->cpu) {
		mem_vmid_space_fini(s);
		return -ENOMEM;
	}
	for (i = 0; i < nr_cpus; i++)
		atomic64_set(&s->cpu[i].active, NOTHING);
	return 0;
}

void mem_vmid_space_fini(struct mem_vmid_space *s)
{
	bitmap_free(s->map);
	kfree(s->cpu);
	s->map = NULL;
	s->cpu = NULL;
}

/* A new generation: everything is free but what CPUs use right now. */
static void roll_over(struct mem_vmid_space *s)
{
	struct mem_vmid_cpu *c;
	unsigned int i;
	u64 vmid;

	atomic64_add(generation_size(s), &s->generation);
	bitmap_zero(s->map, generation_size(s));
	for (i = 0; i < s->nr_cpus; i++) {
		c = &s->cpu[i];
		vmid = atomic64_xchg(&c->active, 0);
		/*
		 * A CPU that did not enter a guest since the last roll-over
		 * may still run the guest it was in then.
		 */
		if (!vmid)
			vmid = c->reserved;
		if (vmid == NOTHING)
			vmid = 0;
		c->reserved = vmid;
		if (vmid)
			__set_bit(mem_vmid_number(s, vmid), s->map);
	}
	s->next = FIRST_NUMBER;
	s->flush_all();
}

/* Was @vmid in use on a CPU at the last roll-over? Then it is ours still, renewed wherever it was. */
static bool renew_reserved(struct mem_vmid_space *s, u64 vmid, u64 renewed)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < s->nr_cpus; i++) {
		if (s->cpu[i].reserved == vmid) {
			s->cpu[i].reserved = renewed;
			found = true;
		}
	}
	return found;
}

static u64 lend_free(struct mem_vmid_space *s)
{
	unsigned long n = find_next_zero_bit(s->map, generation_size(s), s->next);

	if (n == generation_size(s)) {
		roll_over(s);
		n = find_next_zero_bit(s->map, generation_size(s), s->next);
	}
	__set_bit(n, s->map);
	s->next = n + 1;
	return atomic64_read(&s->generation) | n;
}

static u64 lend(struct mem_vmid_space *s, u64 old)
{
	u64 renewed = atomic64_read(&s->generation) | mem_vmid_number(s, old);

	if (!old)
		return lend_free(s);
	if (renew_reserved(s, old, renewed) || !__test_and_set_bit(mem_vmid_number(s, old), s->map))
		return renewed;
	return lend_free(s);
}

/* Return: @vmid was made active without the lock. A roll-over on another CPU turns active into 0, which fails. */
static bool use_fast(struct mem_vmid_space *s, u64 vmid, struct mem_vmid_cpu *c)
{
	u64 active = atomic64_read(&c->active);

	/* Only a roll-over would have changed it, and it has not. */
	if (active == vmid)
		return vmid;
	return active && is_current(s, vmid) &&
	       atomic64_cmpxchg(&c->active, active, vmid) == active;
}

void mem_vmid_use(struct mem_vmid_space *s, atomic64_t *vmid, unsigned int cpu)
{
	struct mem_vmid_cpu *c = &s->cpu[cpu];
	unsigned long flags;

	if (use_fast(s, atomic64_read(vmid), c))
		return;
	raw_spin_lock_irqsave(&s->lock, flags);
	if (!is_current(s, atomic64_read(vmid)))
		atomic64_set(vmid, lend(s, atomic64_read(vmid)));
	atomic64_set(&c->active, atomic64_read(vmid));
	raw_spin_unlock_irqrestore(&s->lock, flags);
	/*
	 * Who changes a table entry and then reads the VMID to flush it either
	 * sees the new VMID, or the table walks under the new one see the change.
	 */
	smp_mb();
}

enum mem_vmid_reach mem_vmid_reach(const struct mem_vmid_space *s, u64 vmid, unsigned int cpu)
{
	enum mem_vmid_reach reach = MEM_VMID_NOWHERE;
	unsigned int i;
	u64 active;

	for (i = 0; i < s->nr_cpus; i++) {
		active = atomic64_read(&s->cpu[i].active);
		/* TLBs know nothing of generations. */
		if (active && mem_vmid_number(s, active ^ vmid))
			continue;
		/* After a roll-over it is what is reserved, which may be this one. */
		if (!active || i != cpu)
			return MEM_VMID_ELSEWHERE;
		reach = MEM_VMID_HERE;
	}
	return reach;
}

void mem_vmid_unuse(struct mem_vmid_space *s, unsigned int cpu)
{
	atomic64_set(&s->cpu[cpu].active, NOTHING);
}
