// SPDX-License-Identifier: GPL-2.0
/*
 * "tern bench state": what it costs to save and restore a VM's state, by a
 * client that knows nothing of tern and by tern's own calls, for VMs of more
 * and more vCPUs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../lib/libtern.h"
#include "../uapi/tern.h"
#include "bench.h"
#include "command.h"
#include "machine.h"
#include "state_table.h"

#define THREADS_MAX	64

static const char help[] =
"usage: tern bench state [OPTION...]\n"
"\n"
"What it costs to read and write back the state of a VM: the GIC and all\n"
"registers as a client does that knows nothing of tern, in QEMU's order, then\n"
"by tern's calls (MANY registers, the GIC's batch, ALL), and by libtern's best\n"
"way. A VM with a GICv3 and 256 shared interrupts is made for each number of\n"
"vCPUs. Figures are instructions where they are counted, elsewhere ns; a + b*n\n"
"is the line through them.\n"
"\n"
"  --device PATH     the KVM device (" DEFAULT_DEVICE ")\n"
"  --vcpus N,N...    vCPUs of each VM (1,4,16,64,160)\n"
"  --threads N       also ALL by ranges from so many threads, each counted\n"
"  --format FORMAT   table or csv\n"
"\n"
"exit status: 0; 2 for a wrong command line; 3 when it could not run\n";

struct row {
	const char *name;
	int (*measure)(struct machine *m, uint64_t *ticks);
};

/* The rows: what each does twice, to be rid of what only the first time costs */

static int gic_access(struct machine *m, unsigned long request,
		      struct tern_vgic_reg *reg)
{
	struct kvm_device_attr attr = machine_gic_attr(reg);

	return vm_ioctl(m->vm.gic, request, &attr);
}

static int gic_write(struct machine *m, struct tern_vgic_reg *reg)
{
	struct tern_vgic_reg clear = {
		.group = reg->group, .attr = machine_gic_clear(reg), .val = UINT32_MAX,
	};
	int ret = 0;

	if (clear.attr)
		ret = gic_access(m, KVM_SET_DEVICE_ATTR, &clear);
	return ret < 0 ? ret : gic_access(m, KVM_SET_DEVICE_ATTR, reg);
}

static int one_gic(struct machine *m, uint64_t *ticks)
{
	uint64_t start = bench_counter();
	uint32_t i;
	int ret = 0;

	for (i = 0; ret >= 0 && i < m->nr_gic; i++)
		ret = gic_access(m, KVM_GET_DEVICE_ATTR, &m->gic[i]);
	for (i = 0; ret >= 0 && i < m->nr_gic; i++)
		ret = gic_write(m, &m->gic[i]);
	*ticks = bench_counter() - start;
	return ret < 0 ? ret : 0;
}

/* What KVM does not let be written is not, as in any client. */
static int one_regs(struct machine *m, uint64_t *ticks)
{
	uint64_t start = bench_counter();
	uint32_t v, i, n = m->list->n;
	int ret = 0;

	for (v = 0; ret >= 0 && v < m->vm.nr_vcpus; v++)
		for (i = 0; ret >= 0 && i < n; i++)
			ret = vcpu_get(&m->vm.vcpu[v], m->list->reg[i],
				       m->value[v * n + i]);
	for (v = 0; ret >= 0 && v < m->vm.nr_vcpus; v++)
		for (i = 0; ret >= 0 && i < n; i++)
			ret = vcpu_set(&m->vm.vcpu[v], m->list->reg[i],
				       m->value[v * n + i]);
	*ticks = bench_counter() - start;
	return ret < 0 ? ret : 0;
}

static int many_regs(struct machine *m, uint64_t *ticks)
{
	uint32_t v, i, n = m->list->n;
	struct tern_regs *regs;
	uint64_t start;
	int ret = 0;

	if (vm_capability(&m->vm, TERN_CAP_MANY) < 1)
		return -EOPNOTSUPP;
	regs = calloc(1, sizeof(*regs) + n * sizeof(regs->reg[0]));
	if (!regs)
		return -ENOMEM;
	start = bench_counter();
	for (v = 0; ret >= 0 && v < m->vm.nr_vcpus; v++) {
		regs->n = n;
		for (i = 0; i < n; i++)
			regs->reg[i] = (struct kvm_one_reg){
				.id = m->list->reg[i],
				.addr = (uintptr_t)m->value[v * n + i],
			};
		ret = vm_ioctl(m->vm.vcpu[v].fd, TERN_GET_REGS, regs);
		if (ret >= 0)
			ret = vm_ioctl(m->vm.vcpu[v].fd, TERN_SET_REGS, regs);
	}
	*ticks = bench_counter() - start;
	free(regs);
	return ret < 0 ? ret : 0;
}

/* The same writes as a client's that knows nothing, the clearing ones too */
static uint32_t fill_batch(struct machine *m, struct tern_vgic_reg *reg,
			   bool write)
{
	uint32_t i, n = 0;

	for (i = 0; i < m->nr_gic; i++) {
		if (write && machine_gic_clear(&m->gic[i]))
			reg[n++] = (struct tern_vgic_reg){
				.group = m->gic[i].group,
				.attr = machine_gic_clear(&m->gic[i]),
				.val = UINT32_MAX,
			};
		reg[n++] = m->gic[i];
	}
	return n;
}

