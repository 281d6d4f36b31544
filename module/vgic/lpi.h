/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LPIs: message interrupts, which have a pending bit in the redistributor of
 * one vCPU, an enable bit and a priority in a table of the guest's, and no
 * active state (Arm IHI 0069, chapter 5).
 *
 * Pending bits are words of the vCPU's, changed by atomic bit operations in
 * any context. What the guest's property table says is cached for the VM, and
 * read again when the guest says that it changed. A vCPU whose LPIs have never
 * been enabled has neither.
 *
 * A pending bit is with the vCPU that the ITS sends the LPI to. Who changes
 * that does so in this order: the ITS's map, vgic.lpi_maps (a full barrier),
 * then the bits, with the vCPU halted so that they are not in its list
 * registers. Who raises an LPI reads lpi_maps, the map, writes the bit, and
 * reads lpi_maps again: either it sees the change and takes the bit back, or
 * the other sees the bit.
 */
#ifndef TERN_VGIC_LPI_H
#define TERN_VGIC_LPI_H

#include "vgic.h"

#define LPI_BASE	8192U
#define LPI_ID_BITS	16
#define LPI_MAX		((1U << LPI_ID_BITS) - LPI_BASE)
#define LPI_LONGS	BITS_TO_LONGS(LPI_MAX)

/**
 * struct vgic_lpis - the pending bits of one vCPU, INTID LPI_BASE first
 * @summary: a bit for each word of @pending that may not be 0
 */
struct vgic_lpis {
	unsigned long pending[LPI_LONGS];
	unsigned long summary[BITS_TO_LONGS(LPI_LONGS)];
};

/**
 * struct vgic_lpi_props - the guest's property table
 * @prio8: @prio by words
 */
struct vgic_lpi_props {
	unsigned long enable[LPI_LONGS];
	union {
		u8 prio[LPI_MAX];
		__le64 prio8[LPI_MAX / sizeof(u64)];
	};
};

/** vgic_lpi_switch() - GICR_CTLR.EnableLPIs; vgic.lock held, vCPUs' memory readable. Return: 0 or -ENOMEM */
int vgic_lpi_switch(struct vgic_cpu *c, bool on);

/** vgic_lpi_limit() - LPIs are below this INTID, by GICR_PROPBASER.IDbits */
u32 vgic_lpi_limit(const struct vgic *g);

/* Raising, any context. _post: false when LPIs are off; _unpost: false when the vCPU has it already. */
bool vgic_lpi_post(struct vgic_cpu *c, u32 intid);
bool vgic_lpi_unpost(struct vgic_cpu *c, u32 intid);
/** vgic_lpi_poke() - @c must look at its LPIs, of which @intid became pending or was enabled */
void vgic_lpi_poke(struct vgic_cpu *c, u32 intid);

/** vgic_lpi_remapped() - an ITS's map has changed; before what follows */
void vgic_lpi_remapped(struct vgic *g);
/** vgic_lpi_drop() - no longer pending, and not in the list registers either; takes vgic.lock */
void vgic_lpi_drop(struct vgic_cpu *c, u32 intid);
/** vgic_lpi_move() - pending LPIs of @mask (NULL: all) go to another vCPU; takes vgic.lock */
void vgic_lpi_move(struct vgic_cpu *from, struct vgic_cpu *to, const unsigned long *mask);
void vgic_lpi_move_one(struct vgic_cpu *from, struct vgic_cpu *to, u32 intid);

/** vgic_lpi_reread() - the guest changed the properties of @intid, which goes to @c (or NULL: unknown) */
int vgic_lpi_reread(struct vgic *g, struct vgic_cpu *c, u32 intid);
/** vgic_lpi_reread_all() - ... of any; vgic.lock held */
void vgic_lpi_reread_all(struct vgic *g);

/* The pending tables in guest memory: one bit back into @c, and all of all vCPUs out. 0 or -EFAULT */
int vgic_lpi_load_one(struct vgic_cpu *c, u32 intid);

/* For the list registers: the vCPU's own thread */

/** vgic_lpi_next() - the first deliverable LPI from @intid on, or 0 */
u32 vgic_lpi_next(struct vgic_cpu *c, u32 intid);
/** vgic_lpi_take() - pending no more: it goes into a list register. Return: it still was */
bool vgic_lpi_take(struct vgic_cpu *c, u32 intid);
/** vgic_lpi_put() - unacknowledged, so pending again */
void vgic_lpi_put(struct vgic_cpu *c, u32 intid);
u32 vgic_lpi_prio(const struct vgic_cpu *c, u32 intid);

#endif
