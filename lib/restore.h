/* SPDX-License-Identifier: GPL-2.0 */
/* What the files that restore by register know of each other. */
#ifndef TERN_RESTORE_H
#define TERN_RESTORE_H

#include "lib.h"

/* A section of values, and what it goes to */
struct job {
	struct lib_section section;
	const struct lib_vcpu *vcpu;
	uint64_t aff;
	struct tern_failure failure;
};

struct restoring {
	const struct tern_vm *vm;
	const void *image;
	bool forced;		/* what is refused is passed over */
	uint32_t nr_jobs;
	struct job *job;	/* vCPUs in the image's order, then the GIC's */
	uint32_t nr_vcpus;
	bool has_counter;
	uint64_t counter;
	/* what has begun, so is to be undone */
	bool vcpus_written, gic_written;
};

HIDDEN int lib_fail(struct tern_failure *failure, int error, uint32_t vcpu,
		    uint64_t id);

/*
 * restore_vcpu.c: registers of all vCPUs; then, when nothing else can fail,
 * what KVM has beside registers, part of which cannot be undone
 */
HIDDEN int lib_restore_regs(struct restoring *r);
HIDDEN int lib_restore_states(struct restoring *r);
/* what lib_restore_states() would be refused */
HIDDEN int lib_check_states(const struct restoring *r, struct job *job);
HIDDEN void lib_choose_counter(struct restoring *r);

/* restore_gic.c: after the vCPUs' registers, which have the affinities */
HIDDEN int lib_restore_gic(struct restoring *r, struct tern_failure *failure);

#endif
