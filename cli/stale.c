// SPDX-License-Identifier: GPL-2.0
/*
 * Tries to catch a guest with a translation that should be gone, while its
 * vCPUs are moved between CPUs, paused, lose CPUs that go offline, and go to
 * another virtual machine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../uapi/tern.h"
#include "command.h"
#include "guest.h"

#define IMAGE		"stale"
#define STAY_SECONDS	2		/* in one virtual machine */
#define STATE_SIZE	(1 << 20)
#define DISTURB_NS	30000000
#define TIDS_MAX	64

static const char help[] =
"usage: tern stale [OPTION...]\n"
"\n"
"Runs a guest whose vCPUs move pages of memory and flush each other's TLBs by\n"
"tern's record and call (tern_guest(7)), and fails when one of them sees a page\n"
"where it was. Meanwhile they are moved between CPUs, paused, and restored in\n"
"another virtual machine.\n"
"\n"
"  --device PATH     the KVM device (" DEFAULT_DEVICE ")\n"
"  --seconds N       (10)\n"
"  --vcpus N         (three for each CPU, up to 32)\n"
"  --offline         take CPUs offline, too; needs root\n"
"\n"
"exit status: 0; 1 when there was one; 2 for a wrong command line; 3 when it\n"
"could not run\n";

struct stale {
	const char *device;
	unsigned int seconds;
	unsigned int vcpus;
	bool offline;
	unsigned int cpus;

	struct guest *guest;
	pid_t main_thread;
	bool stop;
	unsigned int moves, pauses, offlines, restores;
	uint64_t value[3];
	unsigned int nr_values;
};

static void take_value(void *arg, uint64_t value)
{
	struct stale *s = arg;

	if (s->nr_values < 3)
		s->value[s->nr_values++] = value;
}

/* A thread of this program, which may be a vCPU's, goes to a CPU. */
static void move_threads(struct stale *s, unsigned int *seed)
{
	cpu_set_t set;
	pid_t tid;

	for (tid = s->main_thread + 1; tid < s->main_thread + TIDS_MAX; tid++) {
		CPU_ZERO(&set);
		CPU_SET(rand_r(seed) % s->cpus, &set);
		if (rand_r(seed) % 4 == 0)
			CPU_SET(rand_r(seed) % s->cpus, &set);
		/* Most numbers are nobody's, or another program's which is none of ours. */
		if (syscall(SYS_tgkill, getpid(), tid, 0))
			continue;
		s->moves += !sched_setaffinity(tid, sizeof(set), &set);
	}
}

static void pause_all(struct stale *s)
{
	if (ioctl(s->guest->vm.fd, TERN_PAUSE, 0)) {
		perror("tern stale: TERN_PAUSE");
		return;
	}
	s->pauses++;
	usleep(2000);
	ioctl(s->guest->vm.fd, TERN_RESUME, 0);
}

static bool set_online(unsigned int cpu, bool on)
{
	char path[64];
	bool done;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write(fd, on ? "1" : "0", 1) == 1;
	close(fd);
	return done;
}

static void bounce_cpu(struct stale *s, unsigned int *seed)
{
	unsigned int cpu = 1 + rand_r(seed) % (s->cpus - 1);

	if (!set_online(cpu, false))
		return;
	s->offlines++;
	usleep(20000);
	set_online(cpu, true);
}

static void *disturb(void *arg)
{
	const struct timespec a_while = { .tv_nsec = DISTURB_NS };
	struct stale *s = arg;
	unsigned int seed = s->restores + 1;

	while (!__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE)) {
		nanosleep(&a_while, NULL);
		switch (rand_r(&seed) % 8) {
		case 0:
			pause_all(s);
			break;
		case 1:
			if (s->offline && s->cpus > 1)
				bounce_cpu(s, &seed);
			break;
		default:
			move_threads(s, &seed);
		}
	}
	return NULL;
}

