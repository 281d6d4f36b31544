// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_RUN: the loop around the guest.
 */
#include <linux/signal.h>
#include <asm/kvm_arm.h>
#include "../host/context.h"
#include "../host/work.h"
#include "../vcpu/sve.h"
#include "exit.h"

/* Everything that waits for a vCPU's first run. */
static int first_run(struct tern_vcpu *v)
{
	struct tern_vm *vm = v->vm;
	int err = 0;

	if (!vcpu_sve_ready(v))
		return -EPERM;
	mutex_lock(&vm->lock);
	if (vm->vgic.created)
		err = vgic_map_resources(&vm->vgic);
	if (err)
		vm_die(vm);	/* as built-in KVM: a GIC that is half mapped is not tried again */
	else
		err = timer_enable(&v->timer, vm->vgic.created);
	if (!err)
		err = pmu_enable(&v->pmu, vm->vgic.created);
	if (!err) {
		hyp_set_frame(&v->hyp, to_ipa(vm->vgic.hull_base), vm->vgic.hull_size);
		vm->ran_once = true;
	}
	WRITE_ONCE(v->has_run, !err);	/* before anybody else may create a GIC */
	mutex_unlock(&vm->lock);
	return err;
}

static bool sleeping(const struct tern_vcpu *v)
{
	return READ_ONCE(v->paused) || READ_ONCE(v->mp_state) == KVM_MP_STATE_STOPPED;
}

static bool powered(struct tern_vcpu *v)
{
	return !sleeping(v);
}

static void sleep_off(struct tern_vcpu *v)
{
	vcpu_put(v);
	if (READ_ONCE(v->paused)) {
		vcpu_record_settle(v);
		exit_park(v);
	} else {
		exit_wait_for(v, powered);
	}
	vcpu_load(v);
}

static void take_reset(struct tern_vcpu *v)
{
	vcpu_put(v);
	vcpu_reset(v);
	vcpu_load(v);
}

/* KVM_MP_STATE_SUSPENDED: wait. Return: true when the client is told that something would wake the vCPU */
static bool suspended(struct tern_vcpu *v)
{
	exit_wait(v);
	if (!exit_wfi_over(v))
		return false;
	memset(&v->run->system_event, 0, sizeof(v->run->system_event));
	v->run->exit_reason = KVM_EXIT_SYSTEM_EVENT;
	v->run->system_event.type = KVM_SYSTEM_EVENT_WAKEUP;
	return true;
}

/*
 * Not running is a request that renews itself, so that an entry need not look
 * at more than the requests. Return: false when the client must be told why.
 */
static bool take_pause(struct tern_vcpu *v)
{
	bool told = false;

	if (sleeping(v))
		sleep_off(v);
	else if (READ_ONCE(v->mp_state) == KVM_MP_STATE_SUSPENDED)
		told = suspended(v);
	if (sleeping(v) || READ_ONCE(v->mp_state) == KVM_MP_STATE_SUSPENDED)
		set_bit(VCPU_REQ_PAUSE, &v->kick.requests);
	return !told;
}

static int take_requests(struct tern_vcpu *v)
{
	struct kick *k = &v->kick;

	if (kick_test_clear(k, VCPU_REQ_DEAD))
		return -EIO;
	if (kick_test_clear(k, VCPU_REQ_LOUD))
		vm_disturb(v->vm);
	if (kick_test_clear(k, VCPU_REQ_PAUSE) && !take_pause(v))
		return EXIT_USER;
	if (kick_test_clear(k, VCPU_REQ_RESET))
		take_reset(v);
	if (kick_test_clear(k, VCPU_REQ_STEAL))
		vcpu_fw->steal(v);
	if (kick_test_clear(k, VCPU_REQ_RECORD) && !vcpu_record_in(v))
		set_bit(VCPU_REQ_RECORD, &k->requests);
	if (kick_test_clear(k, VCPU_REQ_TLB))
		vcpu_flush_now(v);
	if (kick_test_clear(k, VCPU_REQ_PMU) && !exit_pmu_serve(v))
		return EXIT_USER;
	if (kick_test_clear(k, VCPU_REQ_WFI))
		exit_wait(v);
	return EXIT_RESUME;
}

/* What keeps the vCPU out of the guest right now is done, in the thread's context. */
static noinline int before_entry(struct tern_vcpu *v)
{
	int r = EXIT_RESUME;

	if (unlikely(host_work_pending())) {
		r = host_work_do(&v->work_later);
		if (r) {
			v->stat.signal_exits++;
			v->run->exit_reason = KVM_EXIT_INTR;
			return r;
		}
		r = EXIT_RESUME;
	}
	if (unlikely(READ_ONCE(v->kick.requests)))
		r = take_requests(v);
	return r;
}

