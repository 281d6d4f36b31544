// SPDX-License-Identifier: GPL-2.0
/*
 * Directed yield. See yield.h.
 */
#include <linux/sched.h>
#include <linux/sched/task.h>
#include "vcpu.h"
#include "vm.h"
#include "yield.h"

/* Return: its thread was ready to run, and goes next where it is */
static bool give_place(struct tern_vcpu *target)
{
	struct task_struct *task;
	bool given;

	if (!READ_ONCE(target->preempted))
		return false;
	rcu_read_lock();
	task = rcu_dereference(target->kick.task);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return false;
	given = yield_to(task, true) > 0;
	put_task_struct(task);
	return given;
}

void vcpu_yield_to(struct tern_vcpu *target)
{
	give_place(target);
}

void vcpu_spins(struct tern_vcpu *v)
{
	struct tern_vm *vm = v->vm;
	u32 n = vm_nr_vcpus(vm), from = READ_ONCE(vm->yielded), i, k;

	for (k = 1; k <= n; k++) {
		i = (from + k) % n;
		if (vm->vcpu[i] != v && give_place(vm->vcpu[i])) {
			WRITE_ONCE(vm->yielded, i);
			return;
		}
	}
	yield();
}
