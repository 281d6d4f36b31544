// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of KVM_DEV_TYPE_ARM_VGIC_V3: KVM's numbering of what vgic/vgic.h
 * offers (Documentation/virt/kvm/devices/arm-vgic-v3.rst). The VM has such a
 * device, or there would be no file to come through.
 */
#include <linux/kvm.h>
#include <linux/uaccess.h>
#include "../../uapi/tern.h"
#include "abi.h"
#include "event.h"
#include "gic_list.h"

/* Bits 63:32 of attributes that name a vCPU: its affinities, Aff3 first */
struct vgic_cpu *abi_vgic_cpu(struct tern_vm *vm, u64 attr)
{
	u64 aff = (attr & KVM_DEV_ARM_VGIC_V3_MPIDR_MASK) >> KVM_DEV_ARM_VGIC_V3_MPIDR_SHIFT;

	return vgic_cpu_by_mpidr(&vm->vgic, (aff & 0xffffff) | aff >> 24 << 32);
}

static u32 attr_offset(u64 attr)
{
	return attr & KVM_DEV_ARM_VGIC_OFFSET_MASK;
}

/* The attribute's low 16 bits encode a system register as SYSREG_ENCODE() does. */
static u32 attr_sysreg(u64 attr)
{
	return attr & 0xffff;
}

static bool attr_is_line_level(u64 attr)
{
	return (attr & KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_MASK) >> KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT ==
	       VGIC_LEVEL_INFO_LINE_LEVEL;
}

/* Addresses */

/* The value of KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION */
#define REGION_INDEX(val)	((u32)(val) & 0xfff)
#define REGION_FLAGS(val)	((u32)(val) >> 12 & 0xf)
#define REGION_BASE(val)	((val) & 0x000fffffffff0000ULL)
#define REGION_COUNT_SHIFT	52

static int set_addr(struct vgic *g, u64 type, u64 val)
{
	u32 count = val >> REGION_COUNT_SHIFT;

	switch (type) {
	case KVM_VGIC_V3_ADDR_TYPE_DIST:
		return vgic_set_dist(g, val);
	case KVM_VGIC_V3_ADDR_TYPE_REDIST:
		return vgic_add_region(g, 0, val, 0);
	case KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION:
		if (!count || REGION_FLAGS(val))
			return -EINVAL;
		return vgic_add_region(g, REGION_INDEX(val), REGION_BASE(val), count);
	}
	return -ENXIO;
}

static int get_addr(struct vgic *g, u64 type, u64 *val)
{
	struct vgic_region r = { .base = VGIC_ADDR_UNDEF };
	int err;

	switch (type) {
	case KVM_VGIC_V3_ADDR_TYPE_DIST:
		*val = READ_ONCE(g->dist_base);
		return 0;
	case KVM_VGIC_V3_ADDR_TYPE_REDIST:
		vgic_get_region(g, 0, &r);
		*val = r.base;
		return 0;
	case KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION:
		err = vgic_get_region(g, REGION_INDEX(*val), &r);
		if (!err)
			*val = r.index | r.base | (u64)r.count << REGION_COUNT_SHIFT;
		return err;
	}
	return -ENXIO;
}

static int set_addr_attr(struct vgic *g, const struct kvm_device_attr *attr)
{
	u64 val;

	if (get_user(val, (u64 __user *)attr->addr))
		return -EFAULT;
	return set_addr(g, attr->attr, val);
}

/* The client names the region it asks about in the value. */
static int get_addr_attr(struct vgic *g, const struct kvm_device_attr *attr)
{
	u64 val = 0;
	int err;

	if (attr->attr == KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION && get_user(val, (u64 __user *)attr->addr))
		return -EFAULT;
	err = get_addr(g, attr->attr, &val);
	return err ?: put_user(val, (u64 __user *)attr->addr);
}

/* Registers: all vCPUs must be out of KVM_RUN, and stay out. */

/*
 * The CPU interface may live in a CPU even though its vCPU has not been in the
 * guest since vm_quiesce(): after a KVM_RUN that came to nothing.
 */
