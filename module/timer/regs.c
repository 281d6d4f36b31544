// SPDX-License-Identifier: GPL-2.0
/*
 * The timers as the client sees them: KVM_GET_ONE_REG, KVM_SET_ONE_REG and the
 * device attributes of a vCPU.
 */
#include <linux/errno.h>
#include <linux/uaccess.h>
#include "timer.h"

#define CTL_IT_STAT 4UL

/*
 * The three that built-in KVM lists. Their ids are not what the encodings of
 * the registers would give: CNT and CVAL were swapped when the ABI was made
 * (KVM API, 4.68).
 */
const u64 timer_reg_ids[TIMER_NUM_REGS] = {
	KVM_REG_ARM_TIMER_CTL,
	KVM_REG_ARM_TIMER_CNT,
	KVM_REG_ARM_TIMER_CVAL,
};

static u64 timer_count(const struct timer_cpu *t, enum timer_id id)
{
	return timer_counter() - (id == TIMER_VIRT ? READ_ONCE(t->vm->cntvoff) : 0);
}

/* ISTATUS is UNKNOWN while the timer is disabled; as in built-in KVM it tells the time all the same. */
static u64 timer_ctl(const struct timer_cpu *t, enum timer_id id)
{
	const struct timer_one *o = &t->one[id];

	return timer_count(t, id) >= o->cval ? o->ctl | CTL_IT_STAT : o->ctl;
}

int timer_get_reg(struct timer_cpu *t, u64 id, u64 *val)
{
	switch (id) {
	case KVM_REG_ARM_TIMER_CTL:
		*val = timer_ctl(t, TIMER_VIRT);
		return 0;
	case KVM_REG_ARM_TIMER_CNT:
		*val = timer_count(t, TIMER_VIRT);
		return 0;
	case KVM_REG_ARM_TIMER_CVAL:
		*val = t->one[TIMER_VIRT].cval;
		return 0;
	case KVM_REG_ARM_PTIMER_CTL:
		*val = timer_ctl(t, TIMER_PHYS);
		return 0;
	case KVM_REG_ARM_PTIMER_CNT:
		*val = timer_count(t, TIMER_PHYS);
		return 0;
	case KVM_REG_ARM_PTIMER_CVAL:
		*val = t->one[TIMER_PHYS].cval;
		return 0;
	default:
		return -ENOENT;
	}
}

int timer_set_reg(struct timer_cpu *t, u64 id, u64 val)
{
	switch (id) {
	case KVM_REG_ARM_TIMER_CTL:
		t->one[TIMER_VIRT].ctl = val & ~CTL_IT_STAT;
		return 0;
	case KVM_REG_ARM_TIMER_CNT:
		/* All vCPUs of a VM have one virtual counter. */
		mutex_lock(&t->vm->lock);
		WRITE_ONCE(t->vm->cntvoff, timer_counter() - val);
		mutex_unlock(&t->vm->lock);
		return 0;
	case KVM_REG_ARM_TIMER_CVAL:
		t->one[TIMER_VIRT].cval = val;
		return 0;
	case KVM_REG_ARM_PTIMER_CTL:
		t->one[TIMER_PHYS].ctl = val & ~CTL_IT_STAT;
		return 0;
	case KVM_REG_ARM_PTIMER_CVAL:
		t->one[TIMER_PHYS].cval = val;
		return 0;
	default:
		return -ENOENT;
	}
}

static int attr_timer(const struct kvm_device_attr *attr)
{
	switch (attr->attr) {
	case KVM_ARM_VCPU_TIMER_IRQ_VTIMER:
		return TIMER_VIRT;
	case KVM_ARM_VCPU_TIMER_IRQ_PTIMER:
		return TIMER_PHYS;
	default:
		return -ENXIO;
	}
}

int timer_set_attr(struct timer_cpu *t, const struct kvm_device_attr *attr, bool has_gic)
{
	int id = attr_timer(attr);
	int intid;
	int err = 0;

	if (!has_gic)
		return -EINVAL;
	if (get_user(intid, (int __user *)(unsigned long)attr->addr))
		return -EFAULT;
	if (intid < 16 || intid >= VGIC_PRIVATE)
		return -EINVAL;

	mutex_lock(&t->vm->lock);
	if (t->vm->fixed)
		err = -EBUSY;
	else if (id < 0)
		err = id;
	else
		t->vm->intid[id] = intid;
	mutex_unlock(&t->vm->lock);
	return err;
}

int timer_get_attr(struct timer_cpu *t, const struct kvm_device_attr *attr)
{
	int id = attr_timer(attr);

	if (id < 0)
		return id;
	return put_user((int)READ_ONCE(t->vm->intid[id]), (int __user *)(unsigned long)attr->addr);
}

int timer_has_attr(struct timer_cpu *t, const struct kvm_device_attr *attr)
{
	int id = attr_timer(attr);

	return id < 0 ? id : 0;
}
