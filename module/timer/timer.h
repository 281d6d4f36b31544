/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the virtual generic timers: EL1 virtual (CNTV) and EL1 physical
 * (CNTP) of each vCPU.
 *
 * While a vCPU is loaded its two timers are the CPU's own EL1 timers
 * (CNTV_*_EL02, CNTP_*_EL02), which the guest programs without a trap. When
 * one fires while the guest runs, timer_take() acknowledges the PPI; else, or
 * where that may not be (host/irq.h), the host's handler has it. Either marks
 * the line up in the virtual GIC and leaves the PPI active; a list register
 * with HW=1 lets the guest's deactivation reach the physical PPI (Arm GICv3
 * spec, ICH_LR<n>_EL2.HW).
 * While unloaded the timers live in memory and the hardware is off; a vCPU
 * that sleeps in WFI has an hrtimer in their place, which raises the line.
 *
 * Whether a CPU's PPI is active is remembered per CPU, not per vCPU, so that
 * unload never touches the GIC (it runs under the run queue's lock) and load
 * does so only when what the vCPU needs is not what the CPU has.
 *
 * struct timer_vm is what all vCPUs of a VM share. A change of its offset
 * takes effect on each vCPU at its next timer_load().
 *
 * Locks: timer_vm.lock protects the interrupt numbers. All else belongs to the
 * vCPU's thread, which may be away in userspace while the vCPU stays loaded;
 * interrupt handlers, and whoever evicts the vCPU (timer_unload() by IPI),
 * touch only the vCPU loaded on their CPU, with interrupts masked.
 */
#ifndef TERN_TIMER_TIMER_H
#define TERN_TIMER_TIMER_H

#include <linux/hrtimer.h>
#include <linux/kvm.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "../host/kick.h"
#include "../hyp/hyp.h"
#include "../vgic/vgic.h"

/** enum timer_id - the timers of a vCPU */
enum timer_id {
	TIMER_VIRT,
	TIMER_PHYS,
	TIMER_NR,
};

/* Interrupt ids a VM starts with (Arm BSA: EL1 virtual and EL1 physical timer PPIs) */
#define TIMER_VIRT_INTID 27
#define TIMER_PHYS_INTID 30

/**
 * struct timer_vm - what the vCPUs of one VM share
 * @lock:    protects @intid and @fixed
 * @intid:   interrupt id of each timer, KVM_ARM_VCPU_TIMER_CTRL
 * @fixed:   a vCPU has run: @intid cannot change
 * @cntvoff: physical counter minus the guest's virtual counter
 */
struct timer_vm {
	struct mutex lock;
	u32 intid[TIMER_NR];
	bool fixed;
	u64 cntvoff;
};

struct timer_cpu;

/**
 * struct timer_one - one timer
 * @cpu:   the vCPU's timers, of which this is one
 * @ctl, @cval: CNTx_CTL_EL0 and CNTx_CVAL_EL0, valid in memory while unloaded
 * @intid: virtual interrupt it drives, fixed at the vCPU's first run
 * @id:    which of the two
 */
struct timer_one {
	struct timer_cpu *cpu;
	u64 ctl;
	u64 cval;
	u32 intid;
	enum timer_id id;
};

/**
 * struct timer_cpu - the timers of one vCPU
 * @ready:   timer_enable() done
 * @gic:     the lines go to the virtual GIC; else the client asks timer_user_levels()
 * @loaded:  the timers live in this CPU's registers
 * @up:      bit of each timer whose line is up or whose PPI may be active:
 *           zero means timer_sync() has nothing to do
 * @wfit:    CNTVCT at which a WFIT ends, valid when @wfit_on
 * @bg_used: @bg was started and not cancelled since
 * @bg:      stands for both timers while the vCPU sleeps
 */
struct timer_cpu {
	struct timer_vm *vm;
	struct vgic_cpu *vgic;
	struct hyp_vcpu *hyp;
	struct kick *kick;
	struct timer_one one[TIMER_NR];
	bool ready;
	bool gic;
	bool loaded;
	bool wfit_on;
	bool bg_used;
	unsigned long up;
	u64 wfit;
	struct hrtimer bg;
};

/** timer_init() - request the host's timer PPIs on every CPU, now and when it comes online
 *  Return: 0 or a negative errno. */
int timer_init(void);
void timer_fini(void);

/** timer_vm_init() - default interrupt ids; the guest's virtual counter starts at 0 with its last new vCPU */
void timer_vm_init(struct timer_vm *tv);

void timer_cpu_init(struct timer_cpu *t, struct timer_vm *tv, struct vgic_cpu *vgic,
		    struct hyp_vcpu *h, struct kick *k);
void timer_cpu_fini(struct timer_cpu *t);
/** timer_cpu_reset() - both timers disabled, lines down; the vCPU's thread, loaded or not */
void timer_cpu_reset(struct timer_cpu *t);

/** timer_enable() - at a vCPU's first KVM_RUN, after vgic_map_resources() and before it is
 *  loaded: connect the interrupts; their numbers are fixed from now on. Again is 0.
 *  @has_gic: the VM has an in-kernel GIC
 *  Return: 0, or -EINVAL when the interrupt numbers cannot be used. */
int timer_enable(struct timer_cpu *t, bool has_gic);

/* Residency; interrupts masked. timer_load() comes after hyp_load(). */
void timer_load(struct timer_cpu *t);
void timer_unload(struct timer_cpu *t);

void timer_sync_up(struct timer_cpu *t);

/** timer_sync() - after hyp_enter() and vgic_sync(); interrupts masked, loaded.
 *  Before an entry there is nothing to do: lines are raised by the host's interrupt and by timer_load(). */
static inline void timer_sync(struct timer_cpu *t)
{
	if (t->up)
		timer_sync_up(t);
}

/** timer_take() - instead of timer_sync() after an exit by an interrupt: a timer's is taken here, in Linux's place
 *  Return: true when Linux has nothing to take; false when it must be let, with interrupts unmasked. */
bool timer_take(struct timer_cpu *t);

/* Around sleeping in WFI; the vCPU's thread, after timer_unload() and before timer_load(). An expired
 * timer raises its line in the virtual GIC, so vgic_deliverable() is the whole wake test. */
void timer_block(struct timer_cpu *t);
void timer_unblock(struct timer_cpu *t);
/** timer_block_until() - as timer_block(), and timer_wfit_over() becomes true when the
 *  guest's virtual counter reaches @cntvct (WFIT, WFET) */
void timer_block_until(struct timer_cpu *t, u64 cntvct);
bool timer_wfit_over(const struct timer_cpu *t);

/** timer_any_expired() - an enabled, unmasked timer has expired; the vCPU's thread, loaded or not */
bool timer_any_expired(struct timer_cpu *t);

/** timer_user_levels() - KVM_ARM_DEV_EL1_VTIMER and _PTIMER bits for a VM without in-kernel GIC
 *  (kvm_run.s.regs.device_irq_level); 0 with one. The vCPU's thread, loaded or not. */
u64 timer_user_levels(struct timer_cpu *t);

/** timer_counter() - the host's physical counter, ordered after what came before (CNTPCT_EL0) */
u64 timer_counter(void);

/* ONE_REG: KVM_REG_ARM_TIMER_* and KVM_REG_ARM_PTIMER_*; @id with its size bits.
 * vCPU lock held, unloaded. Return: 0, -ENOENT for an id that is not a timer's. */
#define TIMER_NUM_REGS 3
extern const u64 timer_reg_ids[TIMER_NUM_REGS];
int timer_get_reg(struct timer_cpu *t, u64 id, u64 *val);
int timer_set_reg(struct timer_cpu *t, u64 id, u64 val);

/* vCPU device attributes, group KVM_ARM_VCPU_TIMER_CTRL. @has_gic: the VM has an in-kernel GIC.
 * Return: 0, -EINVAL (no GIC, not a PPI), -EFAULT, -EBUSY (a vCPU ran), -ENXIO (attribute). */
int timer_set_attr(struct timer_cpu *t, const struct kvm_device_attr *attr, bool has_gic);
int timer_get_attr(struct timer_cpu *t, const struct kvm_device_attr *attr);
int timer_has_attr(struct timer_cpu *t, const struct kvm_device_attr *attr);

#endif
