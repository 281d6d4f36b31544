// SPDX-License-Identifier: GPL-2.0
/* The GIC restored by register, all parts of it rank by rank. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gic.h"
#include "restore.h"

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

static bool is_lpi_table(uint64_t id)
{
	id &= ~UINT64_C(4);
	return id == LIB_GIC_ID(GIC_REDIST, GICR_PROPBASER) ||
	       id == LIB_GIC_ID(GIC_REDIST, GICR_PENDBASER);
}

static bool gic_has_value(int gic, const struct tern_vgic_reg *reg)
{
	struct tern_vgic_reg now = *reg;
	uint32_t failed;

	return !lib_gic_regs(gic, false, false, &now, 1, &failed) &&
	       now.val == reg->val;
}

/*
 * Where LPIs are enabled, their tables cannot be written, nor are pending LPIs
 * read from guest memory: they are disabled before all else.
 */
static bool disables_lpis(const struct restoring *r, const struct job *job,
			  const struct lib_values *values, uint32_t at)
{
	const uint64_t *value = values->first;
	struct tern_vgic_reg reg;
	uint32_t i;

	if (values->id[at] != LIB_GIC_ID(GIC_REDIST, GICR_CTLR))
		return false;
	if (!(value[at] & GICR_CTLR_LPIS) || lib_its_among(r->vm, r->image))
		return true;
	for (i = 0; i < values->n; i++) {
		reg = lib_gic_reg(values->id[i], job->aff, value[i]);
		if (is_lpi_table(values->id[i]) &&
		    !gic_has_value(r->vm->gic, &reg))
			return true;
	}
	return false;
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
		if (!rank && disables_lpis(r, job, &values, i))
			add_gic_write(w, job, values.id[i], 0);
		if (lib_gic_rank(values.id[i], &clear) != rank)
			continue;
		if (clear)
			add_gic_write(w, job, clear, UINT32_MAX);
		add_gic_write(w, job, values.id[i], value[i]);
	}
}

static int write_gic(const struct restoring *r, struct gic_writes *w,
		     struct tern_failure *failure)
{
	const struct tern_vm *vm = r->vm;
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
			return lib_fail(failure, ret, TERN_NO_VCPU, 0);
		if (!r->forced && !gic_has_value(vm->gic, &w->reg[failed]))
			return lib_fail(failure, ret == -ENXIO ? -ENOENT : ret,
					w->origin[failed].vcpu,
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

int lib_restore_gic(struct restoring *r, struct tern_failure *failure)
{
	struct gic_writes w = { 0 };
	uint64_t elements;
	unsigned int rank;
	uint32_t i;
	int ret;

	r->gic_written = true;
	ret = find_affinities(r, &elements);
	if (ret)
		return lib_fail(failure, ret, TERN_NO_VCPU, 0);
	w.reg = malloc(elements * sizeof(*w.reg) + 1);
	w.origin = malloc(elements * sizeof(*w.origin) + 1);
	if (!w.reg || !w.origin) {
		ret = lib_fail(failure, -ENOMEM, TERN_NO_VCPU, 0);
	} else {
		for (rank = 0; rank < LIB_GIC_RANKS; rank++)
			for (i = r->nr_vcpus; i < r->nr_jobs; i++)
				add_gic_rank(r, &w, &r->job[i], rank);
		ret = write_gic(r, &w, failure);
	}
	free(w.origin);
	free(w.reg);
	return ret;
}

