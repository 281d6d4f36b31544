// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a vCPU, and the events of perf that count for them.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/perf/arm_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <asm/perf_event.h>
#include <asm/sysreg.h>
#include "pmu.h"

/* The largest period that perf takes; no counter gets there. */
#define PERIOD_MAX	S64_MAX

static u64 reg(const struct pmu_cpu *p, enum sysreg_id r)
{
	return p->hyp->reg[r];
}

static bool enabled(const struct pmu_cpu *p, u32 n)
{
	return (reg(p, REG_PMCR_EL0) & ARMV8_PMU_PMCR_E) && (reg(p, REG_PMCNTENSET_EL0) & BIT(n));
}

/* The odd counter of a pair that counts the even one's overflows; 30 has no partner. */
static bool is_pair(const struct pmu_cpu *p, u32 n)
{
	u32 odd = n | 1;

	return odd != PMU_CYCLES && n != PMU_CYCLES && enabled(p, odd) &&
	       pmu_event_number(p, odd) == ARMV8_PMUV3_PERFCTR_CHAIN;
}

static bool paired(const struct pmu_cpu *p, u32 n)
{
	return n != PMU_CYCLES && p->paired & BIT(n & ~1);
}

/* Where what counter @n counts is counted */
static struct pmu_counter *counter_of(struct pmu_cpu *p, u32 n)
{
	return &p->counter[paired(p, n) ? n & ~1 : n];
}

static u64 stored(const struct pmu_counter *c)
{
	const u64 *r = &c->cpu->hyp->reg[pmu_value_reg(c->index)];

	return paired(c->cpu, c->index) ? lower_32_bits(r[0]) | r[1] << 32 : r[0];
}

static void store(struct pmu_counter *c, u64 val)
{
	u64 *r = &c->cpu->hyp->reg[pmu_value_reg(c->index)];

	if (paired(c->cpu, c->index)) {
		r[0] = lower_32_bits(val);
		r[1] = upper_32_bits(val);
	} else {
		r[0] = c->index == PMU_CYCLES ? val : lower_32_bits(val);
	}
}

static void fold(struct pmu_counter *c)
{
	u64 now, on, ran;

	if (!c->event)
		return;
	now = perf_event_read_value(c->event, &on, &ran);
	store(c, stored(c) + now - c->folded);
	c->folded = now;
}

void pmu_fold(struct pmu_cpu *p)
{
	unsigned long live = p->live;
	u32 n;

	for_each_set_bit(n, &live, PMU_COUNTERS)
		fold(&p->counter[n]);
}

u64 pmu_counter_value(struct pmu_cpu *p, u32 n)
{
	if (p->live)
		fold(counter_of(p, n));
	return reg(p, pmu_value_reg(n));
}

/* How much it counts until it overflows */
static u64 period(const struct pmu_counter *c)
{
	u64 left = -stored(c);

	if (!c->wide)
		return lower_32_bits(left) ?: BIT_ULL(32);
	return left && left < PERIOD_MAX ? left : PERIOD_MAX;
}

/* Any context up to an NMI, from which no thread can be woken. */
static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct pmu_counter *c = event->overflow_handler_context;
	struct pmu_cpu *p = c->cpu;
	u32 n = c->wide && c->index != PMU_CYCLES ? c->index | 1 : c->index;

	atomic_or(BIT(n), &p->overflowed);
	if (in_nmi())
		irq_work_queue(&p->overflow_work);
	else
		kick_request(p->kick, p->request);
}

static void overflow_later(struct irq_work *work)
{
	struct pmu_cpu *p = container_of(work, struct pmu_cpu, overflow_work);

	kick_request(p->kick, p->request);
}

/* The filter of a counter of this CPU, by its number; what perf's driver writes at each start. */
static void write_filter(u32 n, u32 val)
{
#define WRITE_TYPE(k) case k: write_sysreg(val, pmevtyper##k##_el0); break;
	switch (n) {
	WRITE_TYPE(0) WRITE_TYPE(1) WRITE_TYPE(2) WRITE_TYPE(3) WRITE_TYPE(4) WRITE_TYPE(5)
	WRITE_TYPE(6) WRITE_TYPE(7) WRITE_TYPE(8) WRITE_TYPE(9) WRITE_TYPE(10) WRITE_TYPE(11)
	WRITE_TYPE(12) WRITE_TYPE(13) WRITE_TYPE(14) WRITE_TYPE(15) WRITE_TYPE(16) WRITE_TYPE(17)
	WRITE_TYPE(18) WRITE_TYPE(19) WRITE_TYPE(20) WRITE_TYPE(21) WRITE_TYPE(22) WRITE_TYPE(23)
	WRITE_TYPE(24) WRITE_TYPE(25) WRITE_TYPE(26) WRITE_TYPE(27) WRITE_TYPE(28) WRITE_TYPE(29)
	WRITE_TYPE(30)
	case PMU_CYCLES:
		write_sysreg(val, pmccfiltr_el0);
		break;
	}
}

