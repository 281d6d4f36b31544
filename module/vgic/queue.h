/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Banks <-> list registers, and who must look at a bank again.
 */
#ifndef TERN_VGIC_QUEUE_H
#define TERN_VGIC_QUEUE_H

#include "bank.h"

/** vgic_bank_of() - bank @b as vCPU @c sees it */
static inline struct vgic_bank *vgic_bank_of(struct vgic_cpu *c, u32 b)
{
	return b ? &c->vgic->spi[b - 1] : &c->own;
}

/** vgic_nr_cpus() - vCPUs whose cpu[] pointer may be followed */
static inline u32 vgic_nr_cpus(const struct vgic *g)
{
	return smp_load_acquire(&g->nr_cpus);
}

/** vgic_poke() - vCPU @c must look at @banks (bits of todo) again; any context */
void vgic_poke(struct vgic_cpu *c, u64 banks);

/** vgic_spi_server() - the holder of SPI @mask of bank @b, else its target, or NULL */
struct vgic_cpu *vgic_spi_server(struct vgic *g, u32 b, u32 mask);

void vgic_poke_spi(struct vgic *g, u32 b, u32 mask);

/** vgic_poke_spis() - the same for whoever holds, or else is the target of, those SPIs of @mask that
 *  are pending, active or held */
void vgic_poke_spis(struct vgic *g, u32 b, u32 mask);

/** vgic_claim() - for @c's list registers; @c's own thread, or halted. Return: false when another vCPU has it */
bool vgic_claim(struct vgic_cpu *c, u32 b, u32 mask);

/** vgic_release() - @c gives SPI @mask up, to whoever it concerns now
 *  @self: the vCPU whose thread this is: it needs no kick; or NULL */
void vgic_release(struct vgic_cpu *c, u32 b, u32 mask, struct vgic_cpu *self);

/**
 * vgic_halt() - every vCPU that may have an interrupt of @mask in its list registers is outside
 * the guest, and stays there, until vgic_resume()
 * @c: the vCPU whose private bank it is, or NULL for SPI bank @b
 * Under vgic.lock. No sleep until vgic_resume().
 */
void vgic_halt(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask);
void vgic_resume(struct vgic *g);

/* Active state by register write; halted. For SPIs also the claims that go with it. */
void vgic_activate(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask);
void vgic_deactivate(struct vgic *g, struct vgic_cpu *c, u32 b, u32 mask);

/** vgic_reroute() - SPI @n (INTID - 32) goes to the vCPU whose affinity is irouter[n]; vgic.lock held
 *  @move: no vCPU runs, so an active SPI moves too */
void vgic_reroute(struct vgic *g, u32 n, bool move);

#endif
