// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs, told to the guest; and flushes that wait for an entry. See record.h.
 */
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include "record.h"
#include "vcpu.h"
#include "vm.h"

/* As guests know it: module/fw/pvabi.h */
#define RECORD_SIZE	64
#define PREEMPTED	(1U << 0)
#define FLUSH_TLB	(1U << 1)

static bool is_anothers(struct tern_vcpu *v, u64 ipa)
{
	struct tern_vcpu *other;
	u32 i;

	vm_for_each_vcpu(i, other, v->vm)
		if (other != v && READ_ONCE(other->record.ipa) == ipa)
			return true;
	return false;
}

/* Two that choose one address at the same time: each sees the other, or is seen. */
static int claim(struct tern_vcpu *v, u64 ipa)
{
	u64 old = v->record.ipa;

	WRITE_ONCE(v->record.ipa, ipa);
	smp_mb();
	if (!is_anothers(v, ipa))
		return 0;
	WRITE_ONCE(v->record.ipa, old);
	return -EINVAL;
}

int vcpu_record_check(struct tern_vcpu *v, u64 ipa)
{
	struct mem *m = &v->vm->mem;
	bool writable;

	if (!IS_ALIGNED(ipa, RECORD_SIZE) || ipa >> mem_ipa_bits(m))
		return -EINVAL;
	return mem_ipa_backed(m, to_ipa(ipa), &writable) && writable ? 0 : -EINVAL;
}

int vcpu_record_set(struct tern_vcpu *v, u64 ipa)
{
	u32 old;
	int err;

	if (ipa == VCPU_NO_RECORD) {
		vcpu_record_drop(v);
		return 0;
	}
	if (vcpu_record_check(v, ipa))
		return -EINVAL;
	vcpu_record_settle(v);
	err = claim(v, ipa);
	if (err)
		return err;
	v->record.out = false;
	/* What the memory was used for before is no flag. */
	if (mem_word_xchg(&v->vm->mem, to_ipa(ipa), 0, &old)) {
		WRITE_ONCE(v->record.ipa, VCPU_NO_RECORD);
		return -EINVAL;
	}
	return 0;
}

void vcpu_record_settle(struct tern_vcpu *v)
{
	/* Others write the word all the time; they are being stopped, too. */
	while (!vcpu_record_in(v) && !fatal_signal_pending(current))
		cond_resched();
}

void vcpu_record_drop(struct tern_vcpu *v)
{
	vcpu_record_settle(v);
	v->record.out = false;
	WRITE_ONCE(v->record.ipa, VCPU_NO_RECORD);
}

void vcpu_record_out(struct tern_vcpu *v)
{
	/* A page that is not there now: the guest takes the vCPU for one that runs, which is always right. */
	if (v->record.out || mem_word_or(&v->vm->mem, to_ipa(v->record.ipa), PREEMPTED))
		return;
	v->record.out = true;
}

bool vcpu_record_in(struct tern_vcpu *v)
{
	u32 old;
	int err;

	if (!v->record.out)
		return true;
	err = mem_word_xchg(&v->vm->mem, to_ipa(v->record.ipa), 0, &old);
	if (err == -EAGAIN)
		return false;
	/* No memory, or none that may be written: tried again when the vCPU comes the next time. */
	v->record.out = err;
	if (err || old & FLUSH_TLB)
		vcpu_flush_due(v);
	return true;
}

/* The vCPU cannot come for its word any more, nor write it: a flush that was left there is taken for it. */
static void leave_one(struct tern_vcpu *v, const struct mem_gone *gone, u64 ipa)
{
	u32 old = 0;
	int err;

	do {
		err = mem_gone_word_xchg(gone, ipa, 0, &old);
		cond_resched();
	} while (err == -EAGAIN && !fatal_signal_pending(current));
	if (err || old & FLUSH_TLB)
		vcpu_flush_due(v);
}

void vcpu_records_leave(struct mem *m, const struct mem_gone *gone)
{
	struct tern_vm *vm = container_of(m, struct tern_vm, mem);
	struct tern_vcpu *v;
	u64 ipa;
	u32 i;

	vm_for_each_vcpu(i, v, vm) {
		ipa = READ_ONCE(v->record.ipa);
		if (mem_gone_has(gone, ipa))
			leave_one(v, gone, ipa);
	}
}

void vcpu_flush_due(struct tern_vcpu *v)
{
	atomic64_inc(&v->flushes);
	set_bit(VCPU_REQ_TLB, &v->kick.requests);
}

void vcpu_flush_now(struct tern_vcpu *v)
{
	preempt_disable();
	mem_catch_up(&v->vm->mem, v->index, atomic64_read(&v->flushes));
	preempt_enable();
}

static void interrupted(void *unused)
{
}

void vm_flush_vcpus(struct tern_vm *vm, const unsigned long *which, struct tern_vcpu *self)
{
	struct cpumask *cpus = &self->flush_cpus;
	struct tern_vcpu *v;
	int cpu;
	u32 i;

	cpumask_clear(cpus);
	for_each_set_bit(i, which, vm_nr_vcpus(vm)) {
		v = vm->vcpu[i];
		vcpu_flush_due(v);
		/* Pairs with kick_enter(): it sees the request, or is seen in the guest. */
		smp_mb__after_atomic();
		if (v == self || atomic_read(&v->kick.mode) == KICK_OUTSIDE)
			continue;
		cpu = READ_ONCE(v->home);
		if (cpu >= 0)
			cpumask_set_cpu(cpu, cpus);
	}
	/*
	 * A vCPU that was interrupted has left the guest and takes its request
	 * before it goes back. One that moved meanwhile did so, too.
	 */
	preempt_disable();
	if (!cpumask_empty(cpus))
		smp_call_function_many(cpus, interrupted, NULL, true);
	preempt_enable();
	if (test_bit(self->index, which) && kick_test_clear(&self->kick, VCPU_REQ_TLB))
		vcpu_flush_now(self);
}