/* perf's driver numbers the cycle counter 0 and the others from 1 on. */
static u32 hardware_counter(const struct hw_perf_event *hw)
{
	return (hw->idx - 1) & ARMV8_PMU_COUNTER_MASK;
}

/*
 * Whatever perf does with the event from now on is done with this filter; if
 * it counts at this moment, so does the hardware.
 */
static void open_one(struct pmu_counter *c, bool el0)
{
	struct hw_perf_event *hw = &c->event->hw;
	unsigned long flags;

	if (c->event->attr.exclude_user)
		return;
	local_irq_save(flags);
	if (el0)
		hw->config_base &= ~(unsigned long)ARMV8_PMU_EXCLUDE_EL0;
	else
		hw->config_base |= ARMV8_PMU_EXCLUDE_EL0;
	if (c->event->state == PERF_EVENT_STATE_ACTIVE && c->event->oncpu == smp_processor_id() && hw->idx >= 0)
		write_filter(hardware_counter(hw), hw->config_base & ARMV8_PMU_EVTYPE_MASK);
	local_irq_restore(flags);
}

void pmu_open(struct pmu_cpu *p, bool el0)
{
	unsigned long live = p->live;
	u32 n;

	p->in_run = el0;
	for_each_set_bit(n, &live, PMU_COUNTERS)
		open_one(&p->counter[n], el0);
}

static void make_event(struct pmu_counter *c)
{
	struct pmu_cpu *p = c->cpu;
	struct perf_event_attr attr = {
		.type = p->vm->host->pmu.type,
		.size = sizeof(attr),
		.config = c->index == PMU_CYCLES ? ARMV8_PMUV3_PERFCTR_CPU_CYCLES :
						   pmu_event_number(p, c->index),
		.sample_period = period(c),
		.pinned = 1,
		.disabled = 1,
		.exclude_user = !!(c->type & ARMV8_PMU_EXCLUDE_EL0),
		.exclude_kernel = !!(c->type & ARMV8_PMU_EXCLUDE_EL1),
		.exclude_hv = 1,
		.exclude_host = 1,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, -1, current, overflow, c);
	if (IS_ERR(event)) {
		pr_err_once("perf refuses event %llu of a guest: %ld\n", attr.config, PTR_ERR(event));
		return;
	}
	c->event = event;
	c->folded = 0;
	p->live |= BIT(c->index);
	if (p->in_run)
		open_one(c, true);
}

static void drop_event(struct pmu_counter *c)
{
	if (!c->event)
		return;
	perf_event_disable(c->event);
	fold(c);
	perf_event_release_kernel(c->event);
	c->event = NULL;
	c->on = false;
	c->cpu->live &= ~BIT(c->index);
}

static bool countable(const struct pmu_cpu *p, u32 n)
{
	u32 event;

	if (n == PMU_CYCLES)
		event = ARMV8_PMUV3_PERFCTR_CPU_CYCLES;
	else if (paired(p, n) && n & 1)
		return false;
	else
		event = pmu_event_number(p, n);
	/* What software counts needs no event, nor what counts nothing by itself. */
	if (event == ARMV8_PMUV3_PERFCTR_SW_INCR || (n != PMU_CYCLES && event == ARMV8_PMUV3_PERFCTR_CHAIN))
		return false;
	return !p->vm->filter || test_bit(event, p->vm->filter);
}

static bool is_wide(const struct pmu_cpu *p, u32 n)
{
	return n == PMU_CYCLES ? reg(p, REG_PMCR_EL0) & ARMV8_PMU_PMCR_LC : paired(p, n);
}

/* Make counter @n count, or not, what its registers say. */
static void update_one(struct pmu_cpu *p, u32 n, bool moved)
{
	struct pmu_counter *c = &p->counter[n];
	bool on = enabled(p, n) && countable(p, n), wide = is_wide(p, n);
	u32 type = reg(p, pmu_type_reg(n));

	if (c->event && (c->type != type || c->wide != wide))
		drop_event(c);
	else if (c->event && moved)
		perf_event_period(c->event, period(c));
	if (!on) {
		if (c->on)
			perf_event_disable(c->event);
		c->on = false;
		return;
	}
	c->type = type;
	c->wide = wide;
	if (!c->event)
		make_event(c);
	if (c->event && !c->on) {
		perf_event_enable(c->event);
		c->on = true;
	}
}

