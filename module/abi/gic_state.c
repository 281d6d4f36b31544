// SPDX-License-Identifier: GPL-2.0
/*
 * The GIC's part of state images: names and values. A name is the group of
 * KVM_DEV_TYPE_ARM_VGIC_V3 and the low half of its attribute.
 */
#include <linux/err.h>
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <asm/byteorder.h>
#include "../vgic/regs.h"
#include "../vgic/words.h"
#include "abi.h"
#include "state.h"

#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define ICC	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO

#define LINE_LEVEL(intid) \
	(VGIC_LEVEL_INFO_LINE_LEVEL << KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT | (intid))

/* The registers of bank @b, one bit an interrupt and the rest; @base: 0 or R_SGI */
static u32 bank_names(u64 *names, u32 group, u32 base, u32 b)
{
	u32 i, n = 0;

	names[n++] = GIC_NAME(group, base + D_IGROUPR + 4 * b);
	names[n++] = GIC_NAME(group, base + D_ISENABLER + 4 * b);
	names[n++] = GIC_NAME(group, base + D_ICFGR + 8 * b);
	names[n++] = GIC_NAME(group, base + D_ICFGR + 8 * b + 4);
	names[n++] = GIC_NAME(group, base + D_ISPENDR + 4 * b);
	names[n++] = GIC_NAME(group, base + D_ISACTIVER + 4 * b);
	for (i = 0; i < 8; i++)
		names[n++] = GIC_NAME(group, base + D_IPRIORITYR + 32 * b + 4 * i);
	names[n++] = GIC_NAME(LEVEL, LINE_LEVEL(32 * b));
	return n;
}

u32 gic_dist_names(const struct vgic *g, u64 *names)
{
	u32 b, i, n = 0, banks = g->nr_spis / 32;

	names[n++] = GIC_NAME(DIST, D_CTLR);
	names[n++] = GIC_NAME(DIST, D_TYPER);
	names[n++] = GIC_NAME(DIST, D_IIDR);
	for (b = 1; b <= banks; b++)
		n += bank_names(names + n, DIST, 0, b);
	for (i = 0; i < g->nr_spis; i++)
		names[n++] = GIC_NAME(DIST, D_IROUTER + 8 * (VGIC_PRIVATE + i));
	return n;
}

static_assert(3 + (VGIC_BANKS - 1) * 15 + VGIC_MAX_SPI <= GIC_DIST_NAMES_MAX);

#define ICC_NAME(crn, crm, op2)	GIC_NAME(ICC, SYSREG_ENCODE(3, 0, crn, crm, op2))
#define ICC_CTLR_NAME	ICC_NAME(12, 12, 4)
#define ICC_SRE_NAME	ICC_NAME(12, 12, 5)
#define ICC_AP0R0_NAME	ICC_NAME(12, 8, 4)
#define ICC_AP1R0_NAME	ICC_NAME(12, 9, 0)

static bool is_apr(u64 name)
{
	return (name & ~3ULL) == ICC_AP0R0_NAME || (name & ~3ULL) == ICC_AP1R0_NAME;
}

static const u64 cpu_names[] = {
	GIC_NAME(REDIST, R_CTLR),
	GIC_NAME(REDIST, R_PROPBASER),
	GIC_NAME(REDIST, R_PROPBASER + 4),
	GIC_NAME(REDIST, R_PENDBASER),
	GIC_NAME(REDIST, R_PENDBASER + 4),
	ICC_NAME(4, 6, 0),	/* PMR */
	ICC_NAME(12, 8, 3),	/* BPR0 */
	ICC_NAME(12, 12, 3),	/* BPR1 */
	ICC_CTLR_NAME,
	ICC_SRE_NAME,
	ICC_NAME(12, 12, 6),	/* IGRPEN0 */
	ICC_NAME(12, 12, 7),	/* IGRPEN1 */
	ICC_AP0R0_NAME,
	ICC_AP1R0_NAME,
};

/* Active priority registers beyond the first, as many as the CPUs have */
static u32 apr_names(const struct vgic *g, u64 *names)
{
	u32 i, n = 0, bits = g->nr_cpus ? g->cpu[0]->pri_bits : 5;

	for (i = 1; i < (bits >= 7 ? 4 : bits == 6 ? 2 : 1); i++) {
		names[n++] = ICC_AP0R0_NAME + i;
		names[n++] = ICC_AP1R0_NAME + i;
	}
	return n;
}

