// SPDX-License-Identifier: GPL-2.0
/*
 * Restore by register. All that can be found wrong beforehand is; a register
 * that the kernel refuses is no fault when it has the image's value already,
 * as what identifies a host has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

struct job {
	struct lib_section section;
	const struct lib_vcpu *vcpu;
	uint64_t aff;
	struct tern_failure failure;
};

struct restoring {
	const struct tern_vm *vm;
	const void *image;
	uint32_t nr_jobs;
	struct job *job;	/* vCPUs in the image's order, then the GIC's */
	uint32_t nr_vcpus;
	bool has_counter;
	uint64_t counter;
};

static int fail(struct tern_failure *failure, int error, uint32_t vcpu,
		uint64_t id)
{
	*failure = (struct tern_failure){
		.error = error, .vcpu = vcpu, .id = id,
	};
	return error;
}

/* Before anything changes */

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The first id of the list, sorted, that comes twice; 0 when none does */
static uint64_t twice(const struct lib_list *list)
{
	uint32_t i;

	for (i = 1; i < list->n; i++)
		if (list->id[i] == list->id[i - 1])
			return list->id[i];
	return 0;
}

static int sorted_copy(struct lib_list *copy, const struct lib_values *values)
{
	copy->n = values->n;
	copy->id = malloc(values->n * sizeof(*copy->id) + 1);
	if (!copy->id)
		return -ENOMEM;
	memcpy(copy->id, values->id, values->n * sizeof(*copy->id));
	qsort(copy->id, copy->n, sizeof(*copy->id), by_id);
	return 0;
}

/* The lists that some vCPUs share are looked through once for each: short. */
static int check_ids(const struct restoring *r, struct job *job)
{
	struct lib_list mine = { 0 }, host = { 0 };
	struct lib_values values;
	uint64_t id;
	uint32_t i;
	int ret;

	lib_section_values(r->image, &job->section, &values);
	ret = sorted_copy(&mine, &values);
	if (ret)
		return fail(&job->failure, ret, TERN_NO_VCPU, 0);
	id = twice(&mine);
	if (id)
		ret = fail(&job->failure, -EEXIST, job->section.index, id);
	if (!ret && !values.gic) {
		ret = lib_list_regs(&host, job->vcpu->fd);
		if (ret)
			fail(&job->failure, ret, job->section.index, 0);
		else
			qsort(host.id, host.n, sizeof(*host.id), by_id);
	}
	for (i = 0; !ret && !values.gic && i < values.n; i++)
		if (!bsearch(&values.id[i], host.id, host.n, sizeof(*host.id),
			     by_id))
			ret = fail(&job->failure, -ENOENT, job->section.index,
				   values.id[i]);
	lib_list_fini(&mine);
	lib_list_fini(&host);
	return ret;
}

/* GICD_TYPER.ITLinesNumber */
#define TYPER_LINES	0x1fu

/* Interrupts that are not there cannot be restored. */
static int check_interrupts(const struct restoring *r, struct job *job)
{
	uint64_t id = LIB_GIC_ID(KVM_DEV_ARM_VGIC_GRP_DIST_REGS,
				 LIB_GICD_TYPER);
	struct lib_values values;
	const uint64_t *value;
	uint32_t i, now = 0;
	int ret;

	lib_section_values(r->image, &job->section, &values);
	value = values.first;
	for (i = 0; i < values.n && values.id[i] != id; i++)
		;
	if (i == values.n)
		return 0;
	ret = lib_gic_attr(r->vm->gic, false, KVM_DEV_ARM_VGIC_GRP_DIST_REGS,
			   LIB_GICD_TYPER, &now);
	if (ret >= 0 && ((now ^ value[i]) & TYPER_LINES))
		ret = -EINVAL;
	return ret < 0 ? fail(&job->failure, ret, TERN_NO_VCPU, id) : 0;
}

static int check_job(void *arg, uint32_t i)
{
	const struct restoring *r = arg;
	struct job *job = &r->job[i];
	int ret = check_ids(r, job);

	if (!ret && job->section.kind == TERN_SECTION_GIC_DIST)
		ret = check_interrupts(r, job);
	return ret;
}

