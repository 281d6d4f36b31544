// SPDX-License-Identifier: GPL-2.0
/* Which of the program's descriptors are KVM's, and of which VM. */
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* Descriptors beyond are left alone. */
#define FDS_MAX		65536

static _Atomic(struct preload_fd *) table[FDS_MAX];
static atomic_int known;		/* descriptors in the table */

/* Guards what is not in use. */
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct preload_fd *spare_fds;
static struct preload_vm *spare_vms;

struct preload_fd *preload_fd(int fd)
{
	if (fd < 0 || fd >= FDS_MAX)
		return NULL;
	return atomic_load_explicit(&table[fd], memory_order_acquire);
}

/* Memory of these stays theirs, for a thread may look at one that is going. */
static struct preload_fd *fd_get(void)
{
	struct preload_fd *f;

	pthread_mutex_lock(&spare_lock);
	f = spare_fds;
	if (f)
		spare_fds = f->free;
	pthread_mutex_unlock(&spare_lock);
	if (!f)
		return calloc(1, sizeof(*f));
	memset(f, 0, sizeof(*f));
	return f;
}

static void fd_put(struct preload_fd *f)
{
	pthread_mutex_lock(&spare_lock);
	f->free = spare_fds;
	spare_fds = f;
	pthread_mutex_unlock(&spare_lock);
}

static struct preload_vm *vm_get(void)
{
	struct preload_vm *vm;

	pthread_mutex_lock(&spare_lock);
	vm = spare_vms;
	if (vm)
		spare_vms = vm->free;
	pthread_mutex_unlock(&spare_lock);
	if (!vm) {
		vm = calloc(1, sizeof(*vm));
		if (vm)
			pthread_mutex_init(&vm->lock, NULL);
	}
	return vm;
}

/* With vm's lock, which lives on. */
static void vm_reset(struct preload_vm *vm)
{
	preload_gic_fini(&vm->gic);
	vm->gic = (struct preload_gic){ 0 };
	free(vm->irqfd);
	vm->irqfd = NULL;
	vm->nr_irqfds = 0;
	vm->nr_vcpus = 0;
	vm->gic_fd = NULL;
	vm->changing = 0;
	vm->queues = 0;
	atomic_store(&vm->active, 0);
	atomic_store(&vm->off, 0);
}

static void vm_put(struct preload_vm *vm)
{
	pthread_mutex_lock(&spare_lock);
	vm->free = spare_vms;
	spare_vms = vm;
	pthread_mutex_unlock(&spare_lock);
}

static struct preload_fd *add_fd(struct preload_vm *vm, int fd,
				 enum preload_kind kind)
{
	struct preload_fd *f;

	if (fd >= FDS_MAX || preload_fd(fd))
		return NULL;
	f = fd_get();
	if (!f)
		return NULL;
	f->kind = kind;
	f->fd = fd;
	f->vm = vm;
	vm->users++;
	atomic_fetch_add(&known, 1);
	atomic_store_explicit(&table[fd], f, memory_order_release);
	return f;
}

void preload_notice_vm(int fd)
{
	struct preload_vm *vm;

	if (lib_capability(fd, TERN_CAP_MANY) < 1 ||
	    lib_capability(fd, TERN_CAP_VGIC_BATCH) < 1)
		return;
	vm = vm_get();
	if (!vm)
		return;
	preload_inside++;
	pthread_mutex_lock(&vm->lock);
	vm_reset(vm);
	vm->fd = fd;
	vm->users = 0;
	if (!add_fd(vm, fd, PRELOAD_VM))
		vm_put(vm);
	pthread_mutex_unlock(&vm->lock);
	preload_inside--;
}

static void notice_vcpu(struct preload_vm *vm, int fd)
{
	struct preload_fd *f = NULL;

	if (vm->nr_vcpus < PRELOAD_VCPUS_MAX)
		f = add_fd(vm, fd, PRELOAD_VCPU);
	if (f)
		vm->vcpu[vm->nr_vcpus++] = f;
	else
		preload_turn_off(vm);
	preload_gic_fini(&vm->gic);
}

