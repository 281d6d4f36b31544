// SPDX-License-Identifier: GPL-2.0
/* What becomes of an ioctl of a descriptor that is known. */
#include "preload.h"

/* What was gathered is written, what was read ahead forgotten. */
int preload_settle(struct preload_vm *vm)
{
	int ret = preload_gic_flush(vm), err;
	uint32_t i;

	preload_gic_forget(&vm->gic);
	if (vm->gic_fd)
		preload_disprove(&vm->gic_fd->proof);
	for (i = 0; i < vm->nr_vcpus; i++) {
		err = preload_regs_flush(vm->vcpu[i]);
		if (!ret)
			ret = err;
		preload_regs_forget(&vm->vcpu[i]->regs);
		preload_disprove(&vm->vcpu[i]->proof);
	}
	atomic_store(&vm->active, 0);
	return ret;
}

/*
 * KVM_RUN says that it runs and then looks whether something is active; this
 * says that something is and then looks whether one runs. One of them sees the
 * other.
 */
bool preload_activate(struct preload_fd *f)
{
	struct preload_vm *vm = f->vm;
	uint32_t i;

	if (vm->changing || f->changing || atomic_load(&vm->off))
		return false;
	atomic_store(&vm->active, 1);
	for (i = 0; i < vm->nr_vcpus; i++)
		if (atomic_load(&vm->vcpu[i]->running))
			return false;
	return true;
}

/* A VM that does what this does not know: with its lock */
void preload_turn_off(struct preload_vm *vm)
{
	preload_settle(vm);
	atomic_store(&vm->off, 1);
}

/* They change nothing, so what was read ahead may stay. */
static bool is_question(uint32_t request)
{
	switch (request) {
	case (uint32_t)KVM_CHECK_EXTENSION:
	case (uint32_t)KVM_GET_REG_LIST:
	case (uint32_t)KVM_GET_MP_STATE:
	case (uint32_t)KVM_GET_VCPU_EVENTS:
	case (uint32_t)KVM_HAS_DEVICE_ATTR:
		return true;
	}
	return false;
}

/* What was gathered of anything but this vCPU may not stay beside it. */
static int flush_others(struct preload_fd *f, bool vcpus)
{
	struct preload_vm *vm = f->vm;
	int ret = 0, err;
	uint32_t i;

	if (f->kind != PRELOAD_GIC)
		ret = preload_gic_flush(vm);
	for (i = 0; vcpus && vm->queues && i < vm->nr_vcpus; i++) {
		err = preload_regs_flush(vm->vcpu[i]);
		if (!ret)
			ret = err;
	}
	return ret;
}

static bool is_get(uint32_t request)
{
	return request == (uint32_t)KVM_GET_ONE_REG ||
	       request == (uint32_t)KVM_GET_DEVICE_ATTR;
}

/* The size of what arg points to, if this is about a register; otherwise 0 */
static size_t is_access(const struct preload_fd *f, uint32_t request)
{
	switch (request) {
	case (uint32_t)KVM_GET_ONE_REG:
	case (uint32_t)KVM_SET_ONE_REG:
		return f->kind == PRELOAD_VCPU ? sizeof(struct kvm_one_reg) : 0;
	case (uint32_t)KVM_GET_DEVICE_ATTR:
	case (uint32_t)KVM_SET_DEVICE_ATTR:
		return f->kind == PRELOAD_GIC ? sizeof(struct kvm_device_attr) :
			0;
	}
	return 0;
}

static enum preload_way decide_access(struct preload_fd *f, uint32_t request,
				      const void *arg, int *ret)
{
	*ret = flush_others(f, f->kind == PRELOAD_GIC);
	if (*ret)
		return PRELOAD_DONE;
	switch (request) {
	case (uint32_t)KVM_GET_ONE_REG:
		return preload_get_reg(f, arg, ret);
	case (uint32_t)KVM_SET_ONE_REG:
		return preload_set_reg(f, arg, ret);
	case (uint32_t)KVM_GET_DEVICE_ATTR:
		return preload_get_attr(f, arg, ret);
	default:
		return preload_set_attr(f, arg, ret);
	}
}

