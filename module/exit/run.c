// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_RUN: the loop around the guest.
 */
#include <linux/signal.h>
#include <asm/kvm_arm.h>
#include "../host/context.h"
#include "../host/work.h"
#include "../vcpu/residency.h"
#include "../vcpu/sve.h"
#include "mmio.h"

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
	if (!err) {
		WRITE_ONCE(v->has_run, true);	/* before anybody else may create a GIC */
		v->around &= ~VCPU_AROUND_FIRST;
		if (!vm->vgic.created)
			v->around |= VCPU_AROUND_LINES;
	}
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

/* The host's interrupt that ended the run is taken here, while the tick counts as the guest's. */
static void take_interrupt(void)
{
	context_tick_begin();
	local_daif_restore(DAIF_PROCCTX);
	isb();
	local_daif_mask();
	context_tick_end();
	context_quiescent();
}

/* An entry that was called off; as an enum hyp_exit */
#define NOT_ENTERED -1

/*
 * To the guest and back; DAIF masked, resumed. An interrupt that ended the run is
 * not taken yet, and the time goes on being the guest's.
 */
static __always_inline int enter(struct tern_vcpu *v)
{
	enum hyp_exit why;

	mem_vmid_check(&v->vm->mem, &v->hyp);
	kick_enter(&v->kick);
	if (unlikely(must_not_enter(v) || !vgic_flush(&v->vgic))) {
		kick_leave(&v->kick);
		return NOT_ENTERED;
	}
	context_time_enter();
	context_guest_enter();
	why = hyp_enter(&v->hyp);
	v->stat.exits++;
	context_guest_exit();
	kick_leave(&v->kick);
	vgic_sync(&v->vgic);
	if (why == HYP_EXIT_IRQ)
		return why;
	timer_sync(&v->timer);
	context_time_exit();
	return why;
}

/* What follows enter(): DAIF is masked before, not after; attached. Return: as exit_handle() */
static __always_inline int finish(struct tern_vcpu *v, int why)
{
	if (why == HYP_EXIT_IRQ) {
		if (!timer_take(&v->timer))
			take_interrupt();
		context_time_exit();
	}
	local_daif_restore(DAIF_PROCCTX);
	if (unlikely(why == NOT_ENTERED)) {
		vgic_await(&v->vgic);
		return before_entry(v);
	}
	return exit_handle(v, why);
}

/* The loop, from what follows an entry on; attached. */
static int run_loop(struct tern_vcpu *v, int why)
{
	int r;

	for (;;) {
		r = finish(v, why);
		if (r <= 0)
			return r;
		if (unlikely(v->around & VCPU_AROUND_LINES) && user_lines_changed(v)) {
			v->run->exit_reason = KVM_EXIT_INTR;
			return -EINTR;
		}
		local_daif_mask();
		why = enter(v);
	}
}

/* What few clients or guests ask for around a run. */
static void begin_around(struct tern_vcpu *v)
{
	if (v->around & VCPU_AROUND_PMU)
		pmu_open(&v->pmu, true);
	/* The mask in force is kept in real_blocked, where signal code looks for it. */
	if (v->around & VCPU_AROUND_SIGSET)
		sigprocmask(SIG_SETMASK, &v->sigset, &current->real_blocked);
}

static void end_around(struct tern_vcpu *v)
{
	if (v->around & VCPU_AROUND_LINES)
		report_user_lines(v);
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

static __always_inline void begin(struct tern_vcpu *v)
{
	struct kvm_run *run = v->run;

	if (v->mmio_len)
		mmio_complete(v);
	run->exit_reason = KVM_EXIT_UNKNOWN;
	run->flags = 0;
}

/* The thread returns to user space, which the guest's record has no word for. */
static void leave(struct tern_vcpu *v)
{
	vcpu_pause(v);
	if (unlikely(v->work_later))
		host_work_later(&v->work_later);
	if (unlikely(v->record.out))
		vcpu_record_settle(v);
}

/* The first entry was not all, or was called off: the vCPU follows the thread now. DAIF masked before, not after */
static noinline int run_on(struct tern_vcpu *v, int why)
{
	int r;

	vcpu_attach(v);
	r = run_loop(v, why);
	leave(v);
	if (unlikely(v->around))
		end_around(v);
	return r;
}

/* There is more to do around the run than usual, or the vCPU's state is on another CPU. */
static noinline int run_around(struct tern_vcpu *v)
{
	int r = v->around & VCPU_AROUND_FIRST ? first_run(v) : 0;

	if (r)
		return r;
	vcpu_load(v);
	if (READ_ONCE(v->run->immediate_exit)) {
		if (v->mmio_len)
			mmio_complete(v);
		leave(v);
		return -EINTR;
	}
	begin_around(v);
	begin(v);
	local_daif_mask();
	r = run_loop(v, NOT_ENTERED);
	leave(v);
	end_around(v);
	return r;
}

/* The first entry is detached, and most often all there is: the client is asked for a device's register. */
static __always_inline int run(struct tern_vcpu *v)
{
	int why;

	local_daif_mask();
	if (unlikely(!vcpu_begin(v))) {
		local_daif_restore(DAIF_PROCCTX);
		return run_around(v);
	}
	begin(v);
	why = enter(v);
	if (likely(why == HYP_EXIT_DABT && mmio_is_outside(v) && mmio_may_mask(v))) {
		if (likely(mmio_outside(v) == EXIT_USER)) {
			vcpu_end(v);
			local_daif_restore(DAIF_PROCCTX);
			return 0;
		}
		why = NOT_ENTERED;	/* served: nothing is left to finish */
	}
	return run_on(v, why);
}

/* Another thread than last time, or none before */
static noinline int rebind(struct tern_vcpu *v)
{
	if (!v->initialized)
		return -ENOEXEC;
	if (v->parked)
		return -EBUSY;	/* by another thread, which comes back to it */
	kick_rebind(&v->kick);
	pmu_stop(&v->pmu);	/* its events are another thread's */
	return 0;
}

long exit_run(struct tern_vcpu *v)
{
	int err;

	if (unlikely(!kick_bound(&v->kick))) {
		err = rebind(v);
		if (err)
			return err;
	}
	return unlikely(v->around || READ_ONCE(v->run->immediate_exit)) ? run_around(v) : run(v);
}
