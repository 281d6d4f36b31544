// SPDX-License-Identifier: GPL-2.0
/*
 * Life and residency of a vCPU.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "vcpu.h"
#include "vm.h"

static void resident_load(struct tern_vcpu *v)
{
	mem_load(&v->vm->mem, &v->hyp, v->index);
	hyp_load(&v->hyp);
	timer_load(&v->timer);
	if (v->steal_base != VCPU_NO_STEAL)
		set_bit(VCPU_REQ_STEAL, &v->kick.requests);
}

static void resident_unload(struct tern_vcpu *v)
{
	timer_unload(&v->timer);
	hyp_unload(&v->hyp);
	mem_unload(&v->vm->mem);
}

static void sched_in(struct preempt_notifier *n, int cpu)
{
	resident_load(container_of(n, struct tern_vcpu, notifier));
}

static void sched_out(struct preempt_notifier *n, struct task_struct *next)
{
	resident_unload(container_of(n, struct tern_vcpu, notifier));
}

static struct preempt_ops vcpu_preempt_ops = {
	.sched_in = sched_in,
	.sched_out = sched_out,
};

void vcpu_load(struct tern_vcpu *v)
{
	preempt_disable();
	preempt_notifier_register(&v->notifier);
	v->loaded = true;
	resident_load(v);
	preempt_enable();
}

void vcpu_put(struct tern_vcpu *v)
{
	preempt_disable();
	resident_unload(v);
	v->loaded = false;
	preempt_notifier_unregister(&v->notifier);
	preempt_enable();
}

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
	v->steal_base = VCPU_NO_STEAL;
	mutex_init(&v->mutex);
	spin_lock_init(&v->power_lock);
	v->mp_state = KVM_MP_STATE_RUNNABLE;
	kick_init(&v->kick);
	preempt_notifier_init(&v->notifier, &vcpu_preempt_ops);
	hyp_vcpu_init(&v->hyp);
	v->hyp.reg[REG_MPIDR_EL1] = vcpu_mpidr(id);
	err = vgic_cpu_init(&v->vgic, &vm->vgic, v->index, id, &v->kick, &v->hyp.gic, &v->hyp);
	if (err)
		goto free_run;
	timer_cpu_init(&v->timer, &vm->timer, &v->vgic, &v->hyp, &v->kick);
	return v;

free_run:
	free_page((unsigned long)v->run);
free_vcpu:
	kfree(v);
	return ERR_PTR(err);
}

void vcpu_destroy(struct tern_vcpu *v)
{
	timer_cpu_fini(&v->timer);
	vgic_cpu_fini(&v->vgic);
	kick_fini(&v->kick);
	free_page((unsigned long)v->run);
	kfree(v);
}

bool vcpu_runnable(struct tern_vcpu *v)
{
	if (READ_ONCE(v->paused) || READ_ONCE(v->mp_state) == KVM_MP_STATE_STOPPED)
		return false;
	return READ_ONCE(v->irq_lines) || vgic_deliverable(&v->vgic);
}
