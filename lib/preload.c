// SPDX-License-Identifier: GPL-2.0
/* The C library's functions that the program is given instead. */
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

static atomic_int nothing;		/* from now on, for this process */
struct preload_counts preload_counts;

__thread int preload_inside __attribute__((tls_model("initial-exec")));

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
int preload_pass(int fd, unsigned long request, unsigned long arg)
{
	long ret = next_syscall()(SYS_ioctl, fd, request, arg);

	return ret < 0 ? -errno : ret;
}

static bool idle(void)
{
	return preload_inside ||
	       atomic_load_explicit(&nothing, memory_order_relaxed);
}

static int any_ioctl(int fd, unsigned long request, unsigned long arg)
{
	return (idle() ? preload_pass : preload_ioctl)(fd, request, arg);
}

static void forget_range(unsigned int first, unsigned int last)
{
	if (!idle())
		preload_forget_range(first, last);
}

static void forget_fd(int fd)
{
	if (fd >= 0)
		forget_range(fd, fd);
}

static void duplicated(int fd)
{
	if (!idle())
		preload_duplicated(fd);
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
