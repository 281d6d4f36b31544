// SPDX-License-Identifier: GPL-2.0
/*
 * A program that knows nothing of tern sees no difference with
 * libtern-preload.so: it makes bursts of every kind, and compares with what
 * the kernel says to system calls that the library does not see.
 *
 *	bursts PRELOAD.so[:...]	runs itself with it, or with several
 *	bursts			the test
 */
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

#include "lib.h"

#define REDIST	KVM_DEV_ARM_VGIC_GRP_REDIST_REGS
#define DIST	KVM_DEV_ARM_VGIC_GRP_DIST_REGS
#define SYSREGS	KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS
#define LEVEL	KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO
#define MIDR	ARM64_SYS_REG(3, 0, 0, 0, 0)
#define PFR0	ARM64_SYS_REG(3, 0, 0, 4, 0)
#define CORE(field)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(field))
#define X(n)	(CORE(regs.regs[0]) + 2 * (n))

GUEST(teller,
      "1:\n"
      REPORT
      "b 1b\n");

GUEST(spinner,
      "1: b 1b\n");

static struct vm vm;
static struct kvm_reg_list *list;

/* Straight to the kernel */
static int direct(int fd, unsigned long request, void *arg)
{
	register long x8 asm("x8") = 29;	/* ioctl */
	register long x0 asm("x0") = fd;
	register long x1 asm("x1") = request;
	register long x2 asm("x2") = (long)arg;

	asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2)
		     : "memory");
	return x0;
}

static int direct_get(int vcpu, uint64_t id, void *value)
{
	struct kvm_one_reg one = { .id = id, .addr = (uintptr_t)value };

	return direct(vcpu, KVM_GET_ONE_REG, &one);
}

static uint32_t direct_word(uint32_t group, uint64_t attr)
{
	uint32_t word = 0;
	struct kvm_device_attr a = {
		.group = group, .attr = attr, .addr = (uintptr_t)&word,
	};

	EXPECT(direct(vm.gic, KVM_GET_DEVICE_ATTR, &a), 0);
	return word;
}

static void get_list(void)
{
	struct kvm_reg_list probe = { .n = 0 };

	vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, &probe);
	list = calloc(1, sizeof(*list) + 8 * probe.n);
	list->n = probe.n;
	GOOD(vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, list));
}

static bool timer(uint64_t id)
{
	return id == KVM_REG_ARM_TIMER_CNT || id == KVM_REG_ARM_TIMER_CTL;
}

static void gets(const struct vcpu *vcpu)
{
	uint64_t a[32], b[32], i;
	int round;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < list->n; i++) {
			memset(a, round, sizeof(a));
			memset(b, round, sizeof(b));
			EXPECT(vcpu_get(vcpu, list->reg[i], a), 0);
			EXPECT(direct_get(vcpu->fd, list->reg[i], b), 0);
			CHECK(timer(list->reg[i]) || !memcmp(a, b, sizeof(a)));
		}
		EXPECT(vcpu_get(vcpu, X(0) | 0x7fff0000, a), -ENOENT);
	}
}

/* Nothing may be missing once anything else was asked. */
static void ask_state(const struct vcpu *vcpu)
{
	struct kvm_mp_state state = { 0 };

	GOOD(vm_ioctl(vcpu->fd, KVM_GET_MP_STATE, &state));
}

static void sets(const struct vcpu *vcpu)
{
	uint64_t i, v, midr, pstate = 0x1f;

	GOOD(vcpu_get(vcpu, MIDR, &midr));
	for (i = 0; i < 31; i++) {
		v = 0x1234567800 + i;
		EXPECT(vcpu_set(vcpu, X(i), &v), 0);
		if (i == 20)
			EXPECT(vcpu_set(vcpu, CORE(regs.pstate), &pstate),
			       -EINVAL);
		if (i == 22)
			EXPECT(vcpu_set(vcpu, MIDR, &midr), 0);
		if (i == 24) {
			v = midr ^ 0x10;
			EXPECT(vcpu_set(vcpu, MIDR, &v), -EINVAL);
		}
		if (i == 26)
			EXPECT(vcpu_set(vcpu, X(0) | 0x7fff0000, &v), -ENOENT);
	}
	v = 7;
	EXPECT(vcpu_set(vcpu, X(3), &v), 0);
	EXPECT(vcpu_set(vcpu, X(3), NULL), -EFAULT);
	EXPECT(vcpu_get(vcpu, X(3), &v), 0);
	CHECK(v == 7);
	ask_state(vcpu);
	for (i = 0; i < 31; i++) {
		EXPECT(direct_get(vcpu->fd, X(i), &v), 0);
		CHECK(v == (i == 3 ? 7 : 0x1234567800 + i));
	}
}

