/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One virtual CPU.
 */
#ifndef TERN_VCPU_VCPU_H
#define TERN_VCPU_VCPU_H

#include <linux/kvm.h>
#include <linux/preempt.h>
#include <asm/debug-monitors.h>
#include <asm/ptrace.h>
#include "../host/kick.h"
#include "../hyp/hyp.h"
#include "../mem/mem.h"
#include "../pmu/pmu.h"
#include "../timer/timer.h"
#include "../vgic/vgic.h"
#include "lock.h"
#include "record.h"
#include "stat.h"

struct tern_vm;
struct tern_vcpu;

/** enum vcpu_request - bits of kick.requests */
enum vcpu_request {
	VCPU_REQ_PAUSE,		/* vcpu->paused or mp_state changed: look whether the guest may run */
	VCPU_REQ_RESET,		/* PSCI CPU_ON left a new state in vcpu->boot */
	VCPU_REQ_TLB,		/* vcpu->flushes rose: flush before entry what the CPU has not */
	VCPU_REQ_RECORD,	/* the record says PREEMPTED: clear it before entry */
	VCPU_REQ_STEAL,		/* write the stolen time record */
	VCPU_REQ_WFI,		/* PSCI CPU_SUSPEND: wait as WFI does before entering again */
	VCPU_REQ_DEAD,		/* the VM cannot go on: KVM_RUN answers EIO */
	VCPU_REQ_PMU,		/* a counter overflowed, or PMU registers were set: pmu_serve() */
	VCPU_REQ_LOUD,		/* vm->quiet ends before the vCPU does anything */
};

/**
 * struct vcpu_fw_ops - what firmware (fw/, above this folder) does for a vCPU; main.c points vcpu_fw at fw_ops
 * @vm_init:      a VM is made: the services it starts with
 * @vcpu_init:    KVM_ARM_VCPU_INIT succeeded: PSCI version, fast hypercall
 * @num_regs:     pseudo registers in the ONE_REG list
 * @copy_indices: store their ids
 * @get_reg, @set_reg: 0, -ENOENT, -EINVAL, -EBUSY
 * @steal:        answer to VCPU_REQ_STEAL: write the stolen time record; may sleep
 */
struct vcpu_fw_ops {
	void (*vm_init)(struct tern_vm *vm);
	void (*vcpu_init)(struct tern_vcpu *v);
	unsigned int (*num_regs)(void);
	void (*copy_indices)(u64 *ids);
	int (*get_reg)(struct tern_vcpu *v, u64 id, u64 *val);
	int (*set_reg)(struct tern_vcpu *v, u64 id, u64 val);
	void (*steal)(struct tern_vcpu *v);
};

extern const struct vcpu_fw_ops *vcpu_fw;	/* defined in place.c */

/** struct vcpu_boot - what CPU_ON asked for, under vcpu->power_lock */
struct vcpu_boot {
	u64 pc;
	u64 context_id;
	bool big_endian;
};

/**
 * struct tern_vcpu - a virtual CPU
 * @hyp:         all that the world switch touches
 * @lock:        held by every vCPU ioctl
 * @id, @index:  the client's number; the place in vm->vcpu[]
 * @features:    KVM_ARM_VCPU_* as a bitmap (KVM_ARM_VCPU_INIT), valid when @initialized
 * @mp_state:    KVM_MP_STATE_RUNNABLE, _STOPPED or _SUSPENDED; @power_lock to write
 * @run:         the page shared with the client
 * @extra:       enum vcpu_extra bits: KVM_RUN has more to do than usual; under @lock
 */
struct tern_vcpu {
	struct hyp_vcpu hyp;
	struct tern_vm *vm;
	u32 id;
	u32 index;
	struct vcpu_lock lock;
	struct kick kick;
	struct preempt_notifier notifier;
	struct kvm_run *run;
	struct vgic_cpu vgic;
	struct timer_cpu timer;
	struct pmu_cpu pmu;

	u64 features;
	bool initialized;
	bool has_run;			/* once; VCPU_AROUND_FIRST until then */
	bool paused;			/* by TERN_PAUSE; VCPU_REQ_PAUSE follows */
	bool parked;			/* a thread sleeps in KVM_RUN without @lock until @paused ends */
	bool preempted;			/* its thread lost the CPU within KVM_RUN and is ready to go on */
	bool loaded;			/* attached to its thread: between vcpu_load() or vcpu_attach() and vcpu_pause() or vcpu_put() */
	int home;			/* CPU whose registers hold the guest's state, or -1 */

	spinlock_t power_lock;
	u32 mp_state;
	struct vcpu_boot boot;

	u32 around;			/* enum vcpu_around */
	sigset_t sigset;

	unsigned long irq_lines;	/* HCR_EL2.VI and VF bits of KVM_IRQ_LINE without a GIC; atomic bit operations */
	bool work_later;		/* see host_work_do() */
	u32 mmio_len;			/* an MMIO exit of so many bytes waits for the client's answer, or 0 */
	struct mem_hole hole;		/* where its last MMIO access that the client answered went */
	struct mem_hole gic_hole;	/* where its last other one did */
	u32 poll_ns;			/* how long WFI looks before it sleeps (exit/wait.c) */
	u64 steal_base;			/* PV time record, or VCPU_NO_STEAL */
	u64 steal_last;
	struct vcpu_record record;
	atomic64_t flushes;		/* see mem_load(); VCPU_REQ_TLB follows */
	struct cpumask flush_cpus;	/* vm_flush_vcpus() by this vCPU */
	u32 extra;
	u32 page_sets;			/* TERN_SYNC_* of the register page */
	u32 guest_debug;		/* KVM_SET_GUEST_DEBUG control, 0: the client does not debug */
	bool step_pending;		/* the client's step is done, but not yet reported */
	u64 step_own;			/* PSTATE.SS as the guest has it, during KVM_RUN */
	struct kvm_guest_debug_arch guest_points;	/* KVM_GUESTDBG_USE_HW */
	struct vcpu_stat stat;
};

