// SPDX-License-Identifier: GPL-2.0
/*
 * An ITS's registers as one structure. See its_state.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <asm/byteorder.h>
#include "its.h"
#include "its_state.h"
#include "regs.h"

int vgic_its_list(struct vgic *g, struct vgic_its **to, u32 max)
{
	struct vgic_its *its, *first = smp_load_acquire(&g->its);
	u32 n = 0, i;

	for (its = first; its; its = its->next)
		n++;
	if (n > max)
		return -E2BIG;
	/* The newest is the first of the list. */
	for (its = first, i = n; its; its = its->next)
		to[--i] = its;
	return n;
}

static u64 get(struct vgic_its *its, u32 reg)
{
	u64 val = 0;

	vgic_its_uaccess(its, reg, false, &val);
	return val;
}

static void set(struct vgic_its *its, u32 reg, u64 val)
{
	vgic_its_uaccess(its, reg, true, &val);
}

void vgic_its_get_state(struct vgic_its *its, struct tern_its *to)
{
	u32 n;

	to->ctlr = cpu_to_le32(get(its, ITS_CTLR));
	to->iidr = cpu_to_le32(get(its, ITS_IIDR));
	to->cbaser = cpu_to_le64(get(its, ITS_CBASER));
	to->cwriter = cpu_to_le64(get(its, ITS_CWRITER));
	to->creadr = cpu_to_le64(get(its, ITS_CREADR));
	for (n = 0; n < ARRAY_SIZE(to->baser); n++)
		to->baser[n] = cpu_to_le64(get(its, ITS_BASER + 8 * n));
	to->base = cpu_to_le64(vgic_its_base(its));
}

/* An offset in the command queue */
static bool in_queue(u64 cbaser, u64 offset)
{
	return !(offset & ~(u64)ITS_CMD_OFFSET) && offset < ((cbaser & BASER_SIZE_MASK) + 1) << 12;
}

/* A table whose layout is another cannot be read. */
static bool baser_ok(u32 n, u64 val)
{
	u64 fixed = BASER_RO | BASER_PAGE_MASK | (n == ITS_COLLECTIONS ? BASER_INDIRECT : 0);

	if (!(val & BASER_VALID))
		return true;
	return n < ITS_NR_BASERS && !((val ^ vgic_its_fixed_baser(n)) & fixed);
}

/* Without its tables it would stay disabled. */
static bool ctlr_ok(const struct tern_its *from)
{
	return !(le32_to_cpu(from->ctlr) & ITS_CTLR_ENABLE) ||
	       le64_to_cpu(from->cbaser & from->baser[ITS_DEVICES] & from->baser[ITS_COLLECTIONS]) & BASER_VALID;
}

static int check_values(const struct tern_its *from, u32 *reg)
{
	u64 cbaser = le64_to_cpu(from->cbaser);
	u32 n;

	if (!ctlr_ok(from))
		*reg = ITS_CTLR;
	else if (le32_to_cpu(from->iidr) & IIDR_REV_MASK)
		*reg = ITS_IIDR;
	else if (!in_queue(cbaser, le64_to_cpu(from->cwriter)))
		*reg = ITS_CWRITER;
	else if (!in_queue(cbaser, le64_to_cpu(from->creadr)))
		*reg = ITS_CREADR;
	else
		goto tables;
	return -EINVAL;
tables:
	for (n = 0; n < ARRAY_SIZE(from->baser); n++) {
		*reg = ITS_BASER + 8 * n;
		if (!baser_ok(n, le64_to_cpu(from->baser[n])))
			return -EINVAL;
	}
	return 0;
}

/* What it maps could not be put back. */
static bool in_use(struct vgic_its *its)
{
	bool used;

	mutex_lock(&its->lock);
	used = !xa_empty(&its->device) || !xa_empty(&its->event) || !xa_empty(&its->collection) ||
	       (its->enabled && its->creadr != its->cwriter);
	mutex_unlock(&its->lock);
	return used;
}

int vgic_its_check_state(struct vgic_its *its, const struct tern_its *from, u32 *reg)
{
	return in_use(its) ? -EBUSY : check_values(from, reg);
}

/* The queue's base resets its pointers, so it comes first. */
int vgic_its_set_state(struct vgic_its *its, const struct tern_its *from)
{
	u32 n;

	vgic_its_reset(its);
	set(its, ITS_CBASER, le64_to_cpu(from->cbaser));
	set(its, ITS_CREADR, le64_to_cpu(from->creadr));
	set(its, ITS_CWRITER, le64_to_cpu(from->cwriter));
	for (n = 0; n < ITS_NR_BASERS; n++)
		set(its, ITS_BASER + 8 * n, le64_to_cpu(from->baser[n]));
	return vgic_its_restore_maps(its);
}

/* Straight back: a register that nobody wrote reads otherwise than any that was. */
void vgic_its_undo_state(struct vgic_its *its, const struct tern_its *old)
{
	u32 n;

	mutex_lock(&its->lock);
	vgic_its_abandon(its);
	its->cbaser = le64_to_cpu(old->cbaser);
	its->creadr = le64_to_cpu(old->creadr);
	its->cwriter = le64_to_cpu(old->cwriter);
	for (n = 0; n < ITS_NR_BASERS; n++)
		its->baser[n] = le64_to_cpu(old->baser[n]);
	WRITE_ONCE(its->enabled, le32_to_cpu(old->ctlr) & ITS_CTLR_ENABLE);
	mutex_unlock(&its->lock);
}

/*
 * LPIs whose tables cannot be read are as those of a redistributor that is
 * enabled with such tables: not enabled, or not pending.
 */
void vgic_its_start_state(struct vgic_its *its, const struct tern_its *from)
{
	(void)vgic_its_load(its);
	set(its, ITS_CTLR, le32_to_cpu(from->ctlr));
}
