// SPDX-License-Identifier: GPL-2.0
/*
 * The PMUs of the host, as perf has them.
 *
 * Linux exports no list of them. An event, made and thrown away, names the one
 * that took it.
 */
#include <linux/err.h>
#include <linux/perf/arm_pmu.h>
#include <linux/smp.h>
#include <asm/perf_event.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "pmu.h"

/* ID_AA64DFR0_EL1.PMUVer */
#define PMUVER_V3	1
#define PMUVER_IMPDEF	0xf

/* What makes a PMU one that Linux's arm_pmu drives; NULL: there is none. */
static int (*arm_event_init)(struct perf_event *event);

/* By perf's number of a PMU; or PERF_TYPE_RAW: the one of this CPU. */
static const struct arm_pmu *find(u32 type)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = ARMV8_PMUV3_PERFCTR_CPU_CYCLES,
		.disabled = 1,
		.exclude_hv = 1,
		.exclude_host = 1,
	};
	const struct arm_pmu *found;
	struct perf_event *event;
	int cpu = type == PERF_TYPE_RAW ? raw_smp_processor_id() : -1;

	event = perf_event_create_kernel_counter(&attr, cpu, cpu < 0 ? current : NULL, NULL, NULL);
	if (IS_ERR(event))
		return NULL;
	found = to_arm_pmu(event->pmu);
	if (arm_event_init && event->pmu->event_init != arm_event_init)
		found = NULL;
	perf_event_release_kernel(event);
	if (!found || found->pmuver < PMUVER_V3 || found->pmuver == PMUVER_IMPDEF)
		return NULL;
	return found;
}

void pmu_init(void)
{
	const struct arm_pmu *pmu = host_caps.pmu ? find(PERF_TYPE_RAW) : NULL;

	arm_event_init = pmu ? pmu->pmu.event_init : NULL;
}

bool pmu_supported(void)
{
	return arm_event_init;
}

int pmu_host_pick(struct pmu_vm *pv, int type)
{
	const struct arm_pmu *pmu = type < 0 ? find(PERF_TYPE_RAW) : find(type);

	if (!pmu || (type >= 0 && pmu->pmu.type != type))
		return -ENXIO;
	pv->host = pmu;
	pv->picked = type >= 0;
	/* Armv8.1 made event numbers 16 bits of what were 10 (Arm ARM, PMEVTYPER<n>_EL0.evtCount). */
	pv->nr_events = pmu->pmuver == PMUVER_V3 ? 1 << 10 : 1 << 16;
	return 0;
}

bool pmu_host_allows(const struct pmu_vm *pv)
{
	return !pv->picked || cpumask_test_cpu(smp_processor_id(), &pv->host->supported_cpus);
}

/*
 * As built-in KVM: what is not writable is the host's, E is 0, and the rest of
 * the low byte is a pattern, for it is UNKNOWN.
 */
u64 pmu_host_pmcr(void)
{
	u64 unknown = 0xdecafbad & ARMV8_PMU_PMCR_MASK & ~ARMV8_PMU_PMCR_E;

	if (!host_caps.pmu)
		return 0;
	if (!host_caps.el0_32)
		unknown |= ARMV8_PMU_PMCR_LC;
	return (read_sysreg(pmcr_el0) & ~(u64)ARMV8_PMU_PMCR_MASK) | unknown;
}

u32 pmu_host_mask(void)
{
	u32 n = pmu_host_pmcr() >> ARMV8_PMU_PMCR_N_SHIFT & ARMV8_PMU_PMCR_N_MASK;

	return BIT(PMU_CYCLES) | (BIT(n) - 1);
}
