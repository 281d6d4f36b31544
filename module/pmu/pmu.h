/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the virtual performance monitors (PMUv3).
 *
 * Registers live in the register image. A counter that counts is an event of
 * Linux's perf, bound to the vCPU's thread, made when the guest first enables
 * it and kept, disabled, while the guest has it off. The counter's register
 * holds its value when it was last looked at; what perf has counted since is
 * added when somebody looks.
 *
 * perf has no word for "the guest's EL0": to an event without its host's side
 * (exclude_host) it lets EL1 alone, which is the guest kernel's. So the event's
 * filter is opened for EL0 around KVM_RUN, where the thread runs no user space
 * of the host's (pmu_open()).
 *
 * All functions but pmu_leaf() may sleep and are the vCPU's thread's, or that
 * of a holder of its mutex while it is out of KVM_RUN. The overflow of an event
 * comes in an interrupt: it sets a bit of @overflowed and makes a request.
 * Nothing here costs anything while a guest has no counters on.
 */
#ifndef TERN_PMU_PMU_H
#define TERN_PMU_PMU_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kvm.h>
#include <linux/types.h>
#include "../host/kick.h"
#include "../hyp/hyp.h"
#include "../vgic/vgic.h"

struct arm_pmu;
struct perf_event;

#define PMU_COUNTERS	32	/* event counters 0..30, and the cycle counter */
#define PMU_CYCLES	31
#define PMU_MAX_SPI	1020

/**
 * struct pmu_vm - what the vCPUs of a VM share; vm->lock to write
 * @host:     the host's PMU that counts for the guest, once there is one
 * @picked:   the client picked it
 * @nr_events: event numbers that it has
 * @filter:   those that the guest may count; NULL: all
 * @ppi, @spi: interrupts that vCPUs have; @any_spi
 */
struct pmu_vm {
	const struct arm_pmu *host;
	bool picked;
	bool any_spi;
	u32 nr_events;
	unsigned long *filter;
	u32 ppi;
	DECLARE_BITMAP(spi, PMU_MAX_SPI);
};

struct pmu_cpu;

/**
 * struct pmu_counter - a counter
 * @event:  what counts for it, or NULL
 * @folded: of the event's count, what is in the register already
 * @type:   its event and filter, as in PMEVTYPERn_EL0
 * @index:  its number
 * @wide:   64 bits: the cycle counter with PMCR_EL0.LC, or a pair
 * @on:     the event is enabled
 */
struct pmu_counter {
	struct pmu_cpu *cpu;
	struct perf_event *event;
	u64 folded;
	u32 type;
	u8 index;
	bool wide;
	bool on;
};

/**
 * struct pmu_cpu - the performance monitors of a vCPU
 * @present: KVM_ARM_VCPU_PMU_V3
 * @created: KVM_ARM_VCPU_PMU_V3_INIT done
 * @irq:     INTID of the overflow interrupt, 0: none
 * @request: bit of kick.requests that asks for pmu_serve()
 * @live:    counters with an event
 * @paired:  of the even ones, those that are one with the next
 * @level:   of the overflow interrupt, as it was last told
 * @in_run:  in KVM_RUN: EL0 is the guest's
 * @again:   registers changed behind the counters' back: begin anew
 * @overflowed: counters that did, not yet in PMOVSSET_EL0
 */
struct pmu_cpu {
	struct pmu_vm *vm;
	struct hyp_vcpu *hyp;
	struct vgic *gic;
	struct vgic_cpu *vgic;
	struct kick *kick;
	unsigned int request;
	bool present;
	bool created;
	bool level;
	bool in_run;
	bool again;
	u32 irq;
	u32 live;
	u32 paired;
	atomic_t overflowed;
	struct irq_work overflow_work;
	struct pmu_counter counter[PMU_COUNTERS];
};

