/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The redistributors' register map, and where they are.
 */
#ifndef TERN_VGIC_REDIST_H
#define TERN_VGIC_REDIST_H

#include "vgic.h"

/** vgic_redist_access() - Return: 0 or -EINVAL (client only) */
int vgic_redist_access(struct vgic_cpu *c, u32 off, u32 len, bool user, bool write, u64 *val);

/** vgic_redist_reset() - SGIs and PPIs as after reset */
void vgic_redist_reset(struct vgic_cpu *c);

/** vgic_redist_at() - the vCPU whose redistributor covers @ipa, or NULL; @off in it */
struct vgic_cpu *vgic_redist_at(struct vgic *g, u64 ipa, u32 *off);

/** vgic_redist_placed() - does the vCPU with index @index have an address? */
bool vgic_redist_placed(const struct vgic *g, u32 index);

/** vgic_redist_settle() - the layout stands from now on: every vCPU learns its place; vgic.lock held */
void vgic_redist_settle(struct vgic *g);

/** vgic_layout_ok() - nothing overlaps, wraps or leaves the guest's address space */
bool vgic_layout_ok(const struct vgic *g);

/** vgic_check_range() - Return: 0, -EINVAL unaligned or wrapping, -E2BIG beyond the address space */
int vgic_check_range(const struct vgic *g, u64 base, u64 size);

#endif
