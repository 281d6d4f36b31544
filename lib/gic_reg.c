// SPDX-License-Identifier: GPL-2.0
/* What a GIC register of an image is, and in what order a GIC is written. */
#include "gic.h"
#include "lib.h"

struct tern_vgic_reg lib_gic_reg(uint64_t id, uint64_t aff, uint64_t val)
{
	struct tern_vgic_reg reg = {
		.group = LIB_GIC_GROUP(id), .attr = LIB_GIC_LOW(id), .val = val,
	};

	if (reg.group != GIC_DIST)
		reg.attr |= aff;
	if (reg.group == GIC_LEVEL)
		reg.attr = aff | (LIB_GIC_LOW(id) &
				  KVM_DEV_ARM_VGIC_LINE_LEVEL_INTID_MASK) |
			(uint64_t)VGIC_LEVEL_INFO_LINE_LEVEL <<
			KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT;
	return reg;
}

static bool within(uint32_t low, uint32_t reg, uint32_t size)
{
	return low >= reg && low - reg < size;
}

static bool only_clears(uint32_t low)
{
	return within(low, GICD_ICENABLER, GIC_BITMAP) ||
	       within(low, GICD_ICPENDR, GIC_BITMAP) ||
	       within(low, GICD_ICACTIVER, GIC_BITMAP);
}

static bool is_redist_state(uint32_t low)
{
	return !within(low, GICR_SETLPIR, 0x10) &&
	       !within(low, GICR_INVLPIR, 0x28) &&
	       !(low >= GICR_SGI && only_clears(low - GICR_SGI));
}

static bool is_dist_state(uint32_t low)
{
	return !only_clears(low) && !within(low, GICD_SETSPI, 0x20) &&
	       !within(low, GICD_SGIR, 0x30);
}

/* Of its lines, 32 interrupts' together */
static bool is_lines(uint32_t low)
{
	return !(low >> KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT) && !(low % 32);
}

bool lib_gic_is_state(uint64_t id, bool dist)
{
	uint32_t low = LIB_GIC_LOW(id);

	switch (LIB_GIC_GROUP(id)) {
	case GIC_DIST:
		return dist && is_dist_state(low);
	case GIC_REDIST:
		return !dist && is_redist_state(low);
	case GIC_SYSREGS:
		return !dist && !(low >> 16);
	case GIC_LEVEL:
		return is_lines(low) && dist == (low >= GIC_PRIVATE);
	}
	return false;
}

/*
 * The revision first, since it decides what the rest mean; tables before LPIs
 * are enabled; routes, configuration and levels before what is pending, which
 * goes where and is what they say. The number of priority bits, which can be
 * lowered and not raised, when nothing is left that may be refused, and BPR1,
 * which its bit CBPR locks, after it.
 */
enum rank {
	RANK_REVISION,
	RANK_TABLES,
	RANK_CONTROL,
	RANK_GROUP,
	RANK_ENABLE,
	RANK_ROUTE,
	RANK_LEVEL,
	RANK_PENDING,
	RANK_ACTIVE,
	RANK_ICC_SRE,
	RANK_ICC,
	RANK_ICC_CTLR,
	RANK_ICC_BPR1,
};
_Static_assert(RANK_ICC_BPR1 < LIB_GIC_RANKS, "every rank is counted");

static unsigned int rank_of_interrupts(uint32_t low, uint32_t *clear)
{
	*clear = 0;
	if (within(low, GICD_ISENABLER, GIC_BITMAP))
		*clear = low - GICD_ISENABLER + GICD_ICENABLER;
	else if (within(low, GICD_ISPENDR, GIC_BITMAP))
		*clear = low - GICD_ISPENDR + GICD_ICPENDR;
	else if (within(low, GICD_ISACTIVER, GIC_BITMAP))
		*clear = low - GICD_ISACTIVER + GICD_ICACTIVER;
	if (within(low, GICD_IGROUPR, GIC_BITMAP))
		return RANK_GROUP;
	if (within(low, GICD_ISENABLER, GIC_BITMAP))
		return RANK_ENABLE;
	if (within(low, GICD_ISPENDR, GIC_BITMAP))
		return RANK_PENDING;
	if (within(low, GICD_ISACTIVER, GIC_BITMAP))
		return RANK_ACTIVE;
	return RANK_ROUTE;
}

static unsigned int rank_of_redist(uint32_t low, uint32_t *clear)
{
	unsigned int rank;

	*clear = 0;
	if (within(low, GICR_PROPBASER, 16))
		return RANK_TABLES;
	if (low < GICR_SGI)
		return RANK_CONTROL;
	rank = rank_of_interrupts(low - GICR_SGI, clear);
	if (*clear)
		*clear += GICR_SGI;
	return rank;
}

static unsigned int rank_of_icc(uint32_t low)
{
	switch (low) {
	case ICC_SRE:
		return RANK_ICC_SRE;
	case ICC_CTLR:
		return RANK_ICC_CTLR;
	case ICC_BPR1:
		return RANK_ICC_BPR1;
	}
	return RANK_ICC;
}

unsigned int lib_gic_rank(uint64_t id, uint64_t *clear)
{
	uint32_t low = LIB_GIC_LOW(id), clear_low = 0;
	unsigned int rank;

	*clear = 0;
	switch (LIB_GIC_GROUP(id)) {
	case GIC_LEVEL:
		return RANK_LEVEL;
	case GIC_SYSREGS:
		return rank_of_icc(low);
	case GIC_REDIST:
		rank = rank_of_redist(low, &clear_low);
		break;
	default:
		if (low == GICD_IIDR)
			return RANK_REVISION;
		if (low < GICD_IGROUPR)
			return RANK_CONTROL;
		rank = rank_of_interrupts(low, &clear_low);
		break;
	}
	if (clear_low)
		*clear = LIB_GIC_ID(LIB_GIC_GROUP(id), clear_low);
	return rank;
}
