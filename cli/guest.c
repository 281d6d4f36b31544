// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "../uapi/tern.h"
#include "doorbell.h"
#include "guest.h"

/* Made by the linker from the sections of embed.S, one for each image. */
extern const struct guest_image __start_tern_guests[];
extern const struct guest_image __stop_tern_guests[];

#define KICK_SIGNAL	SIGUSR1
#define KICK_EVERY_NS	20000000

int guest_for_each(int kind, int (*fn)(const struct guest_image *image,
				       void *arg), void *arg)
{
	const struct guest_image *image;
	int ret;

	for (image = __start_tern_guests; image < __stop_tern_guests; image++) {
		if (image->header->kind != kind)
			continue;
		ret = fn(image, arg);
		if (ret)
			return ret;
	}
	return 0;
}

const struct guest_image *guest_find(int kind, const char *name)
{
	const struct guest_image *image;

	for (image = __start_tern_guests; image < __stop_tern_guests; image++)
		if (image->header->kind == kind && !strcmp(image->name, name))
			return image;
	return NULL;
}

bool guest_only_add(struct guest_only *only, const char *name)
{
	if (only->n == GUEST_ONLY_MAX)
		return false;
	only->name[only->n++] = name;
	return true;
}

bool guest_wanted(const struct guest_only *only, const char *name)
{
	unsigned int i;

	for (i = 0; i < only->n; i++)
		if (!strcmp(only->name[i], name))
			return true;
	return !only->n;
}

static bool image_valid(const struct guest_image *image)
{
	const struct guest_header *header = image->header;

	return image->size >= sizeof(*header) &&
	       header->magic == GUEST_MAGIC && header->vcpus >= 1 &&
	       header->vcpus <= GUEST_MAX_VCPUS;
}

static int add_features(struct guest *guest, uint32_t *features)
{
	const struct vm *vm = &guest->vm;
	uint16_t needs = guest->image->header->needs;
	int ret;

	if (needs & GUEST_NEEDS_PTRAUTH) {
		if (!vm_capability(vm, KVM_CAP_ARM_PTRAUTH_ADDRESS) ||
		    !vm_capability(vm, KVM_CAP_ARM_PTRAUTH_GENERIC))
			return -EOPNOTSUPP;
		*features |= VM_FEATURE(PTRAUTH_ADDRESS) |
			     VM_FEATURE(PTRAUTH_GENERIC);
	}
	if (needs & GUEST_NEEDS_SVE) {
		if (!vm_capability(vm, KVM_CAP_ARM_SVE))
			return -EOPNOTSUPP;
		*features |= VM_FEATURE(SVE);
	}
	if (needs & GUEST_NEEDS_NISV) {
		if (!vm_capability(vm, KVM_CAP_ARM_NISV_TO_USER))
			return -EOPNOTSUPP;
		ret = vm_enable(vm, KVM_CAP_ARM_NISV_TO_USER, 0);
		if (ret < 0)
			return ret;
	}
	if (needs & GUEST_NEEDS_CPUS &&
	    sysconf(_SC_NPROCESSORS_ONLN) < guest->image->header->vcpus)
		return -EOPNOTSUPP;
	if (needs & GUEST_NEEDS_TERN && !vm_capability(vm, TERN_CAP_GUEST))
		return -EOPNOTSUPP;
	guest->features = needs;
	return 0;
}

/* An ioeventfd at DB_EVENT: nobody reads it until the guest has ended. */
static int add_event(struct guest *guest)
{
	struct kvm_ioeventfd event = {
		.addr = GUEST_DOORBELL + DB_EVENT, .len = sizeof(uint64_t),
	};

	if (!(guest->features & GUEST_NEEDS_EVENT))
		return 0;
	guest->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (guest->event < 0)
		return -errno;
	event.fd = guest->event;
	return vm_ioctl(guest->vm.fd, KVM_IOEVENTFD, &event);
}

static int add_vcpus(struct guest *guest, unsigned int vcpus)
{
	struct vm *vm = &guest->vm;
	uint32_t features = 0;
	unsigned int i;
	int ret;

	ret = add_features(guest, &features);
	for (i = 0; !ret && i < vcpus; i++)
		ret = vm_add_vcpu(vm, features |
				  (i ? VM_FEATURE(POWER_OFF) : 0));
	if (ret)
		return ret;
	ret = vm_add_vgic(vm, GUEST_GICD_BASE, GUEST_GICR_BASE, GUEST_IRQS);
	if (ret < 0)
		return ret;
	ret = add_event(guest);
	if (ret < 0)
		return ret;
	return vcpu_set_pc(&vm->vcpu[0], GUEST_RAM_BASE);
}

