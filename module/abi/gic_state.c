// SPDX-License-Identifier: GPL-2.0
/*
 * The GIC's part of state images: values.
 */
#include <linux/kvm.h>
#include <asm/byteorder.h>
#include "../vgic/regs.h"
#include "abi.h"
#include "state.h"

/* By the register maps */
static noinline int access(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, bool write, u64 *val)
{
	u32 word = *val;
	int err;

	switch (r->group) {
	case DIST:
		err = vgic_dist_uaccess(&vm->vgic, r->low, write, &word);
		break;
	case REDIST:
		err = vgic_redist_uaccess(c, r->low, write, &word);
		break;
	case LEVEL:
		/* SPIs' lines are found through any vCPU. */
		err = vgic_level_uaccess(&vm->vgic, c ?: vm->vgic.cpu[0], r->low & GIC_LINE_INTID, write, &word);
		break;
	default:
		return vgic_icc_uaccess(c, r->low, write, val);
	}
	*val = word;
	return err;
}

/* A vCPU with fewer priorities than the others lacks active priority registers: they would be 0. */
static noinline u64 read_slowly(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r)
{
	u64 val = 0;

	return access(vm, c, r, false, &val) ? 0 : val;
}

static __always_inline u64 read_one(struct tern_vm *vm, struct vgic_cpu *c, const struct vgic_base *b,
				    const struct gic_reg *r)
{
	u32 word;

	return likely(vgic_spot_read(b, &r->spot, &word)) ? word : read_slowly(vm, c, r);
}

void gic_read(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, __le64 *to)
{
	const struct vgic_base b = vgic_base(&vm->vgic, c);
	const struct gic_reg *r, *end = l->reg + l->n;

	for (r = l->reg; r < end; r++)
		to[r->at] = cpu_to_le64(read_one(vm, c, &b, r));
}

static u64 name_of(const struct gic_reg *r)
{
	return GIC_NAME(r->group, r->low);
}

/* GICD_TYPER says how many interrupts there are: not fewer, please. */
int gic_check_one(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, u64 val)
{
	u64 now = 0, name = name_of(r);
	bool good = true;

	if (name == GIC_NAME(REDIST, R_CTLR))
		return val & R_CTLR_LPIS && vgic_has_its(&vm->vgic) && vgic_lpi_prepare(c) ? -ENOMEM : 0;
	if (name == GIC_NAME(DIST, D_TYPER)) {
		access(vm, c, r, false, &now);
		good = !((now ^ val) & TYPER_LINES);
	} else if (name == GIC_NAME(DIST, D_IIDR)) {
		good = vgic_iidr_ok(&vm->vgic, val);
	} else if (name == GIC_NAME(DIST, D_TYPER2)) {
		good = !val;
	} else if (name == ICC_CTLR_NAME) {
		good = vgic_icc_ctlr_ok(c, val);
	} else if (name == ICC_SRE_NAME) {
		good = val & 1;
	} else if (gic_is_apr(name)) {
		good = !val || !access(vm, c, r, false, &now);
	}
	return good ? 0 : -EINVAL;
}

int gic_check(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u64 *failed)
{
	const struct gic_reg *r, *bad = NULL, *end = l->reg + l->n;
	int err, first = 0;
	u64 val;

	/* Of several, the first in the image is told. */
	for (r = l->reg; r < end; r++) {
		val = le64_to_cpu(from[r->at]);
		if (likely(!(val >> 32 | r->picky)))
			continue;
		err = val >> 32 && r->group != ICC ? -EINVAL : r->picky ? gic_check_one(vm, c, r, val) : 0;
		if (unlikely(err) && (!bad || r->at < bad->at)) {
			bad = r;
			first = err;
		}
	}
	if (bad)
		*failed = name_of(bad);
	return first;
}

static noinline void write_slowly(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, u64 val)
{
	struct gic_reg clear_reg = *r;
	u64 all = 0xffffffff;
	u32 set, clear;

	if ((r->group == REDIST || r->group == DIST) && vgic_set_clear(r->group == REDIST, r->low, &set, &clear)) {
		clear_reg.low = clear;
		access(vm, c, &clear_reg, true, &all);
	}
	access(vm, c, r, true, &val);
}

/*
 * What is there already stays: most of it, and of table addresses that nobody
 * wrote, which read otherwise than any that was, all.
 */
static __always_inline void write_one(struct tern_vm *vm, struct vgic_cpu *c, const struct vgic_base *b,
				      const struct gic_reg *r, u64 val)
{
	if (likely(vgic_spot_keeps(b, &r->spot, val)))
		return;
	if (r->spot.kind != SPOT_NONE || read_slowly(vm, c, r) != val)
		write_slowly(vm, c, r, val);
}

void gic_disable_lpis(struct vgic_cpu *c)
{
	u32 off = 0;

	if (READ_ONCE(c->lpi_on))
		vgic_redist_uaccess(c, R_CTLR, true, &off);
}

static bool is_table(u32 low)
{
	low &= ~4;
	return low == R_PROPBASER || low == R_PENDBASER;
}

/* Tables cannot be written while LPIs are enabled: where these are not to be, or with others, they are disabled before. */
static bool other_lpis(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from)
{
	const struct vgic_base b = vgic_base(&vm->vgic, c);
	const struct gic_reg *r;
	u64 val;

	for (r = l->reg; r < l->reg + l->n; r++) {
		val = le64_to_cpu(from[r->at]);
		if (r->group == REDIST && r->low == R_CTLR && !(val & R_CTLR_LPIS))
			return true;
		if (r->group == REDIST && is_table(r->low) && read_one(vm, c, &b, r) != val)
			return true;
	}
	return false;
}

void gic_write(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u32 phase)
{
	const struct vgic_base b = vgic_base(&vm->vgic, c);
	const struct gic_reg *r, *end = l->reg + l->end[phase];

	if (!phase && c && READ_ONCE(c->lpi_on) && other_lpis(vm, c, l, from))
		gic_disable_lpis(c);
	for (r = l->reg + (phase ? l->end[phase - 1] : 0); r < end; r++)
		write_one(vm, c, &b, r, le64_to_cpu(from[r->at]));
}

void gic_reroute(struct tern_vm *vm)
{
	u32 i, word;

	for (i = 0; i < vm->vgic.nr_spis; i++) {
		word = vm->vgic.irouter[i];
		vgic_dist_uaccess(&vm->vgic, D_IROUTER + 8 * (VGIC_PRIVATE + i), true, &word);
	}
}
