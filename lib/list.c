// SPDX-License-Identifier: GPL-2.0
/*
 * Which registers make up a vCPU and a GIC (Documentation/virt/kvm/api.rst and
 * devices/arm-vgic-v3.rst).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gic.h"
#include "lib.h"

#define MPIDR_ID	ARM64_SYS_REG(3, 0, 0, 0, 5)
#define MPIDR_LOW	0xffffffull
#define MPIDR_AFF3	(0xffull << 32)

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
	uint32_t spis = irqs - GIC_PRIVATE, i;

	add(list, GIC_DIST, GICD_TYPER, 4, 1);
	add(list, GIC_DIST, GICD_IIDR, 4, 1);
	add(list, GIC_DIST, GICD_CTLR, 4, 1);
	for (i = 0; i < sizeof(bitmaps) / sizeof(bitmaps[0]); i++)
		add(list, GIC_DIST, bitmaps[i] + GIC_PRIVATE / 8, 4, spis / 32);
	add(list, GIC_DIST, GICD_ICFGR + GIC_PRIVATE / 4, 4, spis / 16);
	add(list, GIC_DIST, GICD_IPRIORITYR + GIC_PRIVATE, 4, spis / 4);
	add(list, GIC_DIST, GICD_IROUTER + GIC_PRIVATE * 8, 4, spis * 2);
	add(list, GIC_LEVEL, GIC_PRIVATE, 32, spis / 32);
}

static void add_redist(struct lib_list *list)
{
	add(list, GIC_REDIST, GICR_CTLR, 4, 1);
	add(list, GIC_REDIST, GICR_PROPBASER, 4, 2);
	add(list, GIC_REDIST, GICR_PENDBASER, 4, 2);
	add(list, GIC_REDIST, GICR_SGI + GICD_IGROUPR, 4, 1);
	add(list, GIC_REDIST, GICR_SGI + GICD_ISENABLER, 4, 1);
	add(list, GIC_REDIST, GICR_SGI + GICD_ISPENDR, 4, 1);
	add(list, GIC_REDIST, GICR_SGI + GICD_ISACTIVER, 4, 1);
	add(list, GIC_REDIST, GICR_SGI + GICD_IPRIORITYR, 4, GIC_PRIVATE / 4);
	add(list, GIC_REDIST, GICR_SGI + GICD_ICFGR, 4, 2);
	add(list, GIC_LEVEL, 0, 32, 1);
}

/* Arm IHI 0069 12.2.5: an active priorities register for each two bits more. */
static void add_cpu_interface(struct lib_list *list, unsigned int priority_bits)
{
	uint32_t n = priority_bits < 6 ? 1 : priority_bits == 6 ? 2 : 4;

	add(list, GIC_SYSREGS, ICC_SRE, 1, 1);
	add(list, GIC_SYSREGS, ICC_CTLR, 1, 1);
	add(list, GIC_SYSREGS, ICC_PMR, 1, 1);
	add(list, GIC_SYSREGS, ICC_BPR0, 1, 1);
	add(list, GIC_SYSREGS, ICC_BPR1, 1, 1);
	add(list, GIC_SYSREGS, ICC_IGRPEN0, 1, 1);
	add(list, GIC_SYSREGS, ICC_IGRPEN1, 1, 1);
	add(list, GIC_SYSREGS, ICC_AP0R(0), 1, n);
	add(list, GIC_SYSREGS, ICC_AP1R(0), 1, n);
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
	if (irqs < GIC_PRIVATE || irqs % 32 || irqs > 1024)
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

	ret = lib_gic_attr(gic_fd, false, GIC_SYSREGS, aff | ICC_CTLR, &ctlr);
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
