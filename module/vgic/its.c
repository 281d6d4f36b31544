// SPDX-License-Identifier: GPL-2.0
/*
 * Life of an ITS, its register frame (Arm IHI 0069 12.19) and its command
 * queue. GITS_TRANSLATER is for devices, whose messages come through
 * vgic_msi(): a CPU that writes there has no DeviceID.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <asm/byteorder.h>
#include "../mem/copy.h"
#include "its.h"
#include "redist.h"
#include "regs.h"

/* The command queue */

static u32 queue_size(const struct vgic_its *its)
{
	return ((its->cbaser & BASER_SIZE_MASK) + 1) << 12;
}

/* A command that cannot be read is passed over (Arm IHI 0069 6.3.2). */
static void run_command(struct vgic_its *its)
{
	ipa_t ipa = { (its->cbaser & CBASER_ADDR) + its->creadr };
	__le64 word[ITS_CMD_SIZE / 8];
	u64 cmd[ARRAY_SIZE(word)];
	u32 i;

	if (!mem_read(its->g->mem, ipa, word, sizeof(word))) {
		for (i = 0; i < ARRAY_SIZE(word); i++)
			cmd[i] = le64_to_cpu(word[i]);
		vgic_its_command(its, cmd);
	}
	its->creadr += ITS_CMD_SIZE;
	if (its->creadr >= queue_size(its))
		its->creadr = 0;
}

/*
 * A queue may hold 32768 commands. A signal ends the work of a guest's write
 * early; the guest repeats the write when it comes back, and work goes on.
 */
static int run_commands(struct vgic_its *its, bool user)
{
	while (its->enabled && its->creadr != its->cwriter) {
		run_command(its);
		if (user ? fatal_signal_pending(current) : signal_pending(current))
			return its->creadr != its->cwriter ? -EAGAIN : 0;
		cond_resched();
	}
	return 0;
}

/* Registers: @n counts from the first of an array, @val is the whole register. Lock held. */

static u64 read_ctlr(struct vgic_its *its, u32 n)
{
	return (its->enabled ? ITS_CTLR_ENABLE : 0) | (its->creadr == its->cwriter ? ITS_CTLR_QUIESCENT : 0);
}

/* Without its tables an ITS stays off: to enable it then is UNPREDICTABLE. */
static int write_ctlr(struct vgic_its *its, u32 n, u64 val, bool user)
{
	bool on = val & ITS_CTLR_ENABLE;

	if (on && !its->enabled &&
	    !(its->baser[ITS_DEVICES] & its->baser[ITS_COLLECTIONS] & its->cbaser & BASER_VALID))
		return 0;
	WRITE_ONCE(its->enabled, on);
	vgic_lpi_remapped(its->g);
	return run_commands(its, user);
}

static u64 read_iidr(struct vgic_its *its, u32 n)
{
	return IIDR_PRODUCT | IIDR_ARM;	/* revision: that of the saved tables, 0 */
}

static int write_iidr(struct vgic_its *its, u32 n, u64 val, bool user)
{
	return user && val & IIDR_REV_MASK ? -EINVAL : 0;
}

static u64 read_typer(struct vgic_its *its, u32 n)
{
	return ITS_TYPER_PLPIS | (sizeof(u64) - 1) << ITS_TYPER_ITE_SHIFT |
	       (ITS_ID_BITS - 1) << ITS_TYPER_EVENT_SHIFT | (ITS_ID_BITS - 1) << ITS_TYPER_DEVICE_SHIFT;
}

static u64 read_cbaser(struct vgic_its *its, u32 n)
{
	return its->cbaser;
}

static int write_cbaser(struct vgic_its *its, u32 n, u64 val, bool user)
{
	if (its->enabled)
		return 0;
	its->cbaser = baser_sanitise(val, BASER_INNER_SHIFT, BASER_SHARE_SHIFT, BASER_OUTER_SHIFT) & ~CBASER_RES0;
	its->creadr = 0;
	its->cwriter = 0;
	return 0;
}

static u64 read_cwriter(struct vgic_its *its, u32 n)
{
	return its->cwriter;
}

static int write_cwriter(struct vgic_its *its, u32 n, u64 val, bool user)
{
	u32 off = val & ITS_CMD_OFFSET;

	if (off >= queue_size(its))
		return 0;
	its->cwriter = off;
	return run_commands(its, user);
}

static u64 read_creadr(struct vgic_its *its, u32 n)
{
	return its->creadr;
}

