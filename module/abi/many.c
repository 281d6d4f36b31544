// SPDX-License-Identifier: GPL-2.0
/*
 * Many registers in one call: TERN_GET_REGS and TERN_SET_REGS of a vCPU, and
 * TERN_DEV_VGIC_GRP_BATCH of the GIC (uapi/tern.h).
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "../../uapi/tern.h"
#include "../vcpu/bulk.h"
#include "abi.h"

/* Both headers are alike, so that what follows is written once. */
static_assert(offsetof(struct tern_regs, reg) == offsetof(struct tern_vgic_batch, reg) &&
	      offsetof(struct tern_regs, error) == offsetof(struct tern_vgic_batch, error) &&
	      offsetof(struct tern_regs, failed) == offsetof(struct tern_vgic_batch, failed));

static int put_result(struct tern_regs __user *to, int error, u32 failed)
{
	return put_user(error, &to->error) || put_user(failed, &to->failed) ? -EFAULT : 0;
}

/*
 * The array, copied once. The result's place is written first, so that a call
 * that has done its work cannot fail for want of it.
 * Return: NULL for an empty array, or an error pointer.
 */
static void *take_array(struct tern_regs __user *from, u32 max, size_t each, u32 *n)
{
	struct tern_regs h;
	void *array;

	if (copy_from_user(&h, from, sizeof(h)))
		return ERR_PTR(-EFAULT);
	if (h.n > max)
		return ERR_PTR(-E2BIG);
	if (h.flags)
		return ERR_PTR(-EINVAL);
	if (put_result(from, 0, TERN_NO_INDEX))
		return ERR_PTR(-EFAULT);
	*n = h.n;
	if (!h.n)
		return NULL;
	array = kvmalloc_array(h.n, each, GFP_KERNEL);
	if (!array)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(array, from->reg, h.n * each))
		return array;
	kvfree(array);
	return ERR_PTR(-EFAULT);
}

/* That the call failed is told in any case; where and why only if it can be written. */
static long result(struct tern_regs __user *to, int err, u32 failed)
{
	if (err && err != -EFAULT)
		put_result(to, err, failed);
	else if (err && failed != TERN_NO_INDEX)
		put_result(to, err, failed);
	return err;
}

long abi_vcpu_regs(struct tern_vcpu *v, bool write, void __user *arg)
{
	u32 n, failed = TERN_NO_INDEX;
	struct kvm_one_reg *reg;
	int err = 0;

	if (!v->initialized)
		return -ENOEXEC;
	reg = take_array(arg, TERN_MAX_REGS, sizeof(*reg), &n);
	if (IS_ERR(reg))
		return result(arg, PTR_ERR(reg), TERN_NO_INDEX);
	if (reg && write)
		err = vcpu_set_regs(v, reg, n, &failed);
	else if (reg)
		err = vcpu_get_regs(v, reg, n, &failed);
	kvfree(reg);
	return result(arg, err, failed);
}

static int read_all(struct tern_vm *vm, struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	u32 i;
	int err;

	for (i = 0; i < n; i++) {
		err = abi_vgic_reg(vm, reg[i].group, reg[i].attr, false, &reg[i].val);
		if (err) {
			*failed = i;
			return err;
		}
	}
	return 0;
}

static int write_all(struct tern_vm *vm, const struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	u64 val;
	u32 i;
	int err;

	for (i = 0; i < n; i++) {
		val = reg[i].val;
		err = abi_vgic_reg(vm, reg[i].group, reg[i].attr, true, &val);
		if (err) {
			*failed = i;
			return err;
		}
	}
	return 0;
}

static int check_elements(const struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	u32 i;

	for (i = 0; i < n; i++) {
		*failed = i;
		if (!abi_vgic_is_reg(reg[i].group) || reg[i].reserved)
			return -EINVAL;
		if (write && reg[i].group != KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS && reg[i].val >> 32)
			return -EINVAL;
	}
	*failed = TERN_NO_INDEX;
	return 0;
}

/* What was there is read first, last element first written back. */
static int write_or_undo(struct tern_vm *vm, const struct tern_vgic_reg *reg, u32 n, u32 *failed)
{
	struct tern_vgic_reg *old = kvmalloc_array(n, sizeof(*old), GFP_KERNEL);
	int err = -ENOMEM;
	u32 i;

	if (!old)
		return err;
	memcpy(old, reg, n * sizeof(*old));
	err = read_all(vm, old, n, failed);
	if (!err)
		err = write_all(vm, reg, n, failed);
	for (i = err && *failed < n ? *failed : 0; i; i--)
		abi_vgic_undo(vm, old[i - 1].group, old[i - 1].attr, old[i - 1].val);
	kvfree(old);
	return err;
}

static int batch_claimed(struct tern_vm *vm, struct tern_vgic_reg *reg, u32 n, bool write, u32 *failed)
{
	int err = abi_claim_all(vm);

	if (err)
		return err;
	mutex_lock(&vm->lock);
	if (!vgic_initialized(&vm->vgic))
		err = -EBUSY;
	else if (write)
		err = write_or_undo(vm, reg, n, failed);
	else
		err = read_all(vm, reg, n, failed);
	mutex_unlock(&vm->lock);
	abi_unclaim_all(vm);
	return err;
}

int abi_vgic_batch(struct tern_vm *vm, bool write, void __user *arg)
{
	struct tern_vgic_batch __user *to = arg;
	u32 n, failed = TERN_NO_INDEX;
	struct tern_vgic_reg *reg;
	int err = 0;

	reg = take_array(arg, TERN_MAX_VGIC_REGS, sizeof(*reg), &n);
	if (IS_ERR(reg))
		return result(arg, PTR_ERR(reg), TERN_NO_INDEX);
	if (reg)
		err = check_elements(reg, n, write, &failed);
	if (reg && !err)
		err = batch_claimed(vm, reg, n, write, &failed);
	if (reg && !err && !write && copy_to_user(to->reg, reg, n * sizeof(*reg)))
		err = -EFAULT;
	kvfree(reg);
	return result(arg, err, failed);
}