/* How it ended, GUEST_TIMED_OUT: it goes on; or a negative errno */
static int run_a_while(struct stale *s)
{
	pthread_t thread;
	int ret;

	s->guest->batches = 1000 * s->seconds;
	s->guest->sample = take_value;
	s->guest->sample_arg = s;
	s->stop = false;
	ret = -pthread_create(&thread, NULL, disturb, s);
	if (ret)
		return ret;
	ret = guest_run(s->guest, STAY_SECONDS);
	__atomic_store_n(&s->stop, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return ret;
}

static int transfer(struct guest *from, struct guest *to)
{
	struct tern_state state = { .what = TERN_STATE_VM, .size = STATE_SIZE };
	void *image = malloc(STATE_SIZE);
	int ret;

	if (!image)
		return -ENOMEM;
	state.addr = (uintptr_t)image;
	ret = vm_ioctl(from->vm.fd, TERN_GET_STATE, &state);
	state.what = 0;
	if (ret >= 0)
		ret = vm_ioctl(to->vm.fd, TERN_SET_STATE, &state);
	free(image);
	return ret < 0 ? ret : 0;
}

/* As by live migration: what is restored is all there is. */
static int go_elsewhere(struct stale *s)
{
	struct guest *to = malloc(sizeof(*to));
	int ret;

	if (!to)
		return -ENOMEM;
	ret = guest_init_moved(to, s->guest, s->device);
	if (ret) {
		free(to);
		return ret;
	}
	ret = transfer(s->guest, to);
	guest_fini(s->guest);
	free(s->guest);
	s->guest = to;
	s->restores++;
	return ret;
}

static int run(struct stale *s)
{
	unsigned int patience = 4 * s->seconds + 60;
	int ret;

	for (;;) {
		ret = run_a_while(s);
		if (ret != GUEST_TIMED_OUT)
			return ret;
		if (s->restores * STAY_SECONDS > patience)
			return ret;
		ret = go_elsewhere(s);
		if (ret)
			return ret;
	}
}

static int report(const struct stale *s, int ret)
{
	if (ret == GUEST_FAILED) {
		puts("tern stale: a translation was there that should not be");
		return STATUS_FAILED;
	}
	if (ret != GUEST_PASSED || s->nr_values != 3) {
		fprintf(stderr, "tern stale: %s\n", ret < 0 ? strerror(-ret) : "the guest did not end");
		return STATUS_ERROR;
	}
	printf("tern stale: none: %llu looks, %llu flushes, %llu of them left in records;\n"
	       "%u vCPUs, %u moves of threads, %u pauses, %u CPUs offline, %u restores\n",
	       (unsigned long long)s->value[0], (unsigned long long)s->value[1],
	       (unsigned long long)s->value[2], s->vcpus, s->moves, s->pauses, s->offlines, s->restores);
	return 0;
}

static int stale(struct stale *s)
{
	const struct guest_image *image = guest_find(GUEST_KIND_TLB, IMAGE);
	int ret;

	s->main_thread = getpid();
	s->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (!s->vcpus)
		s->vcpus = 3 * s->cpus > GUEST_MAX_VCPUS ? GUEST_MAX_VCPUS : 3 * s->cpus;
	s->guest = malloc(sizeof(*s->guest));
	if (!s->guest)
		return STATUS_ERROR;
	ret = guest_init_vcpus(s->guest, image, s->device, s->vcpus);
	if (ret) {
		fprintf(stderr, "tern stale: %s: %s\n", s->device, strerror(-ret));
		free(s->guest);
		return STATUS_ERROR;
	}
	if (vm_capability(&s->guest->vm, TERN_CAP_GUEST))
		ret = run(s);
	else
		ret = -EOPNOTSUPP;
	guest_fini(s->guest);
	free(s->guest);
	return report(s, ret);
}

static bool set_count(unsigned int *count, const char *text, unsigned int most)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	*count = n;
	return !*end && *text != '-' && n >= 1 && n <= most;
}

int command_stale(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "seconds", required_argument, NULL, 's' },
		{ "vcpus", required_argument, NULL, 'v' },
		{ "offline", no_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static struct stale s = { .device = DEFAULT_DEVICE, .seconds = 10 };
	bool good = true;
	int c;

	while (good && (c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			s.device = optarg;
			break;
		case 's':
			good = set_count(&s.seconds, optarg, 86400);
			break;
		case 'v':
			good = set_count(&s.vcpus, optarg, GUEST_MAX_VCPUS);
			break;
		case 'o':
			s.offline = true;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		default:
			return STATUS_USAGE;
		}
	}
	if (!good || optind < argc) {
		fprintf(stderr, "tern stale: bad '%s'; see --help\n", good ? argv[optind] : optarg);
		return STATUS_USAGE;
	}
	return stale(&s);
}
