/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of an ITS as one structure (uapi/tern.h, little-endian). All vCPUs
 * are out of KVM_RUN and stay out.
 */
#ifndef TERN_VGIC_ITS_STATE_H
#define TERN_VGIC_ITS_STATE_H

#include "../../uapi/tern.h"
#include "vgic.h"

/** vgic_its_list() - a VM's ITSes in the order in which they were made. Return: how many, or -E2BIG */
int vgic_its_list(struct vgic *g, struct vgic_its **to, u32 max);

/** vgic_its_get_state() - its registers; what it maps is vgic_its_save()'s */
void vgic_its_get_state(struct vgic_its *its, struct tern_its *to);

/** vgic_its_check_state() - Return: 0, -EBUSY it is in use, -EINVAL: register *@reg cannot have this value */
int vgic_its_check_state(struct vgic_its *its, const struct tern_its *from, u32 *reg);

/**
 * vgic_its_set_state() - after vgic_its_check_state(): registers, and the maps from guest memory; it is left disabled
 * Return: 0, or that of vgic_its_restore_maps(): then vgic_its_undo_state() is due
 */
int vgic_its_set_state(struct vgic_its *its, const struct tern_its *from);

/** vgic_its_undo_state() - it maps nothing, and its registers are @old */
void vgic_its_undo_state(struct vgic_its *its, const struct tern_its *old);

/** vgic_its_start_state() - the redistributors are as they shall be: pending LPIs, and GITS_CTLR */
void vgic_its_start_state(struct vgic_its *its, const struct tern_its *from);

#endif