static int load(struct guest *guest)
{
	static const char rom[] = "read-only";
	struct vm *vm = &guest->vm;
	int ret;

	ret = vm_add_memory(vm, GUEST_RAM_BASE, GUEST_RAM_SIZE, 0);
	if (ret < 0)
		return ret;
	ret = vm_add_memory(vm, GUEST_ROM_BASE, GUEST_ROM_SIZE,
			    KVM_MEM_READONLY);
	if (ret < 0)
		return ret;
	ret = vm_write(vm, GUEST_ROM_BASE, rom, sizeof(rom));
	if (ret < 0)
		return ret;
	return vm_write(vm, GUEST_RAM_BASE, guest->image->header,
			guest->image->size);
}

static void fini_machine(struct guest *guest)
{
	if (guest->event >= 0)
		close(guest->event);
	vm_fini(&guest->vm);
}

int guest_init(struct guest *guest, const struct guest_image *image,
	       const char *device)
{
	return guest_init_vcpus(guest, image, device, image->header->vcpus);
}

static int init(struct guest *guest, const struct guest_image *image,
		const char *device, unsigned int vcpus, struct guest *from)
{
	int ret;

	memset(guest, 0, sizeof(*guest));
	guest->image = image;
	guest->event = -1;
	if (!image_valid(image) || vcpus > GUEST_MAX_VCPUS)
		return -ENOEXEC;
	ret = vm_init(&guest->vm, device);
	if (ret)
		return ret;
	ret = from ? vm_take_memory(&guest->vm, &from->vm) : load(guest);
	if (!ret)
		ret = add_vcpus(guest, vcpus);
	if (ret) {
		fini_machine(guest);
		return ret;
	}
	pthread_mutex_init(&guest->lock, NULL);
	pthread_cond_init(&guest->ended, NULL);
	return 0;
}

int guest_init_vcpus(struct guest *guest, const struct guest_image *image,
		     const char *device, unsigned int vcpus)
{
	return init(guest, image, device, vcpus, NULL);
}

int guest_init_moved(struct guest *guest, struct guest *from, const char *device)
{
	return init(guest, from->image, device, from->vm.nr_vcpus, from);
}

void guest_fini(struct guest *guest)
{
	pthread_cond_destroy(&guest->ended);
	pthread_mutex_destroy(&guest->lock);
	fini_machine(guest);
}

static void ended_by(struct guest *guest, unsigned int way, const char *what)
{
	if (guest->image->header->ends == way) {
		doorbell_end(guest, GUEST_PASSED, 0);
		return;
	}
	doorbell_note("ended by %s", what);
	doorbell_end(guest, GUEST_BROKE, 0);
}

static void system_event(struct guest *guest, const struct kvm_run *run)
{
	switch (run->system_event.type) {
	case KVM_SYSTEM_EVENT_SHUTDOWN:
		ended_by(guest, GUEST_ENDS_OFF, "a system shutdown");
		break;
	case KVM_SYSTEM_EVENT_RESET:
		ended_by(guest, GUEST_ENDS_RESET, "a system reset");
		break;
	default:
		doorbell_note("system event %u", run->system_event.type);
		doorbell_end(guest, GUEST_BROKE, 0);
	}
}

static void run_failed(struct guest *guest, const struct vcpu *vcpu, int error)
{
	uint64_t pc = 0;

	if (error == -ENOSYS && guest->image->header->ends == GUEST_ENDS_ENOSYS)
		return doorbell_end(guest, GUEST_PASSED, 0);
	vcpu_get_pc(vcpu, &pc);
	doorbell_note("KVM_RUN of vCPU %u at %#llx: %s", vcpu->id,
		      (unsigned long long)pc, strerror(-error));
	doorbell_end(guest, GUEST_BROKE, 0);
}

static void handle_exit(struct guest *guest, const struct vcpu *vcpu,
			int reason)
{
	switch (reason) {
	case -EINTR:
	case KVM_EXIT_INTR:
		break;
	case KVM_EXIT_MMIO:
		doorbell_mmio(guest, vcpu);
		break;
	case KVM_EXIT_ARM_NISV:
		doorbell_nisv(guest, vcpu);
		break;
	case KVM_EXIT_SYSTEM_EVENT:
		system_event(guest, vcpu->run);
		break;
	default:
		if (reason < 0)
			return run_failed(guest, vcpu, reason);
		doorbell_note("vCPU %u: exit reason %d", vcpu->id, reason);
		doorbell_end(guest, GUEST_BROKE, 0);
	}
}

static bool running(struct guest *guest)
{
	return __atomic_load_n(&guest->end, __ATOMIC_ACQUIRE) == GUEST_RUNNING;
}

/*
 * A read of the echo register is what the MMIO benchmark measures, so it is
 * answered before anything else is asked.
 */
