/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The distributor's register map.
 */
#ifndef TERN_VGIC_DIST_H
#define TERN_VGIC_DIST_H

#include "vgic.h"

/** vgic_dist_access() - Return: 0 or -EINVAL (client only) */
int vgic_dist_access(struct vgic *g, u32 off, u32 len, bool user, bool write, u64 *val);

/** vgic_dist_reset() - as after reset, with SPIs routed to the first vCPU; vgic.lock held */
void vgic_dist_reset(struct vgic *g);

#endif
