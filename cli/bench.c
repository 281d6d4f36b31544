// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "budget.h"
#include "command.h"
#include "figures.h"
#include "guest.h"

#define BATCHES_MAX		64
#define DEFAULT_ITERATIONS	16384
#define ITERATIONS_MAX		1000000000
#define PATIENCE_SECONDS	300
#define MARKED_BATCHES		4
#define MARKED_ITERATIONS	64

/* The high half of what marks a batch in a trace; then the row's number. */
#define MARK_MAGIC		0x7465726eull
#define MARK_ROW_SHIFT		8

static const char help[] =
"usage: tern bench [OPTION...]\n"
"       tern bench --compare BUILTIN.csv TERN.csv\n"
"       tern bench --budget BUDGET.csv TERN.csv\n"
"       tern bench state [OPTION...]\n"
"       tern bench tlb [OPTION...]\n"
"\n"
"Measures what exits of a bare-metal guest cost, by the guest's own counter\n"
"(CNTVCT_EL0), the loop around them included. Any /dev/kvm of an arm64 host\n"
"with a GICv3 will do. Under an emulator that counts one nanosecond for each\n"
"instruction the unit is instructions, elsewhere it is ns.\n"
"\n"
"  --device PATH     the KVM device (" DEFAULT_DEVICE ")\n"
"  --iterations N    of each benchmark (16384), in up to 64 batches\n"
"  --only NAME       this benchmark alone; may be repeated\n"
"  --format FORMAT   table, csv or json\n"
"  --accesses        few batches, each between two writes of CNTV_CVAL_EL0 by\n"
"                    which an emulator's trace is cut; see test/accesses\n"
"  --list            names and titles\n"
"  --compare A B     two runs saved as csv, side by side\n"
"  --budget A B      what moved since budget A was written, in run B\n"
"\n"
"exit status: 0; 1 when a figure of B is above its limit or, by more than 3%,\n"
"above its budget, or is missing;\n"
"2 for a wrong command line; 3 when it could not run, or when what it compared\n"
"is not in instructions and so has no limits\n";

struct samples {
	unsigned int n;
	uint64_t ticks[BATCHES_MAX];
};

struct bench {
	const char *device;
	struct guest_only only;
	struct bench_plan plan;
	bool marks;
	unsigned int row;
	const char *unit;
	double ns_per_tick;
	struct figures figures;
};

uint64_t bench_counter(void)
{
	uint64_t v;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(v) : : "memory");
	return v;
}

double bench_ns_per_tick(void)
{
	uint64_t hz;

	asm("mrs %0, cntfrq_el0" : "=r"(hz));
	return 1e9 / hz;
}

static void add_sample(void *arg, uint64_t ticks)
{
	struct samples *samples = arg;

	if (samples->n < BATCHES_MAX)
		samples->ticks[samples->n++] = ticks;
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

#define CALIBRATION_ROUNDS	50000
#define CALIBRATION_LOOPS	8

/*
 * ns for each instruction of a loop whose body is one instruction repeated:
 * the least of several, since the host's own interrupts only ever add.
 */
#define CALIBRATE(ns, body) ({						\
	double _least = 1e30;						\
	int _i;								\
	for (_i = 0; _i < CALIBRATION_LOOPS; _i++) {			\
		uint64_t _n = CALIBRATION_ROUNDS, _x = 1, _a = bench_counter(); \
		double _t;						\
		asm volatile("1:" body body				\
			     "subs %[n], %[n], #1\n b.ne 1b"		\
			     : [n] "+r"(_n), [x] "+r"(_x) : : "cc");	\
		_t = (bench_counter() - _a) * (ns) / (4.0 * CALIBRATION_ROUNDS); \
		if (_t < _least)					\
			_least = _t;					\
	}								\
	_least; })

static bool about_one(double v)
{
	return v > 0.99 && v < 1.01;
}

/*
 * Only where instructions are counted do a no-op and a division that waits
 * for the one before it take the same nanosecond each.
 */
static bool counted(double ns)
{
	return about_one(CALIBRATE(ns, "nop\n")) &&
	       about_one(CALIBRATE(ns, "udiv %[x], %[x], %[x]\n"));
}

const char *bench_unit(void)
{
	return counted(bench_ns_per_tick()) ? "instructions" : "ns";
}

/* Each sample is of so many iterations. */
static int add_figure(struct bench *bench, const char *name,
		      struct samples *samples, uint64_t batch)
{
	struct figures *figures = &bench->figures;
	struct figure *row = &figures->row[figures->n];
	double scale = bench->ns_per_tick / batch;
	double sum = 0;
	unsigned int i, half = samples->n / 2;