static void run_vcpu(struct guest *guest, const struct vcpu *vcpu)
{
	struct kvm_run *run = vcpu->run;
	int reason;

	while (running(guest)) {
		reason = vcpu_run(vcpu);
		if (reason == KVM_EXIT_MMIO && !run->mmio.is_write &&
		    run->mmio.phys_addr == GUEST_DOORBELL + DB_ECHO)
			memcpy(run->mmio.data, &guest->echo,
			       sizeof(guest->echo));
		else
			handle_exit(guest, vcpu, reason);
	}
}

struct worker {
	struct guest *guest;
	const struct vcpu *vcpu;
	pthread_t thread;
	bool finished;
};

/* What is measured between CPUs would be something else on one. */
static void move_to_cpu(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		doorbell_note("could not move to CPU %u", cpu);
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;

	if (worker->guest->features & GUEST_NEEDS_CPUS)
		move_to_cpu(worker->vcpu->id);
	run_vcpu(worker->guest, worker->vcpu);
	__atomic_store_n(&worker->finished, true, __ATOMIC_RELEASE);
	return NULL;
}

static void kicked(int sig)
{
	(void)sig;
}

static void wait_for_end(struct guest *guest, unsigned int seconds)
{
	struct timespec deadline;
	int ret = 0;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += seconds;
	pthread_mutex_lock(&guest->lock);
	while (guest->end == GUEST_RUNNING && !ret)
		ret = pthread_cond_clockwait(&guest->ended, &guest->lock,
					     CLOCK_MONOTONIC, &deadline);
	pthread_mutex_unlock(&guest->lock);
	if (ret)
		doorbell_end(guest, GUEST_TIMED_OUT, 0);
}

/*
 * immediate_exit before the signal: a thread that had not entered KVM_RUN
 * when the signal came still leaves it at once. Api.rst, KVM_RUN.
 */
static void stop_worker(struct worker *worker)
{
	const struct timespec pause = { .tv_nsec = KICK_EVERY_NS };

	__atomic_store_n(&worker->vcpu->run->immediate_exit, 1,
			 __ATOMIC_RELEASE);
	while (!__atomic_load_n(&worker->finished, __ATOMIC_ACQUIRE)) {
		pthread_kill(worker->thread, KICK_SIGNAL);
		nanosleep(&pause, NULL);
	}
	pthread_join(worker->thread, NULL);
}

uint64_t guest_events(const struct guest *guest)
{
	uint64_t n = 0;

	if (guest->event < 0 || read(guest->event, &n, sizeof(n)) != sizeof(n))
		return 0;
	return n;
}

/*
 * A benchmark of one vCPU runs in the calling thread: a second one would make
 * each of the process's system calls dearer, by what a shared table of files
 * costs, and so the figure. A timer takes the second one's place.
 */
static struct guest *alone;

static void too_long(int sig)
{
	enum guest_end end = GUEST_RUNNING;

	(void)sig;
	__atomic_compare_exchange_n(&alone->end, &end, GUEST_TIMED_OUT, false,
				    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	alone->vm.vcpu[0].run->immediate_exit = 1;
}

static int run_alone(struct guest *guest, unsigned int seconds)
{
	const struct sigaction action = { .sa_handler = too_long };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = KICK_SIGNAL,
	};
	const struct itimerspec limit = { .it_value.tv_sec = seconds };
	timer_t timer;

	alone = guest;
	sigaction(KICK_SIGNAL, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return -errno;
	timer_settime(timer, 0, &limit, NULL);
	run_vcpu(guest, &guest->vm.vcpu[0]);
	timer_delete(timer);
	return guest->end;
}

static int run_workers(struct guest *guest, unsigned int seconds)
{
	const struct sigaction action = { .sa_handler = kicked };
	struct worker workers[VM_MAX_VCPUS];
	unsigned int n;
	int ret = 0;

	sigaction(KICK_SIGNAL, &action, NULL);
	for (n = 0; n < guest->vm.nr_vcpus; n++) {
		workers[n] = (struct worker){
			.guest = guest, .vcpu = &guest->vm.vcpu[n],
		};
		ret = -pthread_create(&workers[n].thread, NULL, worker_main,
				      &workers[n]);
		if (ret)
			break;
	}
	if (ret)
		doorbell_end(guest, GUEST_BROKE, 0);
	else
		wait_for_end(guest, seconds);
	while (n--)
		stop_worker(&workers[n]);
	return ret ? ret : (int)guest->end;
}

int guest_run(struct guest *guest, unsigned int seconds)
{
	if (guest->image->header->kind == GUEST_KIND_BENCH &&
	    guest->vm.nr_vcpus == 1)
		return run_alone(guest, seconds);
	return run_workers(guest, seconds);
}
