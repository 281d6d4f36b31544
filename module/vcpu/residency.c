// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/smp.h>
#include "../host/compat.h"
#include "residency.h"

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
	smp_store_release(&v->home, -1);	/* pairs with home_of() */
}

/* The CPU, or -1: then all of @v that the CPU wrote is in memory, for us too. */
static int home_of(const struct tern_vcpu *v)
{
	return smp_load_acquire(&v->home);	/* pairs with leave_home() */
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

	while ((cpu = home_of(v)) >= 0)
		smp_call_function_single(cpu, evict_one, v, 1);
}

noinline bool vcpu_come_home(struct tern_vcpu *v)
{
	int cpu = home_of(v);

	if (cpu >= 0 && cpu != smp_processor_id())
		return false;
	evict_resident();
	go_home(v);
	if (unlikely(v->vm->pmu.picked))
		set_bit(VCPU_REQ_PMU, &v->kick.requests);	/* may it run here? */
	if (v->record.out)
		set_bit(VCPU_REQ_RECORD, &v->kick.requests);
	return true;
}

static void sched_in(struct preempt_notifier *n, int cpu)
{
	struct tern_vcpu *v = container_of(n, struct tern_vcpu, notifier);
	unsigned long flags;

	WRITE_ONCE(v->preempted, false);
	local_irq_save(flags);
	vcpu_begin(v);	/* it is at home nowhere: sched_out() */
	local_irq_restore(flags);
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

void vcpu_residency_init(struct tern_vcpu *v)
{
	v->home = -1;
	preempt_notifier_init(&v->notifier, &vcpu_preempt_ops);
}

void vcpu_load(struct tern_vcpu *v)
{
	for (;;) {
		local_irq_disable();
		if (likely(vcpu_begin(v)))
			break;
		/* The thread has moved to this CPU since its last run. */
		local_irq_enable();
		vcpu_evict(v);
	}
	vcpu_attach(v);
	local_irq_enable();
}

void vcpu_pause(struct tern_vcpu *v)
{
	preempt_disable();
	hyp_pause(&v->hyp);
	WRITE_ONCE(v->loaded, false);
	preempt_notifier_unregister(&v->notifier);
	preempt_enable();
}

void vcpu_put(struct tern_vcpu *v)
{
	local_irq_disable();
	hyp_pause(&v->hyp);
	WRITE_ONCE(v->loaded, false);
	preempt_notifier_unregister(&v->notifier);
	leave_home(v);
	local_irq_enable();
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
