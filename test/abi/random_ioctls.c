// SPDX-License-Identifier: GPL-2.0
/*
 * Random ioctls with random arguments from two threads, on the device, VMs,
 * vCPUs and a GIC: whatever they give, the kernel keeps its countenance. The
 * sequence of each thread is the same every time.
 *
 * First on a VM that is half made, which KVM_RUN would be the end of, then on
 * one that can run.
 */
#include <pthread.h>

#include "lib.h"

#define TURNS		5000

static const unsigned long requests[] = {
	KVM_GET_API_VERSION, KVM_CHECK_EXTENSION, KVM_GET_VCPU_MMAP_SIZE,
	KVM_CREATE_VCPU, KVM_SET_USER_MEMORY_REGION, KVM_GET_DIRTY_LOG,
	KVM_CLEAR_DIRTY_LOG, KVM_IRQ_LINE, KVM_IRQFD, KVM_IOEVENTFD,
	KVM_SET_GSI_ROUTING, KVM_CREATE_DEVICE, KVM_ENABLE_CAP, KVM_SIGNAL_MSI,
	KVM_ARM_PREFERRED_TARGET, KVM_ARM_SET_DEVICE_ADDR, KVM_CREATE_IRQCHIP,
	KVM_RUN, KVM_ARM_VCPU_INIT, KVM_ARM_VCPU_FINALIZE, KVM_GET_ONE_REG,
	KVM_SET_ONE_REG, KVM_GET_REG_LIST, KVM_GET_MP_STATE, KVM_SET_MP_STATE,
	KVM_GET_VCPU_EVENTS, KVM_SET_VCPU_EVENTS, KVM_SET_GUEST_DEBUG,
	KVM_SET_SIGNAL_MASK, KVM_SET_DEVICE_ATTR, KVM_GET_DEVICE_ATTR,
	KVM_HAS_DEVICE_ATTR, KVM_GET_STATS_FD, KVM_GET_SREGS, KVM_TRANSLATE,
};

struct fuzz {
	uint64_t state;
	union {
		uint64_t words[512];
		uint32_t halves[1024];
		struct kvm_create_device device;
	} arg;
};

static struct vm vm;
static void *memory;
static bool runs;

/* xorshift64 */
static uint64_t draw(struct fuzz *f)
{
	f->state ^= f->state << 13;
	f->state ^= f->state >> 7;
	f->state ^= f->state << 17;
	return f->state;
}

static uint64_t interesting(struct fuzz *f)
{
	switch (draw(f) % 10) {
	case 0: return 0;
	case 1: return -1UL;
	case 2: return draw(f);
	case 3: return (uintptr_t)memory + draw(f) % 16 * PAGE;
	case 4: return RAM_BASE + draw(f) % 64 * PAGE;
	case 5: return DIST_BASE + draw(f) % 4 * 0x10000;
	case 6: return 1UL << draw(f) % 64;
	case 7: return (uintptr_t)&f->arg;
	case 8: return PAGE * (draw(f) % 8);
	default: return draw(f) % 64;
	}
}

static int target(struct fuzz *f)
{
	switch (draw(f) % 6) {
	case 0: return vm.kvm;
	case 1: return vm.fd;
	case 2: return vm.gic;
	default: return vm.vcpu[draw(f) % vm.nr_vcpus].fd;
	}
}

static void fill(struct fuzz *f)
{
	unsigned int i;

	for (i = 0; i < 16; i++)
		if (draw(f) & 1)
			f->arg.words[i] = interesting(f);
		else
			f->arg.halves[2 * i] = (uint32_t)interesting(f);
}

/* Real ids, so that some of the registers are written with noise. */
static void pick_register(struct fuzz *f)
{
	uint64_t id = KVM_REG_ARM64 | (draw(f) % 8) << 52;

	if (draw(f) & 1)
		id |= KVM_REG_ARM64_SYSREG | 0xc000 | (draw(f) & 0x3fff);
	else
		id |= KVM_REG_ARM_CORE | draw(f) % 0x110;
	f->arg.words[0] = id;
	f->arg.words[1] = (uintptr_t)&f->arg.words[2];
}

static void close_new(int fd)
{
	/* what an ioctl gave; the test's own are all below */
	if (fd > 20)
		close(fd);
}

static void turn(struct fuzz *f)
{
	unsigned long request = requests[draw(f) % (sizeof(requests) /
						    sizeof(requests[0]))];
	int fd = target(f), ret;
	unsigned long arg = (uintptr_t)&f->arg;

	fill(f);
	if (request == KVM_GET_ONE_REG || request == KVM_SET_ONE_REG)
		pick_register(f);
	if (request == KVM_RUN || draw(f) % 8 == 0)
		arg = request == KVM_RUN ? 0 : interesting(f);
	if (request == KVM_RUN && !runs)
		return;
	ret = ask(fd, request, arg);
	if (request == KVM_CREATE_VCPU || request == KVM_GET_STATS_FD)
		close_new(ret);
	if (request == KVM_CREATE_DEVICE && !ret && fd == vm.fd)
		close_new(f->arg.device.fd);
}

static void *work(void *arg)
{
	static struct fuzz fuzz[2];
	struct fuzz *f = &fuzz[(uintptr_t)arg];
	int i;

	f->state = 0x9e3779b97f4a7c15UL * ((uintptr_t)arg + 1);
	for (i = 0; i < TURNS; i++)
		turn(f);
	return NULL;
}

/* A random guest would be no test, and a stopped vCPU would sleep. */
static void never_enter(void)
{
	unsigned int i;

	for (i = 0; i < vm.nr_vcpus; i++)
		vm.vcpu[i].run->immediate_exit = 1;
}

static void both_threads(void)
{
	pthread_t thread[2];
	uintptr_t i;

	never_enter();
	for (i = 0; i < 2; i++)
		EXPECT(pthread_create(&thread[i], NULL, work, (void *)i), 0);
	for (i = 0; i < 2; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	/* a new VM is as good as ever */
	close(new_vm(vm.kvm));
}

int main(void)
{
	memory = pages(16 * PAGE);
	make_bare(&vm, 3);
	vm.gic = new_gic(vm.fd);
	both_threads();
	vm_fini(&vm);

	runs = true;
	make_machine(&vm, 3);
	both_threads();
	return 0;
}
