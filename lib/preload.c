// SPDX-License-Identifier: GPL-2.0
/* Which ioctls of the program are KVM's, and what becomes of them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload.h"

#define EXPORT	__attribute__((visibility("default")))

/* Descriptors beyond are left alone. */
#define FDS_MAX		65536

static _Atomic(struct preload_fd *) table[FDS_MAX];
static atomic_int nothing;		/* from now on, for this process */
static atomic_int known;		/* descriptors in the table */
struct preload_counts preload_counts;

/* This thread is in here: the library's own ioctls, and signal handlers' */
static __thread int inside __attribute__((tls_model("initial-exec")));

/* Guards what is not in use. */
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct preload_fd *spare_fds;
static struct preload_vm *spare_vms;

/* The C library's functions */

#define NEXT(name)							\
static __typeof__(&name) next_##name(void)				\
{									\
	static _Atomic(__typeof__(&name)) found;			\
	__typeof__(&name) f = atomic_load_explicit(&found,		\
						   memory_order_relaxed); \
									\
	if (!f) {							\
		f = (__typeof__(&name))dlsym(RTLD_NEXT, #name);		\
		atomic_store_explicit(&found, f, memory_order_relaxed);	\
	}								\
	return f;							\
}

NEXT(syscall)
NEXT(close)
NEXT(close_range)
NEXT(closefrom)
NEXT(dup)
NEXT(dup2)
NEXT(dup3)
NEXT(fcntl)

/* As a negative errno */
static int pass(int fd, unsigned long request, unsigned long arg)
{
	long ret = next_syscall()(SYS_ioctl, fd, request, arg);

	return ret < 0 ? -errno : ret;
}

/* Pace */

static bool row_is_burst(unsigned int row, const struct preload_pace *pace,
			 unsigned int least)
{
	return row > (pace->threshold > least ? pace->threshold : least);
}

bool preload_pace_get(struct preload_pace *pace, unsigned int least)
{
	pace->sets = 0;
	pace->gets++;
	return row_is_burst(pace->gets, pace, least);
}

bool preload_pace_set(struct preload_pace *pace, unsigned int least)
{
	pace->gets = 0;
	pace->sets++;
	return row_is_burst(pace->sets, &(struct preload_pace){ 0 }, least);
}

/* The first has no record, and is worth trying. */
void preload_pace_read(struct preload_pace *pace, unsigned int worth,
		       unsigned int least)
{
	if (!pace->threshold || pace->given >= worth)
		pace->threshold = least;
	else if (pace->threshold < 1u << 20)
		pace->threshold *= 2;
	pace->given = 0;
	pace->gets = 0;
}

/* The least addresses and the highest are no program's. */
bool preload_pointer_ok(uint64_t addr)
{
	return addr >= 4096 && addr < 1ull << 52;
}

/* Descriptors */

static struct preload_fd *look_up(int fd)
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

/* What was gathered is written, what was read ahead forgotten. */
static int settle(struct preload_vm *vm)
{
	int ret = preload_gic_flush(vm), err;
	uint32_t i;

	preload_gic_forget(&vm->gic);
	for (i = 0; i < vm->nr_vcpus; i++) {
		err = preload_regs_flush(vm->vcpu[i]);
		if (!ret)
			ret = err;
		preload_regs_forget(&vm->vcpu[i]->regs);
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
static void turn_off(struct preload_vm *vm)
{
	settle(vm);
	atomic_store(&vm->off, 1);
}

static struct preload_fd *add_fd(struct preload_vm *vm, int fd,
				 enum preload_kind kind)
{
	struct preload_fd *f;

	if (fd >= FDS_MAX || look_up(fd))
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

static void notice_vm(int fd)
{
	struct preload_vm *vm;

	if (lib_capability(fd, TERN_CAP_MANY) < 1 ||
	    lib_capability(fd, TERN_CAP_VGIC_BATCH) < 1)
		return;
	vm = vm_get();
	if (!vm)
		return;
	pthread_mutex_lock(&vm->lock);
	vm_reset(vm);
	vm->fd = fd;
	vm->users = 0;
	if (!add_fd(vm, fd, PRELOAD_VM))
		vm_put(vm);
	pthread_mutex_unlock(&vm->lock);
}

static void notice_vcpu(struct preload_vm *vm, int fd)
{
	struct preload_fd *f = NULL;

	if (vm->nr_vcpus < PRELOAD_VCPUS_MAX)
		f = add_fd(vm, fd, PRELOAD_VCPU);
	if (f)
		vm->vcpu[vm->nr_vcpus++] = f;
	else
		turn_off(vm);
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
		turn_off(vm);
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

/* Before the descriptor is closed, for then it may be another's at once */
static void forget_fd(int fd)
{
	struct preload_fd *f = look_up(fd);
	struct preload_vm *vm;
	bool last;

	if (!f || atomic_load(&nothing))
		return;
	vm = f->vm;
	inside++;
	pthread_mutex_lock(&vm->lock);
	settle(vm);
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
	inside--;
}

static void forget_range(unsigned int first, unsigned int last)
{
	unsigned int fd;

	if (!atomic_load(&known))
		return;
	for (fd = first; fd < FDS_MAX && fd <= last; fd++)
		forget_fd(fd);
}

/* A second descriptor for it would not be noticed. */
static void duplicated(int fd)
{
	struct preload_fd *f = look_up(fd);

	if (!f || atomic_load(&nothing))
		return;
	inside++;
	pthread_mutex_lock(&f->vm->lock);
	turn_off(f->vm);
	pthread_mutex_unlock(&f->vm->lock);
	inside--;
}

/* Irqfds */

static void add_irqfd(struct preload_vm *vm, const struct kvm_irqfd *irqfd)
{
	struct preload_irqfd *more;

	more = realloc(vm->irqfd, (vm->nr_irqfds + 1) * sizeof(*more));
	if (!more) {
		turn_off(vm);
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

/* Ioctls */

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

static enum preload_way decide_vcpu(struct preload_fd *f, uint32_t request,
				    void *arg, int *ret)
{
	*ret = flush_others(f, false);
	if (*ret)
		return PRELOAD_DONE;
	if (request == (uint32_t)KVM_GET_ONE_REG)
		return preload_get_reg(f, arg, ret);
	return preload_set_reg(f, arg, ret);
}

static enum preload_way decide_gic(struct preload_fd *f, uint32_t request,
				   void *arg, int *ret)
{
	*ret = flush_others(f, true);
	if (*ret)
		return PRELOAD_DONE;
	if (request == (uint32_t)KVM_GET_DEVICE_ATTR)
		return preload_get_attr(f, arg, ret);
	return preload_set_attr(f, arg, ret);
}

static enum preload_way decide(struct preload_fd *f, uint32_t request,
			       unsigned long arg, int *ret)
{
	bool reg = request == (uint32_t)KVM_GET_ONE_REG ||
		   request == (uint32_t)KVM_SET_ONE_REG;
	bool attr = request == (uint32_t)KVM_GET_DEVICE_ATTR ||
		    request == (uint32_t)KVM_SET_DEVICE_ATTR;

	if (f->kind == PRELOAD_VCPU && reg && preload_pointer_ok(arg))
		return decide_vcpu(f, request, (void *)arg, ret);
	if (f->kind == PRELOAD_GIC && attr && preload_pointer_ok(arg))
		return decide_gic(f, request, (void *)arg, ret);
	if (is_question(request)) {
		*ret = flush_others(f, true);
		if (!*ret)
			*ret = preload_gic_flush(f->vm);
		return *ret ? PRELOAD_DONE : PRELOAD_PASS;
	}
	*ret = settle(f->vm);
	return *ret ? PRELOAD_DONE : PRELOAD_CHANGE;
}

/* What the program made, or made ready, by an ioctl that succeeded */
static void notice(struct preload_fd *f, uint32_t request, void *arg, int ret)
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

/* The lock is not held while the kernel does it, which may take long. */
static int change(struct preload_fd *f, unsigned int *changing,
		  unsigned long request, unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	int ret;

	++*changing;
	pthread_mutex_unlock(&vm->lock);
	ret = pass(f->fd, request, arg);
	pthread_mutex_lock(&vm->lock);
	--*changing;
	if (ret >= 0)
		notice(f, request, (void *)arg, ret);
	return ret;
}

static int known_ioctl(struct preload_fd *f, unsigned long request,
		       unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	enum preload_way way;
	int ret;

	inside++;
	pthread_mutex_lock(&vm->lock);
	way = decide(f, request, arg, &ret);
	if (way == PRELOAD_CHANGE)
		ret = change(f, &vm->changing, request, arg);
	else if (way == PRELOAD_CHANGE_SELF)
		ret = change(f, &f->changing, request, arg);
	pthread_mutex_unlock(&vm->lock);
	inside--;
	return way == PRELOAD_PASS ? pass(f->fd, request, arg) : ret;
}

/* A guest enters: as little as can be, as long as nothing is active. */
static int run(struct preload_fd *f, unsigned long request, unsigned long arg)
{
	struct preload_vm *vm = f->vm;
	int ret = 0;

	atomic_store(&f->running, 1);
	if (atomic_load(&vm->active)) {
		inside++;
		pthread_mutex_lock(&vm->lock);
		ret = settle(vm);
		pthread_mutex_unlock(&vm->lock);
		inside--;
	}
	if (!ret)
		ret = pass(f->fd, request, arg);
	atomic_store(&f->running, 0);
	return ret;
}

static int any_ioctl(int fd, unsigned long request, unsigned long arg)
{
	struct preload_fd *f = look_up(fd);
	int ret;

	if (inside || atomic_load_explicit(&nothing, memory_order_relaxed))
		return pass(fd, request, arg);
	if (!f) {
		ret = pass(fd, request, arg);
		if ((uint32_t)request == (uint32_t)KVM_CREATE_VM && ret >= 0) {
			inside++;
			notice_vm(ret);
			inside--;
		}
		return ret;
	}
	if (f->kind == PRELOAD_VCPU && (uint32_t)request == (uint32_t)KVM_RUN)
		return run(f, request, arg);
	if (atomic_load(&f->vm->off))
		return pass(fd, request, arg);
	return known_ioctl(f, request, arg);
}

/* errno is the program's: what succeeds leaves it alone. */
static int report(int ret, int saved)
{
	errno = ret < 0 ? -ret : saved;
	return ret < 0 ? -1 : ret;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	int saved = errno;
	unsigned long arg;
	va_list list;

	va_start(list, request);
	arg = va_arg(list, unsigned long);
	va_end(list);
	return report(any_ioctl(fd, request, arg), saved);
}

EXPORT long syscall(long number, ...)
{
	unsigned long arg[6];
	int saved = errno, i;
	va_list list;

	va_start(list, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(list, unsigned long);
	va_end(list);
	switch (number) {
	case SYS_ioctl:
		return report(any_ioctl(arg[0], arg[1], arg[2]), saved);
	case SYS_close:
		forget_fd(arg[0]);
		break;
	case SYS_close_range:
		forget_range(arg[0], arg[1]);
		break;
	case SYS_dup3:
		duplicated(arg[0]);
		forget_fd(arg[1]);
		break;
	case SYS_dup:
		duplicated(arg[0]);
		break;
	}
	return next_syscall()(number, arg[0], arg[1], arg[2], arg[3], arg[4],
			      arg[5]);
}

EXPORT int close(int fd)
{
	forget_fd(fd);
	return next_close()(fd);
}

EXPORT int close_range(unsigned int first, unsigned int last, int flags)
{
	if (!(flags & CLOSE_RANGE_CLOEXEC))
		forget_range(first, last);
	return next_close_range()(first, last, flags);
}

EXPORT void closefrom(int first)
{
	forget_range(first < 0 ? 0 : first, ~0u);
	next_closefrom()(first);
}

EXPORT int dup(int fd)
{
	duplicated(fd);
	return next_dup()(fd);
}

EXPORT int dup2(int fd, int to)
{
	duplicated(fd);
	if (fd != to)
		forget_fd(to);
	return next_dup2()(fd, to);
}

EXPORT int dup3(int fd, int to, int flags)
{
	duplicated(fd);
	if (fd != to)
		forget_fd(to);
	return next_dup3()(fd, to, flags);
}

static int any_fcntl(int fd, int command, va_list list)
{
	void *arg = va_arg(list, void *);

	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		duplicated(fd);
	return next_fcntl()(fd, command, arg);
}

EXPORT int fcntl(int fd, int command, ...)
{
	va_list list;
	int ret;

	va_start(list, command);
	ret = any_fcntl(fd, command, list);
	va_end(list);
	return ret;
}

EXPORT int fcntl64(int fd, int command, ...)
{
	va_list list;
	int ret;

	va_start(list, command);
	ret = any_fcntl(fd, command, list);
	va_end(list);
	return ret;
}

/* A child's KVM descriptors are of no use, and its copies are not its own. */
static void in_child(void)
{
	atomic_store(&nothing, 1);
}

static bool counting;

__attribute__((constructor))
static void begin(void)
{
	const char *how = getenv("TERN_PRELOAD");

	if (how && !strcmp(how, "off"))
		atomic_store(&nothing, 1);
	counting = how && !strcmp(how, "count");
	pthread_atfork(NULL, NULL, in_child);
}

__attribute__((destructor))
static void end(void)
{
	if (counting && !atomic_load(&nothing))
		fprintf(stderr, "libtern-preload: %lu given, %lu gathered, %lu dropped, %lu calls for many, %lu replayed\n",
			preload_counts.given, preload_counts.gathered,
			preload_counts.dropped, preload_counts.batches,
			preload_counts.replayed);
}