/* In the middle of rows, pointers to what cannot be read or written */
static void bad_pointers(const struct vcpu *vcpu)
{
	char *none = mmap(NULL, 3 * PAGE, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *fixed = none + PAGE;
	uint64_t i, v;

	CHECK(none != MAP_FAILED);
	CHECK(!mprotect(fixed, PAGE, PROT_READ));
	for (i = 0; i < 31; i++) {
		v = 0x700 + i;
		EXPECT(vcpu_set(vcpu, X(i), &v), 0);
		EXPECT(vcpu_set(vcpu, X(i), none), -EFAULT);
		EXPECT(vcpu_set(vcpu, X(i), none + PAGE - 4), -EFAULT);
		EXPECT(vcpu_set(vcpu, X(i), fixed + PAGE - 4), -EFAULT);
		EXPECT(vm_ioctl(vcpu->fd, KVM_SET_ONE_REG, none), -EFAULT);
	}
	EXPECT(vcpu_set(vcpu, X(3), fixed), 0);
	for (i = 0; i < 31; i++) {
		EXPECT(vcpu_get(vcpu, X(i), &v), 0);
		CHECK(v == (i == 3 ? 0 : 0x700 + i));
		EXPECT(vcpu_get(vcpu, X(i), fixed), -EFAULT);
		EXPECT(vcpu_get(vcpu, X(i), fixed + PAGE - 4), -EFAULT);
		EXPECT(vcpu_get(vcpu, X(i), none), -EFAULT);
		EXPECT(vm_ioctl(vcpu->fd, KVM_GET_ONE_REG, fixed + PAGE - 8),
		       -EFAULT);
	}
	munmap(none, 3 * PAGE);
}

static void bad_gic_pointers(void)
{
	char *none = mmap(NULL, 2 * PAGE, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *fixed = none + PAGE;
	unsigned int i;
	uint32_t word;

	CHECK(none != MAP_FAILED);
	CHECK(!mprotect(fixed, PAGE, PROT_READ));
	for (i = 0; i < 32; i++) {
		GOOD(get_attr(vm.gic, DIST, 0x420 + 4 * (i & 15), &word));
		EXPECT(get_attr(vm.gic, DIST, 0x420, fixed), -EFAULT);
		EXPECT(get_attr(vm.gic, DIST, 0x420, none), -EFAULT);
	}
	for (i = 0; i < 32; i++) {
		GOOD(set_attr(vm.gic, DIST, 0x420 + 4 * (i & 15), &word));
		EXPECT(set_attr(vm.gic, DIST, 0x420, none), -EFAULT);
		EXPECT(vm_ioctl(vm.gic, KVM_SET_DEVICE_ATTR, none), -EFAULT);
	}
	munmap(none, 2 * PAGE);
}

/* All registers written back as a migration does */
static void all_back(const struct vcpu *from, const struct vcpu *to)
{
	static uint64_t value[1024][32];
	uint64_t now[32], i, id;

	for (i = 0; i < list->n; i++)
		EXPECT(vcpu_get(from, list->reg[i], value[i]), 0);
	for (i = 0; i < list->n; i++)
		EXPECT(vcpu_set(to, list->reg[i], value[i]), 0);
	ask_state(to);
	for (i = 0; i < list->n; i++) {
		id = list->reg[i];
		memset(now, 0, sizeof(now));
		EXPECT(direct_get(to->fd, id, now), 0);
		CHECK(timer(id) || !memcmp(now, value[i], 1ul <<
			((id & KVM_REG_SIZE_MASK) >> KVM_REG_SIZE_SHIFT)));
	}
}

/* KVM_RUN after a burst, and a value the guest changed after a burst */
static void runs(void)
{
	struct vcpu *vcpu = &vm.vcpu[0];
	uint64_t i, v;

	for (i = 31; i--;) {
		v = 100 + i;
		EXPECT(vcpu_set(vcpu, X(i), &v), 0);
	}
	v = RAM_BASE;
	EXPECT(vcpu_set_pc(vcpu, v), 0);
	CHECK(next_report(vcpu) == 100);
	for (i = 31; i--;)
		EXPECT(vcpu_get(vcpu, X(i), &v), 0);
	CHECK(next_report(vcpu) == 100);
	EXPECT(vcpu_get(vcpu, X(9), &v), 0);
	CHECK(v == 0x09000000);
	finish_exit(vcpu);
}

static uint64_t attr_of(unsigned int i)
{
	return 0x6100 + 4 * i;		/* GICD_IROUTER */
}

static void gic_gets(void)
{
	uint32_t word, line, all_level = 0;
	unsigned int i;

	GOOD(set_attr(vm.gic, DIST, 0xc08, &all_level));

	for (i = 0; i < 128; i++) {
		GOOD(get_attr(vm.gic, DIST, attr_of(i), &word));
		CHECK(word == direct_word(DIST, attr_of(i)));
	}
	EXPECT(get_attr(vm.gic, LEVEL, 33, &word), -EINVAL);
	EXPECT(get_attr(vm.gic, 77, 0, &word), -ENXIO);
	EXPECT(get_attr(vm.gic, REDIST, 0xffull << 32, &word), -EINVAL);
	/* a line changes in the middle */
	for (i = 0; i < 64; i++)
		GOOD(get_attr(vm.gic, DIST, attr_of(i), &word));
	GOOD(vm_irq_line(&vm, 40, 1));
	GOOD(get_attr(vm.gic, LEVEL, 32, &line));
	CHECK(line == 1 << 8);
	GOOD(vm_irq_line(&vm, 40, 0));
}

static void gic_sets(void)
{
	uint64_t sre = 0, ctlr;
	uint32_t word;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		word = 0x01010101 * (i & 3) << 3;
		EXPECT(set_attr(vm.gic, DIST, 0x420 + 4 * (i & 15), &word), 0);
		if (i == 40) {
			word = ~0u;
			EXPECT(set_attr(vm.gic, DIST, 0x104, &word), 0);
			EXPECT(set_attr(vm.gic, DIST, 0x184, &word), 0);
			word = 0x00ff00ff;
			EXPECT(set_attr(vm.gic, DIST, 0x104, &word), 0);
		}
		if (i == 50) {
			EXPECT(set_attr(vm.gic, SYSREGS, 0xc665, &sre),
			       -EINVAL);
			EXPECT(set_attr(vm.gic, LEVEL, 33, &word), -EINVAL);
			GOOD(get_attr(vm.gic, SYSREGS, 0xc664, &ctlr));
			ctlr |= 0x700;
			EXPECT(set_attr(vm.gic, SYSREGS, 0xc664, &ctlr),
			       -EINVAL);
		}
	}
	ask_state(&vm.vcpu[0]);
	for (i = 48; i < 64; i++)
		CHECK(direct_word(DIST, 0x420 + 4 * (i & 15)) ==
		      0x01010101 * (i & 3) << 3);
	CHECK(direct_word(DIST, 0x104) == 0x00ff00ff);
}

/* An interrupt may come by an eventfd at any time. */
static void irqfds(void)
{
	struct kvm_irqfd irqfd = { .fd = eventfd(0, 0), .gsi = 20 };
	uint64_t one = 1;
	uint32_t word, edge = 0x00000200;	/* interrupt 52 */
	unsigned int i;

	CHECK((int)irqfd.fd >= 0);
	GOOD(set_attr(vm.gic, DIST, 0xc0c, &edge));
	GOOD(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd));
	for (i = 0; i < 100; i++)
		GOOD(get_attr(vm.gic, DIST, attr_of(i), &word));
	CHECK(write(irqfd.fd, &one, 8) == 8);
	for (i = 0; i < 100; i++) {
		GOOD(get_attr(vm.gic, DIST, 0x204, &word));
		if (word)
			break;
		usleep(10000);
	}
	CHECK(word == 1u << 20);
	irqfd.flags = KVM_IRQFD_FLAG_DEASSIGN;
	GOOD(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd));
	close(irqfd.fd);
}

