/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record by which a guest sees whether a vCPU runs, and TLB flushes that
 * wait for a vCPU's next entry.
 *
 * The record is a word in guest memory (fw/pvabi.h). The vCPU's own thread
 * writes it, by atomics:
 *
 *   - PREEMPTED is or-ed in when the thread loses its CPU within KVM_RUN or
 *     sleeps there (vcpu_record_out), the guest's last instruction being done;
 *   - the word is exchanged for 0 before the next entry (vcpu_record_in), with
 *     a full barrier after. When FLUSH_TLB was in it, what the CPUs hold of the
 *     vCPU's translations is stale and is not used again.
 *
 * A guest changes a table entry, has a barrier, and compares PREEMPTED with
 * PREEMPTED | FLUSH_TLB. Either it comes before the exchange, and the flush
 * follows before the vCPU runs; or after, then it fails, and the guest sends
 * an interrupt to a vCPU that runs.
 *
 * Memory that is taken away (a slot deleted or moved) may come back, with a
 * vCPU in the guest that could not write its word meanwhile. So whoever takes it
 * away clears the words in it (vcpu_records_leave), after the last look-up that
 * finds them, and before other memory can come. A record has an address, whether
 * there is memory or not; without, nothing says PREEMPTED.
 *
 * PREEMPTED is never left behind when KVM_RUN returns, nor while the vCPU is
 * parked by TERN_PAUSE. So a migrated memory has no such word, and on a host
 * that does not know the record every vCPU looks as if it ran: slower, and right.
 */
#ifndef TERN_VCPU_RECORD_H
#define TERN_VCPU_RECORD_H

#include <linux/bitmap.h>
#include <linux/types.h>

struct mem;
struct mem_gone;
struct tern_vcpu;
struct tern_vm;

#define VCPU_NO_RECORD	(~0ULL)

/**
 * struct vcpu_record - a vCPU's record; its thread's, and others read @ipa
 * @ipa: where it is, or VCPU_NO_RECORD
 * @out: PREEMPTED was written and must go before the guest is entered
 */
struct vcpu_record {
	u64 ipa;
	bool out;
};

/** vcpu_record_check() - may a record be at @ipa, other vCPUs' apart? Return: 0 or -EINVAL */
int vcpu_record_check(struct tern_vcpu *v, u64 ipa);

/** vcpu_record_set() - the record is at @ipa from now on, or nowhere; own thread or under the vCPU's lock, not loaded
 *  or in the guest. Return: 0, -EINVAL (alignment, no memory, read-only, another vCPU's) */
int vcpu_record_set(struct tern_vcpu *v, u64 ipa);

/** vcpu_record_drop() - the vCPU is off or is reset: the record is cleared if it must be, and forgotten */
void vcpu_record_drop(struct tern_vcpu *v);

/** vcpu_record_out() - the thread sleeps or loses its CPU; scheduler's context; a record is set */
void vcpu_record_out(struct tern_vcpu *v);

/** vcpu_record_in() - it goes on; may sleep. Return: false when the word could not be had yet: try again */
bool vcpu_record_in(struct tern_vcpu *v);

/** vcpu_record_settle() - as vcpu_record_in(), tried until it works or the thread is being killed; not loaded */
void vcpu_record_settle(struct tern_vcpu *v);

/** vcpu_records_leave() - mem_set_slot()'s @leave: words in memory that was taken away say "runs" */
void vcpu_records_leave(struct mem *m, const struct mem_gone *gone);

/** vcpu_flush_due() - stage-1 entries of @v are stale wherever they are: flushed before it enters again; any context */
void vcpu_flush_due(struct tern_vcpu *v);

/** vcpu_flush_now() - answer to VCPU_REQ_TLB: what is due is done; loaded, own thread */
void vcpu_flush_now(struct tern_vcpu *v);

/**
 * vm_flush_vcpus() - no stale stage-1 entry of the vCPUs in @which, by index, is used after this
 * @self: the calling vCPU, loaded
 *
 * Those that are in the guest are interrupted and flush before they go on; others
 * flush when they come; nobody is woken up. Waits for interrupts only.
 */
void vm_flush_vcpus(struct tern_vm *vm, const unsigned long *which, struct tern_vcpu *self);

#endif