/* Interrupts masked and IN_GUEST announced: did something come up meanwhile? */
static bool must_not_enter(const struct tern_vcpu *v)
{
	return READ_ONCE(v->kick.requests) || host_work_pending();
}

/*
 * Without an in-kernel GIC the client delivers interrupts itself: it learns of
 * timer lines and the PMU's, and drives HCR_EL2.VI and VF.
 */
static u64 user_levels(struct tern_vcpu *v)
{
	return timer_user_levels(&v->timer) | (v->pmu.level ? KVM_ARM_DEV_PMU : 0);
}

static bool user_lines_changed(struct tern_vcpu *v)
{
	struct kvm_sync_regs *s = &v->run->s.regs;
	u64 ours = KVM_ARM_DEV_EL1_VTIMER | KVM_ARM_DEV_EL1_PTIMER | KVM_ARM_DEV_PMU;

	v->hyp.hcr = (v->hyp.hcr & ~(HCR_VI | HCR_VF)) | READ_ONCE(v->irq_lines);
	return (s->device_irq_level & ours) != user_levels(v);
}

static void report_user_lines(struct tern_vcpu *v)
{
	v->run->s.regs.device_irq_level = user_levels(v);
}

/* The host's interrupt that ended the run is taken here, while the tick still counts as the guest's. */
static void take_interrupt(void)
{
	local_irq_enable();
	isb();
	local_irq_disable();
	context_quiescent();
}

static int enter(struct tern_vcpu *v)
{
	enum hyp_exit why;

	local_irq_disable();
	mem_vmid_check(&v->vm->mem, &v->hyp);
	kick_enter(&v->kick);
	if (unlikely(must_not_enter(v) || !vgic_flush(&v->vgic))) {
		kick_leave(&v->kick);
		local_irq_enable();
		vgic_await(&v->vgic);
		return before_entry(v);
	}
	context_time_enter();
	context_guest_enter();
	why = hyp_enter(&v->hyp);
	v->stat.exits++;
	context_guest_exit();
	kick_leave(&v->kick);
	vgic_sync(&v->vgic);
	if (why != HYP_EXIT_IRQ)
		timer_sync(&v->timer);
	else if (!timer_take(&v->timer))
		take_interrupt();
	context_time_exit();
	local_irq_enable();
	return exit_handle(v, why);
}

static int run_loop(struct tern_vcpu *v)
{
	int r;

	do {
		if (unlikely(!v->vm->vgic.created) && user_lines_changed(v)) {
			v->run->exit_reason = KVM_EXIT_INTR;
			r = -EINTR;
			break;
		}
		r = enter(v);
	} while (r > 0);
	if (unlikely(!v->vm->vgic.created))
		report_user_lines(v);
	return r;
}

/* What few clients or guests ask for around a run. */
static noinline void begin_around(struct tern_vcpu *v)
{
	if (v->around & VCPU_AROUND_PMU)
		pmu_open(&v->pmu, true);
	/* The mask in force is kept in real_blocked, where signal code looks for it. */
	if (v->around & VCPU_AROUND_SIGSET)
		sigprocmask(SIG_SETMASK, &v->sigset, &current->real_blocked);
}

static noinline void end_around(struct tern_vcpu *v)
{
	if (v->around & VCPU_AROUND_SIGSET) {
		sigprocmask(SIG_SETMASK, &current->real_blocked, NULL);
		sigemptyset(&current->real_blocked);
	}
	if (!(v->around & VCPU_AROUND_PMU))
		return;
	pmu_open(&v->pmu, false);
	if (!v->pmu.live)
		v->around &= ~VCPU_AROUND_PMU;
}

/* The thread returns to user space, which the guest's record has no word for. */
static __always_inline void leave(struct tern_vcpu *v)
{
	vcpu_pause(v);
	if (unlikely(v->work_later))
		host_work_later(&v->work_later);
	if (unlikely(v->record.out))
		vcpu_record_settle(v);
}

int exit_run(struct tern_vcpu *v)
{
	struct kvm_run *run = v->run;
	int r = 0;

	if (!v->initialized)
		return -ENOEXEC;
	if (unlikely(!kick_bound(&v->kick))) {
		if (v->parked)
			return -EBUSY;	/* by another thread, which comes back to it */
		kick_rebind(&v->kick);
		pmu_stop(&v->pmu);	/* its events are another thread's */
	}
	if (unlikely(!v->has_run))
		r = first_run(v);
	if (r)
		return r;
	vcpu_load(v);
	if (v->mmio_pending)
		exit_mmio_complete(v);
	if (unlikely(READ_ONCE(run->immediate_exit))) {
		leave(v);
		return -EINTR;
	}
	if (unlikely(v->around))
		begin_around(v);
	run->exit_reason = KVM_EXIT_UNKNOWN;
	run->flags = 0;
	r = run_loop(v);
	leave(v);
	if (unlikely(v->around))
		end_around(v);
	return r;
}