static volatile bool stop;

static void *spin(void *arg)
{
	struct vcpu *vcpu = arg;

	while (!stop)
		vcpu_run(vcpu);
	return NULL;
}

static void *burst(void *arg)
{
	struct vcpu *vcpu = arg;
	uint64_t i, v, round;

	for (round = 0; round < 40; round++) {
		for (i = 0; i < 31; i++) {
			v = round * i;
			EXPECT(vcpu_set(vcpu, X(i), &v), 0);
		}
		for (i = 0; i < 31; i++) {
			EXPECT(vcpu_get(vcpu, X(i), &v), 0);
			CHECK(v == round * i);
		}
	}
	return NULL;
}

static void nothing(int signal)
{
	(void)signal;
}

/* Two threads make bursts, first alone and then beside a vCPU that runs. */
static void threads(void)
{
	struct sigaction action = { .sa_handler = nothing };
	pthread_t a, b, runner;
	uint64_t pc = RAM_BASE;
	uint32_t word;

	CHECK(!pthread_create(&a, NULL, burst, &vm.vcpu[1]));
	burst(&vm.vcpu[2]);
	CHECK(!pthread_join(a, NULL));
	LOAD(&vm, spinner);
	GOOD(vcpu_set_pc(&vm.vcpu[0], pc));
	sigaction(SIGUSR1, &action, NULL);
	CHECK(!pthread_create(&runner, NULL, spin, &vm.vcpu[0]));
	usleep(100000);
	CHECK(!pthread_create(&a, NULL, burst, &vm.vcpu[1]));
	CHECK(!pthread_create(&b, NULL, burst, &vm.vcpu[2]));
	CHECK(!pthread_join(a, NULL));
	CHECK(!pthread_join(b, NULL));
	EXPECT(get_attr(vm.gic, DIST, 0, &word), -EBUSY);
	EXPECT(set_attr(vm.gic, DIST, 0, &word), -EBUSY);
	stop = true;
	vm.vcpu[0].run->immediate_exit = 1;
	CHECK(!pthread_kill(runner, SIGUSR1));
	CHECK(!pthread_join(runner, NULL));
	vm.vcpu[0].run->immediate_exit = 0;
}

