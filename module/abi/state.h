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

/* gic_state.c. All vCPUs are claimed and vm->lock is held. */

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
