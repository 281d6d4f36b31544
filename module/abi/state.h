/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of TERN_GET_STATE and TERN_SET_STATE. For abi/ only.
 */
#ifndef TERN_ABI_STATE_H
#define TERN_ABI_STATE_H

#include "../../uapi/tern.h"
#include "../vcpu/image.h"
#include "../vcpu/sve.h"
#include "../vcpu/vm.h"
#include "gic_list.h"

/* state_get.c, state_set.c: @s's size, failed and failed_id are out. Return: 0 or a negative errno */
int state_get(struct tern_vm *vm, struct tern_state *s);
int state_set(struct tern_vm *vm, struct tern_state *s);

/** state_ready_vcpu() - claimed: a reset that CPU_ON owes it is part of its state. Return: 0, -ENOEXEC or -EPERM */
static inline int state_ready_vcpu(struct tern_vcpu *v)
{
	if (!v->initialized)
		return -ENOEXEC;
	if (!vcpu_sve_ready(v))
		return -EPERM;
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
	return 0;
}

/* state_its.c. All vCPUs are claimed and vm->lock is held, but for finding and sorting. */

/** struct state_its - a VM's ITSes, in the order in which they were made */
struct state_its {
	u32 nr;
	struct vgic_its *its[TERN_STATE_MAX_ITS];
};

/**
 * struct state_its_set - ITSes of an image
 * @done: how many have been set; @old: what they were
 */
struct state_its_set {
	u32 nr;
	u32 done;
	struct vgic_its *its[TERN_STATE_MAX_ITS];
	const struct image_part *part[TERN_STATE_MAX_ITS];
	struct tern_its old[TERN_STATE_MAX_ITS];
};

/** state_its_find() - Return: 0, -ENODEV none, -ENXIO one has no address, -EINVAL too many */
int state_its_find(struct tern_vm *vm, struct state_its *f);
/** state_its_size() - of the payloads of their sections */
u64 state_its_size(const struct state_its *f);
/** state_its_save() - maps and pending LPIs go to guest memory. Return: 0, -EINVAL, -EFAULT */
int state_its_save(struct tern_vm *vm, const struct state_its *f);
/** state_its_put() - sections. Return: where they end */
void *state_its_put(const struct state_its *f, void *at);

/** state_its_sort() - a section is to be set. Return: 0, -EEXIST, or as state_its_find() when it means none */
int state_its_sort(struct state_its_set *s, struct tern_vm *vm, const struct image_part *p);
/** state_its_check() - Return: 0, -EBUSY, -EINVAL: register *@failed of section *@bad */
int state_its_check(struct state_its_set *s, const struct image_part **bad, u64 *failed);
/** state_its_set() - they are disabled and map what guest memory says. Return: 0, or that of *@bad: nothing has changed */
int state_its_set(struct state_its_set *s, const struct image_part **bad);
/** state_its_undo() - they are as before state_its_set() */
void state_its_undo(struct state_its_set *s);
/** state_its_start() - the redistributors are set: LPIs pend, and ITSes are enabled */
void state_its_start(struct state_its_set *s);

/* gic_state.c. All vCPUs are claimed and vm->lock is held. */

/** gic_disable_lpis() - and none pends any more */
void gic_disable_lpis(struct vgic_cpu *c);


/** gic_read() - the values in the names' order; @c: of this vCPU, or NULL: the distributor's */
void gic_read(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, __le64 *to);

/** gic_check_one() - of a picky register that there is: can it be set to @val? Return: 0, -EINVAL, -ENOMEM */
int gic_check_one(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, u64 val);

/** gic_check() - can gic_write() set these values? Return: 0, -EINVAL, -ENOMEM */
int gic_check(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u64 *failed);

/** gic_write() - those of phase @phase. After gic_check() it does not fail. */
void gic_write(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u32 phase);

/** gic_reroute() - MPIDRs have changed: SPIs find their targets anew */
void gic_reroute(struct tern_vm *vm);

#endif
