// SPDX-License-Identifier: GPL-2.0
/*
 * Many registers of the GIC at once, all or none: TERN_DEV_VGIC_GRP_BATCH
 * (uapi/tern.h).
 *
 * Whether a write is refused depends on its value and on what cannot change
 * meanwhile, but for limits that a write of ICC_CTLR_EL1 lowers. So all elements
 * are checked before the first is written, and then none can fail.
 *
 * A batch has the same registers of each vCPU, so what was learnt of a name is
 * kept while the batch lasts. The distributor's are there once each.
 */
#include <linux/hash.h>
#include <linux/kvm.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include "../../uapi/tern.h"
#include "../vgic/regs.h"
#include "abi.h"
#include "state.h"

enum how {
	HOW_CHANGED,	/* written, unless its spot has the value */
	HOW_ALWAYS,	/* written */
	HOW_ASK,	/* as HOW_CHANGED, if check_picky() lets it */
	HOW_NONE,	/* there is no such register */
};

/** struct memo - what is known of a name; @name 0: nothing. @how: enum how */
struct memo {
	u64 name;
	struct gic_reg reg;
	u32 how;
};

/** struct limits - what ICC_CTLR_EL1 says of a vCPU, and only an undo can raise */
struct limits {
	u8 pri_bits;
	u8 id_bits;
};

#define MEMO_BITS_MIN	4
#define MEMO_BITS_MAX	9

/**
 * struct batch - where it is
 * @c:    the vCPU that bits 63:32 of @attr name
 * @base: of its registers
 * @lowered: @limits are what there was, and to be restored
 * @memo: 1 << @bits of them, by hash
 */
struct batch {
	struct tern_vm *vm;
	struct vgic_cpu *c;
	u64 attr;
	struct vgic_base base;
	bool lowered;
	struct limits limits[VGIC_MAX_CPUS];
	u32 bits;
	struct memo memo[];
};

static bool exists(u64 name)
{
	u32 low = name;

	switch (name >> 32) {
	case ICC:
		return vgic_icc_has(low);
	case LEVEL:
		return low >> KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT == VGIC_LEVEL_INFO_LINE_LEVEL && !(low % 32);
	}
	return true;	/* or it reads as zero, and writes are ignored */
}

static noinline void learn(struct batch *b, struct memo *m, u64 name)
{
	m->name = name;
	/* The attribute's other bits mean nothing. */
	if (name >> 32 == ICC)
		name = GIC_NAME(ICC, (u16)name);
	m->reg = gic_reg_of(&b->vm->vgic, name);
	m->how = m->reg.picky ? HOW_ASK : m->reg.spot.kind == SPOT_NONE ? HOW_ALWAYS : HOW_CHANGED;
	if (!exists(name)) {
		m->reg.spot.kind = SPOT_NONE;
		m->how = HOW_NONE;
	}
}

static noinline void seek(struct batch *b, u64 attr)
{
	b->attr = attr;
	b->c = abi_vgic_cpu(b->vm, attr);
	b->base = vgic_base(&b->vm->vgic, b->c);
}

/* Return: there is a vCPU that @e is about, or need be none, and @b is there */
static __always_inline bool reach(struct batch *b, const struct tern_vgic_reg *e)
{
	if (e->group == DIST)
		return true;
	if (unlikely((e->attr ^ b->attr) >> 32))
		seek(b, e->attr);
	return likely(b->c);
}

/* Return: what is known of @e, which is not the distributor's */
static __always_inline const struct memo *recall(struct batch *b, const struct tern_vgic_reg *e)
{
	u64 name = GIC_NAME(e->group, (u32)e->attr);
	struct memo *m = &b->memo[hash_32((u32)name ^ e->group << 20, b->bits)];

	if (unlikely(m->name != name))
		learn(b, m, name);
	return m;
}

static noinline int access(struct batch *b, const struct tern_vgic_reg *e, bool write, u64 *val)
{
	return abi_vgic_reg(b->vm, b->c, e->group, e->attr, write, val);
}

static __always_inline int read_one(struct batch *b, struct tern_vgic_reg *e)
{
	u32 word = 0;
	int err;

	if (e->group == DIST) {
		err = vgic_dist_uaccess(&b->vm->vgic, e->attr, false, &word);
		e->val = word;
		return err;
	}
	if (unlikely(!reach(b, e)))
		return -EINVAL;
	if (unlikely(!vgic_spot_read(&b->base, &recall(b, e)->reg.spot, &word)))
		return access(b, e, false, &e->val);
	e->val = word;
	return 0;
}

static int read_all(struct batch *b, struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	struct tern_vgic_reg *e;
	int err;

	for (e = reg; e < reg + n; e++) {
		err = read_one(b, e);
		if (unlikely(err)) {
			*failed = e - reg;
			return err;
		}
	}
	return 0;
}