static int add_job(struct restoring *r, const struct lib_section *section)
{
	struct job *job = &r->job[r->nr_jobs];
	bool vcpus = section->kind != TERN_SECTION_GIC_DIST;

	job->section = *section;
	job->vcpu = vcpus ? lib_vcpu(r->vm, section->index) : r->vm->vcpu;
	if (!job->vcpu)
		return fail(&job->failure, -ENOENT, section->index, 0);
	if (section->kind != TERN_SECTION_VCPU && r->vm->gic < 0)
		return fail(&job->failure, -ENODEV, TERN_NO_VCPU, 0);
	return 0;
}

static bool wanted(uint32_t kind, bool vcpus)
{
	if (vcpus)
		return kind == TERN_SECTION_VCPU;
	return kind == TERN_SECTION_GIC_DIST || kind == TERN_SECTION_GIC_CPU;
}

static int add_jobs(struct restoring *r, bool vcpus)
{
	struct lib_section section = { 0 };
	int ret = 0;

	while (!ret && lib_section_next(r->image, &section)) {
		if (!wanted(section.kind, vcpus))
			continue;
		ret = add_job(r, &section);
		r->nr_jobs++;
	}
	return ret;
}

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
static void choose_counter(struct restoring *r)
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

/* A vCPU */

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
static int write_regs(int fd, bool many, struct kvm_one_reg *reg, uint32_t n,
		      struct tern_failure *failure)
{
	uint32_t failed, begin = 0;
	int ret;

	for (;;) {
		ret = lib_regs(fd, many, true, reg + begin, n - begin, &failed);
		if (!ret)
			return 0;
		failed += begin;
		if (failed >= n)
			return fail(failure, ret, failure->vcpu, 0);
		if (!has_value(fd, &reg[failed]))
			return fail(failure, ret, failure->vcpu,
				    reg[failed].id);
		memmove(&reg[failed], &reg[failed + 1],
			(n - failed - 1) * sizeof(*reg));
		n--;
		if (!many)
			begin = failed;
	}
}

static int write_states(int fd, const struct tern_vcpu_values *head)
{
	struct kvm_mp_state state = { .mp_state = head->mp_state };
	struct kvm_vcpu_events events = {
		.exception = {
			.serror_pending = head->serror_pending,
			.serror_has_esr = head->serror_has_esr,
			.serror_esr = head->serror_esr,
		},
	};
	int ret = lib_ioctl(fd, KVM_SET_VCPU_EVENTS, &events);

	if (ret >= 0)
		ret = lib_ioctl(fd, KVM_SET_MP_STATE, &state);
	return ret < 0 ? ret : 0;
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
	bool many = r->vm->method > TERN_METHOD_ONE;
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
		return fail(&job->failure, -ENOMEM, TERN_NO_VCPU, 0);
	for (rank = 0; rank < REG_RANKS; rank++)
		if (rank == REG_COUNTER)
			add_counter(r, i, reg, &n);
		else
			add_rank(reg, &n, &values, rank);
	ret = write_regs(job->vcpu->fd, many, reg, n, &job->failure);
	free(reg);
	if (ret)
		return ret;
	write_ptimer(job->vcpu->fd, job->section.payload);
	ret = write_states(job->vcpu->fd, job->section.payload);
	if (ret)
		fail(&job->failure, ret, job->section.index, 0);
	return ret;
}

static int vcpu_job(void *arg, uint32_t i)
{
	return restore_vcpu(arg, i + 1);
}

/* The GIC */

struct gic_writes {
	uint32_t n;
	struct tern_vgic_reg *reg;
	struct {
		uint32_t vcpu;
		uint64_t id;
	} *origin;
};

static void add_gic_write(struct gic_writes *w, const struct job *job,
			  uint64_t id, uint64_t val)
{
	w->reg[w->n] = lib_gic_reg(id, job->aff, val);
	w->origin[w->n].vcpu = job->section.kind == TERN_SECTION_GIC_CPU ?
		job->section.index : TERN_NO_VCPU;
	w->origin[w->n].id = id;
	w->n++;
}

static void add_gic_rank(const struct restoring *r, struct gic_writes *w,
			 const struct job *job, unsigned int rank)
{
	struct lib_values values;
	const uint64_t *value;
	uint64_t clear;
	uint32_t i;

	lib_section_values(r->image, &job->section, &values);
	value = values.first;
	for (i = 0; i < values.n; i++) {
		if (lib_gic_rank(values.id[i], &clear) != rank)
			continue;
		if (clear)
			add_gic_write(w, job, clear, UINT32_MAX);
		add_gic_write(w, job, values.id[i], value[i]);
	}
}