static int batch_gic(struct machine *m, uint64_t *ticks)
{
	struct tern_vgic_batch *get, *set;
	struct kvm_device_attr attr = { .group = TERN_DEV_VGIC_GRP_BATCH };
	size_t size = sizeof(*get) + 2 * m->nr_gic * sizeof(get->reg[0]);
	uint64_t start;
	int ret;

	if (vm_capability(&m->vm, TERN_CAP_VGIC_BATCH) < 1)
		return -EOPNOTSUPP;
	get = calloc(1, size);
	set = calloc(1, size);
	if (!get || !set) {
		ret = -ENOMEM;
		goto out;
	}
	get->n = fill_batch(m, get->reg, false);
	set->n = fill_batch(m, set->reg, true);
	start = bench_counter();
	attr.addr = (uintptr_t)get;
	ret = vm_ioctl(m->vm.gic, KVM_GET_DEVICE_ATTR, &attr);
	attr.addr = (uintptr_t)set;
	if (ret >= 0)
		ret = vm_ioctl(m->vm.gic, KVM_SET_DEVICE_ATTR, &attr);
	*ticks = bench_counter() - start;
out:
	free(get);
	free(set);
	return ret < 0 ? ret : 0;
}

/* Pages that were never touched would be the host's memory management's. */
static void *touched(size_t size)
{
	void *p = aligned_alloc(64, (size + 63) & ~(size_t)63);

	if (p)
		memset(p, 1, size);
	return p;
}

static int all_vm(struct machine *m, uint64_t *ticks)
{
	struct tern_state state = { .what = TERN_STATE_VM };
	uint64_t start, size;
	void *image;
	int ret;

	if (vm_capability(&m->vm, TERN_CAP_STATE) < 1)
		return -EOPNOTSUPP;
	ret = vm_ioctl(m->vm.fd, TERN_GET_STATE, &state);
	if (ret != -E2BIG)
		return ret < 0 ? ret : -EPROTO;
	size = state.size;
	image = touched(size);
	if (!image)
		return -ENOMEM;
	start = bench_counter();
	state.addr = (uintptr_t)image;
	ret = vm_ioctl(m->vm.fd, TERN_GET_STATE, &state);
	state.what = 0;
	if (ret >= 0)
		ret = vm_ioctl(m->vm.fd, TERN_SET_STATE, &state);
	*ticks = bench_counter() - start;
	free(image);
	return ret < 0 ? ret : 0;
}

static int library(struct machine *m, uint64_t *ticks)
{
	ssize_t size = tern_save_vm(m->handle, NULL, 0);
	uint64_t start;
	void *image;

	if (size < 0)
		return size;
	image = touched(size);
	if (!image)
		return -ENOMEM;
	start = bench_counter();
	size = tern_save_vm(m->handle, image, size);
	if (size >= 0)
		size = tern_restore(m->handle, image, size, NULL);
	*ticks = bench_counter() - start;
	free(image);
	return size < 0 ? size : 0;
}

static const struct row rows[] = {
	{ "one_gic", one_gic },
	{ "one_regs", one_regs },
	{ "many_regs", many_regs },
	{ "batch_gic", batch_gic },
	{ "all_vm", all_vm },
	{ "library", library },
};

#define NR_ROWS	(sizeof(rows) / sizeof(rows[0]))

_Static_assert(NR_ROWS <= STATE_ROWS_MAX, "a row without a place");

/* Threads */

struct range {
	struct machine *m;
	pthread_barrier_t *barrier;
	uint32_t first, count, cpu;
	uint64_t ticks;
	int ret;
};

/* Its own CPU time, since others' threads may have its CPU meanwhile */
static uint64_t thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

#define ROUNDS	16

/* Hints that do nothing, between which machine/plugin/count.c counts. */
static void mark_begin(void)
{
	asm volatile("hint #0x7e" ::: "memory");
}

static void mark_end(void)
{
	asm volatile("hint #0x7f" ::: "memory");
}

/* Where a CPU counts for itself, a thread must not leave it. */
static void stay_on(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fprintf(stderr, "tern bench state: no CPU %u for a thread of its own\n", cpu);
}

static void *get_range(void *arg)
{
	struct range *range = arg;
	struct tern_state state = {
		.what = TERN_STATE_VCPUS, .first = range->first,
		.count = range->count,
	};
	uint64_t start;
	void *image;
	int i;

	vm_ioctl(range->m->vm.fd, TERN_GET_STATE, &state);
	image = touched(state.size);
	state.addr = (uintptr_t)image;
	stay_on(range->cpu);
	pthread_barrier_wait(range->barrier);
	start = thread_ns();
	range->ret = image ? 0 : -ENOMEM;
	for (i = 0; !range->ret && i < ROUNDS; i++) {
		mark_begin();
		range->ret = vm_ioctl(range->m->vm.fd, TERN_GET_STATE, &state);
		mark_end();
	}
	range->ticks = (thread_ns() - start) / ROUNDS;
	free(image);
	return NULL;
}