static void keep_limits(struct batch *b)
{
	u32 i;

	for (i = 0; !b->lowered && i < vm_nr_vcpus(b->vm); i++)
		b->limits[i] = (struct limits){
			.pri_bits = b->vm->vgic.cpu[i]->pri_bits, .id_bits = b->vm->vgic.cpu[i]->id_bits,
		};
	b->lowered = true;
}

static void restore_limits(struct batch *b)
{
	u32 i;

	for (i = 0; b->lowered && i < vm_nr_vcpus(b->vm); i++) {
		b->vm->vgic.cpu[i]->pri_bits = b->limits[i].pri_bits;
		b->vm->vgic.cpu[i]->id_bits = b->limits[i].id_bits;
	}
}

/* What comes after it in the batch is checked by the limits that it leaves. */
static int check_ctlr(struct batch *b, u64 val)
{
	if (!vgic_icc_ctlr_ok(b->c, val))
		return -EINVAL;
	keep_limits(b);
	vgic_icc_limit(b->c, val);
	return 0;
}

static noinline int check_picky(struct batch *b, const struct tern_vgic_reg *e, const struct memo *m)
{
	u64 name = GIC_NAME(m->reg.group, m->reg.low), val = 0;

	if (m->how == HOW_NONE)
		return e->group == ICC ? -ENOENT : -EINVAL;
	if (name == ICC_CTLR_NAME)
		return check_ctlr(b, e->val);
	if (gic_is_apr(name))
		return access(b, e, false, &val);
	return gic_check_one(b->vm, b->c, &m->reg, e->val);
}

/* GICD_TYPER takes whatever there is written. */
static noinline int check_dist(struct batch *b, const struct tern_vgic_reg *e)
{
	const struct gic_reg r = gic_reg_of(&b->vm->vgic, GIC_NAME(DIST, (u32)e->attr));

	return r.picky && r.low != D_TYPER ? gic_check_one(b->vm, NULL, &r, e->val) : 0;
}

static __always_inline int check_one(struct batch *b, const struct tern_vgic_reg *e)
{
	const struct memo *m;

	if (e->group == DIST)
		return likely((u32)e->attr >= D_IGROUPR) ? 0 : check_dist(b, e);
	if (unlikely(!reach(b, e)))
		return -EINVAL;
	m = recall(b, e);
	return likely(m->how < HOW_ASK) ? 0 : check_picky(b, e, m);
}

static int check_all(struct batch *b, const struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	const struct tern_vgic_reg *e;
	int err = 0;

	for (e = reg; e < reg + n; e++) {
		err = check_one(b, e);
		if (unlikely(err)) {
			*failed = e - reg;
			break;
		}
	}
	restore_limits(b);
	return err;
}

static __always_inline int write_one(struct batch *b, const struct tern_vgic_reg *e)
{
	const struct memo *m;
	u64 val = e->val;
	u32 word = val;

	if (e->group == DIST)
		return vgic_dist_uaccess(&b->vm->vgic, e->attr, true, &word);
	reach(b, e);
	m = recall(b, e);
	if (m->how != HOW_ALWAYS && likely(vgic_spot_keeps(&b->base, &m->reg.spot, val)))
		return 0;
	return access(b, e, true, &val);
}

static int write_all(struct batch *b, const struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	const struct tern_vgic_reg *e;
	int err = check_all(b, reg, n, failed);

	if (err)
		return err;
	for (e = reg; e < reg + n; e++)
		WARN_ON_ONCE(write_one(b, e));
	return 0;
}

#define GROUPS (BIT(DIST) | BIT(REDIST) | BIT(ICC) | BIT(LEVEL))

static int check_elements(const struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	const struct tern_vgic_reg *e;

	for (e = reg; e < reg + n; e++) {
		if (likely(e->group < 32 && BIT(e->group) & GROUPS && !e->reserved &&
			   !(write && e->val >> 32 && e->group != ICC)))
			continue;
		*failed = e - reg;
		return -EINVAL;
	}
	return 0;
}

static int locked(struct batch *b, struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	if (!vgic_initialized(&b->vm->vgic))
		return -EBUSY;
	if (!vm_nr_vcpus(b->vm)) {
		*failed = 0;	/* nothing has registers */
		return -EINVAL;
	}
	seek(b, reg->attr);
	return write ? write_all(b, reg, n, failed) : read_all(b, reg, n, failed);
}

static int claimed(struct batch *b, struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	int err = abi_claim_all(b->vm);

	if (err)
		return err;
	mutex_lock(&b->vm->lock);
	err = locked(b, reg, n, write, failed);
	mutex_unlock(&b->vm->lock);
	abi_unclaim_all(b->vm);
	return err;
}

int abi_gic_batch(struct tern_vm *vm, struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	u32 bits = clamp(order_base_2(n), MEMO_BITS_MIN, MEMO_BITS_MAX);
	int err = check_elements(reg, n, write, failed);
	struct batch *b;

	if (err)
		return err;
	b = kvzalloc(struct_size(b, memo, 1U << bits), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->vm = vm;
	b->bits = bits;
	err = claimed(b, reg, n, write, failed);
	kvfree(b);
	return err;
}
