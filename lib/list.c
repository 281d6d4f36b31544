// SPDX-License-Identifier: GPL-2.0
/*
 * Which registers make up a vCPU and a GIC (Documentation/virt/kvm/api.rst and
 * devices/arm-vgic-v3.rst), and in what order a GIC is written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

/* Registers of the distributor, and in a redistributor's second frame */
#define GICD_CTLR	0x0000
#define GICD_TYPER	LIB_GICD_TYPER
#define GICD_IIDR	0x0008
#define GICD_IGROUPR	0x0080
#define GICD_ISENABLER	0x0100
#define GICD_ICENABLER	0x0180
#define GICD_ISPENDR	0x0200
#define GICD_ICPENDR	0x0280
#define GICD_ISACTIVER	0x0300
#define GICD_ICACTIVER	0x0380
#define GICD_IPRIORITYR	0x0400
#define GICD_ICFGR	0x0c00
#define GICD_IROUTER	0x6000

#define GICR_CTLR	0x0000
#define GICR_PROPBASER	0x0070
#define GICR_PENDBASER	0x0078
#define GICR_SGI	0x10000

/* ICC_*_EL1: op0, op1, CRn, CRm, op2 as in bits 15:0 of an attribute */
#define ICC(crn, crm, op2)	(3u << 14 | (crn) << 7 | (crm) << 3 | (op2))
#define ICC_PMR		ICC(4, 6, 0)
#define ICC_BPR0	ICC(12, 8, 3)
#define ICC_AP0R(n)	ICC(12, 8, 4 | (n))
#define ICC_AP1R(n)	ICC(12, 9, (n))
#define ICC_BPR1	ICC(12, 12, 3)
#define ICC_CTLR	ICC(12, 12, 4)
#define ICC_SRE		ICC(12, 12, 5)
#define ICC_IGRPEN0	ICC(12, 12, 6)
#define ICC_IGRPEN1	ICC(12, 12, 7)

#define ICC_CTLR_PRIBITS(v)	(((v) >> 8 & 7) + 1)

#define MPIDR_ID	ARM64_SYS_REG(3, 0, 0, 0, 5)
#define MPIDR_LOW	0xffffffull
#define MPIDR_AFF3	(0xffull << 32)

#define PRIVATE		32u
#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define SYSREGS	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO

void lib_list_fini(struct lib_list *list)
{
	free(list->id);
	*list = (struct lib_list){ 0 };
}

bool lib_list_equal(const struct lib_list *a, const struct lib_list *b)
{
	return a->n == b->n && !memcmp(a->id, b->id, a->n * sizeof(*a->id));
}

int lib_list_regs(struct lib_list *list, int vcpu_fd)
{
	struct kvm_reg_list probe = { .n = 0 }, *all;
	int ret = lib_ioctl(vcpu_fd, KVM_GET_REG_LIST, &probe);

	if (ret < 0 && ret != -E2BIG)
		return ret;
	all = malloc(sizeof(*all) + probe.n * sizeof(all->reg[0]));
	if (!all)
		return -ENOMEM;
	all->n = probe.n;
	ret = lib_ioctl(vcpu_fd, KVM_GET_REG_LIST, all);
	if (!ret && all->n > probe.n)
		ret = -EAGAIN;
	if (!ret) {
		list->n = all->n;
		list->id = malloc(all->n * sizeof(*list->id) + 1);
		if (list->id)
			memcpy(list->id, all->reg, all->n * sizeof(*list->id));
		else
			ret = -ENOMEM;
	}
	free(all);
	return ret;
}

int lib_affinity(int vcpu_fd, uint64_t *aff)
{
	uint64_t mpidr = 0;
	int ret = lib_get_reg(vcpu_fd, MPIDR_ID, &mpidr);

	*aff = (mpidr & MPIDR_LOW) << 32 | (mpidr & MPIDR_AFF3) << 24;
	return ret < 0 ? ret : 0;
}

/* n registers of a group, step apart; counted before there is room for them */
static void add(struct lib_list *list, uint32_t group, uint32_t low,
		uint32_t step, uint32_t n)
{
	uint32_t i;

	for (i = 0; list->id && i < n; i++)
		list->id[list->n + i] = LIB_GIC_ID(group, low + i * step);
	list->n += n;
}

/* Private interrupts are the redistributors', so all begin with number 32. */
static void add_dist(struct lib_list *list, uint32_t irqs)
{
	static const uint32_t bitmaps[] = {
		GICD_IGROUPR, GICD_ISENABLER, GICD_ISPENDR, GICD_ISACTIVER,
	};
	uint32_t spis = irqs - PRIVATE, i;

	add(list, DIST, GICD_TYPER, 4, 1);
	add(list, DIST, GICD_IIDR, 4, 1);
	add(list, DIST, GICD_CTLR, 4, 1);
	for (i = 0; i < sizeof(bitmaps) / sizeof(bitmaps[0]); i++)
		add(list, DIST, bitmaps[i] + PRIVATE / 8, 4, spis / 32);
	add(list, DIST, GICD_ICFGR + PRIVATE / 4, 4, spis / 16);
	add(list, DIST, GICD_IPRIORITYR + PRIVATE, 4, spis / 4);
	add(list, DIST, GICD_IROUTER + PRIVATE * 8, 4, spis * 2);
	add(list, LEVEL, PRIVATE, 32, spis / 32);
}