static int access_icc(struct vgic_cpu *c, u64 attr, bool write, u64 *val)
{
	struct tern_vcpu *v = container_of(c, struct tern_vcpu, vgic);
	int err;

	if (!vcpu_trylock(&v->lock))
		return -EBUSY;
	vcpu_evict(v);
	err = vgic_icc_uaccess(c, attr_sysreg(attr), write, val);
	vcpu_unlock(&v->lock);
	return err;
}

/* @one: this register alone is accessed; else all vCPUs are claimed */
static __always_inline int access_reg(struct vgic *g, struct vgic_cpu *c, u32 group, u64 attr, bool one, bool write, u64 *val)
{
	u32 word = *val;
	int err;

	switch (group) {
	case KVM_DEV_ARM_VGIC_GRP_DIST_REGS:
		err = vgic_dist_uaccess(g, attr_offset(attr), write, &word);
		break;
	case KVM_DEV_ARM_VGIC_GRP_REDIST_REGS:
		err = vgic_redist_uaccess(c, attr_offset(attr), write, &word);
		break;
	case KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO:
		if (!attr_is_line_level(attr))
			return -EINVAL;
		err = vgic_level_uaccess(g, c, attr & KVM_DEV_ARM_VGIC_LINE_LEVEL_INTID_MASK, write, &word);
		break;
	default:
		return one ? access_icc(c, attr, write, val) : vgic_icc_uaccess(c, attr_sysreg(attr), write, val);
	}
	*val = word;
	return err;
}

static __always_inline int access_reg_locked(struct tern_vm *vm, u32 group, u64 attr, bool write, u64 *val)
{
	struct vgic *g = &vm->vgic;
	struct vgic_cpu *c = NULL;
	int err;

	if (group != KVM_DEV_ARM_VGIC_GRP_DIST_REGS)
		c = abi_vgic_cpu(vm, attr);
	else if (vm_nr_vcpus(vm))
		c = &vm->vcpu[0]->vgic;
	if (!c)
		return -EINVAL;
	err = likely(vm->quiet) ? 0 : vm_quiesce(vm);
	if (err)
		return err;
	return vgic_initialized(g) ? access_reg(g, c, group, attr, true, write, val) : -EBUSY;
}

int abi_vgic_reg(struct tern_vm *vm, struct vgic_cpu *c, u32 group, u64 attr, bool write, u64 *val)
{
	return access_reg(&vm->vgic, c, group, attr, false, write, val);
}

static int copy_reg(u32 group, const struct kvm_device_attr *attr, bool from_user, u64 *val)
{
	u32 word = *val;

	if (group == KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS)
		return from_user ? get_user(*val, (u64 __user *)attr->addr) :
				   put_user(*val, (u64 __user *)attr->addr);
	if (!from_user)
		return put_user(word, (u32 __user *)attr->addr);
	if (get_user(word, (u32 __user *)attr->addr))
		return -EFAULT;
	*val = word;
	return 0;
}

static int reg_attr(struct tern_vm *vm, const struct kvm_device_attr *attr, bool write)
{
	u64 val = 0;
	int err;

	if (write && copy_reg(attr->group, attr, true, &val))
		return -EFAULT;
	/* mutex_lock() would look first whether somebody else wants the CPU. */
	if (!mutex_trylock(&vm->lock))
		mutex_lock(&vm->lock);
	err = access_reg_locked(vm, attr->group, attr->attr, write, &val);
	mutex_unlock(&vm->lock);
	if (err || write)
		return err;
	return copy_reg(attr->group, attr, false, &val);
}

/* Control */

/* LPIs are the only interrupts whose pending state lives in guest memory. */
static int save_pending_tables(struct tern_vm *vm)
{
	int err = vm_quiesce(vm);

	return err ?: vgic_save_pending_tables(&vm->vgic);
}

/* From INIT on the number of SPIs is fixed, and each has a GSI unless the client says otherwise. */
static int init_gic(struct tern_vm *vm)
{
	bool again = vgic_initialized(&vm->vgic);
	int err = vgic_init(&vm->vgic);

	if (err || again)
		return err;
	/* Now, and not while a guest is stopped for its migration; what fails is tried again then. */
	gic_list_own(vm, true);
	gic_list_own(vm, false);
	return event_default_routing(vm);
}

