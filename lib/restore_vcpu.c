// SPDX-License-Identifier: GPL-2.0
/*
 * vCPUs restored by register. One that the kernel refuses is no fault when it
 * has the image's value already, as what identifies a host has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "restore.h"

#define ESR_ISS		0xffffffull

/* A vCPU's reading of the VM's virtual counter */
static bool find_counter(const struct restoring *r, const struct job *job,
			 uint64_t *counter)
{
	struct lib_values values;
	const char *at;
	uint32_t i;

	lib_section_values(r->image, &job->section, &values);
	at = values.first;
	for (i = 0; i < values.n; i++) {
		if (values.id[i] == KVM_REG_ARM_TIMER_CNT) {
			memcpy(counter, at, sizeof(*counter));
			return true;
		}
		at += lib_reg_room(values.id[i]);
	}
	return false;
}

/* The greatest is the VM's: its time does not go back. */
void lib_choose_counter(struct restoring *r)
{
	uint64_t counter = 0;
	uint32_t i;

	for (i = 0; i < r->nr_vcpus; i++) {
		if (!find_counter(r, &r->job[i], &counter))
			continue;
		if (!r->has_counter || counter > r->counter)
			r->counter = counter;
		r->has_counter = true;
	}
}

/*
 * Firmware registers first: they choose what others may be. The counter
 * before what is compared with it, the timers' control last.
 */
enum reg_rank {
	REG_FIRMWARE,
	REG_PLAIN,
	REG_COUNTER,
	REG_COMPARE,
	REG_CONTROL,
	REG_RANKS
};

static enum reg_rank reg_rank(uint64_t id)
{
	if (id == KVM_REG_ARM_TIMER_CNT)
		return REG_COUNTER;
	if (id == KVM_REG_ARM_TIMER_CVAL || id == KVM_REG_ARM_PTIMER_CVAL)
		return REG_COMPARE;
	if (id == KVM_REG_ARM_TIMER_CTL || id == KVM_REG_ARM_PTIMER_CTL)
		return REG_CONTROL;
	switch (id & KVM_REG_ARM_COPROC_MASK) {
	case KVM_REG_ARM_FW:
	case KVM_REG_ARM_FW_FEAT_BMAP:
		return REG_FIRMWARE;
	default:
		return REG_PLAIN;
	}
}

static void add_rank(struct kvm_one_reg *reg, uint32_t *n,
		     const struct lib_values *values, enum reg_rank rank)
{
	const char *at = values->first;
	uint32_t i;

	for (i = 0; i < values->n; i++) {
		if (reg_rank(values->id[i]) == rank)
			reg[(*n)++] = (struct kvm_one_reg){
				.id = values->id[i], .addr = (uintptr_t)at,
			};
		at += lib_reg_room(values->id[i]);
	}
}

static bool has_value(int fd, const struct kvm_one_reg *reg)
{
	char now[256];

	return lib_reg_size(reg->id) <= sizeof(now) &&
	       !lib_get_reg(fd, reg->id, now) &&
	       !memcmp(now, (const void *)(uintptr_t)reg->addr,
		       lib_reg_size(reg->id));
}

/* Leaves out what is refused but right, and goes on. */
static int write_regs(const struct restoring *r, int fd,
		      struct kvm_one_reg *reg, uint32_t n,
		      struct tern_failure *failure)
{
	bool many = r->vm->method > TERN_METHOD_ONE;
	uint32_t failed, begin = 0;
	int ret;

	for (;;) {
		ret = lib_regs(fd, many, true, reg + begin, n - begin, &failed);
		if (!ret)
			return 0;
		failed += begin;
		if (failed >= n)
			return lib_fail(failure, ret, failure->vcpu, 0);
		if (!r->forced && !has_value(fd, &reg[failed]))
			return lib_fail(failure, ret, failure->vcpu,
				    reg[failed].id);
		memmove(&reg[failed], &reg[failed + 1],
			(n - failed - 1) * sizeof(*reg));
		n--;
		if (!many)
			begin = failed;
	}
}

