/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The GIC's part of state images. For abi/ only. All vCPUs are claimed and
 * vm->lock is held, unless said otherwise.
 */
#ifndef TERN_ABI_STATE_H
#define TERN_ABI_STATE_H

#include "../vcpu/vm.h"

#define GIC_NAME(group, low)	((u64)(group) << 32 | (low))
#define GIC_CPU_NAMES_MAX	64
#define GIC_DIST_NAMES_MAX	2048

/* Names of what tern saves, host order. Any context. Return: how many */
u32 gic_dist_names(const struct vgic *g, u64 *names);
u32 gic_cpu_names(const struct vgic *g, u64 *names);

/** gic_read() - @n values of names at @names; @c: of this vCPU, or NULL: the distributor's */
void gic_read(struct tern_vm *vm, struct vgic_cpu *c, const __le64 *names, u32 n, __le64 *to);

/** gic_check() - are those names, and can gic_write() set these values? Return: 0, -ENOENT, -EINVAL, -ENOMEM */
int gic_check(struct tern_vm *vm, struct vgic_cpu *c, const __le64 *names, u32 n, const __le64 *from, u64 *failed);

/* Names are written in several passes over all vCPUs, so that their order is no matter */
#define GIC_PHASES 4
/** gic_write() - those of phase @phase. After gic_check() it does not fail. */
void gic_write(struct tern_vm *vm, struct vgic_cpu *c, const __le64 *names, u32 n, const __le64 *from, u32 phase);

/** gic_reroute() - MPIDRs have changed: SPIs find their targets anew */
void gic_reroute(struct tern_vm *vm);

#endif
