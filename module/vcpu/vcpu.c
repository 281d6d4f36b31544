// SPDX-License-Identifier: GPL-2.0
/*
 * Life of a vCPU.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "idreg.h"
#include "residency.h"
#include "sve.h"
#include "vcpu.h"
#include "vm.h"

u64 vcpu_read_sys(struct tern_vcpu *v, enum sysreg_id r)
{
	u64 val;

	preempt_disable();
	val = hyp_reg_read(&v->hyp, r);
	preempt_enable();
	return val;
}

void vcpu_write_sys(struct tern_vcpu *v, enum sysreg_id r, u64 val)
{
	preempt_disable();
	hyp_reg_write(&v->hyp, r, val);
	preempt_enable();
}

struct tern_vcpu *vcpu_create(struct tern_vm *vm, u32 id)
{
	struct tern_vcpu *v = kzalloc(sizeof(*v), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (!v)
		return ERR_PTR(-ENOMEM);
	v->run = (struct kvm_run *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!v->run)
		goto free_vcpu;
	v->vm = vm;
	v->id = id;
	v->index = vm->nr_vcpus;
	v->around = VCPU_AROUND_FIRST;
	v->steal_base = VCPU_NO_STEAL;
	v->record.ipa = VCPU_NO_RECORD;
	vcpu_lock_init(&v->lock);
	spin_lock_init(&v->power_lock);
	v->mp_state = KVM_MP_STATE_RUNNABLE;
	kick_init(&v->kick);
	vcpu_residency_init(v);
	hyp_vcpu_init(&v->hyp);
	v->hyp.reg[REG_MPIDR_EL1] = vcpu_mpidr(id);
	err = vgic_cpu_init(&v->vgic, &vm->vgic, v->index, id, &v->kick, &v->hyp.gic, &v->hyp);
	if (err)
		goto free_run;
	timer_cpu_init(&v->timer, &vm->timer, &v->vgic, &v->hyp, &v->kick);
	pmu_cpu_init(&v->pmu, &vm->pmu, &v->hyp, &v->vgic, &v->kick, VCPU_REQ_PMU);
	return v;

free_run:
	free_page((unsigned long)v->run);
free_vcpu:
	kfree(v);
	return ERR_PTR(err);
}

void vcpu_destroy(struct tern_vcpu *v)
{
	vcpu_evict(v);
	pmu_cpu_fini(&v->pmu);
	timer_cpu_fini(&v->timer);
	vgic_cpu_fini(&v->vgic);
	kick_fini(&v->kick);
	vcpu_sve_free(v);
	free_page((unsigned long)v->run);
	kfree(v);
}