/* Kernels that have no id for the physical timer keep what it has. */
static void write_ptimer(int fd, const struct tern_vcpu_values *head)
{
	struct kvm_one_reg cval = {
		.id = KVM_REG_ARM_PTIMER_CVAL,
		.addr = (uintptr_t)&head->ptimer_cval,
	};
	struct kvm_one_reg ctl = {
		.id = KVM_REG_ARM_PTIMER_CTL,
		.addr = (uintptr_t)&head->ptimer_ctl,
	};

	if (head->has_ptimer && lib_ioctl(fd, KVM_SET_ONE_REG, &cval) >= 0)
		lib_ioctl(fd, KVM_SET_ONE_REG, &ctl);
}

/* The counter is written by the first vCPU, and by no other. */
static void add_counter(const struct restoring *r, uint32_t i,
			struct kvm_one_reg *reg, uint32_t *n)
{
	if (i == 0 && r->has_counter)
		reg[(*n)++] = (struct kvm_one_reg){
			.id = KVM_REG_ARM_TIMER_CNT,
			.addr = (uintptr_t)&r->counter,
		};
}

static int restore_vcpu(const struct restoring *r, uint32_t i)
{
	struct job *job = &r->job[i];
	struct lib_values values;
	struct kvm_one_reg *reg;
	enum reg_rank rank;
	uint32_t n = 0;
	int ret;

	job->failure.vcpu = job->section.index;
	lib_section_values(r->image, &job->section, &values);
	reg = malloc((values.n + 1ul) * sizeof(*reg));
	if (!reg)
		return lib_fail(&job->failure, -ENOMEM, TERN_NO_VCPU, 0);
	for (rank = 0; rank < REG_RANKS; rank++)
		if (rank == REG_COUNTER)
			add_counter(r, i, reg, &n);
		else
			add_rank(reg, &n, &values, rank);
	ret = write_regs(r, job->vcpu->fd, reg, n, &job->failure);
	free(reg);
	if (!ret)
		write_ptimer(job->vcpu->fd, job->section.payload);
	return ret;
}

static int vcpu_job(void *arg, uint32_t i)
{
	return restore_vcpu(arg, i + 1);
}

int lib_restore_regs(struct restoring *r)
{
	int ret = 0;

	r->vcpus_written = true;
	if (r->nr_vcpus)
		ret = restore_vcpu(r, 0);
	if (!ret && r->nr_vcpus > 1)
		ret = lib_work(r->vm->threads, r->nr_vcpus - 1, vcpu_job, r);
	return ret;
}

/* Beside the registers */

int lib_check_states(const struct restoring *r, struct job *job)
{
	const struct tern_vcpu_values *head = job->section.payload;
	int ret = 0;

	if (head->mp_state != KVM_MP_STATE_RUNNABLE &&
	    head->mp_state != KVM_MP_STATE_STOPPED &&
	    head->mp_state != KVM_MP_STATE_SUSPENDED)
		ret = -EINVAL;
	if (head->serror_pending && head->serror_has_esr &&
	    (head->serror_esr & ~ESR_ISS ||
	     lib_capability(r->vm->fd, KVM_CAP_ARM_INJECT_SERROR_ESR) < 1))
		ret = -EINVAL;
	return ret ? lib_fail(&job->failure, ret, job->section.index, 0) : 0;
}

static int write_power(const struct job *job)
{
	const struct tern_vcpu_values *head = job->section.payload;
	struct kvm_mp_state state = { .mp_state = head->mp_state };

	return lib_ioctl(job->vcpu->fd, KVM_SET_MP_STATE, &state);
}

static int write_events(const struct job *job)
{
	const struct tern_vcpu_values *head = job->section.payload;
	struct kvm_vcpu_events events = {
		.exception = {
			.serror_pending = head->serror_pending,
			.serror_has_esr = head->serror_has_esr,
			.serror_esr = head->serror_esr,
		},
	};

	return lib_ioctl(job->vcpu->fd, KVM_SET_VCPU_EVENTS, &events);
}

static int write_each(struct restoring *r, int (*write)(const struct job *job))
{
	struct job *job;
	int ret;

	for (job = r->job; job < r->job + r->nr_vcpus; job++) {
		ret = write(job);
		if (ret < 0 && !r->forced)
			return lib_fail(&job->failure, ret, job->section.index,
					0);
	}
	return 0;
}

/* An SError that is pending stays so, whatever KVM is told: it comes last. */
int lib_restore_states(struct restoring *r)
{
	int ret = write_each(r, write_power);

	return ret ? ret : write_each(r, write_events);
}