static int write_creadr(struct vgic_its *its, u32 n, u64 val, bool user)
{
	u32 off = val & ITS_CMD_OFFSET;

	if (!user)
		return 0;
	if (its->enabled)
		return -EBUSY;
	if (off >= queue_size(its))
		return -EINVAL;
	its->creadr = off;
	return 0;
}

static u64 read_baser(struct vgic_its *its, u32 n)
{
	return n < ITS_NR_BASERS ? its->baser[n] : 0;
}

u64 vgic_its_fixed_baser(u32 n)
{
	return (n == ITS_DEVICES ? BASER_TYPE_DEVICE : BASER_TYPE_COLLECTION) << BASER_TYPE_SHIFT |
	       (sizeof(u64) - 1) << BASER_ESIZE_SHIFT | BASER_PAGE_64K;
}

static int write_baser(struct vgic_its *its, u32 n, u64 val, bool user)
{
	if (its->enabled || n >= ITS_NR_BASERS)
		return 0;
	if (n == ITS_COLLECTIONS)
		val &= ~BASER_INDIRECT;
	val = baser_sanitise(val, BASER_INNER_SHIFT, BASER_SHARE_SHIFT, BASER_OUTER_SHIFT);
	its->baser[n] = (val & ~(BASER_RO | BASER_PAGE_MASK)) | vgic_its_fixed_baser(n);
	if (val & BASER_VALID)
		return 0;
	if (n == ITS_DEVICES)
		vgic_its_clear_devices(its);
	else
		vgic_its_clear_collections(its);
	return 0;
}

static u64 read_idregs(struct vgic_its *its, u32 n)
{
	static const u8 id[] = { 0x40, 0, 0, 0, 0x92, 0xb4, PIDR2_GICV3, 0, 0x0d, 0xf0, 0x05, 0xb1 };

	return id[n];
}

/**
 * struct its_reg - a register, or an array of them
 * @off, @len: where they are
 * @width: of each, in bytes; 64-bit ones may be accessed by halves
 * @read:  the whole register
 * @write: NULL: WI. Return: 0, -EAGAIN (the guest's), -EINVAL, -EBUSY (the client's)
 */
struct its_reg {
	u32 off;
	u32 len;
	u32 width;
	u64 (*read)(struct vgic_its *its, u32 n);
	int (*write)(struct vgic_its *its, u32 n, u64 val, bool user);
};

static const struct its_reg its_regs[] = {
	{ ITS_CTLR, 4, 4, read_ctlr, write_ctlr },
	{ ITS_IIDR, 4, 4, read_iidr, write_iidr },
	{ ITS_TYPER, 8, 8, read_typer, NULL },
	{ ITS_CBASER, 8, 8, read_cbaser, write_cbaser },
	{ ITS_CWRITER, 8, 8, read_cwriter, write_cwriter },
	{ ITS_CREADR, 8, 8, read_creadr, write_creadr },
	{ ITS_BASER, 64, 8, read_baser, write_baser },
	{ ITS_IDREGS, 48, 4, read_idregs, NULL },
};

static const struct its_reg *find_reg(u32 off, u32 len)
{
	const struct its_reg *r;

	for (r = its_regs; r < its_regs + ARRAY_SIZE(its_regs); r++)
		if (off >= r->off && off - r->off < r->len)
			return (len == 4 || len == r->width) && !(off & (len - 1)) ? r : NULL;
	return NULL;
}

static int write_reg(struct vgic_its *its, const struct its_reg *r, u32 off, u32 len, bool user, u64 val)
{
	u32 n = (off - r->off) / r->width, shift = 8 * (off & (r->width - 1));
	u64 mask = len == 8 ? ~0ULL : 0xffffffffULL << shift;

	if (!r->write)
		return 0;
	return r->write(its, n, (r->read(its, n) & ~mask) | (val << shift & mask), user);
}

static u64 read_reg(struct vgic_its *its, const struct its_reg *r, u32 off, u32 len)
{
	u32 n = (off - r->off) / r->width, shift = 8 * (off & (r->width - 1));
	u64 val = r->read(its, n) >> shift;

	return len == 8 ? val : val & 0xffffffff;
}

/* Offsets without a register, and lengths that a register does not know, are RAZ/WI. */
int vgic_its_mmio(struct vgic_its *its, u32 off, u32 len, bool write, u64 *val)
{
	const struct its_reg *r = find_reg(off, len);
	int err = 0;

	if (!r) {
		if (!write)
			*val = 0;
		return 0;
	}
	mutex_lock(&its->lock);
	if (write)
		err = write_reg(its, r, off, len, false, *val);
	else
		*val = read_reg(its, r, off, len);
	mutex_unlock(&its->lock);
	return err;
}

