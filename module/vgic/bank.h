/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thirty-two interrupts as words.
 */
#ifndef TERN_VGIC_BANK_H
#define TERN_VGIC_BANK_H

#include "vgic.h"

/** vgic_bank_pending() - as ISPENDR shows it: a level interrupt follows its line, an edge one only the latch */
static inline u32 vgic_bank_pending(const struct vgic_bank *k)
{
	return atomic_read(&k->latch) | (atomic_read(&k->line) & ~atomic_read(&k->edge));
}

/** vgic_bank_reset() - everything off, group 1, level-triggered */
void vgic_bank_reset(struct vgic_bank *k);

/** vgic_bank_drive() - the input line moves. Return: the interrupt may have become pending. */
bool vgic_bank_drive(struct vgic_bank *k, u32 mask, bool level);

/* ICFGR: two bits an interrupt, sixteen interrupts a register; @half selects 15:0 or 31:16 */
u32 vgic_bank_cfg(const struct vgic_bank *k, unsigned int half);
void vgic_bank_set_cfg(struct vgic_bank *k, unsigned int half, u32 val);

/* IPRIORITYR: @len bytes from interrupt @first */
u32 vgic_bank_prio(const struct vgic_bank *k, unsigned int first, unsigned int len);
void vgic_bank_set_prio(struct vgic_bank *k, unsigned int first, unsigned int len, u32 val);

/** vgic_assign() - word := (word & ~mask) | (val & mask), each bit in one atomic step, full barrier */
static inline void vgic_assign(atomic_t *word, u32 mask, u32 val)
{
	atomic_fetch_or(val & mask, word);
	atomic_fetch_andnot(~val & mask, word);
}

#endif