static void add_redist(struct lib_list *list)
{
	add(list, REDIST, GICR_CTLR, 4, 1);
	add(list, REDIST, GICR_PROPBASER, 4, 2);
	add(list, REDIST, GICR_PENDBASER, 4, 2);
	add(list, REDIST, GICR_SGI + GICD_IGROUPR, 4, 1);
	add(list, REDIST, GICR_SGI + GICD_ISENABLER, 4, 1);
	add(list, REDIST, GICR_SGI + GICD_ISPENDR, 4, 1);
	add(list, REDIST, GICR_SGI + GICD_ISACTIVER, 4, 1);
	add(list, REDIST, GICR_SGI + GICD_IPRIORITYR, 4, PRIVATE / 4);
	add(list, REDIST, GICR_SGI + GICD_ICFGR, 4, 2);
	add(list, LEVEL, 0, 32, 1);
}

/* Arm IHI 0069 12.2.5: an active priorities register for each two bits more. */
static void add_cpu_interface(struct lib_list *list, unsigned int priority_bits)
{
	uint32_t n = priority_bits < 6 ? 1 : priority_bits == 6 ? 2 : 4;

	add(list, SYSREGS, ICC_SRE, 1, 1);
	add(list, SYSREGS, ICC_CTLR, 1, 1);
	add(list, SYSREGS, ICC_PMR, 1, 1);
	add(list, SYSREGS, ICC_BPR0, 1, 1);
	add(list, SYSREGS, ICC_BPR1, 1, 1);
	add(list, SYSREGS, ICC_IGRPEN0, 1, 1);
	add(list, SYSREGS, ICC_IGRPEN1, 1, 1);
	add(list, SYSREGS, ICC_AP0R(0), 1, n);
	add(list, SYSREGS, ICC_AP1R(0), 1, n);
}

static int make_room(struct lib_list *list)
{
	list->id = malloc(list->n * sizeof(*list->id) + 1);
	list->n = 0;
	return list->id ? 0 : -ENOMEM;
}

int lib_list_gic_dist(struct lib_list *list, int gic_fd)
{
	uint32_t irqs = 0;
	int ret;

	ret = lib_gic_attr(gic_fd, false, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0,
			   &irqs);
	if (ret < 0)
		return ret;
	if (irqs < PRIVATE || irqs % 32 || irqs > 1024)
		return -EPROTO;
	*list = (struct lib_list){ 0 };
	add_dist(list, irqs);
	ret = make_room(list);
	if (!ret)
		add_dist(list, irqs);
	return ret;
}

int lib_list_gic_cpu(struct lib_list *list, int gic_fd, uint64_t aff)
{
	uint64_t ctlr = 0;
	int ret;

	ret = lib_gic_attr(gic_fd, false, SYSREGS, aff | ICC_CTLR, &ctlr);
	if (ret < 0)
		return ret;
	*list = (struct lib_list){ 0 };
	add_redist(list);
	add_cpu_interface(list, ICC_CTLR_PRIBITS(ctlr));
	ret = make_room(list);
	if (ret)
		return ret;
	add_redist(list);
	add_cpu_interface(list, ICC_CTLR_PRIBITS(ctlr));
	return 0;
}

struct tern_vgic_reg lib_gic_reg(uint64_t id, uint64_t aff, uint64_t val)
{
	struct tern_vgic_reg reg = {
		.group = LIB_GIC_GROUP(id), .attr = LIB_GIC_LOW(id), .val = val,
	};

	if (reg.group != DIST)
		reg.attr |= aff;
	if (reg.group == LEVEL)
		reg.attr = aff | (LIB_GIC_LOW(id) &
				  KVM_DEV_ARM_VGIC_LINE_LEVEL_INTID_MASK) |
			(uint64_t)VGIC_LEVEL_INFO_LINE_LEVEL <<
			KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT;
	return reg;
}

/*
 * The revision first, since it decides what the rest mean; tables before LPIs
 * are enabled; routes, configuration and levels before what is pending, which
 * goes where and is what they say; priority bits of the CPU interface last.
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
	RANK_ICC_CTLR,
	RANK_ICC,
};
_Static_assert(RANK_ICC < LIB_GIC_RANKS, "every rank is counted");

static bool within(uint32_t low, uint32_t reg, uint32_t size)
{
	return low >= reg && low - reg < size;
}

static unsigned int rank_of_interrupts(uint32_t low, uint32_t *clear)
{
	*clear = 0;
	if (within(low, GICD_ISENABLER, 0x80))
		*clear = low - GICD_ISENABLER + GICD_ICENABLER;
	else if (within(low, GICD_ISPENDR, 0x80))
		*clear = low - GICD_ISPENDR + GICD_ICPENDR;
	else if (within(low, GICD_ISACTIVER, 0x80))
		*clear = low - GICD_ISACTIVER + GICD_ICACTIVER;
	if (within(low, GICD_IGROUPR, 0x80))
		return RANK_GROUP;
	if (within(low, GICD_ISENABLER, 0x80))
		return RANK_ENABLE;
	if (within(low, GICD_ISPENDR, 0x80))
		return RANK_PENDING;
	if (within(low, GICD_ISACTIVER, 0x80))
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
	if (low == ICC_SRE)
		return RANK_ICC_SRE;
	return low == ICC_CTLR ? RANK_ICC_CTLR : RANK_ICC;
}

unsigned int lib_gic_rank(uint64_t id, uint64_t *clear)
{
	uint32_t low = LIB_GIC_LOW(id), clear_low = 0;
	unsigned int rank;

	*clear = 0;
	switch (LIB_GIC_GROUP(id)) {
	case LEVEL:
		return RANK_LEVEL;
	case SYSREGS:
		return rank_of_icc(low);
	case REDIST:
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
