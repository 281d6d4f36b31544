// SPDX-License-Identifier: GPL-2.0
/*
 * Register maps as tables, and the registers that distributor and
 * redistributors have in common. See access.h.
 */
#include <linux/kernel.h>
#include <linux/nospec.h>
#include "access.h"
#include "queue.h"
#include "regs.h"

int vgic_reg_access(const struct vgic_access *a, const struct vgic_regs *regs, bool write, u64 *val)
{
	const struct vgic_reg *r = vgic_reg_find(a->g, regs, a->off, a->len);
	struct vgic_access in = *a;

	if (r && r->bits && !a->c && vgic_first_intid(r, a->off) < VGIC_PRIVATE)
		r = NULL;
	if (r)
		in.off -= r->off;
	if (write)
		return r && r->write ? r->write(&in, *val) : 0;
	*val = r && r->read ? r->read(&in) : 0;
	if (in.len < 8)
		*val &= BIT_ULL(8 * in.len) - 1;
	return 0;
}

/* Registers of one bit an interrupt: the bank of the word */
static u32 bank_no(const struct vgic_access *a)
{
	return a->off / 4;
}

static struct vgic_bank *bank(const struct vgic_access *a, u32 b)
{
	return a->c ? &a->c->own : &a->g->spi[array_index_nospec(b - 1, VGIC_BANKS - 1)];
}

static void poke(const struct vgic_access *a, u32 b, u32 mask)
{
	if (a->c)
		vgic_poke(a->c, BIT(0));
	else
		vgic_poke_spis(a->g, b, mask);
}

/* Also of the host's view, if one of @mask is mapped. The client's accesses leave that alone. */
static void poke_hw(const struct vgic_access *a, u32 mask)
{
	if (a->c && !a->user && a->c->hwmap & mask)
		vgic_poke(a->c, VGIC_TODO_HW);
}

u64 vgic_read_group(const struct vgic_access *a)
{
	return (u32)atomic_read(&bank(a, bank_no(a))->group);
}

int vgic_write_group(const struct vgic_access *a, u64 val)
{
	vgic_assign(&bank(a, bank_no(a))->group, ~0U, val);
	poke(a, bank_no(a), ~0U);
	return 0;
}

u64 vgic_read_enable(const struct vgic_access *a)
{
	return (u32)atomic_read(&bank(a, bank_no(a))->enable);
}

int vgic_write_senable(const struct vgic_access *a, u64 val)
{
	atomic_fetch_or(val, &bank(a, bank_no(a))->enable);
	/* The guest may have changed the device while its interrupt was disabled. */
	poke_hw(a, val);
	poke(a, bank_no(a), val);
	return 0;
}

int vgic_write_cenable(const struct vgic_access *a, u64 val)
{
	atomic_fetch_andnot(val, &bank(a, bank_no(a))->enable);
	poke(a, bank_no(a), val);
	return 0;
}

/*
 * The client saves and restores the latch here and the lines through
 * KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO; its write sets the whole word, so ICPENDR
 * has nothing to say (Documentation/virt/kvm/devices/arm-vgic-v3.rst).
 */
u64 vgic_read_spend(const struct vgic_access *a)
{
	struct vgic_bank *k = bank(a, bank_no(a));

	return a->user ? (u32)atomic_read(&k->latch) : vgic_bank_pending(k);
}

int vgic_write_spend(const struct vgic_access *a, u64 val)
{
	struct vgic_bank *k = bank(a, bank_no(a));

	if (a->user)
		vgic_assign(&k->latch, ~0U, val);
	else
		atomic_fetch_or(val, &k->latch);
	poke_hw(a, val);
	poke(a, bank_no(a), val);
	return 0;
}

u64 vgic_read_cpend(const struct vgic_access *a)
{
	return a->user ? 0 : vgic_bank_pending(bank(a, bank_no(a)));
}