/* A pair comes or goes: what both counted so far is in their registers. */
static void update_pairs(struct pmu_cpu *p, u32 mask)
{
	u32 n;

	for (n = 0; n < PMU_CYCLES - 1; n += 2) {
		if (!(mask >> n & 3) || is_pair(p, n) == paired(p, n))
			continue;
		drop_event(&p->counter[n]);
		drop_event(&p->counter[n + 1]);
		p->paired ^= BIT(n);
	}
}

void pmu_update(struct pmu_cpu *p, u32 mask, bool moved)
{
	unsigned long todo;
	u32 n;

	/* before the first run, and for a vCPU whose PMU is half made, registers are all there is */
	if (!p->created)
		return;
	update_pairs(p, mask);
	todo = mask | (p->paired & mask >> 1) | ((p->paired & mask) << 1);
	for_each_set_bit(n, &todo, PMU_COUNTERS)
		update_one(p, n, moved);
	hyp_pmu_reopen(p->hyp);
}

void pmu_stop(struct pmu_cpu *p)
{
	u32 n;

	if (p->live)
		for (n = 0; n < PMU_COUNTERS; n++)
			drop_event(&p->counter[n]);
	p->paired = 0;
	pmu_changed(p);
}

/* Built-in KVM's condition; the Arm ARM does not ask for the counter to be enabled. */
static bool interrupt_due(const struct pmu_cpu *p)
{
	return (reg(p, REG_PMCR_EL0) & ARMV8_PMU_PMCR_E) &&
	       (reg(p, REG_PMOVSSET_EL0) & reg(p, REG_PMCNTENSET_EL0) & reg(p, REG_PMINTENSET_EL1));
}

static void tell_line(struct pmu_cpu *p)
{
	p->level = interrupt_due(p);
	if (!p->gic->created)
		return;
	if (p->irq < VGIC_PRIVATE)
		vgic_set_ppi(p->vgic, p->irq, p->level);
	else
		vgic_set_irq(p->gic, p->vgic, p->irq, p->level);
}

void pmu_line(struct pmu_cpu *p)
{
	if (p->created && interrupt_due(p) != p->level)
		tell_line(p);
}

/* From the registers, as they were restored or reset. */
static void begin_anew(struct pmu_cpu *p)
{
	u64 *pmcr = &p->hyp->reg[REG_PMCR_EL0];
	u32 n, count = *pmcr >> ARMV8_PMU_PMCR_N_SHIFT & ARMV8_PMU_PMCR_N_MASK;

	p->again = false;
	/* Resets that are still to be done: built-in KVM keeps these bits in its images. */
	if (*pmcr & ARMV8_PMU_PMCR_C)
		p->hyp->reg[REG_PMCCNTR_EL0] = 0;
	if (*pmcr & ARMV8_PMU_PMCR_P)
		for (n = 0; n < count; n++)
			p->hyp->reg[pmu_value_reg(n)] = 0;
	*pmcr &= ~(u64)(ARMV8_PMU_PMCR_C | ARMV8_PMU_PMCR_P);
	pmu_update(p, ~0U, true);
	tell_line(p);
}

void pmu_serve(struct pmu_cpu *p)
{
	unsigned long over = atomic_xchg(&p->overflowed, 0), n;
	struct pmu_counter *c;

	if (!p->created)
		return;
	p->hyp->reg[REG_PMOVSSET_EL0] |= over;
	for_each_set_bit(n, &over, PMU_COUNTERS) {
		c = counter_of(p, n);
		fold(c);
		if (c->event)
			perf_event_period(c->event, period(c));
	}
	if (p->again)
		begin_anew(p);
	else
		pmu_line(p);
	hyp_pmu_reopen(p->hyp);
}

int pmu_enable(struct pmu_cpu *p, bool has_gic)
{
	if (!p->present)
		return 0;
	if (!p->created)
		return -EINVAL;
	/* made without a GIC, with one now; or the reverse */
	if (has_gic ? !p->irq : p->irq)
		return -EINVAL;
	pmu_changed(p);
	return 0;
}

void pmu_cpu_init(struct pmu_cpu *p, struct pmu_vm *pv, struct hyp_vcpu *h, struct vgic_cpu *vgic,
		  struct kick *k, unsigned int request)
{
	u32 n;

	p->vm = pv;
	p->hyp = h;
	p->vgic = vgic;
	p->gic = vgic->vgic;
	p->kick = k;
	p->request = request;
	init_irq_work(&p->overflow_work, overflow_later);
	for (n = 0; n < PMU_COUNTERS; n++) {
		p->counter[n].cpu = p;
		p->counter[n].index = n;
	}
}

void pmu_cpu_fini(struct pmu_cpu *p)
{
	pmu_stop(p);
	irq_work_sync(&p->overflow_work);
}

void pmu_vm_fini(struct pmu_vm *pv)
{
	bitmap_free(pv->filter);
}
