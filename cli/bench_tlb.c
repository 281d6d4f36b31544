// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs a guest to flush the TLBs of its other vCPUs, with as many
 * vCPUs as CPUs, and with more: records a second of guest/tlb/ebizzy.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../uapi/tern.h"
#include "bench.h"
#include "command.h"
#include "guest.h"

#define IMAGE			"ebizzy"
#define PATIENCE_SECONDS	120
#define ROUNDS_MAX		64
#define FACTORS_MAX		4	/* overcommitted 1 to 4 times */
#define TRAP_TLBI		"/sys/module/tern/parameters/trap_tlbi"

/* At 1x a way may cost this much of what interrupts cost; beyond, it does so much more. */
#define ALIKE			0.98
#define BETTER			3.0

static const char help[] =
"usage: tern bench tlb [OPTION...]\n"
"\n"
"Measures a guest whose vCPUs map, fill, search and unmap memory in one address\n"
"space, with one to four vCPUs for each CPU, by the ways there are to make other\n"
"vCPUs forget what was unmapped: an interrupt to each and waiting (a), tern's\n"
"record and interrupts to those that run (b), tern's flush call (c), broadcast\n"
"TLBI (d), the same trapped by tern (e: for root, on CPUs with FEAT_EVT), and (a)\n"
"with waiting by WFE (w) or yielding to whom one waits for (y).\n"
"\n"
"  --device PATH     the KVM device (" DEFAULT_DEVICE ")\n"
"  --ways LETTERS    of a, b, c, d, e, w, y (abcdewy; without tern adw)\n"
"  --factors DIGITS  vCPUs for each CPU (1234)\n"
"  --rounds N        of each, in turn; the median counts (5)\n"
"  --ms N            of each round (300)\n"
"  --format FORMAT   table or csv\n"
"\n"
"exit status: 0; 1 when (b) or (c) is below its limit: 0.98 of (a) with one\n"
"vCPU for each CPU, 3 times (a) with more; 2 for a wrong command line; 3 when it\n"
"could not run\n";