static enum preload_way decide(struct preload_fd *f, uint32_t request,
			       unsigned long arg, int *ret)
{
	size_t size = is_access(f, request);

	if (size && preload_proven(&f->proof, arg, size, false))
		return decide_access(f, request, (const void *)arg, ret);
	if (is_question(request) || (size && is_get(request))) {
		*ret = flush_others(f, true);
		if (!*ret)
			*ret = preload_gic_flush(f->vm);
		return *ret ? PRELOAD_DONE : PRELOAD_PASS;
	}
	*ret = preload_settle(f->vm);
	return *ret ? PRELOAD_DONE : PRELOAD_CHANGE;
}

/* The kernel has used these pointers: with the lock, and arg can be read. */
static void learn(struct preload_fd *f, uint32_t request, unsigned long arg)
{
	const struct kvm_one_reg *one = (const void *)arg;
	const struct kvm_device_attr *attr = (const void *)arg;
	size_t size = is_access(f, request), value;

	if (!size)
		return;
	preload_prove(&f->proof, arg, size, false);
	if (f->kind == PRELOAD_VCPU) {
		preload_prove(&f->proof, one->addr, lib_reg_size(one->id),
			      is_get(request));
		return;
	}
	value = preload_attr_size(attr->group);
	if (value)
		preload_prove(&f->proof, attr->addr, value, is_get(request));
}

/* The lock is not held while the kernel does it, which may take long. */
static int change(struct preload_fd *f, unsigned int *changing,
		  unsigned long request, unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	int ret;

	++*changing;
	pthread_mutex_unlock(&vm->lock);
	ret = preload_pass(f->fd, request, arg);
	pthread_mutex_lock(&vm->lock);
	--*changing;
	if (ret >= 0) {
		learn(f, request, arg);
		preload_notice(f, request, (void *)arg, ret);
	}
	return ret;
}

/* It changes nothing, so nobody need know that it is under way. */
static int read_on(struct preload_fd *f, unsigned long request,
		   unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	int ret;

	pthread_mutex_unlock(&vm->lock);
	ret = preload_pass(f->fd, request, arg);
	pthread_mutex_lock(&vm->lock);
	if (ret >= 0)
		learn(f, request, arg);
	return ret;
}

static int known_ioctl(struct preload_fd *f, unsigned long request,
		       unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	enum preload_way way;
	int ret;

	preload_inside++;
	pthread_mutex_lock(&vm->lock);
	way = decide(f, request, arg, &ret);
	if (way == PRELOAD_CHANGE)
		ret = change(f, &vm->changing, request, arg);
	else if (way == PRELOAD_CHANGE_SELF)
		ret = change(f, &f->changing, request, arg);
	else if (way == PRELOAD_PASS && is_access(f, request))
		ret = read_on(f, request, arg);
	pthread_mutex_unlock(&vm->lock);
	preload_inside--;
	return way == PRELOAD_PASS && !is_access(f, request) ?
		preload_pass(f->fd, request, arg) : ret;
}

/* A guest enters: as little as can be, as long as nothing is active. */
static int run(struct preload_fd *f, unsigned long request, unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	int ret = 0;

	atomic_store(&f->running, 1);
	if (atomic_load(&vm->active)) {
		preload_inside++;
		pthread_mutex_lock(&vm->lock);
		ret = preload_settle(vm);
		pthread_mutex_unlock(&vm->lock);
		preload_inside--;
	}
	if (!ret)
		ret = preload_pass(f->fd, request, arg);
	atomic_store(&f->running, 0);
	return ret;
}

int preload_ioctl(int fd, unsigned long request, unsigned long arg)
{
	struct preload_fd *f = preload_fd(fd);
	int ret;

	if (!f) {
		ret = preload_pass(fd, request, arg);
		if ((uint32_t)request == (uint32_t)KVM_CREATE_VM && ret >= 0)
			preload_notice_vm(ret);
		return ret;
	}
	if (f->kind == PRELOAD_VCPU && (uint32_t)request == (uint32_t)KVM_RUN)
		return run(f, request, arg);
	if (atomic_load(&f->vm->off))
		return preload_pass(fd, request, arg);
	return known_ioctl(f, request, arg);
}
