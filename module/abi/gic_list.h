/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of the GIC's registers, looked up once. For abi/ only; vm->lock is held
 * and the GIC is initialised.
 */
#ifndef TERN_ABI_GIC_LIST_H
#define TERN_ABI_GIC_LIST_H

#include "../arch/sysreg.h"
#include "../vcpu/vm.h"
#include "../vgic/words.h"

#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define ICC	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO

#define GIC_NAME(group, low)	((u64)(group) << 32 | (low))
#define GIC_LINE_INTID		KVM_DEV_ARM_VGIC_LINE_LEVEL_INTID_MASK

#define ICC_NAME(crn, crm, op2)	GIC_NAME(ICC, SYSREG_ENCODE(3, 0, crn, crm, op2))
#define ICC_CTLR_NAME	ICC_NAME(12, 12, 4)
#define ICC_SRE_NAME	ICC_NAME(12, 12, 5)
#define ICC_AP0R0_NAME	ICC_NAME(12, 8, 4)
#define ICC_AP1R0_NAME	ICC_NAME(12, 9, 0)

/** gic_is_apr() - an active priority register */
static inline bool gic_is_apr(u64 name)
{
	return (name & ~3ULL) == ICC_AP0R0_NAME || (name & ~3ULL) == ICC_AP1R0_NAME;
}

/* Names are written in several passes over all vCPUs, so that their order is no matter */
#define GIC_PHASES 4

/**
 * struct gic_reg - a register of a list
 * @spot:  what it reads as
 * @at:    number of its value
 * @picky: may refuse values
 */
struct gic_reg {
	struct vgic_spot spot;
	u32 low;
	u16 at;
	u8 group;
	u8 picky;
};

/**
 * struct gic_list - names, looked up once
 * @own:  it is the VM's, and lives as long
 * @name: the names, little-endian
 * @reg:  those of phase p end before @end[p]
 */
struct gic_list {
	u32 n;
	bool own;
	__le64 *name;
	u32 end[GIC_PHASES];
	struct gic_reg reg[];
};

/** gic_reg_of() - the register of that name, not in any list. There need be none: what asks the register maps then knows. */
struct gic_reg gic_reg_of(const struct vgic *g, u64 name);

/** gic_list_own() - of what tern saves; @dist: the distributor's part, or a vCPU's. Return: the list, or NULL: -ENOMEM */
const struct gic_list *gic_list_own(struct tern_vm *vm, bool dist);
/** gic_lists_free() - of a VM that goes; no lock */
void gic_lists_free(struct tern_vm *vm);

/**
 * gic_list_make() - of @n names, at most 65535
 * Return: the list, for gic_list_free(), or an error pointer: -ENOENT, -ENOMEM; then @failed is the name
 */
const struct gic_list *gic_list_make(struct tern_vm *vm, bool dist, const __le64 *names, u32 n, u64 *failed);
/** gic_list_free() - the VM's own stay; no lock */
void gic_list_free(const struct gic_list *l);

#endif
