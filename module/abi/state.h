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

/* gic_state.c. All vCPUs are claimed and vm->lock is held, unless said otherwise. */

#define GIC_NAME(group, low)	((u64)(group) << 32 | (low))
#define GIC_CPU_NAMES_MAX	64
#define GIC_DIST_NAMES_MAX	2048

/* Names are written in several passes over all vCPUs, so that their order is no matter */
#define GIC_PHASES 4

/**
 * struct gic_reg - a register of a list
 * @at:    number of its value
 * @word:  place in struct vgic or struct vgic_cpu of the 32 bits that it reads as; 0: it has none
 * @picky: may refuse values
 */
struct gic_reg {
	u32 low;
	u16 at;
	u16 word;
	u8 group;
	u8 picky;
};

/** struct gic_list - names, looked up once; @reg: those of phase p end before @end[p] */
struct gic_list {
	u32 n;
	bool dist;
	u32 end[GIC_PHASES];
	struct gic_reg reg[];
};

/* Names of what tern saves, host order. Any context. Return: how many */
u32 gic_dist_names(const struct vgic *g, u64 *names);
u32 gic_cpu_names(const struct vgic *g, u64 *names);

/**
 * gic_list_make() - of @n names, at most 65535; @dist: of the distributor's part, or of a vCPU's
 * Return: the list, to be freed by kvfree(), or an error pointer: -ENOENT, -ENOMEM; then @failed is the name
 */
struct gic_list *gic_list_make(struct vgic *g, bool dist, const __le64 *names, u32 n, u64 *failed);

/** gic_list_own() - of names that are tern's own. Return: the list, or NULL: -ENOMEM */
struct gic_list *gic_list_own(struct vgic *g, bool dist, const __le64 *names, u32 n);

/** gic_read() - the values in the names' order; @c: of this vCPU, or NULL: the distributor's */
void gic_read(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, __le64 *to);

/** gic_check() - can gic_write() set these values? Return: 0, -EINVAL, -ENOMEM */
int gic_check(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u64 *failed);

/** gic_write() - those of phase @phase. After gic_check() it does not fail. */
void gic_write(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u32 phase);

/** gic_reroute() - MPIDRs have changed: SPIs find their targets anew */
void gic_reroute(struct tern_vm *vm);

#endif
