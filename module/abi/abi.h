/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the ioctl interface: what a client's file descriptors do.
 */
#ifndef TERN_ABI_ABI_H
#define TERN_ABI_ABI_H

#include <linux/fs.h>
#include "../vcpu/vcpu.h"
#include "../vcpu/vm.h"

/** abi_dev_init() - make /dev/NAME (KVM's own minor number when NAME is "kvm"). Return: 0 or a negative errno */
int abi_dev_init(const char *name);
void abi_dev_fini(void);

/** abi_check_extension() - KVM_CHECK_EXTENSION; @vm is NULL on /dev/kvm */
long abi_check_extension(const struct tern_vm *vm, unsigned long cap);

/** abi_vm_fd() - KVM_CREATE_VM. Return: a file descriptor or a negative errno */
int abi_vm_fd(unsigned long type);

/** abi_vcpu_fd() - KVM_CREATE_VCPU. Return: a file descriptor or a negative errno */
int abi_vcpu_fd(struct tern_vm *vm, unsigned long id);

/** abi_device_create() - KVM_CREATE_DEVICE. Return: 0 with @arg->fd set, or a negative errno */
int abi_device_create(struct tern_vm *vm, struct kvm_create_device *arg);

/* attr_vgic.c: KVM_{HAS,GET,SET}_DEVICE_ATTR of KVM_DEV_TYPE_ARM_VGIC_V3 */
int abi_vgic_has_attr(struct tern_vm *vm, const struct kvm_device_attr *attr);
int abi_vgic_get_attr(struct tern_vm *vm, const struct kvm_device_attr *attr);
int abi_vgic_set_attr(struct tern_vm *vm, const struct kvm_device_attr *attr);

/* The registers of vCPUs that are all claimed; vm->lock held, GIC initialised. Return: 0 or the attribute's errno */
/** abi_vgic_cpu() - the vCPU that @attr names, or NULL */
struct vgic_cpu *abi_vgic_cpu(struct tern_vm *vm, u64 attr);
/** abi_vgic_reg() - @c: the vCPU that @attr names; of the distributor's group, any */
int abi_vgic_reg(struct tern_vm *vm, struct vgic_cpu *c, u32 group, u64 attr, bool write, u64 *val);

/* gic_batch.c: @n of TERN_DEV_VGIC_GRP_BATCH's elements, at least one. Return: 0, or an errno and @failed */
struct tern_vgic_reg;
int abi_gic_batch(struct tern_vm *vm, struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed);

/* many.c */
long abi_vcpu_regs(struct tern_vcpu *v, bool write, void __user *arg);
int abi_vgic_batch(struct tern_vm *vm, bool write, void __user *arg);

/* state.c */
long abi_get_state(struct tern_vm *vm, void __user *arg);
long abi_set_state(struct tern_vm *vm, void __user *arg);

/* pause.c */
long abi_pause(struct tern_vm *vm);
long abi_resume(struct tern_vm *vm);
/** abi_claim() - vcpu_claim() of the vCPUs with bits in @which, by index. Return: 0, -EBUSY, -EINTR: none claimed */
int abi_claim(struct tern_vm *vm, const unsigned long *which);
/** abi_unclaim() - of those below @n */
void abi_unclaim(struct tern_vm *vm, const unsigned long *which, u32 n);
/** abi_claim_all() - of all, which then stay all. Return: as abi_claim(), -EBUSY also before the GIC is initialised */
int abi_claim_all(struct tern_vm *vm);
void abi_unclaim_all(struct tern_vm *vm);

/* attr_its.c: the same of KVM_DEV_TYPE_ARM_VGIC_ITS */
int abi_its_has_attr(const struct kvm_device_attr *attr);
int abi_its_get_attr(struct tern_vm *vm, struct vgic_its *its, const struct kvm_device_attr *attr);
int abi_its_set_attr(struct tern_vm *vm, struct vgic_its *its, const struct kvm_device_attr *attr);

#endif