static bool gic_has_value(int gic, const struct tern_vgic_reg *reg)
{
	struct tern_vgic_reg now = *reg;
	uint32_t failed;

	return !lib_gic_regs(gic, false, false, &now, 1, &failed) &&
	       now.val == reg->val;
}

static int write_gic(const struct tern_vm *vm, struct gic_writes *w,
		     struct tern_failure *failure)
{
	bool batch = vm->method > TERN_METHOD_ONE;
	uint32_t failed, begin = 0;
	int ret;

	for (;;) {
		ret = lib_gic_regs(vm->gic, batch, true, w->reg + begin,
				   w->n - begin, &failed);
		if (!ret)
			return 0;
		failed += begin;
		if (failed >= w->n)
			return fail(failure, ret, TERN_NO_VCPU, 0);
		if (!gic_has_value(vm->gic, &w->reg[failed]))
			return fail(failure, ret, w->origin[failed].vcpu,
				    w->origin[failed].id);
		w->n--;
		memmove(&w->reg[failed], &w->reg[failed + 1],
			(w->n - failed) * sizeof(*w->reg));
		memmove(&w->origin[failed], &w->origin[failed + 1],
			(w->n - failed) * sizeof(*w->origin));
		if (!batch)
			begin = failed;
	}
}

/* Affinities as they are now that the vCPUs' registers are restored. */
static int find_affinities(struct restoring *r, uint64_t *elements)
{
	struct lib_values values;
	uint32_t i;
	int ret;

	*elements = 0;
	for (i = r->nr_vcpus; i < r->nr_jobs; i++) {
		ret = lib_affinity(r->job[i].vcpu->fd, &r->job[i].aff);
		if (ret)
			return ret;
		lib_section_values(r->image, &r->job[i].section, &values);
		*elements += 2ull * values.n;
	}
	return 0;
}

static int restore_gic(struct restoring *r, struct tern_failure *failure)
{
	struct gic_writes w = { 0 };
	uint64_t elements;
	unsigned int rank;
	uint32_t i;
	int ret;

	ret = find_affinities(r, &elements);
	if (ret)
		return fail(failure, ret, TERN_NO_VCPU, 0);
	w.reg = malloc(elements * sizeof(*w.reg) + 1);
	w.origin = malloc(elements * sizeof(*w.origin) + 1);
	if (!w.reg || !w.origin) {
		ret = fail(failure, -ENOMEM, TERN_NO_VCPU, 0);
	} else {
		for (rank = 0; rank < LIB_GIC_RANKS; rank++)
			for (i = r->nr_vcpus; i < r->nr_jobs; i++)
				add_gic_rank(r, &w, &r->job[i], rank);
		ret = write_gic(r->vm, &w, failure);
	}
	free(w.origin);
	free(w.reg);
	return ret;
}

/* All */

static int prepare(struct restoring *r)
{
	const struct tern_image *top = r->image;
	int ret;

	r->job = calloc(top->nr_sections + 1, sizeof(*r->job));
	if (!r->job)
		return -ENOMEM;
	ret = add_jobs(r, true);
	r->nr_vcpus = r->nr_jobs;
	if (!ret)
		ret = add_jobs(r, false);
	choose_counter(r);
	return ret ? ret : lib_work(r->vm->threads, r->nr_jobs, check_job, r);
}

static int write_all(struct restoring *r, struct tern_failure *failure)
{
	int ret = 0;

	if (r->nr_vcpus)
		ret = restore_vcpu(r, 0);
	if (!ret && r->nr_vcpus > 1)
		ret = lib_work(r->vm->threads, r->nr_vcpus - 1, vcpu_job, r);
	if (!ret && r->nr_jobs > r->nr_vcpus)
		ret = restore_gic(r, failure);
	return ret;
}

static void first_failure(const struct restoring *r,
			  struct tern_failure *failure)
{
	uint32_t i;

	for (i = 0; r->job && !failure->error && i < r->nr_jobs; i++)
		if (r->job[i].failure.error)
			*failure = r->job[i].failure;
}

int lib_restore(const struct tern_vm *vm, const void *image,
		struct tern_failure *failure)
{
	struct restoring r = { .vm = vm, .image = image };
	int ret = vm->nr_vcpus ? prepare(&r) : -ENOENT;

	if (!ret)
		ret = write_all(&r, failure);
	if (ret) {
		first_failure(&r, failure);
		if (!failure->error)
			fail(failure, ret, TERN_NO_VCPU, 0);
		ret = failure->error;
	}
	free(r.job);
	return ret;
}