/* A client accesses each register whole. */
static const struct its_reg *find_user_reg(u64 offset, int *err)
{
	u32 align = offset < ITS_TYPER || offset >= ITS_IDREGS ? 4 : 8;
	const struct its_reg *r = offset < ITS_SIZE ? find_reg(offset, align) : NULL;

	*err = offset & (align - 1) ? -EINVAL : r ? 0 : -ENXIO;
	return r;
}

int vgic_its_has_reg(u64 offset)
{
	int err;

	find_user_reg(offset, &err);
	return err;
}

int vgic_its_uaccess(struct vgic_its *its, u64 offset, bool write, u64 *val)
{
	const struct its_reg *r;
	int err;

	r = find_user_reg(offset, &err);
	if (err)
		return err;
	mutex_lock(&its->lock);
	if (its->base == VGIC_ADDR_UNDEF)
		err = -ENXIO;
	else if (write)
		err = write_reg(its, r, offset, r->width, true, *val);
	else
		*val = read_reg(its, r, offset, r->width);
	mutex_unlock(&its->lock);
	return err;
}

/* Messages */

struct vgic_its *vgic_its_at(struct vgic *g, u64 addr)
{
	struct vgic_its *its;

	for (its = smp_load_acquire(&g->its); its; its = its->next) {
		u64 base = READ_ONCE(its->base);

		if (base != VGIC_ADDR_UNDEF && addr - base < ITS_SIZE)
			return its;
	}
	return NULL;
}

int vgic_msi(struct vgic *g, const struct vgic_msi *msi)
{
	struct vgic_its *its;
	int err;

	if (!vgic_has_its(g))
		return -ENODEV;
	its = msi->has_devid ? vgic_its_at(g, msi->addr) : NULL;
	if (!its)
		return -EINVAL;
	err = vgic_its_raise(its, msi->devid, msi->data);
	return err == -ENOENT ? 0 : err ?: 1;
}

/* Life */

void vgic_its_reset(struct vgic_its *its)
{
	mutex_lock(&its->lock);
	WRITE_ONCE(its->enabled, false);
	vgic_its_clear_devices(its);
	vgic_its_clear_collections(its);
	its->baser[ITS_DEVICES] &= ~BASER_VALID;
	its->baser[ITS_COLLECTIONS] &= ~BASER_VALID;
	its->cbaser = 0;
	its->creadr = 0;
	its->cwriter = 0;
	mutex_unlock(&its->lock);
}

int vgic_its_create(struct vgic *g, struct mem *mem, struct vgic_its **new)
{
	struct vgic_its *its = kvzalloc(sizeof(*its), GFP_KERNEL_ACCOUNT);
	u32 n;

	if (!its)
		return -ENOMEM;
	mutex_init(&its->lock);
	xa_init(&its->device);
	xa_init(&its->event);
	xa_init(&its->collection);
	its->g = g;
	its->base = VGIC_ADDR_UNDEF;
	for (n = 0; n < ITS_NR_BASERS; n++)
		its->baser[n] = baser_sanitise(1ULL << BASER_SHARE_SHIFT, BASER_INNER_SHIFT, BASER_SHARE_SHIFT,
					       BASER_OUTER_SHIFT) | vgic_its_fixed_baser(n);
	mutex_lock(&g->lock);
	g->mem = mem;
	its->next = g->its;
	smp_store_release(&g->its, its);
	mutex_unlock(&g->lock);
	*new = its;
	return 0;
}

int vgic_its_set_base(struct vgic_its *its, u64 base)
{
	int err;

	mutex_lock(&its->lock);
	err = its->base != VGIC_ADDR_UNDEF ? -EEXIST : vgic_check_range(its->g, base, ITS_SIZE);
	if (!err) {
		mutex_lock(&its->g->lock);
		vgic_note_frame(its->g, base, ITS_SIZE);
		mem_holes_forget(its->g->mem);
		mutex_unlock(&its->g->lock);
		WRITE_ONCE(its->base, base);
	}
	mutex_unlock(&its->lock);
	return err;
}

u64 vgic_its_base(const struct vgic_its *its)
{
	return READ_ONCE(its->base);
}

void vgic_its_free_all(struct vgic *g)
{
	struct vgic_its *its, *next;

	for (its = g->its; its; its = next) {
		next = its->next;
		xa_destroy(&its->device);
		xa_destroy(&its->event);
		xa_destroy(&its->collection);
		kvfree(its);
	}
	g->its = NULL;
}
