// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into a VMM: the ioctls of KVM while no vCPU runs, by kind, and what
 * the virtual counter says they took (instructions where it counts those).
 *
 * $TERN_IOCTLS names a file. What happened since the last KVM_RUN ended is in
 * it once the process has ended, or earlier, at the first KVM_RUN after the
 * file's first byte was made an 'R', and then since that was done.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_SIZE	4096

enum kind { REGISTERS, GIC, DIRTY_LOG, OTHER, NR_KINDS };

static const char * const names[NR_KINDS] = {
	[REGISTERS] = "registers", [GIC] = "gic", [DIRTY_LOG] = "dirty-log",
	[OTHER] = "other",
};

static struct count {
	uint64_t calls, ticks;
} counts[NR_KINDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *file;
static bool asked, told;

/* Others' constructors may come here before this one's has run. */
static long next_syscall(long number, long a, long b, long c, long d, long e,
			 long f)
{
	static long (*next)(long number, ...);

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, a, b, c, d, e, f);
}

static long pass(int fd, unsigned long request, void *arg)
{
	return next_syscall(SYS_ioctl, fd, request, (long)arg, 0, 0, 0);
}

static uint64_t counter(void)
{
	uint64_t v;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
}

static enum kind kind_of(unsigned long request)
{
	switch (request) {
	case KVM_GET_ONE_REG:
	case KVM_SET_ONE_REG:
	case KVM_GET_REG_LIST:
	case KVM_GET_MP_STATE:
	case KVM_SET_MP_STATE:
	case KVM_GET_VCPU_EVENTS:
	case KVM_SET_VCPU_EVENTS:
		return REGISTERS;
	case KVM_GET_DEVICE_ATTR:
	case KVM_SET_DEVICE_ATTR:
	case KVM_HAS_DEVICE_ATTR:
		return GIC;
	case KVM_GET_DIRTY_LOG:
	case KVM_CLEAR_DIRTY_LOG:
		return DIRTY_LOG;
	default:
		return OTHER;
	}
}

/* tern's own, which stand for many of the others: see uapi/tern.h */
static bool is_batch(unsigned long request)
{
	return _IOC_NR(request) >= 0xf0;
}

static void tell(void)
{
	char *to = file + 1;
	int i;

	if (told)
		return;
	told = true;
	for (i = 0; i < NR_KINDS; i++)
		to += sprintf(to, "\n%s %llu %llu", names[i],
			      (unsigned long long)counts[i].calls,
			      (unsigned long long)counts[i].ticks);
	strcpy(to, "\n");
}

/* Around KVM_RUN: what came before was not while the guest stood still. */
static void begin(void)
{
	pthread_mutex_lock(&lock);
	if (asked)
		tell();
	memset(counts, 0, sizeof(counts));
	pthread_mutex_unlock(&lock);
}

static void note(unsigned long request, uint64_t ticks)
{
	enum kind kind = is_batch(request) ? REGISTERS : kind_of(request);

	pthread_mutex_lock(&lock);
	counts[kind].calls++;
	counts[kind].ticks += ticks;
	pthread_mutex_unlock(&lock);
}

static void look_for_request(void)
{
	pthread_mutex_lock(&lock);
	if (*(volatile char *)file == 'R') {
		*file = ' ';
		asked = true;
		memset(counts, 0, sizeof(counts));
	}
	pthread_mutex_unlock(&lock);
}

static int run(int fd)
{
	int ret;

	begin();
	ret = pass(fd, KVM_RUN, NULL);
	begin();
	return ret;
}

static long counted_ioctl(int fd, unsigned long request, void *arg)
{
	uint64_t start;
	long ret;

	if (_IOC_TYPE(request) != KVMIO || !file)
		return pass(fd, request, arg);
	look_for_request();
	if (request == KVM_RUN)
		return run(fd);
	start = counter();
	ret = pass(fd, request, arg);
	note(request, counter() - start);
	return ret;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return counted_ioctl(fd, request, arg);
}

/* libtern-preload.so, if it is there too, comes this way. */
long syscall(long number, ...)
{
	long arg[6];
	va_list args;
	int i;

	va_start(args, number);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_ioctl)
		return counted_ioctl(arg[0], arg[1], (void *)arg[2]);
	return next_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4],
			    arg[5]);
}

__attribute__((constructor))
static void start(void)
{
	const char *name = getenv("TERN_IOCTLS");
	int fd;

	fd = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	if (!ftruncate(fd, FILE_SIZE))
		file = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);
	if (file == MAP_FAILED)
		file = NULL;
	close(fd);
}

__attribute__((destructor))
static void end(void)
{
	pthread_mutex_lock(&lock);
	if (file)
		tell();
	pthread_mutex_unlock(&lock);
}