u32 gic_cpu_names(const struct vgic *g, u64 *names)
{
	u32 n = ARRAY_SIZE(cpu_names);

	memcpy(names, cpu_names, sizeof(cpu_names));
	n += apr_names(g, names + n);
	return n + bank_names(names + n, REDIST, R_SGI, 0);
}

/* Lists */

#define LINE_INTID	KVM_DEV_ARM_VGIC_LINE_LEVEL_INTID_MASK

static bool is_clear(bool redist, u32 offset)
{
	u32 set, clear, in = offset - (redist ? R_SGI : 0);

	return (vgic_set_clear(redist, offset, &set, &clear) && offset == clear) || in - D_ICPENDR < D_ISACTIVER - D_ICPENDR;
}

/* Registers that only act, or that repeat another, are no state. */
static bool known(struct vgic *g, bool dist, u64 name)
{
	u32 low = name;

	switch (name >> 32) {
	case DIST:
		return dist && (vgic_dist_word(g, low) || (vgic_dist_has(g, low) && !is_clear(false, low)));
	case REDIST:
		return !dist && vgic_redist_has(g, low) && !is_clear(true, low) &&
		       low - R_INVLPIR >= R_SYNCR - R_INVLPIR;
	case ICC:
		return !dist && !(low >> 16) && vgic_icc_has(low);
	case LEVEL:
		return low >> KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT == VGIC_LEVEL_INFO_LINE_LEVEL &&
		       !(low % 32) && dist == ((low & LINE_INTID) >= VGIC_PRIVATE);
	}
	return false;
}

/*
 * 0: what decides how others read; 1: configuration; 2: states, in which
 * configuration is looked at; 3: what sets all going.
 */
static u32 phase_of(u64 name)
{
	u32 low = name, in = low - (name >> 32 == REDIST ? R_SGI : 0);

	if (name == GIC_NAME(DIST, D_IIDR) || name == ICC_CTLR_NAME)
		return 0;
	if (name == GIC_NAME(DIST, D_CTLR) || name == GIC_NAME(REDIST, R_CTLR))
		return 3;
	if (name >> 32 == LEVEL)
		return 2;
	if (name >> 32 != DIST && name >> 32 != REDIST)
		return 1;
	return in - D_ISENABLER < D_IPRIORITYR - D_ISENABLER ? 2 : 1;
}

/* Whose values a write may refuse, beside those of more than 32 bits */
static bool is_picky(u64 name)
{
	return name >> 32 == ICC || name == GIC_NAME(DIST, D_TYPER) || name == GIC_NAME(DIST, D_IIDR) ||
	       name == GIC_NAME(DIST, D_TYPER2) || name == GIC_NAME(REDIST, R_CTLR);
}

/* In the order of the phases */
static void fill(struct gic_list *l, struct vgic *g, const __le64 *names)
{
	u32 i, phase, at[GIC_PHASES];
	u64 name;

	for (i = 0; i < l->n; i++)
		l->end[phase_of(le64_to_cpu(names[i]))]++;
	for (phase = 0; phase < GIC_PHASES; phase++) {
		at[phase] = phase ? l->end[phase - 1] : 0;
		l->end[phase] += at[phase];
	}
	for (i = 0; i < l->n; i++) {
		name = le64_to_cpu(names[i]);
		l->reg[at[phase_of(name)]++] = (struct gic_reg){
			.group = name >> 32, .low = name, .at = i, .picky = is_picky(name),
			.word = name >> 32 == DIST ? vgic_dist_word(g, name) :
				name >> 32 == REDIST ? vgic_redist_word(name) : 0,
		};
	}
}

static struct gic_list *list_alloc(bool dist, u32 n)
{
	struct gic_list *l = kvzalloc(struct_size(l, reg, n), GFP_KERNEL);

	if (l) {
		l->n = n;
		l->dist = dist;
	}
	return l;
}

struct gic_list *gic_list_own(struct vgic *g, bool dist, const __le64 *names, u32 n)
{
	struct gic_list *l = list_alloc(dist, n);

	if (l)
		fill(l, g, names);
	return l;
}

struct gic_list *gic_list_make(struct vgic *g, bool dist, const __le64 *names, u32 n, u64 *failed)
{
	struct gic_list *l;
	u32 i;

