/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client's accesses to words of banks.
 */
#ifndef TERN_VGIC_WORDS_H
#define TERN_VGIC_WORDS_H

#include "vgic.h"

/**
 * vgic_word_access() - the short way, no vCPU running
 * @c:  the redistributor's vCPU, or NULL: the distributor
 * @in: offset in the distributor's frame, or in the redistributor's second
 * Return: true when it is done, false: nothing is, the register maps know.
 */
bool vgic_word_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val);

/* Place in struct vgic or struct vgic_cpu of the 32 bits that such a register reads as, while no vCPU runs; 0: none */
u16 vgic_dist_word(const struct vgic *g, u32 offset);
u16 vgic_redist_word(u32 offset);

#endif