/* host.c */
/** pmu_init() - find out whether perf counts on this host; else no vCPU gets monitors */
void pmu_init(void);
/** pmu_supported() - it does */
bool pmu_supported(void);
/** pmu_host_pick() - the VM's host PMU is that of perf's @type, or with -1 this CPU's. Return: 0 or -ENXIO */
int pmu_host_pick(struct pmu_vm *pv, int type);
/** pmu_host_allows() - the vCPU may run on this CPU; preemption off */
bool pmu_host_allows(const struct pmu_vm *pv);
/** pmu_host_pmcr() - PMCR_EL0 at reset; pmu_host_mask() - a bit for each counter that the host has */
u64 pmu_host_pmcr(void);
u32 pmu_host_mask(void);

/* attr.c */
int pmu_set_attr(struct pmu_cpu *p, const struct kvm_device_attr *a, bool ran_once);	/* vm->lock held */
int pmu_get_attr(const struct pmu_cpu *p, const struct kvm_device_attr *a);
int pmu_has_attr(const struct pmu_cpu *p, const struct kvm_device_attr *a);

/* count.c */
void pmu_cpu_init(struct pmu_cpu *p, struct pmu_vm *pv, struct hyp_vcpu *h, struct vgic_cpu *vgic,
		  struct kick *k, unsigned int request);
void pmu_cpu_fini(struct pmu_cpu *p);
void pmu_vm_fini(struct pmu_vm *pv);
/** pmu_enable() - before the first run. Return: 0, or -EINVAL for a PMU that is half made */
int pmu_enable(struct pmu_cpu *p, bool has_gic);
/** pmu_stop() - no event any more: before a reset of the registers, or when another thread takes over */
void pmu_stop(struct pmu_cpu *p);
/** pmu_serve() - the answer to @request */
void pmu_serve(struct pmu_cpu *p);
void pmu_fold(struct pmu_cpu *p);
/** pmu_open() - EL0 is the guest's from now on, until it is the host's again: around KVM_RUN, if @live */
void pmu_open(struct pmu_cpu *p, bool el0);

/** pmu_settle() - counters' registers have their value now */
static inline void pmu_settle(struct pmu_cpu *p)
{
	if (unlikely(p->live))
		pmu_fold(p);
}

/** pmu_changed() - registers were written other than by the guest */
static inline void pmu_changed(struct pmu_cpu *p)
{
	if (likely(!p->present))
		return;
	p->again = true;
	set_bit(p->request, &p->kick->requests);
}

/** pmu_update() - enables, types or values of the counters in @mask changed; @moved: values did */
void pmu_update(struct pmu_cpu *p, u32 mask, bool moved);
/** pmu_line() - make the overflow interrupt's line right */
void pmu_line(struct pmu_cpu *p);
/** pmu_counter_value() - of counter @n, now */
u64 pmu_counter_value(struct pmu_cpu *p, u32 n);
/** pmu_value_reg() / pmu_type_reg() - where counter @n's value and type are in the image */
static inline enum sysreg_id pmu_value_reg(u32 n)
{
	return n == PMU_CYCLES ? REG_PMCCNTR_EL0 : REG_PMEVCNTR0_EL0 + n;
}

static inline enum sysreg_id pmu_type_reg(u32 n)
{
	return n == PMU_CYCLES ? REG_PMCCFILTR_EL0 : REG_PMEVTYPER0_EL0 + n;
}

/** pmu_event_number() - the event that counter @n is told to count */
static inline u32 pmu_event_number(const struct pmu_cpu *p, u32 n)
{
	return p->hyp->reg[pmu_type_reg(n)] & (p->vm->nr_events - 1);
}

/* regs.c: @enc is SYSREG_ENC; false: UNDEFINED for this guest now */
bool pmu_read(struct pmu_cpu *p, u32 enc, u64 *val);
bool pmu_write(struct pmu_cpu *p, u32 enc, u64 val);
/** pmu_leaf() - tier (b): EL1 accesses what is only memory. Return: false, it is not */
bool pmu_leaf(struct pmu_cpu *p, u32 enc, bool write, u64 *val);
/** pmu_partner() - the register that PMxxxCLR is a view of */
enum sysreg_id pmu_partner(u32 enc);

#endif
