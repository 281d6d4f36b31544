// SPDX-License-Identifier: GPL-2.0
/*
 * Restore by register. All that can be found wrong beforehand is; what the
 * kernel refuses after that is undone, from an image of what is overwritten.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gic.h"
#include "restore.h"

int lib_fail(struct tern_failure *failure, int error, uint32_t vcpu,
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

/* The id of a register that the vCPU, or a GIC, does not have; 0 when none is */
static int find_missing(const struct job *job, const struct lib_values *values,
			uint64_t *id)
{
	bool dist = job->section.kind == TERN_SECTION_GIC_DIST;
	struct lib_list host = { 0 };
	uint32_t i;
	int ret = 0;

	if (!values->gic)
		ret = lib_list_regs(&host, job->vcpu->fd);
	if (!ret && !values->gic)
		qsort(host.id, host.n, sizeof(*host.id), by_id);
	for (i = 0; !ret && !*id && i < values->n; i++)
		if (values->gic ? !lib_gic_is_state(values->id[i], dist) :
		    !bsearch(&values->id[i], host.id, host.n, sizeof(*host.id),
			     by_id))
			*id = values->id[i];
	lib_list_fini(&host);
	return ret;
}

/* The lists that some vCPUs share are looked through once for each: short. */
static int check_ids(const struct restoring *r, struct job *job)
{
	uint32_t vcpu = job->section.kind == TERN_SECTION_GIC_DIST ?
		TERN_NO_VCPU : job->section.index;
	struct lib_list mine = { 0 };
	struct lib_values values;
	uint64_t id = 0;
	int ret;

	lib_section_values(r->image, &job->section, &values);
	ret = sorted_copy(&mine, &values);
	if (!ret)
		id = twice(&mine);
	lib_list_fini(&mine);
	if (id)
		return lib_fail(&job->failure, -EEXIST, vcpu, id);
	if (!ret)
		ret = find_missing(job, &values, &id);
	if (!ret && id)
		ret = -ENOENT;
	return ret ? lib_fail(&job->failure, ret, vcpu, id) : 0;
}

/* What the image has for a GIC register, or NULL */
static const uint64_t *gic_value(const struct restoring *r,
				 const struct job *job, uint64_t id)
{
	struct lib_values values;
	uint32_t i;

	lib_section_values(r->image, &job->section, &values);
	for (i = 0; i < values.n; i++)
		if (values.id[i] == id)
			return (const uint64_t *)values.first + i;
	return NULL;
}

/* GICD_TYPER.ITLinesNumber */
#define TYPER_LINES	0x1fu

/* Interrupts that are not there cannot be restored. */
static int check_interrupts(const struct restoring *r, struct job *job)
{
	uint64_t id = LIB_GIC_ID(GIC_DIST, GICD_TYPER);
	const uint64_t *value = gic_value(r, job, id);
	uint32_t now = 0;
	int ret;

	if (!value)
		return 0;
	ret = lib_gic_attr(r->vm->gic, false, GIC_DIST, GICD_TYPER, &now);
	if (ret >= 0 && ((now ^ *value) & TYPER_LINES))
		ret = -EINVAL;
	return ret < 0 ? lib_fail(&job->failure, ret, TERN_NO_VCPU, id) : 0;
}

/* KVM takes no more bits than there are, and none back: no write may fail. */
static int check_priorities(const struct restoring *r, struct job *job)
{
	uint64_t id = LIB_GIC_ID(GIC_SYSREGS, ICC_CTLR), aff, now = 0;
	const uint64_t *value = gic_value(r, job, id);
	int ret;

	if (!value)
		return 0;
	ret = lib_affinity(job->vcpu->fd, &aff);
	if (!ret)
		ret = lib_gic_attr(r->vm->gic, false, GIC_SYSREGS,
				   aff | ICC_CTLR, &now);
	if (ret >= 0 && (ICC_CTLR_PRIBITS(*value) > ICC_CTLR_PRIBITS(now) ||
			 ICC_CTLR_IDBITS(*value) > ICC_CTLR_IDBITS(now) ||
			 ((*value ^ now) & ICC_CTLR_SEIS_A3V)))
		ret = -EINVAL;
	return ret < 0 ? lib_fail(&job->failure, ret, job->section.index, id) :
		0;
}