	if (!samples->n || figures->n == FIGURES_MAX)
		return -ENODATA;
	qsort(samples->ticks, samples->n, sizeof(samples->ticks[0]), by_size);
	for (i = 0; i < samples->n; i++)
		sum += samples->ticks[i];
	snprintf(row->name, sizeof(row->name), "%s", name);
	snprintf(row->unit, sizeof(row->unit), "%s", bench->unit);
	row->mean = sum * scale / samples->n;
	row->median = scale * (samples->n % 2 ? samples->ticks[half] :
		(samples->ticks[half - 1] + samples->ticks[half]) / 2.0);
	row->iterations = batch * samples->n;
	figures->n++;
	return 0;
}

static int no_result(const char *name, int error)
{
	fprintf(stderr, "tern bench: %s: no result (%s)\n", name,
		strerror(-error));
	return error;
}

/* What ends in an ioeventfd each time must have done so, or it is not that. */
static bool events_right(const struct guest *guest)
{
	return !(guest->features & GUEST_NEEDS_EVENT) ||
	       guest_events(guest) == guest->batch * (guest->batches + 1);
}

static void plan_guest(const struct bench *bench, struct guest *guest,
		       struct samples *samples)
{
	guest->batch = guest->features & GUEST_NEEDS_SINGLE ? 1 :
		bench->plan.batch;
	guest->batches = bench->plan.batches;
	guest->sample = add_sample;
	guest->sample_arg = samples;
	if (bench->marks)
		guest->mark = MARK_MAGIC << 32 | bench->row << MARK_ROW_SHIFT;
}

static int run_image(const struct guest_image *image, void *arg)
{
	struct bench *bench = arg;
	struct samples samples = { 0 };
	struct guest guest;
	int ret;

	bench->row++;
	if (!guest_wanted(&bench->only, image->name))
		return 0;
	ret = guest_init(&guest, image, bench->device);
	if (ret == -EOPNOTSUPP) {
		fprintf(stderr, "tern bench: %s: not measured, it wants %u CPUs\n",
			image->name, image->header->vcpus);
		return 0;
	}
	if (ret)
		return no_result(image->name, ret);
	plan_guest(bench, &guest, &samples);
	ret = guest_run(&guest, PATIENCE_SECONDS);
	if (ret == GUEST_PASSED && events_right(&guest))
		ret = add_figure(bench, image->name, &samples, guest.batch);
	else
		ret = ret < 0 ? ret : -EIO;
	guest_fini(&guest);
	return ret ? no_result(image->name, ret) : 0;
}

static int run_host(struct bench *bench)
{
	const struct bench_host_row *row;
	unsigned int i;
	int ret;

	for (i = 0; i < bench_nr_host_rows; i++) {
		struct samples samples = { 0 };

		row = &bench_host_rows[i];
		if (!guest_wanted(&bench->only, row->name))
			continue;
		ret = row->measure(bench->device, bench->plan, add_sample,
				   &samples);
		if (!ret)
			ret = add_figure(bench, row->name, &samples,
					 row->per_sample ? row->per_sample :
					 bench->plan.batch);
		if (ret)
			return no_result(row->name, ret);
	}
	return 0;
}

/* A tick costs what it costs; that it met a guest is what is added. */
static void add_tick_added(struct figures *figures)
{
	const struct figure *guest = figures_find(figures, "tick_guest");
	const struct figure *host = figures_find(figures, "tick_host");
	struct figure *row = &figures->row[figures->n];

	if (!guest || !host || figures->n == FIGURES_MAX)
		return;
	*row = *guest;
	snprintf(row->name, sizeof(row->name), "tick_added");
	row->median -= host->median;
	row->mean -= host->mean;
	figures->n++;
}

/* On one CPU, so that no figure holds a migration. */
void bench_stay_here(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("tern bench: not tied to one CPU");
}

static int run_all(struct bench *bench, enum figures_format format)
{
	struct vm probe;
	int ret;

	ret = vm_init(&probe, bench->device);
	if (ret) {
		fprintf(stderr, "tern bench: %s: %s\n", bench->device,
			strerror(-ret));
		return STATUS_ERROR;
	}
	vm_fini(&probe);
	bench_stay_here();
	bench->ns_per_tick = bench_ns_per_tick();
	bench->unit = bench_unit();
	ret = guest_for_each(GUEST_KIND_BENCH, run_image, bench);
	if (!ret && !bench->marks)
		ret = run_host(bench);
	add_tick_added(&bench->figures);
	figures_print(&bench->figures, format);
	return ret ? STATUS_ERROR : 0;
}