	for (i = 0; i < n; i++) {
		*failed = le64_to_cpu(names[i]);
		if (!known(g, dist, *failed))
			return ERR_PTR(-ENOENT);
	}
	l = gic_list_own(g, dist, names, n);
	return l ?: ERR_PTR(-ENOMEM);
}

/* Values */

static __always_inline int access(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, bool write, u64 *val)
{
	u32 word = *val;
	int err;

	if (!write && r->word) {
		*val = READ_ONCE(*(const u32 *)((c ? (void *)c : &vm->vgic) + r->word));
		return 0;
	}
	switch (r->group) {
	case DIST:
		err = vgic_dist_uaccess(&vm->vgic, r->low, write, &word);
		break;
	case REDIST:
		err = vgic_redist_uaccess(c, r->low, write, &word);
		break;
	case LEVEL:
		/* SPIs' lines are found through any vCPU. */
		err = vgic_level_uaccess(&vm->vgic, c ?: vm->vgic.cpu[0], r->low & LINE_INTID, write, &word);
		break;
	default:
		return vgic_icc_uaccess(c, r->low, write, val);
	}
	*val = word;
	return err;
}

/* A vCPU with fewer priorities than the others lacks active priority registers: they would be 0. */
void gic_read(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, __le64 *to)
{
	const struct gic_reg *r;
	u64 val;

	for (r = l->reg; r < l->reg + l->n; r++) {
		val = 0;
		if (access(vm, c, r, false, &val))
			val = 0;
		to[r->at] = cpu_to_le64(val);
	}
}

static u64 name_of(const struct gic_reg *r)
{
	return GIC_NAME(r->group, r->low);
}

/* GICD_TYPER says how many interrupts there are: not fewer, please. */
static int check_picky(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, u64 val)
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
	} else if (is_apr(name)) {
		good = !val || !access(vm, c, r, false, &now);
	}
	return good ? 0 : -EINVAL;
}

int gic_check(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u64 *failed)
{
	const struct gic_reg *r, *bad = NULL;
	int err, first = 0;
	u64 val;

	/* Of several, the first in the image is told. */
	for (r = l->reg; r < l->reg + l->n; r++) {
		val = le64_to_cpu(from[r->at]);
		err = val >> 32 && r->group != ICC ? -EINVAL : r->picky ? check_picky(vm, c, r, val) : 0;
		if (unlikely(err) && (!bad || r->at < bad->at)) {
			bad = r;
			first = err;
		}
	}
	if (bad)
		*failed = name_of(bad);
	return first;
}

/*
 * What is there already stays: most of it, and of table addresses that nobody
 * wrote, which read otherwise than any that was, all.
 */
static void write_one(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_reg *r, u64 val)
{
	struct gic_reg clear_reg = *r;
	u64 now = 0, all = 0xffffffff;
	u32 set, clear;

	if (!access(vm, c, r, false, &now) && now == val)
		return;
	if ((r->group == REDIST || r->group == DIST) && vgic_set_clear(r->group == REDIST, r->low, &set, &clear)) {
		clear_reg.low = clear;
		access(vm, c, &clear_reg, true, &all);
	}
	access(vm, c, r, true, &val);
}

/* Tables cannot be written while LPIs are enabled: where they are not to be, they are disabled before. */
static void disable_lpis(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from)
{
	const struct gic_reg *r;

	for (r = l->reg + l->end[GIC_PHASES - 2]; r < l->reg + l->end[GIC_PHASES - 1]; r++)
		if (r->group == REDIST && r->low == R_CTLR && !(le64_to_cpu(from[r->at]) & R_CTLR_LPIS))
			write_one(vm, c, r, 0);
}

void gic_write(struct tern_vm *vm, struct vgic_cpu *c, const struct gic_list *l, const __le64 *from, u32 phase)
{
	const struct gic_reg *r;

	if (!phase)
		disable_lpis(vm, c, l, from);
	for (r = l->reg + (phase ? l->end[phase - 1] : 0); r < l->reg + l->end[phase]; r++)
		write_one(vm, c, r, le64_to_cpu(from[r->at]));
}

void gic_reroute(struct tern_vm *vm)
{
	u32 i, word;

	for (i = 0; i < vm->vgic.nr_spis; i++) {
		word = vm->vgic.irouter[i];
		vgic_dist_uaccess(&vm->vgic, D_IROUTER + 8 * (VGIC_PRIVATE + i), true, &word);
	}
}
