// SPDX-License-Identifier: GPL-2.0
/*
 * The PMU's registers as a guest accesses them (Arm ARM D13.4, D19.5).
 */
#include <linux/perf/arm_pmu.h>
#include <asm/perf_event.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "memory.h"

#define ENC(name)	SYSREG_ENC(name)

/* PMUSERENR_EL0 bits of which one lets EL0 make the access; 0: none does */
static u64 user_bits(u32 enc, bool write)
{
	switch (enc) {
	case ENC(PMINTENSET_EL1):
	case ENC(PMINTENCLR_EL1):
		return 0;
	case ENC(PMUSERENR_EL0):
		return write ? 0 : ~0ULL;
	case ENC(PMSWINC_EL0):
		return ARMV8_PMU_USERENR_SW | ARMV8_PMU_USERENR_EN;
	case ENC(PMSELR_EL0):
		return ARMV8_PMU_USERENR_ER | ARMV8_PMU_USERENR_EN;
	case ENC(PMCCNTR_EL0):
		return write ? ARMV8_PMU_USERENR_EN : ARMV8_PMU_USERENR_CR | ARMV8_PMU_USERENR_EN;
	case ENC(PMXEVCNTR_EL0):
	case ENC(PMEVCNTR0_EL0) ... ENC(PMEVCNTR30_EL0):
		return write ? ARMV8_PMU_USERENR_EN : ARMV8_PMU_USERENR_ER | ARMV8_PMU_USERENR_EN;
	default:
		return ARMV8_PMU_USERENR_EN;
	}
}

static bool allowed(struct pmu_cpu *p, u32 enc, bool write)
{
	u64 bits;

	if (!pmu_at_el0(p->hyp->pstate))
		return true;
	bits = user_bits(enc, write);
	return bits == ~0ULL || *pmu_at(p, REG_PMUSERENR_EL0) & bits;
}

static u32 counters(struct pmu_cpu *p)
{
	return *pmu_at(p, REG_PMCR_EL0) >> ARMV8_PMU_PMCR_N_SHIFT & ARMV8_PMU_PMCR_N_MASK;
}

static u32 valid_mask(struct pmu_cpu *p)
{
	return BIT(PMU_CYCLES) | (BIT(counters(p)) - 1);
}

#define NO_COUNTER	~0U

/* The counter that an access is about */
static u32 counter_at(struct pmu_cpu *p, u32 enc)
{
	u32 n;

	switch (enc) {
	case ENC(PMXEVCNTR_EL0):
	case ENC(PMXEVTYPER_EL0):
		n = *pmu_at(p, REG_PMSELR_EL0) & ARMV8_PMU_COUNTER_MASK;
		break;
	case ENC(PMCCNTR_EL0):
	case ENC(PMCCFILTR_EL0):
		return PMU_CYCLES;
	default:
		n = enc & ARMV8_PMU_COUNTER_MASK;	/* CRm<1:0>:op2 */
	}
	return n == PMU_CYCLES || n < counters(p) ? n : NO_COUNTER;
}

enum sysreg_id pmu_partner(u32 enc)
{
	switch (enc) {
	case ENC(PMINTENCLR_EL1):
		return REG_PMINTENSET_EL1;
	case ENC(PMCNTENCLR_EL0):
		return REG_PMCNTENSET_EL0;
	default:
		return REG_PMOVSSET_EL0;
	}
}

static u64 event_mask(const struct pmu_cpu *p)
{
	return (ARMV8_PMU_EVTYPE_MASK & ~ARMV8_PMU_EVTYPE_EVENT) | (p->vm->nr_events - 1);
}

/* Events that the filter leaves of PMCEID<high>_EL0: 0x20 common ones and, from bit 32 on, those at 0x4000 */
static u64 filtered_ids(const struct pmu_cpu *p, u64 ids, u32 first)
{
	u32 n;

	if (!p->vm->filter)
		return ids;
	for (n = 0; n < 32; n++) {
		if (!test_bit(first + n, p->vm->filter))
			ids &= ~BIT_ULL(n);
		if (p->vm->nr_events <= 0x4000 || !test_bit(0x4000 + first + n, p->vm->filter))
			ids &= ~BIT_ULL(32 + n);
	}
	return ids;
}

#define PMUVER_V3P4	4

static u64 event_ids(const struct pmu_cpu *p, bool high)
{
	u64 ids = high ? read_sysreg(pmceid1_el0) : read_sysreg(pmceid0_el0);

	/* PMMIR_EL1, which says what a slot is, reads as zero. */
	if (high && p->vm->host->pmuver >= PMUVER_V3P4)
		ids &= ~BIT_ULL(ARMV8_PMUV3_PERFCTR_STALL_SLOT - 32);
	return filtered_ids(p, ids, high ? 32 : 0);
}

bool pmu_read(struct pmu_cpu *p, u32 enc, u64 *val)
{
	u32 n;

	if (!p->present || !allowed(p, enc, false))
		return false;
	if (pmu_memory(p, enc, val))
		return true;

	switch (enc) {
	case ENC(PMSWINC_EL0):
		return false;
	case ENC(PMCEID0_EL0):
	case ENC(PMCEID1_EL0):
		*val = event_ids(p, enc == ENC(PMCEID1_EL0));
		return true;
	}
	n = counter_at(p, enc);
	if (n == NO_COUNTER)
		return false;
	switch (enc) {
	case ENC(PMXEVTYPER_EL0):
	case ENC(PMCCFILTR_EL0):
	case ENC(PMEVTYPER0_EL0) ... ENC(PMEVTYPER30_EL0):
		*val = *pmu_at(p, pmu_type_reg(n)) & ARMV8_PMU_EVTYPE_MASK;
		break;
	default:
		*val = pmu_counter_value(p, n);
	}
	return true;
}

