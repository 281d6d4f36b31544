// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define DIST_BASE	0x08000000
#define REDIST_BASE	0x40000000ull
#define IRQS		288	/* as QEMU's virt machine has */

struct kvm_device_attr machine_gic_attr(struct tern_vgic_reg *reg)
{
	return (struct kvm_device_attr){
		.group = reg->group, .attr = reg->attr,
		.addr = (uintptr_t)&reg->val,
	};
}

/* QEMU's order */

static void add(struct machine *m, uint32_t group, uint64_t attr, uint32_t n,
		uint32_t step)
{
	for (; n; n--, attr += step)
		m->gic[m->nr_gic++] = (struct tern_vgic_reg){
			.group = group, .attr = attr,
		};
}

#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define SYSREGS	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO
#define SGI	0x10000
#define ICC(crm, op2)	(0xc600 | (crm) << 3 | (op2))
#define PMR	0xc230

static void add_redist(struct machine *m, uint64_t aff)
{
	add(m, REDIST, aff | 0x0000, 1, 4);		/* CTLR */
	add(m, REDIST, aff | 0x0010, 2, 4);		/* STATUSR, WAKER */
	add(m, REDIST, aff | (SGI + 0x080), 1, 4);	/* IGROUPR0 */
	add(m, REDIST, aff | (SGI + 0x100), 1, 4);	/* ISENABLER0 */
	add(m, REDIST, aff | (SGI + 0xc04), 1, 4);	/* ICFGR1 */
	add(m, LEVEL, aff, 1, 4);
	add(m, REDIST, aff | (SGI + 0x200), 1, 4);	/* ISPENDR0 */
	add(m, REDIST, aff | (SGI + 0x300), 1, 4);	/* ISACTIVER0 */
	add(m, REDIST, aff | (SGI + 0x400), 8, 4);	/* IPRIORITYR */
}

static void add_dist(struct machine *m, uint64_t aff)
{
	uint32_t words = IRQS / 32 - 1;

	add(m, DIST, 0x0010, 1, 4);			/* STATUSR */
	add(m, DIST, 0x0104, words, 4);			/* ISENABLER */
	add(m, DIST, 0x0084, words, 4);			/* IGROUPR */
	add(m, DIST, 0x6100, (IRQS - 32) * 2, 4);	/* IROUTER */
	add(m, DIST, 0x0c08, words * 2, 4);		/* ICFGR */
	add(m, LEVEL, aff | 32, words, 32);
	add(m, DIST, 0x0204, words, 4);			/* ISPENDR */
	add(m, DIST, 0x0304, words, 4);			/* ISACTIVER */
	add(m, DIST, 0x0420, words * 8, 4);		/* IPRIORITYR */
}

static void add_cpu_interface(struct machine *m, uint64_t aff)
{
	add(m, SYSREGS, aff | ICC(12, 5), 1, 1);	/* SRE */
	add(m, SYSREGS, aff | ICC(12, 4), 1, 1);	/* CTLR */
	add(m, SYSREGS, aff | ICC(12, 6), 2, 1);	/* IGRPEN0, IGRPEN1 */
	add(m, SYSREGS, aff | PMR, 1, 1);
	add(m, SYSREGS, aff | ICC(8, 3), 1, 1);		/* BPR0 */
	add(m, SYSREGS, aff | ICC(12, 3), 1, 1);	/* BPR1 */
	add(m, SYSREGS, aff | ICC(8, 4), 1, 1);		/* AP0R0 */
	add(m, SYSREGS, aff | ICC(9, 0), 1, 1);		/* AP1R0 */
}

static int list_gic(struct machine *m)
{
	uint32_t i, n = m->vm.nr_vcpus;

	m->gic = calloc(32 * n + 1024, sizeof(*m->gic));
	if (!m->gic)
		return -ENOMEM;
	add(m, DIST, 0x0000, 1, 4);			/* CTLR */
	for (i = 0; i < n; i++)
		add(m, REDIST, m->aff[i] | 0x0070, 4, 4); /* PROP-, PENDBASER */
	for (i = 0; i < n; i++)
		add_redist(m, m->aff[i]);
	add_dist(m, m->aff[0]);
	for (i = 0; i < n; i++)
		add_cpu_interface(m, m->aff[i]);
	return 0;
}

uint64_t machine_gic_clear(const struct tern_vgic_reg *reg)
{
	uint32_t low = reg->attr;

	if (reg->group == REDIST)
		low -= SGI;
	else if (reg->group != DIST)
		return 0;
	if ((low >= 0x100 && low < 0x180) || (low >= 0x200 && low < 0x280) ||
	    (low >= 0x300 && low < 0x380))
		return reg->attr + 0x80;
	return 0;
}

/* Life */

static int list_regs(struct machine *m)
{
	struct kvm_reg_list probe = { .n = 0 };
	size_t size;
	int ret;

	vm_ioctl(m->vm.vcpu[0].fd, KVM_GET_REG_LIST, &probe);
	size = sizeof(*m->list) + probe.n * sizeof(m->list->reg[0]);
	m->list = malloc(size);
	m->value = calloc(m->vm.nr_vcpus * probe.n + 1, sizeof(*m->value));
	m->aff = calloc(m->vm.nr_vcpus + 1, sizeof(*m->aff));
	if (!m->list || !m->value || !m->aff)
		return -ENOMEM;
	m->list->n = probe.n;
	ret = vm_ioctl(m->vm.vcpu[0].fd, KVM_GET_REG_LIST, m->list);
	return ret < 0 ? ret : 0;
}

static int find_affinities(struct machine *m)
{
	uint64_t mpidr;
	uint32_t i;
	int ret;

	for (i = 0; i < m->vm.nr_vcpus; i++) {
		ret = vcpu_get(&m->vm.vcpu[i], ARM64_SYS_REG(3, 0, 0, 0, 5),
			       &mpidr);
		if (ret < 0)
			return ret;
		m->aff[i] = (mpidr & 0xffffff) << 32;
	}
	return 0;
}

static int make_handle(struct machine *m)
{
	uint32_t i;
	int ret;

	ret = tern_vm_new(&m->handle, m->vm.fd);
	for (i = 0; !ret && i < m->vm.nr_vcpus; i++)
		ret = tern_vm_add_vcpu(m->handle, i, m->vm.vcpu[i].fd);
	return ret ? ret : tern_vm_set_gic(m->handle, m->vm.gic);
}

void machine_fini(struct machine *m)
{
	tern_vm_free(m->handle);
	vm_fini(&m->vm);
	free(m->list);
	free(m->value);
	free(m->aff);
	free(m->gic);
}

int machine_init(struct machine *m, const char *device, uint32_t vcpus)
{
	int ret;

	memset(m, 0, sizeof(*m));
	ret = vm_init(&m->vm, device);
	while (!ret && m->vm.nr_vcpus < vcpus)
		ret = vm_add_vcpu(&m->vm, 0);
	if (!ret)
		ret = vm_add_vgic(&m->vm, DIST_BASE, REDIST_BASE, IRQS);
	if (!ret)
		ret = list_regs(m);
	if (!ret)
		ret = find_affinities(m);
	if (!ret)
		ret = list_gic(m);
	if (!ret)
		ret = make_handle(m);
	return ret;
}