static void notice_device(struct preload_vm *vm,
			  const struct kvm_create_device *device)
{
	bool gic = device->type == KVM_DEV_TYPE_ARM_VGIC_V3;
	struct preload_fd *f;

	if (device->flags & KVM_CREATE_DEVICE_TEST)
		return;
	f = add_fd(vm, device->fd, gic ? PRELOAD_GIC : PRELOAD_OTHER);
	if (!f)
		preload_turn_off(vm);
	else if (gic)
		vm->gic_fd = f;
}

static void drop_vcpu(struct preload_vm *vm, const struct preload_fd *f)
{
	uint32_t i;

	for (i = 0; i < vm->nr_vcpus; i++) {
		if (vm->vcpu[i] != f)
			continue;
		vm->vcpu[i] = vm->vcpu[--vm->nr_vcpus];
		preload_gic_fini(&vm->gic);
		return;
	}
}

static void forget_fd(int fd)
{
	struct preload_fd *f = preload_fd(fd);
	struct preload_vm *vm;
	bool last;

	if (!f)
		return;
	vm = f->vm;
	preload_inside++;
	pthread_mutex_lock(&vm->lock);
	preload_settle(vm);
	atomic_store(&table[fd], NULL);
	atomic_fetch_sub(&known, 1);
	if (f->kind == PRELOAD_VCPU)
		drop_vcpu(vm, f);
	if (f->kind == PRELOAD_GIC) {
		preload_gic_fini(&vm->gic);
		vm->gic.ready = false;
		vm->gic_fd = NULL;
	}
	preload_regs_fini(&f->regs);
	last = !--vm->users;
	if (last)
		vm_reset(vm);
	pthread_mutex_unlock(&vm->lock);
	fd_put(f);
	if (last)
		vm_put(vm);
	preload_inside--;
}

void preload_forget_range(unsigned int first, unsigned int last)
{
	unsigned int fd;

	if (!atomic_load(&known))
		return;
	for (fd = first; fd < FDS_MAX && fd <= last; fd++)
		forget_fd(fd);
}

void preload_duplicated(int fd)
{
	struct preload_fd *f = preload_fd(fd);

	if (!f)
		return;
	preload_inside++;
	pthread_mutex_lock(&f->vm->lock);
	preload_turn_off(f->vm);
	pthread_mutex_unlock(&f->vm->lock);
	preload_inside--;
}

/* Irqfds */

static void add_irqfd(struct preload_vm *vm, const struct kvm_irqfd *irqfd)
{
	struct preload_irqfd *more;

	more = realloc(vm->irqfd, (vm->nr_irqfds + 1) * sizeof(*more));
	if (!more) {
		preload_turn_off(vm);
		return;
	}
	vm->irqfd = more;
	more[vm->nr_irqfds++] = (struct preload_irqfd){
		.fd = irqfd->fd, .gsi = irqfd->gsi,
	};
}

static void drop_irqfd(struct preload_vm *vm, const struct kvm_irqfd *irqfd)
{
	uint32_t i;

	for (i = 0; i < vm->nr_irqfds; i++) {
		if (vm->irqfd[i].fd != irqfd->fd ||
		    vm->irqfd[i].gsi != irqfd->gsi)
			continue;
		vm->irqfd[i] = vm->irqfd[--vm->nr_irqfds];
		return;
	}
}

/* What the program made, or made ready, by an ioctl that succeeded */
void preload_notice(struct preload_fd *f, uint32_t request, void *arg, int ret)
{
	const struct kvm_device_attr *attr = arg;
	const struct kvm_irqfd *irqfd = arg;

	if (f->kind == PRELOAD_VM && request == (uint32_t)KVM_CREATE_VCPU)
		notice_vcpu(f->vm, ret);
	else if (f->kind == PRELOAD_VM &&
		 request == (uint32_t)KVM_CREATE_DEVICE)
		notice_device(f->vm, arg);
	else if (f->kind == PRELOAD_VM && request == (uint32_t)KVM_IRQFD)
		(irqfd->flags & KVM_IRQFD_FLAG_DEASSIGN ?
		 drop_irqfd : add_irqfd)(f->vm, irqfd);
	else if (f->kind == PRELOAD_GIC &&
		 request == (uint32_t)KVM_SET_DEVICE_ATTR &&
		 attr->group == KVM_DEV_ARM_VGIC_GRP_CTRL &&
		 attr->attr == KVM_DEV_ARM_VGIC_CTRL_INIT)
		f->vm->gic.ready = true;
}
