/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to guest memory: slots, stage 2, VMID, dirty log, MMU notifier.
 *
 * Locks, outermost first:
 *   mm->mmap_lock is never held when any of these is taken, except by the
 *   MMU notifier's callers (they may hold it, and the notifier takes only
 *   mem->lock);
 *   mem->slots_lock (mutex)  changes of slots, dirty-log ioctls
 *   mem->srcu (read side)    look-up of slots by guest address
 *   mem->lock (rwlock)       stage-2 tables, slots by host address, notifier state
 *   VMID allocator's raw spinlock, irqs masked; innermost
 * mem->lock is never taken with interrupts masked nor from interrupts.
 */
#ifndef TERN_MEM_MEM_H
#define TERN_MEM_MEM_H

#include <linux/kvm.h>
#include <linux/mmu_notifier.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include "../arch/types.h"
#include "../hyp/hyp.h"
#include "copy.h"
#include "slots.h"
#include "walk.h"

/**
 * struct mem_last - which of a VM's vCPUs was loaded on a CPU last, and what its TLB had seen by then
 * @vcpu:     its index
 * @flushes:  of that vCPU's stage 1 (mem_load())
 * @flushes2: mem.flushes2
 */
struct mem_last {
	u32 vcpu;
	u64 flushes;
	u64 flushes2;
};

/**
 * struct mem - a VM's memory
 * @mm:        the client's address space (a reference to the structure, not to its contents)
 * @slots_lock, @srcu, @slots: see slots.h
 * @manual_protect: KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2 as enabled by the client
 * @lock:      see above
 * @walk:      the stage-2 tables
 * @pool, @pool_count: spare table pages; @lock for writing
 * @retired:   table pages unlinked, not yet flushed; @lock for writing
 * @inserts:   what was put where nothing was, so far; @lock for writing (struct mem_hole)
 * @vmid:      VMID with its generation (vmid.h)
 * @baddr, @vtcr: VTTBR_EL2 without the VMID, and VTCR_EL2
 * @flushes2:  counts flushes of stage 2 that CPUs without the VM make up for when they load it
 * @flush_requests: counts flushes of all that the VM has in TLBs
 * @last:      on each CPU, whose entries its TLB may hold
 * @inval_count, @inval_start, @inval_end: host-address range being invalidated; @lock for writing
 * @inval_seq: counts invalidations done
 */
struct mem {
	struct mm_struct *mm;
	struct mutex slots_lock;
	struct srcu_struct srcu;
	struct mem_slots slots;
	u64 manual_protect;

	rwlock_t lock;
	struct mem_walk walk;
	struct list_head pool;
	unsigned int pool_count;
	struct list_head retired;
	u64 inserts;

	atomic64_t vmid;
	u64 baddr;
	u64 vtcr;
	atomic64_t flushes2;
	atomic64_t flush_requests;
	struct mem_last __percpu *last;

	struct mmu_notifier notifier;
	unsigned long inval_seq;
	unsigned int inval_count;
	u64 inval_start;
	u64 inval_end;
};

/** mem_global_init() / mem_global_fini() - the VMID allocator; once per module, after host_caps_init() */
int mem_global_init(void);
void mem_global_fini(void);

/**
 * mem_vm_init() - an empty guest memory of 2^ipa_bits bytes, backed by @mm
 * @ipa_bits: 32 to host_caps.ipa_bits (the caller checked)
 * Return: 0, -ENOMEM, -EINTR (the caller is dying)
 */
int mem_vm_init(struct mem *m, struct mm_struct *mm, unsigned int ipa_bits);

/** mem_vm_fini() - free all; no vCPU exists any more */
void mem_vm_fini(struct mem *m);

/**
 * mem_set_slot() - KVM_SET_USER_MEMORY_REGION; current->mm is @m->mm
 * @leave: called when memory that the guest could write has left it: nobody finds it by
 *         its address any more, and no other change comes before this returns (slots_lock)
 *
 * Return: 0, -EINVAL, -EEXIST, -EFAULT, -ENOMEM
 */
int mem_set_slot(struct mem *m, const struct kvm_userspace_memory_region *r,
		 void (*leave)(struct mem *m, const struct mem_gone *gone));

/** mem_get_dirty_log() / mem_clear_dirty_log() - the ioctls of those names; -EINVAL, -ENOENT, -EFAULT */
int mem_get_dirty_log(struct mem *m, const struct kvm_dirty_log *log);
int mem_clear_dirty_log(struct mem *m, const struct kvm_clear_dirty_log *log);

/** MEM_DIRTY_LOG_CAPS - what KVM_CHECK_EXTENSION(KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2) answers */
#define MEM_DIRTY_LOG_CAPS (KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE | KVM_DIRTY_LOG_INITIALLY_SET)