static int check_job(void *arg, uint32_t i)
{
	const struct restoring *r = arg;
	struct job *job = &r->job[i];
	int ret = check_ids(r, job);

	if (!ret && job->section.kind == TERN_SECTION_VCPU)
		ret = lib_check_states(r, job);
	return ret;
}

/* Not beside other threads' calls: built-in KVM has EBUSY for these then. */
static int check_gic(const struct restoring *r)
{
	struct job *job;
	int ret = 0;

	for (job = r->job; !ret && job < r->job + r->nr_jobs; job++) {
		if (job->section.kind == TERN_SECTION_GIC_DIST)
			ret = check_interrupts(r, job);
		else if (job->section.kind == TERN_SECTION_GIC_CPU)
			ret = check_priorities(r, job);
	}
	return ret;
}

static int add_job(struct restoring *r, const struct lib_section *section)
{
	struct job *job = &r->job[r->nr_jobs];
	bool vcpus = section->kind != TERN_SECTION_GIC_DIST;

	job->section = *section;
	job->vcpu = vcpus ? lib_vcpu(r->vm, section->index) : r->vm->vcpu;
	if (!job->vcpu)
		return lib_fail(&job->failure, -ENOENT, section->index, 0);
	if (section->kind != TERN_SECTION_VCPU && r->vm->gic < 0)
		return lib_fail(&job->failure, -ENODEV, TERN_NO_VCPU, 0);
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
	lib_choose_counter(r);
	return ret;
}

/* What cannot be undone comes last, when nothing is left to fail. */
static int write_all(struct restoring *r, struct tern_failure *failure)
{
	int ret = lib_restore_regs(r);

	if (!ret && r->nr_jobs > r->nr_vcpus)
		ret = lib_restore_gic(r, failure);
	if (!ret)
		ret = lib_its_restore(r->vm, r->image);
	return ret ? ret : lib_restore_states(r);
}

static uint64_t host_counter(void)
{
	uint64_t now;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now) : : "memory");
	return now;
}

struct past {
	void *image;
	uint64_t when;
};

/*
 * The machine is as it was; its counter is where it would be had it gone on,
 * to the few microseconds that reading and writing it takes.
 */
static void undo(const struct restoring *failed, const struct past *past)
{
	struct restoring r = {
		.vm = failed->vm, .image = past->image, .forced = true,
	};
	struct tern_failure ignored = { 0 };

	if (!prepare(&r)) {
		r.counter += host_counter() - past->when;
		if (!failed->gic_written)
			r.nr_jobs = r.nr_vcpus;
		write_all(&r, &ignored);
	}
	free(r.job);
}

static int remember(const struct restoring *r, struct past *past)
{
	past->when = host_counter();
	return r->vm->no_undo ? 0 : lib_save_like(r->vm, r->image,
						  &past->image);
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
	struct past past = { 0 };
	int ret = vm->nr_vcpus ? prepare(&r) : -ENOENT;

	if (!ret)
		ret = lib_work(vm->threads, r.nr_jobs, check_job, &r);
	if (!ret)
		ret = check_gic(&r);
	if (!ret)
		ret = remember(&r, &past);
	if (!ret)
		ret = write_all(&r, failure);
	if (ret && past.image)
		undo(&r, &past);
	if (ret) {
		first_failure(&r, failure);
		if (!failure->error)
			lib_fail(failure, ret, TERN_NO_VCPU, 0);
		ret = failure->error;
	}
	free(past.image);
	free(r.job);
	return ret;
}
