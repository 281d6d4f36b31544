// SPDX-License-Identifier: GPL-2.0
/*
 * Thirty-two interrupts as words. See bank.h.
 */
#include <linux/string.h>
#include "bank.h"
#include "regs.h"

void vgic_bank_reset(struct vgic_bank *k)
{
	memset(k, 0, sizeof(*k));
	atomic_set(&k->group, ~0U);
}

bool vgic_bank_drive(struct vgic_bank *k, u32 mask, bool level)
{
	if (atomic_read(&k->edge) & mask) {
		if (level)
			atomic_fetch_or(mask, &k->latch);
		return level;
	}
	if (level)
		return !(atomic_fetch_or(mask, &k->line) & mask);
	atomic_fetch_andnot(mask, &k->line);
	return false;
}

/* Spread sixteen bits to the odd positions of a word, ICFGR's edge bits. */
static u32 spread(u32 v)
{
	v = (v | v << 8) & 0x00ff00ff;
	v = (v | v << 4) & 0x0f0f0f0f;
	v = (v | v << 2) & 0x33333333;
	v = (v | v << 1) & 0x55555555;
	return v << 1;
}

static u32 gather(u32 v)
{
	v = v >> 1 & 0x55555555;
	v = (v | v >> 1) & 0x33333333;
	v = (v | v >> 2) & 0x0f0f0f0f;
	v = (v | v >> 4) & 0x00ff00ff;
	return (v | v >> 8) & 0xffff;
}

u32 vgic_bank_cfg(const struct vgic_bank *k, unsigned int half)
{
	return spread((u32)atomic_read(&k->edge) >> 16 * half & 0xffff);
}

void vgic_bank_set_cfg(struct vgic_bank *k, unsigned int half, u32 val)
{
	vgic_assign(&k->edge, 0xffffU << 16 * half, gather(val) << 16 * half);
}

u32 vgic_bank_prio(const struct vgic_bank *k, unsigned int first, unsigned int len)
{
	u32 val = 0;
	unsigned int i;

	for (i = 0; i < len; i++)
		val |= (u32)READ_ONCE(k->prio[first + i]) << 8 * i;
	return val;
}

void vgic_bank_set_prio(struct vgic_bank *k, unsigned int first, unsigned int len, u32 val)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		WRITE_ONCE(k->prio[first + i], val >> 8 * i & PRIO_MASK);
}
