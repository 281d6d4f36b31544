// SPDX-License-Identifier: GPL-2.0
/*
 * Life and residency of a vCPU.
 */
#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/slab.h>
#include "../host/compat.h"
#include "idreg.h"
#include "sve.h"
#include "vcpu.h"
#include "vm.h"

/*
 * Residency.
 *
 * What is the guest's alone stays in a CPU's registers when KVM_RUN returns,
 * for most often the same thread comes back to the same CPU. The CPU remembers
 * whose it is (resident), the vCPU where (home). Both change on that CPU only,
 * with interrupts masked, so another CPU asks it by IPI to evict.
 *
 * A vCPU at home is written to memory when its thread is scheduled out within
 * KVM_RUN, when another vCPU is loaded there, when the CPU goes down or idles
 * deeply, and before any ioctl but KVM_RUN looks at its registers.
 */
static DEFINE_PER_CPU(struct tern_vcpu *, resident);

static void go_home(struct tern_vcpu *v)
{
	enum hyp_stale stale = mem_load(&v->vm->mem, &v->hyp, v->index, atomic64_read(&v->flushes));

	hyp_load(&v->hyp, stale);
	vgic_cpu_load(&v->vgic);
	timer_load(&v->timer);
	__this_cpu_write(resident, v);
	WRITE_ONCE(v->home, smp_processor_id());
}

static void leave_home(struct tern_vcpu *v)
{
	timer_unload(&v->timer);
	hyp_unload(&v->hyp);
	mem_unload(&v->vm->mem);
	__this_cpu_write(resident, NULL);
	smp_store_release(&v->home, -1);
}

/* Interrupts masked */
static void evict_resident(void)
{
	struct tern_vcpu *v = __this_cpu_read(resident);

	if (v)
		leave_home(v);
}

static void evict_one(void *arg)
{
	if (__this_cpu_read(resident) == arg)
		leave_home(arg);
}

void vcpu_evict(struct tern_vcpu *v)
{
	int cpu;

	while ((cpu = smp_load_acquire(&v->home)) >= 0)
		smp_call_function_single(cpu, evict_one, v, 1);
}

/* The stolen time record is due when the thread has waited for a CPU since. */
static __always_inline void note_steal(struct tern_vcpu *v)
{
	if (unlikely(v->steal_base != VCPU_NO_STEAL) &&
	    READ_ONCE(current->sched_info.run_delay) != v->steal_last)
		set_bit(VCPU_REQ_STEAL, &v->kick.requests);
}

static bool at_home(const struct tern_vcpu *v)
{
	return v->home == smp_processor_id() && v->hyp.cntvoff == READ_ONCE(v->vm->timer.cntvoff);
}

static noinline void come_home(struct tern_vcpu *v)
{
	unsigned long flags;

	local_irq_save(flags);
	evict_resident();
	go_home(v);
	if (unlikely(v->vm->pmu.picked))
		set_bit(VCPU_REQ_PMU, &v->kick.requests);	/* may it run here? */
	local_irq_restore(flags);
	if (v->record.out)
		set_bit(VCPU_REQ_RECORD, &v->kick.requests);
}

/* Preemption off. Where the vCPU was before, if elsewhere, it is no longer. */
static __always_inline void resume(struct tern_vcpu *v)
{
	if (unlikely(!at_home(v)))
		come_home(v);
	note_steal(v);	/* at home too: the thread may have waited while in userspace */
	hyp_resume(&v->hyp);
}

static void sched_in(struct preempt_notifier *n, int cpu)
{
	struct tern_vcpu *v = container_of(n, struct tern_vcpu, notifier);

	WRITE_ONCE(v->preempted, false);
	resume(v);
}

static void sched_out(struct preempt_notifier *n, struct task_struct *next)
{
	struct tern_vcpu *v = container_of(n, struct tern_vcpu, notifier);
	unsigned long flags;

	hyp_pause(&v->hyp);
	local_irq_save(flags);
	leave_home(v);
	local_irq_restore(flags);
	WRITE_ONCE(v->preempted, task_is_running(current));
	if (v->record.ipa != VCPU_NO_RECORD)
		vcpu_record_out(v);
}

static struct preempt_ops vcpu_preempt_ops = {
	.sched_in = sched_in,
	.sched_out = sched_out,
};

/* Its thread has moved to this CPU since its last run. */
static noinline void evict_elsewhere(struct tern_vcpu *v)
{
	while (READ_ONCE(v->home) >= 0 && v->home != smp_processor_id()) {
		preempt_enable();
		vcpu_evict(v);
		preempt_disable();
	}
}

void vcpu_load(struct tern_vcpu *v)
{
	preempt_disable();
	if (unlikely(READ_ONCE(v->home) != smp_processor_id()))
		evict_elsewhere(v);
	preempt_notifier_register(&v->notifier);
	v->loaded = true;
	resume(v);
	preempt_enable();
}

void vcpu_pause(struct tern_vcpu *v)
{
	preempt_disable();
	hyp_pause(&v->hyp);
	v->loaded = false;
	preempt_notifier_unregister(&v->notifier);
	preempt_enable();
}

void vcpu_put(struct tern_vcpu *v)
{
	unsigned long flags;

	preempt_disable();
	vcpu_pause(v);
	local_irq_save(flags);
	if (__this_cpu_read(resident) == v)
		leave_home(v);
	local_irq_restore(flags);
	preempt_enable();
	if (v->record.ipa != VCPU_NO_RECORD)
		vcpu_record_out(v);
}

static int vcpu_cpu_dying(unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	evict_resident();
	local_irq_restore(flags);
	return 0;
}

static int cpu_pm(struct notifier_block *nb, unsigned long cmd, void *unused)
{
	if (cmd == CPU_PM_ENTER)
		evict_resident();
	return NOTIFY_OK;
}

static struct notifier_block vcpu_pm = { .notifier_call = cpu_pm };

int vcpu_global_init(void)
{
	int err = cpuhp_setup_state_nocalls(COMPAT_CPUHP_VCPU, "tern/vcpu:starting", NULL, vcpu_cpu_dying);

	if (err < 0)
		return err;
	err = cpu_pm_register_notifier(&vcpu_pm);
	if (err)
		cpuhp_remove_state_nocalls(COMPAT_CPUHP_VCPU);
	return err;
}

void vcpu_global_fini(void)
{
	cpu_pm_unregister_notifier(&vcpu_pm);
	cpuhp_remove_state_nocalls(COMPAT_CPUHP_VCPU);
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
	v->home = -1;
	v->steal_base = VCPU_NO_STEAL;
	v->record.ipa = VCPU_NO_RECORD;
	vcpu_lock_init(&v->lock);
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

bool vcpu_runnable(struct tern_vcpu *v)
{
	if (READ_ONCE(v->paused) || READ_ONCE(v->mp_state) == KVM_MP_STATE_STOPPED)
		return false;
	return READ_ONCE(v->irq_lines) || vgic_deliverable(&v->vgic);
}