/** mem_set_manual_protect() - KVM_ENABLE_CAP(KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2), args[0]; -EINVAL */
int mem_set_manual_protect(struct mem *m, u64 caps);

/** enum mem_fault_result - what becomes of a stage-2 abort */
enum mem_fault_result {
	MEM_RESUME,	/* enter the guest again, same instruction */
	MEM_MMIO,	/* data access where no memory is (or a write to a read-only slot): emulate */
	MEM_SKIP,	/* cache maintenance where no memory is: skip the instruction */
	MEM_ABORT_SEA,	/* inject a synchronous external abort, of the kind (I or D) that trapped */
	MEM_ABORT_SIZE,	/* beyond what the hardware can address: inject an address size fault */
};

/**
 * struct mem_fault - a stage-2 abort, decoded from ESR_EL2, HPFAR_EL2 and FAR_EL2
 * @ipa:        of the page at least (low 12 bits are ignored)
 * @write:      ESR_EL2.WnR of a data abort
 * @exec:       instruction abort
 * @s1ptw:      on a stage-1 table walk
 * @cache_op:   ESR_EL2.CM
 * @access_flag, @permission: kind of fault; neither: translation fault
 * @level:      of the fault (FSC[1:0])
 */
struct mem_fault {
	ipa_t ipa;
	bool write;
	bool exec;
	bool s1ptw;
	bool cache_op;
	bool access_flag;
	bool permission;
	u8 level;
};

/**
 * mem_fault() - serve a translation, permission or access-flag fault of stage 2
 *
 * May sleep; preemption and interrupts on; called by a thread of @m->mm.
 * Poisoned memory sends the thread SIGBUS and resumes.
 * Return: enum mem_fault_result, or a negative errno for KVM_RUN (-EFAULT: the
 * client has nothing mapped there; -ENOMEM).
 */
int mem_fault(struct mem *m, const struct mem_fault *f);

/** mem_unmap_all() - KVM_ARM_VCPU_INIT of a VM that ran: what the guest sees with its MMU off must be
 *  coherent again. Without FEAT_S2FWB everything refaults; with it only instructions are synchronised. */
void mem_unmap_all(struct mem *m);

/** mem_flush_caches() - guest used set/way maintenance, or switched its MMU or caches on or off:
 *  clean and invalidate all it has mapped (nothing to do with FEAT_S2FWB) */
void mem_flush_caches(struct mem *m);

/**
 * mem_load() - @h, vCPU number @index of the VM, is going to run on this CPU; interrupts masked, before hyp_load()
 * @flushes: counts what made stage-1 entries of this vCPU stale, wherever it left them
 *
 * Fills h->vttbr and h->vtcr. When another vCPU of this VM was here last, this
 * CPU's entries of the VM go: vCPUs may map one address differently (ASIDs are theirs).
 * So they do when @flushes rose since.
 *
 * Return: what hyp_load() must flush.
 */
enum hyp_stale mem_load(struct mem *m, struct hyp_vcpu *h, unsigned int index, u64 flushes);

/** mem_catch_up() - the same for the vCPU that is loaded here already; preemption off */
void mem_catch_up(struct mem *m, unsigned int index, u64 flushes);

/** mem_flush_later() - no CPU uses a stage-2 entry that it has now, once it loads a vCPU or catches up */
static inline void mem_flush_later(struct mem *m)
{
	atomic64_inc(&m->flushes2);
}

/** mem_unload() - this CPU no longer uses the VM's VMID; preemption off, after hyp_unload() */
void mem_unload(struct mem *m);

void mem_vmid_renew(struct mem *m, struct hyp_vcpu *h);

/** mem_vmid_check() - before each entry, interrupts masked, @h loaded: renew the VMID when its
 *  generation is over (then what is active on this CPU has changed, see vmid.h) */
static inline void mem_vmid_check(struct mem *m, struct hyp_vcpu *h)
{
	if (unlikely(atomic64_read(h->vmid_active) != h->vmid))
		mem_vmid_renew(m, h);
}

/**
 * struct mem_hole - one page known not to be memory, remembered by its vCPU
 * @page:    its address
 * @inserts: mem.inserts when that was found; other than now: unknown
 */
struct mem_hole {
	ipa_t page;
	u64 inserts;
};

/** mem_hole_find() - Return: @page, when it is no memory, or a hole that is unknown; may sleep */
struct mem_hole mem_hole_find(struct mem *m, ipa_t page);

/** mem_is_hole() - @page is surely no memory: an access to it need not go through mem_fault() */
static inline bool mem_is_hole(const struct mem *m, const struct mem_hole *hole, ipa_t page)
{
	return hole->page.ipa == page.ipa && hole->inserts == READ_ONCE(m->inserts);
}

/** mem_ipa_bits() - size of the guest-physical address space */
static inline unsigned int mem_ipa_bits(const struct mem *m)
{
	return m->walk.ipa_bits;
}

#endif