static int unreadable(const char *path, int error)
{
	fprintf(stderr, "tern bench: %s: %s\n", path, strerror(-error));
	return STATUS_ERROR;
}

static int judgement(enum figures_verdict verdict)
{
	switch (verdict) {
	case FIGURES_WITHIN:
	case FIGURES_SHORT:
		return 0;
	case FIGURES_NOT_JUDGED:
		fputs("tern bench: limits are for counted instructions, so nothing was judged\n",
		      stderr);
		return STATUS_ERROR;
	default:
		return STATUS_FAILED;
	}
}

static int compare(const char *a_path, const char *b_path)
{
	struct figures a, b;
	int ret;

	ret = figures_read(&a, a_path);
	if (ret)
		return unreadable(a_path, ret);
	ret = figures_read(&b, b_path);
	if (ret)
		return unreadable(b_path, ret);
	return judgement(figures_compare(&a, &b));
}

static int hold_to_budget(const char *budget_path, const char *path)
{
	struct figures figures;
	int ret;

	ret = figures_read(&figures, path);
	if (ret)
		return unreadable(path, ret);
	ret = budget_check(&figures, budget_path);
	return ret < 0 ? unreadable(budget_path, ret) : judgement(ret);
}

static int list_image(const struct guest_image *image, void *arg)
{
	(void)arg;
	printf("%-16s %s\n", image->name, image->header->title);
	return 0;
}

static int list(void)
{
	unsigned int row;

	guest_for_each(GUEST_KIND_BENCH, list_image, NULL);
	for (row = 0; row < bench_nr_host_rows; row++)
		printf("%-16s %s\n", bench_host_rows[row].name,
		       bench_host_rows[row].title);
	return 0;
}

static bool set_iterations(struct bench *bench, const char *text)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || *end || *text == '-' || !n || n > ITERATIONS_MAX)
		return false;
	bench->plan.batches = n < BATCHES_MAX ? n : BATCHES_MAX;
	bench->plan.batch = n / bench->plan.batches;
	return true;
}

static bool set_only(struct bench *bench, const char *name)
{
	if (!bench_host_row(name) && !guest_find(GUEST_KIND_BENCH, name))
		return false;
	return guest_only_add(&bench->only, name);
}

static bool set_format(enum figures_format *format, const char *name)
{
	static const char * const names[] = {
		[FORMAT_TABLE] = "table",
		[FORMAT_CSV] = "csv",
		[FORMAT_JSON] = "json",
	};
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i], name)) {
			*format = i;
			return true;
		}
	}
	return false;
}

static int usage_error(const char *what, const char *value)
{
	fprintf(stderr, "tern bench: %s '%s'; see 'tern bench --help'\n", what,
		value);
	return STATUS_USAGE;
}

int command_bench(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "iterations", required_argument, NULL, 'i' },
		{ "only", required_argument, NULL, 'o' },
		{ "format", required_argument, NULL, 'f' },
		{ "accesses", no_argument, NULL, 'a' },
		{ "compare", no_argument, NULL, 'c' },
		{ "budget", no_argument, NULL, 'b' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static struct bench bench = { .device = DEFAULT_DEVICE };
	enum figures_format format = FORMAT_TABLE;
	int (*judge)(const char *a, const char *b) = NULL;
	int c;

	if (argc > 1 && !strcmp(argv[1], "state"))
		return command_bench_state(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "tlb"))
		return command_bench_tlb(argc - 1, argv + 1);
	bench.plan.batches = BATCHES_MAX;
	bench.plan.batch = DEFAULT_ITERATIONS / BATCHES_MAX;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'd':
			bench.device = optarg;
			break;
		case 'i':
			if (!set_iterations(&bench, optarg))
				return usage_error("bad count", optarg);
			break;
		case 'o':
			if (!set_only(&bench, optarg))
				return usage_error("no benchmark", optarg);
			break;
		case 'f':
			if (!set_format(&format, optarg))
				return usage_error("no format", optarg);
			break;
		case 'a':
			bench.marks = true;
			bench.plan.batches = MARKED_BATCHES;
			bench.plan.batch = MARKED_ITERATIONS;
			break;
		case 'c':
			judge = compare;
			break;
		case 'b':
			judge = hold_to_budget;
			break;
		case 'l':
			return list();
		case 'h':
			fputs(help, stdout);
			return 0;
		default:
			return STATUS_USAGE;
		}
	}
	if (judge && argc - optind != 2)
		return usage_error("two files are wanted by",
				   judge == compare ? "--compare" : "--budget");
	if (judge)
		return judge(argv[optind], argv[optind + 1]);
	if (optind < argc)
		return usage_error("unexpected", argv[optind]);
	return run_all(&bench, format);
}