static const struct way {
	char letter;
	bool needs_tern;
	unsigned int shoot;	/* guest/shoot.h, enum shoot_way */
	const char *name;
} ways[] = {
	{ 'a', false, 0, "interrupts" },
	{ 'b', true, 1, "record" },
	{ 'c', true, 2, "call" },
	{ 'd', false, 3, "broadcast" },
	{ 'e', true, 3, "broadcast, trapped" },
	{ 'w', false, 4, "interrupts, WFE" },
	{ 'y', true, 5, "interrupts, yield" },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

/* what the guest tells at the end, in this order */
enum { TICKS, RECORDS, WAITED, ASKED, LATER, NR_VALUES };

struct run {
	unsigned int n;
	uint64_t value[NR_VALUES];
};

struct bench_tlb {
	const char *device;
	const char *ways;
	const char *factors;
	unsigned int rounds;
	unsigned int ms;
	unsigned int cpus;
	bool csv;
	bool can_trap;
	char trap[8];		/* the parameter as it was */
	struct run run[FACTORS_MAX][WAYS][ROUNDS_MAX];
};

/* per second, and the part of all vCPUs' time that they waited for others */
struct result {
	double records;
	double waited;
	double asked;
	double later;
};

static void take_value(void *arg, uint64_t value)
{
	struct run *run = arg;

	if (run->n < NR_VALUES)
		run->value[run->n++] = value;
}

static bool set_trap(const char *when)
{
	int fd = open(TRAP_TLBI, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, when, strlen(when)) == (ssize_t)strlen(when);

	if (fd >= 0)
		close(fd);
	return done;
}

static bool can_trap(struct bench_tlb *b)
{
	int fd = open(TRAP_TLBI, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, b->trap, sizeof(b->trap) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return n > 0 && set_trap("on") && set_trap(b->trap);
}

static int run_guest(const struct bench_tlb *b, unsigned int way, unsigned int factor, struct run *run)
{
	const struct guest_image *image = guest_find(GUEST_KIND_TLB, IMAGE);
	struct guest guest;
	int ret;

	ret = guest_init_vcpus(&guest, image, b->device, b->cpus * factor);
	if (ret)
		return ret;
	guest.batch = ways[way].shoot;
	guest.batches = b->ms;
	guest.sample = take_value;
	guest.sample_arg = run;
	ret = guest_run(&guest, PATIENCE_SECONDS);
	guest_fini(&guest);
	if (ret != GUEST_PASSED)
		return ret < 0 ? ret : -EIO;
	return run->n == NR_VALUES && run->value[TICKS] ? 0 : -ENODATA;
}

/* Whether TLBI traps is decided when a vCPU is made. */
static int run_once(const struct bench_tlb *b, unsigned int way, unsigned int factor, struct run *run)
{
	int ret;

	if (b->can_trap && !set_trap(ways[way].letter == 'e' ? "on" : "off"))
		return -EPERM;
	ret = run_guest(b, way, factor, run);
	if (b->can_trap && !set_trap(b->trap))
		return -EPERM;
	return ret;
}

static bool wanted(const char *letters, char letter)
{
	return strchr(letters, letter);
}

static bool possible(const struct bench_tlb *b, unsigned int way)
{
	return ways[way].letter != 'e' || b->can_trap;
}

/* In turn, so that what else the machine does falls on all of them alike. */
static int run_all(struct bench_tlb *b, unsigned int factor)
{
	unsigned int round, way;
	int ret;

	for (round = 0; round < b->rounds; round++) {
		for (way = 0; way < WAYS; way++) {
			if (!wanted(b->ways, ways[way].letter) || !possible(b, way))
				continue;
			ret = run_once(b, way, factor, &b->run[factor - 1][way][round]);
			if (ret) {
				fprintf(stderr, "tern bench tlb: (%c) with %u vCPUs: %s\n",
					ways[way].letter, b->cpus * factor, strerror(-ret));
				return ret;
			}
		}
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned int n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static struct result result_of(const struct bench_tlb *b, unsigned int way, unsigned int factor)
{
	double hz = 1e9 / bench_ns_per_tick();
	double records[ROUNDS_MAX], waited[ROUNDS_MAX], asked[ROUNDS_MAX], later[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < b->rounds; i++) {
		const uint64_t *v = b->run[factor - 1][way][i].value;

		records[i] = v[RECORDS] * hz / v[TICKS];
		waited[i] = (double)v[WAITED] / v[TICKS] / (b->cpus * factor);
		asked[i] = v[ASKED] * hz / v[TICKS];
		later[i] = v[LATER] * hz / v[TICKS];
	}
	return (struct result){ median(records, i), median(waited, i), median(asked, i), median(later, i) };
}

/* Return: the limit of this way as a multiple of (a), 0: none */
static double limit_of(char letter, unsigned int factor)
{
	if (letter != 'b' && letter != 'c')
		return 0;
	return factor == 1 ? ALIKE : BETTER;
}

static void print_head(const struct bench_tlb *b)
{
	if (b->csv)
		puts("vcpus,cpus,way,records_per_s,waited,interrupts_per_s,left_per_s,times_a");
	else
		printf("%5s  %-22s %10s %8s %12s %10s %8s %6s\n", "vCPUs", "way", "records/s", "waited",
		       "interrupts/s", "left/s", "times a", "limit");
}

static bool print_row(const struct bench_tlb *b, unsigned int way, unsigned int factor, double base)
{
	struct result r = result_of(b, way, factor);
	double times = base > 0 ? r.records / base : 0, limit = limit_of(ways[way].letter, factor);
	bool ok = !limit || base <= 0 || times >= limit;

	if (b->csv) {
		printf("%u,%u,%c,%.1f,%.4f,%.1f,%.1f,%.3f\n", b->cpus * factor, b->cpus, ways[way].letter,
		       r.records, r.waited, r.asked, r.later, times);
		return ok;
	}
	printf("%5u  (%c) %-18s %10.1f %7.1f%% %12.0f %10.0f %8.2f", b->cpus * factor, ways[way].letter,
	       ways[way].name, r.records, 100 * r.waited, r.asked, r.later, times);
	if (limit && base > 0)
		printf(" %6.2f  %s", limit, ok ? "ok" : "BELOW");
	putchar('\n');
	return ok;
}

/* These CPUs have no such way. */
static void print_none(const struct bench_tlb *b, unsigned int way, unsigned int factor)
{
	if (!b->csv)
		printf("%5u  (%c) %-18s %10s\n", b->cpus * factor, ways[way].letter, ways[way].name, "-");
}

static bool print_factor(const struct bench_tlb *b, unsigned int factor)
{
	double base = wanted(b->ways, 'a') ? result_of(b, 0, factor).records : 0;
	bool ok = true;
	unsigned int way;

	for (way = 0; way < WAYS; way++) {
		if (!wanted(b->ways, ways[way].letter))
			continue;
		if (possible(b, way))
			ok &= print_row(b, way, factor, base);
		else
			print_none(b, way, factor);
	}
	fflush(stdout);
	return ok;
}

static int measure(struct bench_tlb *b)
{
	unsigned int factor;
	bool ok = true;

	print_head(b);
	for (factor = 1; factor <= FACTORS_MAX; factor++) {
		if (!wanted(b->factors, '0' + factor))
			continue;
		if (run_all(b, factor))
			return STATUS_ERROR;
		ok &= print_factor(b, factor);
	}
	return ok ? 0 : STATUS_FAILED;
}

static bool only_letters(const char *text, const char *of)
{
	return *text && strspn(text, of) == strlen(text);
}

static bool set_count(unsigned int *count, const char *text, unsigned int most)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	*count = n;
	return !*end && *text != '-' && n >= 1 && n <= most;
}

/* What the host has: CPUs, and tern's calls or not. */
static int look(struct bench_tlb *b)
{
	struct vm probe;
	unsigned int way;
	bool tern;
	int ret;

	ret = vm_init(&probe, b->device);
	if (ret) {
		fprintf(stderr, "tern bench tlb: %s: %s\n", b->device, strerror(-ret));
		return ret;
	}
	tern = vm_capability(&probe, TERN_CAP_GUEST);
	vm_fini(&probe);
	b->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (!b->ways)
		b->ways = tern ? "abcdewy" : "adw";
	for (way = 0; way < WAYS; way++) {
		if (tern || !ways[way].needs_tern || !wanted(b->ways, ways[way].letter))
			continue;
		fprintf(stderr, "tern bench tlb: (%c) needs tern\n", ways[way].letter);
		return -EOPNOTSUPP;
	}
	b->can_trap = wanted(b->ways, 'e') && can_trap(b);
	return 0;
}

static bool take_option(struct bench_tlb *b, int c)
{
	switch (c) {
	case 'd':
		b->device = optarg;
		return true;
	case 'w':
		b->ways = optarg;
		return only_letters(optarg, "abcdewy");
	case 'x':
		b->factors = optarg;
		return only_letters(optarg, "1234");
	case 'r':
		return set_count(&b->rounds, optarg, ROUNDS_MAX);
	case 'm':
		return set_count(&b->ms, optarg, 60000);
	case 'f':
		b->csv = !strcmp(optarg, "csv");
		return b->csv || !strcmp(optarg, "table");
	default:
		return false;
	}
}

int command_bench_tlb(int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "ways", required_argument, NULL, 'w' },
		{ "factors", required_argument, NULL, 'x' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "ms", required_argument, NULL, 'm' },
		{ "format", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	static struct bench_tlb b = {
		.device = DEFAULT_DEVICE, .factors = "1234", .rounds = 5, .ms = 300,
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (c == '?')
			return STATUS_USAGE;
		if (!take_option(&b, c)) {
			fprintf(stderr, "tern bench tlb: bad value '%s'; see --help\n", optarg);
			return STATUS_USAGE;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "tern bench tlb: unexpected '%s'\n", argv[optind]);
		return STATUS_USAGE;
	}
	if (look(&b))
		return STATUS_ERROR;
	return measure(&b);
}