/* A pending state that is in a list register must come back before it can be cleared. */
int vgic_write_cpend(const struct vgic_access *a, u64 val)
{
	u32 b = bank_no(a);

	if (a->user)
		return 0;
	mutex_lock(&a->g->lock);
	vgic_halt(a->g, a->c, b, val);
	atomic_fetch_andnot(val, &bank(a, b)->latch);
	vgic_resume(a->g);
	mutex_unlock(&a->g->lock);
	poke_hw(a, val);
	return 0;
}

#define WORDS_LEN	0x80	/* of an array of one bit an interrupt */

bool vgic_set_clear(bool redist, u32 offset, u32 *set, u32 *clear)
{
	u32 base = redist ? R_SGI : 0, in = offset - base, n = in % WORDS_LEN;

	if (in - D_ISENABLER < 2 * WORDS_LEN)
		in = D_ISENABLER;
	else if (in - D_ISACTIVER < 2 * WORDS_LEN)
		in = D_ISACTIVER;
	else
		return false;
	*set = base + in + n;
	*clear = *set + WORDS_LEN;
	return true;
}

/* The client comes when no vCPU runs: every interrupt is in its bank. */
u64 vgic_read_active(const struct vgic_access *a)
{
	u32 b = bank_no(a), val;

	if (a->user)
		return (u32)atomic_read(&bank(a, b)->active);
	mutex_lock(&a->g->lock);
	vgic_halt(a->g, a->c, b, ~0U);
	val = atomic_read(&bank(a, b)->active);
	vgic_resume(a->g);
	mutex_unlock(&a->g->lock);
	return val;
}

static int change_active(const struct vgic_access *a, u32 mask, bool active)
{
	/* The host's half of a mapped interrupt cannot be seen, let alone restored, by the client. */
	if (a->user && a->c)
		mask &= ~a->c->hwmap;
	if (!mask)
		return 0;
	mutex_lock(&a->g->lock);
	if (!a->user)
		vgic_halt(a->g, a->c, bank_no(a), mask);
	if (active)
		vgic_activate(a->g, a->c, bank_no(a), mask);
	else
		vgic_deactivate(a->g, a->c, bank_no(a), mask);
	if (!a->user)
		vgic_resume(a->g);
	mutex_unlock(&a->g->lock);
	return 0;
}

int vgic_write_sactive(const struct vgic_access *a, u64 val)
{
	return change_active(a, val, true);
}

int vgic_write_cactive(const struct vgic_access *a, u64 val)
{
	return change_active(a, val, false);
}

u64 vgic_read_prio(const struct vgic_access *a)
{
	return vgic_bank_prio(bank(a, a->off / 32), a->off % 32, a->len);
}

int vgic_write_prio(const struct vgic_access *a, u64 val)
{
	vgic_bank_set_prio(bank(a, a->off / 32), a->off % 32, a->len, val);
	return 0;
}

u64 vgic_read_cfg(const struct vgic_access *a)
{
	return vgic_bank_cfg(bank(a, a->off / 8), a->off / 4 % 2);
}

/* SGIs are edge-triggered by the architecture, PPIs level-triggered by decision: the timers rely on it. */
int vgic_write_cfg(const struct vgic_access *a, u64 val)
{
	if (a->c)
		return 0;
	vgic_bank_set_cfg(bank(a, a->off / 8), a->off / 4 % 2, val);
	poke(a, a->off / 8, 0xffffU << a->off / 4 % 2 * 16);
	return 0;
}

u64 vgic_read_idregs(const struct vgic_access *a)
{
	return a->off == D_PIDR2 - D_IDREGS ? PIDR2_GICV3 : 0;
}

u64 vgic_part(const struct vgic_access *a, u64 whole)
{
	return whole >> 8 * (a->off & 7);
}

u64 vgic_merge(const struct vgic_access *a, u64 whole, u64 val)
{
	unsigned int shift = 8 * (a->off & 7);

	if (a->len == 8)
		return val;
	return (whole & ~(0xffffffffULL << shift)) | (val & 0xffffffffULL) << shift;
}
