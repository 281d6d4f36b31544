// SPDX-License-Identifier: GPL-2.0
/*
 * TERN_GET_STATE and TERN_SET_STATE: their header.
 */
#include <linux/uaccess.h>
#include "abi.h"
#include "state.h"

static int take_header(struct tern_state *s, struct tern_state __user *arg)
{
	if (copy_from_user(s, arg, sizeof(*s)))
		return -EFAULT;
	s->error = 0;
	s->failed = TERN_NO_INDEX;
	s->failed_id = 0;
	/* After this nothing hinders a result that says "done". */
	if (copy_to_user(arg, s, sizeof(*s)))
		return -EFAULT;
	return s->flags ? -EINVAL : 0;
}

static long give_header(struct tern_state *s, struct tern_state __user *arg, int err)
{
	s->error = err;
	if (copy_to_user(arg, s, sizeof(*s)) && !err)
		return -EFAULT;
	return err;
}

long abi_get_state(struct tern_vm *vm, void __user *arg)
{
	struct tern_state s;
	int err = take_header(&s, arg);

	if (err == -EFAULT)
		return err;
	if (!err && (!s.what || s.what & ~(TERN_STATE_VM | TERN_STATE_ITS)))
		err = -EINVAL;
	if (!err)
		err = state_get(vm, &s);
	return give_header(&s, arg, err);
}

long abi_set_state(struct tern_vm *vm, void __user *arg)
{
	struct tern_state s;
	int err = take_header(&s, arg);

	if (err == -EFAULT)
		return err;
	if (!err && (s.what & ~TERN_STATE_ITS || s.first || s.count))
		err = -EINVAL;
	if (!err)
		err = state_set(vm, &s);
	return err ? give_header(&s, arg, err) : 0;
}