static int control(struct tern_vm *vm, u64 what)
{
	int err = -ENXIO;

	mutex_lock(&vm->lock);
	if (what == KVM_DEV_ARM_VGIC_CTRL_INIT)
		err = init_gic(vm);
	else if (what == KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES)
		err = save_pending_tables(vm);
	mutex_unlock(&vm->lock);
	return err;
}

static int set_nr_irqs(struct vgic *g, const struct kvm_device_attr *attr)
{
	u32 nr;

	if (get_user(nr, (u32 __user *)attr->addr))
		return -EFAULT;
	return vgic_set_nr_irqs(g, nr);
}

int abi_vgic_set_attr(struct tern_vm *vm, const struct kvm_device_attr *attr)
{
	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		return set_addr_attr(&vm->vgic, attr);
	case KVM_DEV_ARM_VGIC_GRP_NR_IRQS:
		return set_nr_irqs(&vm->vgic, attr);
	case KVM_DEV_ARM_VGIC_GRP_CTRL:
		return control(vm, attr->attr);
	case KVM_DEV_ARM_VGIC_GRP_DIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_REDIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS:
	case KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO:
		return reg_attr(vm, attr, true);
	}
	return -ENXIO;
}

int abi_vgic_get_attr(struct tern_vm *vm, const struct kvm_device_attr *attr)
{
	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		return get_addr_attr(&vm->vgic, attr);
	case KVM_DEV_ARM_VGIC_GRP_NR_IRQS:
		return put_user(READ_ONCE(vm->vgic.nr_spis) + VGIC_PRIVATE, (u32 __user *)attr->addr);
	case KVM_DEV_ARM_VGIC_GRP_DIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_REDIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS:
	case KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO:
		return reg_attr(vm, attr, false);
	}
	return -ENXIO;
}

static int has_reg(struct tern_vm *vm, u32 group, u64 attr)
{
	bool has;

	if (group == KVM_DEV_ARM_VGIC_GRP_DIST_REGS ? !vm_nr_vcpus(vm) : !abi_vgic_cpu(vm, attr))
		return -EINVAL;
	if (group == KVM_DEV_ARM_VGIC_GRP_DIST_REGS)
		has = vgic_dist_has(&vm->vgic, attr_offset(attr));
	else if (group == KVM_DEV_ARM_VGIC_GRP_REDIST_REGS)
		has = vgic_redist_has(&vm->vgic, attr_offset(attr));
	else
		has = vgic_icc_has(attr_sysreg(attr));
	return has ? 0 : -ENXIO;
}

/* A vCPU whose creation fails is gone again: not while we look. */
static int has_reg_attr(struct tern_vm *vm, const struct kvm_device_attr *attr)
{
	int err;

	mutex_lock(&vm->lock);
	err = has_reg(vm, attr->group, attr->attr);
	mutex_unlock(&vm->lock);
	return err;
}

static bool has_addr(u64 type)
{
	return type == KVM_VGIC_V3_ADDR_TYPE_DIST || type == KVM_VGIC_V3_ADDR_TYPE_REDIST ||
	       type == KVM_VGIC_V3_ADDR_TYPE_REDIST_REGION;
}

static bool has_control(u64 what)
{
	return what == KVM_DEV_ARM_VGIC_CTRL_INIT || what == KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES;
}

int abi_vgic_has_attr(struct tern_vm *vm, const struct kvm_device_attr *attr)
{
	switch (attr->group) {
	case KVM_DEV_ARM_VGIC_GRP_ADDR:
		return has_addr(attr->attr) ? 0 : -ENXIO;
	case KVM_DEV_ARM_VGIC_GRP_NR_IRQS:
		return 0;
	case TERN_DEV_VGIC_GRP_BATCH:
		return attr->attr ? -ENXIO : 0;
	case KVM_DEV_ARM_VGIC_GRP_CTRL:
		return has_control(attr->attr) ? 0 : -ENXIO;
	case KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO:
		return attr_is_line_level(attr->attr) ? 0 : -ENXIO;
	case KVM_DEV_ARM_VGIC_GRP_DIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_REDIST_REGS:
	case KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS:
		return has_reg_attr(vm, attr);
	}
	return -ENXIO;
}
