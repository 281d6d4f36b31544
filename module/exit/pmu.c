// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual PMU on its way into the guest.
 */
#include <linux/smp.h>
#include "exit.h"

void exit_pmu_note(struct tern_vcpu *v)
{
	if (!v->pmu.live || v->around & VCPU_AROUND_PMU)
		return;
	v->around |= VCPU_AROUND_PMU;
	pmu_open(&v->pmu, true);
}

int exit_pmu_serve(struct tern_vcpu *v)
{
	bool allowed;
	int cpu;

	pmu_serve(&v->pmu);
	exit_pmu_note(v);
	preempt_disable();
	allowed = pmu_host_allows(&v->vm->pmu);
	cpu = smp_processor_id();
	preempt_enable();
	if (likely(allowed))
		return EXIT_RESUME;
	v->run->exit_reason = KVM_EXIT_FAIL_ENTRY;
	v->run->fail_entry.hardware_entry_failure_reason = KVM_EXIT_FAIL_ENTRY_CPU_UNSUPPORTED;
	v->run->fail_entry.cpu = cpu;
	set_bit(VCPU_REQ_PMU, &v->kick.requests);
	return EXIT_USER;
}