static int by_ranges(struct machine *m, uint32_t threads)
{
	uint32_t i, n = m->vm.nr_vcpus, each = (n + threads - 1) / threads;
	struct range range[THREADS_MAX];
	pthread_t thread[THREADS_MAX];
	pthread_barrier_t barrier;
	int ret = 0;

	threads = (n + each - 1) / each;
	pthread_barrier_init(&barrier, NULL, threads);
	for (i = 0; i < threads; i++) {
		range[i] = (struct range){
			.m = m, .barrier = &barrier, .first = i * each, .cpu = i,
			.count = n - i * each < each ? n - i * each : each,
		};
		if (pthread_create(&thread[i], NULL, get_range, &range[i])) {
			fputs("tern bench state: no more threads\n", stderr);
			exit(STATUS_ERROR);
		}
	}
	for (i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		printf("range_%u_of_%u      %5u %14llu ns of thread time, %u vCPUs\n",
		       i, threads, n, (unsigned long long)range[i].ticks,
		       range[i].count);
		if (range[i].ret)
			ret = range[i].ret;
	}
	pthread_barrier_destroy(&barrier);
	return ret;
}

/*
 * Of short rows the least of several: a tick or a kernel thread of the machine's
 * own would be a good part of them.
 */
#define REPEATS		5
#define SHORT_VCPUS	16

static int measure_row(struct machine *m, const struct row *row, double *ns)
{
	int i, repeats = m->vm.nr_vcpus <= SHORT_VCPUS ? REPEATS : 1;
	uint64_t ticks = 0, least = UINT64_MAX;
	int ret = row->measure(m, &ticks);

	for (i = 0; !ret && i < repeats; i++) {
		ret = row->measure(m, &ticks);
		if (ticks < least)
			least = ticks;
	}
	*ns = least * bench_ns_per_tick();
	return ret;
}

static int measure_size(struct state_results *r, const char *device, uint32_t i,
			uint32_t threads)
{
	struct machine m;
	unsigned int row;
	int ret;

	ret = machine_init(&m, device, r->vcpus[i]);
	for (row = 0; !ret && row < NR_ROWS; row++) {
		ret = measure_row(&m, &rows[row], &r->figure[row][i]);
		if (ret == -EOPNOTSUPP) {
			r->missing[row] = true;
			ret = 0;
		}
		if (ret)
			fprintf(stderr, "tern bench state: %s: %s\n",
				rows[row].name, strerror(-ret));
	}
	if (!ret && threads && !r->missing[4])
		ret = by_ranges(&m, threads);
	machine_fini(&m);
	return ret;
}

static bool set_sizes(struct state_results *r, const char *text)
{
	char *end;
	unsigned long n;

	for (r->n = 0; r->n < STATE_SIZES_MAX; text = end + 1) {
		n = strtoul(text, &end, 10);
		if (end == text || !n || n > VM_MAX_VCPUS)
			return false;
		r->vcpus[r->n++] = n;
		if (!*end)
			return true;
		if (*end != ',')
			return false;
	}
	return false;
}

static int usage_error(const char *what, const char *value)
{
	fprintf(stderr,
		"tern bench state: %s '%s'; see 'tern bench state --help'\n",
		what, value);
	return STATUS_USAGE;
}

struct options {
	const char *device;
	uint32_t threads;
	bool csv;
};

/* Negative: go on; else the exit status */
static int parse(int argc, char **argv, struct options *o,
		 struct state_results *r)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "vcpus", required_argument, NULL, 'v' },
		{ "threads", required_argument, NULL, 't' },
		{ "format", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			o->device = optarg;
			break;
		case 'v':
			if (!set_sizes(r, optarg))
				return usage_error("bad numbers", optarg);
			break;
		case 't':
			o->threads = atoi(optarg);
			if (!o->threads || o->threads > THREADS_MAX)
				return usage_error("bad number", optarg);
			break;
		case 'f':
			o->csv = !strcmp(optarg, "csv");
			if (!o->csv && strcmp(optarg, "table"))
				return usage_error("no format", optarg);
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		default:
			return STATUS_USAGE;
		}
	}
	if (optind < argc)
		return usage_error("unexpected", argv[optind]);
	return -1;
}

int command_bench_state(int argc, char **argv)
{
	static struct state_results results;
	struct options options = { .device = DEFAULT_DEVICE };
	uint32_t i;
	int ret;

	results.rows = NR_ROWS;
	for (i = 0; i < NR_ROWS; i++)
		results.name[i] = rows[i].name;
	set_sizes(&results, "1,4,16,64,160");
	ret = parse(argc, argv, &options, &results);
	if (ret >= 0)
		return ret;
	if (!options.threads)
		bench_stay_here();
	for (i = 0; i < results.n; i++) {
		ret = measure_size(&results, options.device, i,
				   options.threads);
		if (ret) {
			fprintf(stderr, "tern bench state: %u vCPUs: %s\n",
				results.vcpus[i], strerror(-ret));
			return STATUS_ERROR;
		}
	}
	(options.csv ? state_print_csv : state_print_table)(&results, bench_unit());
	return 0;
}