/* A descriptor's number may be another's at once, and a copy is the same. */
static void descriptors(void)
{
	struct vm other;
	uint64_t i, v = 5;
	int copy;

	make_machine(&other, 1);
	for (i = 0; i < 31; i++)
		EXPECT(vcpu_set(&other.vcpu[0], X(i), &v), 0);
	copy = dup(other.vcpu[0].fd);
	for (i = 0; i < 31; i++) {
		EXPECT(direct_get(copy, X(i), &v), 0);
		CHECK(v == 5);
	}
	close(copy);
	vm_fini(&other);
	for (i = 0; i < 3; i++) {
		make_machine(&other, 1);
		burst(&other.vcpu[0]);
		vm_fini(&other);
	}
}

static void everything(void)
{
	make_machine(&vm, 3);
	LOAD(&vm, teller);
	get_list();
	gets(&vm.vcpu[0]);
	sets(&vm.vcpu[0]);
	bad_pointers(&vm.vcpu[0]);
	gets(&vm.vcpu[0]);
	all_back(&vm.vcpu[0], &vm.vcpu[2]);
	gic_gets();
	gic_sets();
	bad_gic_pointers();
	gic_gets();
	irqfds();
	runs();
	runs();
	gets(&vm.vcpu[0]);
	threads();
	descriptors();
	vm_fini(&vm);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		setenv("LD_PRELOAD", argv[1], 1);
		setenv("TERN_PRELOAD", "count", 1);
		execl("/proc/self/exe", argv[0], (char *)NULL);
		perror("bursts");
		return 1;
	}
	everything();
	return 0;
}
