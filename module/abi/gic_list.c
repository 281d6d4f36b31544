// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of the GIC's registers: which tern saves, and those that an image
 * names. A name is the group of KVM_DEV_TYPE_ARM_VGIC_V3 and the low half of its
 * attribute.
 */
#include <linux/err.h>
#include <linux/kvm.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "../vgic/regs.h"
#include "gic_list.h"

#define CPU_NAMES_MAX	64
#define DIST_NAMES_MAX	2048

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

static u32 dist_names(const struct vgic *g, u64 *names)
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

static_assert(3 + (VGIC_BANKS - 1) * 15 + VGIC_MAX_SPI <= DIST_NAMES_MAX);

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

/* How many active priority registers of each group the CPUs have */
static u32 nr_aprs(const struct vgic *g)
{
	u32 bits = g->nr_cpus ? g->cpu[0]->pri_bits : 5;

	return bits >= 7 ? 4 : bits == 6 ? 2 : 1;
}

static u32 apr_names(const struct vgic *g, u64 *names)
{
	u32 i, n = 0;

	for (i = 1; i < nr_aprs(g); i++) {
		names[n++] = ICC_AP0R0_NAME + i;
		names[n++] = ICC_AP1R0_NAME + i;
	}
	return n;
}

static u32 cpu_list_names(const struct vgic *g, u64 *names)
{
	u32 n = ARRAY_SIZE(cpu_names);

	memcpy(names, cpu_names, sizeof(cpu_names));
	n += apr_names(g, names + n);
	return n + bank_names(names + n, REDIST, R_SGI, 0);
}

/* Lists */

static bool is_clear(bool redist, u32 offset)
{
	u32 set, clear, in = offset - (redist ? R_SGI : 0);

	return (vgic_set_clear(redist, offset, &set, &clear) && offset == clear) ||
	       in - D_ICPENDR < D_ISACTIVER - D_ICPENDR;
}

/* Registers that only act, or that repeat another, are no state. */
static bool known(struct vgic *g, bool dist, u64 name)
{
	u32 low = name;

	switch (name >> 32) {
	case DIST:
		return dist && vgic_dist_has(g, low) && !is_clear(false, low);
	case REDIST:
		return !dist && vgic_redist_has(g, low) && !is_clear(true, low) &&
		       low - R_INVLPIR >= R_SYNCR - R_INVLPIR;
	case ICC:
		return !dist && !(low >> 16) && vgic_icc_has(low);
	case LEVEL:
		return low >> KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT == VGIC_LEVEL_INFO_LINE_LEVEL &&
		       !(low % 32) && dist == ((low & GIC_LINE_INTID) >= VGIC_PRIVATE);
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
	return name == ICC_CTLR_NAME || name == ICC_SRE_NAME || gic_is_apr(name) ||
	       name == GIC_NAME(DIST, D_TYPER) || name == GIC_NAME(DIST, D_IIDR) ||
	       name == GIC_NAME(DIST, D_TYPER2) || name == GIC_NAME(REDIST, R_CTLR);
}

static struct vgic_spot spot_of(const struct vgic *g, u64 name)
{
	switch (name >> 32) {
	case DIST:
		return vgic_dist_spot(g, name);
	case REDIST:
		return vgic_redist_spot(name);
	case LEVEL:
		return vgic_line_spot(g, name & GIC_LINE_INTID);
	default:
		return vgic_icc_spot(name);
	}
}

struct gic_reg gic_reg_of(const struct vgic *g, u64 name)
{
	return (struct gic_reg){
		.group = name >> 32, .low = name, .picky = is_picky(name), .spot = spot_of(g, name),
	};
}

/* In the order of the phases */
static void fill(struct gic_list *l, const struct vgic *g, const __le64 *names)
{
	u32 i, phase, at[GIC_PHASES];
	struct gic_reg *r;
	u64 name;

	for (i = 0; i < l->n; i++)
		l->end[phase_of(le64_to_cpu(names[i]))]++;
	for (phase = 0; phase < GIC_PHASES; phase++) {
		at[phase] = phase ? l->end[phase - 1] : 0;
		l->end[phase] += at[phase];
	}
	for (i = 0; i < l->n; i++) {
		name = le64_to_cpu(names[i]);
		r = &l->reg[at[phase_of(name)]++];
		*r = gic_reg_of(g, name);
		r->at = i;
	}
}

/* Room for a copy of the names follows the registers. */
static struct gic_list *list_alloc(u32 n)
{
	struct gic_list *l = kvzalloc(struct_size(l, reg, n) + n * sizeof(__le64), GFP_KERNEL_ACCOUNT);

	if (!l)
		return NULL;
	l->n = n;
	l->name = (void *)&l->reg[n];
	return l;
}

static struct gic_list *make(const struct vgic *g, const __le64 *names, u32 n)
{
	struct gic_list *l = list_alloc(n);

	if (!l)
		return NULL;
	memcpy(l->name, names, n * sizeof(*names));
	fill(l, g, names);
	return l;
}

static struct gic_list *make_own(const struct vgic *g, bool dist)
{
	__le64 *names = kvmalloc_array(dist ? DIST_NAMES_MAX : CPU_NAMES_MAX, sizeof(*names), GFP_KERNEL);
	struct gic_list *l;
	u32 i, n;

	if (!names)
		return NULL;
	n = dist ? dist_names(g, (u64 *)names) : cpu_list_names(g, (u64 *)names);
	for (i = 0; i < n; i++)
		cpu_to_le64s((u64 *)&names[i]);
	l = make(g, names, n);
	if (l)
		l->own = true;
	kvfree(names);
	return l;
}

/* All that such a list depends on, beside the number of active priority registers, is fixed since INIT. */
const struct gic_list *gic_list_own(struct tern_vm *vm, bool dist)
{
	struct gic_list **own = &vm->gic_own[dist ? 0 : 1 + ilog2(nr_aprs(&vm->vgic))];

	lockdep_assert_held(&vm->lock);
	if (!*own)
		*own = make_own(&vm->vgic, dist);
	return *own;
}

void gic_lists_free(struct tern_vm *vm)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(vm->gic_own); i++)
		kvfree(vm->gic_own[i]);
}

static bool is_own(const struct gic_list *own, const __le64 *names, u32 n)
{
	return own && own->n == n && !memcmp(own->name, names, n * sizeof(*names));
}

const struct gic_list *gic_list_make(struct tern_vm *vm, bool dist, const __le64 *names, u32 n, u64 *failed)
{
	const struct gic_list *l = gic_list_own(vm, dist);
	u32 i;

	if (is_own(l, names, n))
		return l;
	for (i = 0; i < n; i++) {
		*failed = le64_to_cpu(names[i]);
		if (!known(&vm->vgic, dist, *failed))
			return ERR_PTR(-ENOENT);
	}
	l = make(&vm->vgic, names, n);
	return l ?: ERR_PTR(-ENOMEM);
}

void gic_list_free(const struct gic_list *l)
{
	if (!l->own)
		kvfree(l);
}