#define VCPU_NO_STEAL (~0ULL)

/** enum vcpu_around - what KVM_RUN does before and after the guest; one look finds that it is nothing */
enum vcpu_around {
	VCPU_AROUND_FIRST = 1,	/* there was no run yet */
	VCPU_AROUND_SIGSET = 2,	/* sigset is the signal mask */
	VCPU_AROUND_PMU = 4,	/* counters of the guest's count */
	VCPU_AROUND_LINES = 8,	/* there is no in-kernel GIC: the client is told of lines */
};

/** enum vcpu_extra - what KVM_RUN looks at once, so that it costs nothing when there is nothing */
enum vcpu_extra {
	VCPU_EXTRA_DEBUG = 1,	/* guest_debug is set */
	VCPU_EXTRA_PAGE = 2,	/* page_sets is */
	VCPU_EXTRA_PAUSE = 4,	/* paused may be */
};

#define VCPU_FEATURE(v, f) ((v)->features & (1UL << (f)))

/* vcpu.c: life and residency */
struct tern_vcpu *vcpu_create(struct tern_vm *vm, u32 id);
void vcpu_destroy(struct tern_vcpu *v);
/** vcpu_global_init() - CPUs that go down or idle deeply take no vCPU along. Return: 0 or a negative errno */
int vcpu_global_init(void);
void vcpu_global_fini(void);
/** vcpu_load() - the current thread is going to run @v: on this CPU now, and following the thread from now on */
void vcpu_load(struct tern_vcpu *v);
/** vcpu_pause() - the thread returns to user space; @v may stay in the CPU's registers */
void vcpu_pause(struct tern_vcpu *v);
/** vcpu_put() - as vcpu_pause(), and all of @v is in memory after it */
void vcpu_put(struct tern_vcpu *v);
/** vcpu_evict() - all of @v, which is in no KVM_RUN, is in memory after this; may sleep for an IPI */
void vcpu_evict(struct tern_vcpu *v);
/** vcpu_runnable() - powered on, and an interrupt waits that would end WFI; own thread, outside the guest */
static inline bool vcpu_runnable(struct tern_vcpu *v)
{
	if (READ_ONCE(v->paused) || READ_ONCE(v->mp_state) == KVM_MP_STATE_STOPPED)
		return false;
	return READ_ONCE(v->irq_lines) || vgic_deliverable(&v->vgic);
}

static inline u64 vcpu_get_reg(const struct tern_vcpu *v, unsigned int rt)
{
	return rt == 31 ? 0 : v->hyp.x[rt];
}

static inline void vcpu_set_reg(struct tern_vcpu *v, unsigned int rt, u64 val)
{
	if (rt != 31)
		v->hyp.x[rt] = val;
}

/* A system register, from the CPU when it lives there (callable by the vCPU's own thread, loaded or not). */
u64 vcpu_read_sys(struct tern_vcpu *v, enum sysreg_id r);
void vcpu_write_sys(struct tern_vcpu *v, enum sysreg_id r, u64 val);

void vcpu_skip_insn32(struct tern_vcpu *v);

/** vcpu_skip_insn() - step over the trapped instruction */
static inline void vcpu_skip_insn(struct tern_vcpu *v)
{
	if (unlikely(v->hyp.pstate & PSR_MODE32_BIT)) {
		vcpu_skip_insn32(v);
		return;
	}
	v->hyp.pc += 4;
	v->hyp.pstate &= ~(u64)(PSR_BTYPE_MASK | DBG_SPSR_SS);
}

/* inject.c: exceptions as the architecture delivers them; effect is immediate (registers change now) */
bool vcpu_cond_holds(const struct tern_vcpu *v);	/* AArch32 condition of a trapped instruction */
void vcpu_inject_undef(struct tern_vcpu *v);
void vcpu_inject_dabt(struct tern_vcpu *v, u64 far);	/* synchronous external abort */
void vcpu_inject_iabt(struct tern_vcpu *v, u64 far);
void vcpu_inject_size_fault(struct tern_vcpu *v);	/* address size fault for an IPA out of range */
void vcpu_inject_serror(struct tern_vcpu *v, u64 esr);	/* HCR_EL2.VSE, VSESR_EL2 */
int vcpu_get_events(struct tern_vcpu *v, struct kvm_vcpu_events *e);
int vcpu_set_events(struct tern_vcpu *v, const struct kvm_vcpu_events *e);

/* reset.c */
/** vcpu_preferred_target() - KVM_ARM_PREFERRED_TARGET of this host */
u32 vcpu_preferred_target(void);
/** vcpu_init_features() - KVM_ARM_VCPU_INIT's checks and effect. Return 0, -EINVAL, -ENOENT */
int vcpu_init_features(struct tern_vcpu *v, const struct kvm_vcpu_init *init);
/** vcpu_reset() - answer to VCPU_REQ_RESET: every register reset, then started where v->boot says;
 *  the vCPU's thread, unloaded */
void vcpu_reset(struct tern_vcpu *v);

/* regs.c */
/** vcpu_get_one_reg() / vcpu_set_one_reg() - KVM_GET_ONE_REG and KVM_SET_ONE_REG; lock held; evicts when that is needed.
 *  Return: 0 or a negative errno */
int vcpu_get_one_reg(struct tern_vcpu *v, const struct kvm_one_reg __user *arg);
int vcpu_set_one_reg(struct tern_vcpu *v, const struct kvm_one_reg __user *arg);
int vcpu_reg_list(struct tern_vcpu *v, struct kvm_reg_list __user *list);

#endif
