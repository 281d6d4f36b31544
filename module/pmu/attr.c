// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_ARM_VCPU_PMU_V3_CTRL: the client's say in a vCPU's performance monitors.
 */
#include <linux/bitmap.h>
#include <linux/perf/arm_pmu.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "pmu.h"

static bool is_ppi(u32 irq)
{
	return irq >= 16 && irq < VGIC_PRIVATE;
}

/* One PPI for all vCPUs, or SPIs that differ. */
static bool irq_fits(const struct pmu_vm *pv, u32 irq)
{
	if (is_ppi(irq))
		return !pv->any_spi && (!pv->ppi || pv->ppi == irq);
	return !test_bit(irq, pv->spi);
}

static int set_irq(struct pmu_cpu *p, const int __user *from)
{
	struct pmu_vm *pv = p->vm;
	int irq;

	if (!p->gic->created)
		return -EINVAL;
	if (get_user(irq, from))
		return -EFAULT;
	if (irq < 16 || irq >= PMU_MAX_SPI || !irq_fits(pv, irq))
		return -EINVAL;
	if (p->irq)
		return -EBUSY;
	if (is_ppi(irq)) {
		pv->ppi = irq;
	} else {
		pv->any_spi = true;
		__set_bit(irq, pv->spi);
	}
	p->irq = irq;
	return 0;
}

static int make_filter(struct pmu_vm *pv, bool allow)
{
	pv->filter = bitmap_alloc(pv->nr_events, GFP_KERNEL_ACCOUNT);
	if (!pv->filter)
		return -ENOMEM;
	/* Who begins by allowing means nothing else; who begins by denying, all else. */
	if (allow)
		bitmap_zero(pv->filter, pv->nr_events);
	else
		bitmap_fill(pv->filter, pv->nr_events);
	return 0;
}

static int set_filter(struct pmu_vm *pv, const void __user *from, bool ran_once)
{
	struct kvm_pmu_event_filter f;

	if (copy_from_user(&f, from, sizeof(f)))
		return -EFAULT;
	if ((u32)f.base_event + f.nevents > pv->nr_events ||
	    (f.action != KVM_PMU_EVENT_ALLOW && f.action != KVM_PMU_EVENT_DENY))
		return -EINVAL;
	if (ran_once)
		return -EBUSY;
	if (!pv->filter && make_filter(pv, f.action == KVM_PMU_EVENT_ALLOW))
		return -ENOMEM;
	if (f.action == KVM_PMU_EVENT_ALLOW)
		bitmap_set(pv->filter, f.base_event, f.nevents);
	else
		bitmap_clear(pv->filter, f.base_event, f.nevents);
	return 0;
}

/* Another PMU than the one a filter was made for would give its numbers another meaning. */
static int set_pmu(struct pmu_vm *pv, const int __user *from, bool ran_once)
{
	const struct arm_pmu *before = pv->host;
	bool picked = pv->picked;
	u32 nr_events = pv->nr_events;
	int type, err;

	if (get_user(type, from))
		return -EFAULT;
	err = type < 0 ? -ENXIO : pmu_host_pick(pv, type);
	if (!err && (ran_once || (pv->filter && pv->host != before)))
		err = -EBUSY;
	if (err) {
		pv->host = before;
		pv->picked = picked;
		pv->nr_events = nr_events;
	}
	return err;
}

static int init(struct pmu_cpu *p)
{
	int err = 0;

	if (p->gic->created) {
		if (!vgic_initialized(p->gic))
			return -ENODEV;
		if (!p->irq)
			return -ENXIO;
		if (is_ppi(p->irq))
			err = vgic_own(p->vgic, p->irq);
		else if (!vgic_valid_spi(p->gic, p->irq))
			err = -EINVAL;
	}
	if (!err)
		p->created = true;
	return err;
}

int pmu_set_attr(struct pmu_cpu *p, const struct kvm_device_attr *a, bool ran_once)
{
	void __user *from = u64_to_user_ptr(a->addr);

	if (!p->present)
		return -ENODEV;
	if (p->created)
		return -EBUSY;
	if (!p->vm->host && pmu_host_pick(p->vm, -1))
		return -ENODEV;

	switch (a->attr) {
	case KVM_ARM_VCPU_PMU_V3_IRQ:
		return set_irq(p, from);
	case KVM_ARM_VCPU_PMU_V3_FILTER:
		return set_filter(p->vm, from, ran_once);
	case KVM_ARM_VCPU_PMU_V3_SET_PMU:
		return set_pmu(p->vm, from, ran_once);
	case KVM_ARM_VCPU_PMU_V3_INIT:
		return init(p);
	default:
		return -ENXIO;
	}
}

int pmu_get_attr(const struct pmu_cpu *p, const struct kvm_device_attr *a)
{
	int __user *to = u64_to_user_ptr(a->addr);

	if (a->attr != KVM_ARM_VCPU_PMU_V3_IRQ)
		return -ENXIO;
	if (!p->gic->created)
		return -EINVAL;
	if (!p->present)
		return -ENODEV;
	return p->irq ? put_user((int)p->irq, to) : -ENXIO;
}

int pmu_has_attr(const struct pmu_cpu *p, const struct kvm_device_attr *a)
{
	switch (a->attr) {
	case KVM_ARM_VCPU_PMU_V3_IRQ:
	case KVM_ARM_VCPU_PMU_V3_INIT:
	case KVM_ARM_VCPU_PMU_V3_FILTER:
	case KVM_ARM_VCPU_PMU_V3_SET_PMU:
		return p->present ? 0 : -ENXIO;
	default:
		return -ENXIO;
	}
}
