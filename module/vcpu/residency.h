/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a vCPU's state is: in memory, or in a CPU's registers.
 *
 * What is the guest's alone stays in a CPU's registers when KVM_RUN returns,
 * for most often the same thread comes back to the same CPU. The CPU remembers
 * whose it is (resident), the vCPU where (home). Both change on that CPU only,
 * with interrupts masked, so another CPU asks it by IPI to evict.
 *
 * A vCPU at home is written to memory when its thread is scheduled out within
 * KVM_RUN, when another vCPU is loaded there, when the CPU goes down or idles
 * deeply, and before any ioctl but KVM_RUN looks at its registers.
 *
 * A run begins detached: interrupts are masked, so the thread cannot be
 * scheduled out and nobody need follow it (vcpu_begin()). Many a run ends like
 * that, too (vcpu_end()); whatever lasts longer attaches the vCPU to the thread
 * first (vcpu_attach()).
 */
#ifndef TERN_VCPU_RESIDENCY_H
#define TERN_VCPU_RESIDENCY_H

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include "../hyp/run.h"
#include "vcpu.h"
#include "vm.h"

void vcpu_residency_init(struct tern_vcpu *v);

/** vcpu_come_home() - for this header. Interrupts masked. Return: false when another CPU has it */
bool vcpu_come_home(struct tern_vcpu *v);

/* The stolen time record is due when the thread has waited for a CPU since. */
static __always_inline void vcpu_note_steal(struct tern_vcpu *v)
{
	if (unlikely(v->steal_base != VCPU_NO_STEAL) &&
	    READ_ONCE(current->sched_info.run_delay) != v->steal_last)
		set_bit(VCPU_REQ_STEAL, &v->kick.requests);
}

/* Preemption off: then the thread's CPU is in its task_struct, where it costs less than elsewhere. */
static __always_inline bool vcpu_at_home(const struct tern_vcpu *v)
{
	return v->home == task_cpu(current) && v->hyp.cntvoff == READ_ONCE(v->vm->timer.cntvoff);
}

/**
 * vcpu_begin() - @v runs on this CPU, detached; interrupts masked until vcpu_end(), or vcpu_attach() and later
 * Return: false, and nothing has changed, when its state is on another CPU: vcpu_load() then.
 */
static __always_inline bool vcpu_begin(struct tern_vcpu *v)
{
	lockdep_assert_irqs_disabled();
	if (unlikely(!vcpu_at_home(v)) && !vcpu_come_home(v))
		return false;
	vcpu_note_steal(v);	/* at home too: the thread may have waited while in userspace */
	hyp_resume(&v->hyp);
	return true;
}

/** vcpu_end() - the thread returns to user space; @v may stay in the CPU's registers; detached */
static __always_inline void vcpu_end(struct tern_vcpu *v)
{
	hyp_pause(&v->hyp);
}

/** vcpu_attach() - @v follows the thread from now on, as after vcpu_load(); detached */
static __always_inline void vcpu_attach(struct tern_vcpu *v)
{
	preempt_notifier_register(&v->notifier);
	WRITE_ONCE(v->loaded, true);
}

#endif
