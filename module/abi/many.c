// SPDX-License-Identifier: GPL-2.0
/*
 * Many registers in one call: TERN_GET_REGS and TERN_SET_REGS of a vCPU, and
 * TERN_DEV_VGIC_GRP_BATCH of the GIC (uapi/tern.h; gic_batch.c does that).
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
		err = abi_gic_batch(vm, reg, n, write, &failed);
	if (reg && !err && !write && copy_to_user(to->reg, reg, n * sizeof(*reg)))
		err = -EFAULT;
	kvfree(reg);
	return result(arg, err, failed);
}
