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

#endif