static void write_pmcr(struct pmu_cpu *p, u64 val)
{
	u64 *pmcr = pmu_at(p, REG_PMCR_EL0), kept = ARMV8_PMU_PMCR_MASK & ~(ARMV8_PMU_PMCR_P | ARMV8_PMU_PMCR_C);
	u32 moved = 0, n;

	if (val & ARMV8_PMU_PMCR_C)
		moved |= BIT(PMU_CYCLES);
	if (val & ARMV8_PMU_PMCR_P)
		moved |= valid_mask(p) & ~BIT(PMU_CYCLES);
	if (moved)
		pmu_settle(p);
	for (n = 0; n < PMU_COUNTERS; n++)
		if (moved & BIT(n))
			*pmu_at(p, pmu_value_reg(n)) = 0;
	*pmcr = (*pmcr & ~(u64)ARMV8_PMU_PMCR_MASK) | (val & kept) | (host_caps.el0_32 ? 0 : ARMV8_PMU_PMCR_LC);
	pmu_update(p, *pmu_at(p, REG_PMCNTENSET_EL0) & ~moved, false);
	pmu_update(p, moved, true);
}

static void write_counter(struct pmu_cpu *p, u32 n, u64 val)
{
	pmu_counter_value(p, n);
	*pmu_at(p, pmu_value_reg(n)) = n == PMU_CYCLES ? val : lower_32_bits(val);
	pmu_update(p, BIT(n), true);
}

static void write_type(struct pmu_cpu *p, u32 n, u64 val)
{
	*pmu_at(p, pmu_type_reg(n)) = val & event_mask(p);
	pmu_update(p, BIT(n), false);
}

static void set_or_clear(struct pmu_cpu *p, enum sysreg_id r, bool set, u32 bits)
{
	if (set)
		*pmu_at(p, r) |= bits;
	else
		*pmu_at(p, r) &= ~(u64)bits;
}

/* A counter of SW_INCR, by one. Return: it overflowed */
static bool increment(struct pmu_cpu *p, u32 n)
{
	u64 *val = pmu_at(p, pmu_value_reg(n));

	*val = lower_32_bits(*val + 1);
	return !*val;
}

static void software_increment(struct pmu_cpu *p, u32 mask)
{
	u32 n, over = 0;

	if (!(*pmu_at(p, REG_PMCR_EL0) & ARMV8_PMU_PMCR_E))
		return;
	mask &= *pmu_at(p, REG_PMCNTENSET_EL0);
	for (n = 0; n < PMU_CYCLES; n++) {
		if (!(mask & BIT(n)) || pmu_event_number(p, n) != ARMV8_PMUV3_PERFCTR_SW_INCR)
			continue;
		if (!increment(p, n))
			continue;
		if (!(p->paired & BIT(n)))
			over |= BIT(n);
		else if (increment(p, n + 1))
			over |= BIT(n + 1);
	}
	*pmu_at(p, REG_PMOVSSET_EL0) |= over;
}

static bool write_counters(struct pmu_cpu *p, u32 enc, u64 val)
{
	u32 n = counter_at(p, enc);

	if (n == NO_COUNTER)
		return false;
	switch (enc) {
	case ENC(PMXEVTYPER_EL0):
	case ENC(PMCCFILTR_EL0):
	case ENC(PMEVTYPER0_EL0) ... ENC(PMEVTYPER30_EL0):
		write_type(p, n, val);
		break;
	default:
		write_counter(p, n, val);
	}
	return true;
}

static bool write(struct pmu_cpu *p, u32 enc, u64 val)
{
	u32 bits = val & valid_mask(p);

	switch (enc) {
	case ENC(PMCR_EL0):
		write_pmcr(p, val);
		return true;
	case ENC(PMCNTENSET_EL0):
	case ENC(PMCNTENCLR_EL0):
		set_or_clear(p, REG_PMCNTENSET_EL0, enc == ENC(PMCNTENSET_EL0), bits);
		pmu_update(p, bits, false);
		return true;
	case ENC(PMINTENSET_EL1):
	case ENC(PMINTENCLR_EL1):
		set_or_clear(p, REG_PMINTENSET_EL1, enc == ENC(PMINTENSET_EL1), bits);
		return true;
	case ENC(PMOVSSET_EL0):
	case ENC(PMOVSCLR_EL0):
		set_or_clear(p, REG_PMOVSSET_EL0, enc == ENC(PMOVSSET_EL0), bits);
		return true;
	case ENC(PMSWINC_EL0):
		software_increment(p, bits);
		return true;
	case ENC(PMSELR_EL0):
		*pmu_at(p, REG_PMSELR_EL0) = val;
		return true;
	case ENC(PMUSERENR_EL0):
		*pmu_at(p, REG_PMUSERENR_EL0) = val & ARMV8_PMU_USERENR_MASK;
		return true;
	case ENC(PMCEID0_EL0):
	case ENC(PMCEID1_EL0):
		return false;
	default:
		return write_counters(p, enc, val);
	}
}

bool pmu_write(struct pmu_cpu *p, u32 enc, u64 val)
{
	if (!p->present || !allowed(p, enc, true) || !write(p, enc, val))
		return false;
	pmu_line(p);
	return true;
}
