// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"

/*
 * What tern promises: instructions an iteration, loop included, or a share of
 * what built-in KVM takes. What is a goal is not reached yet, or not each time:
 * how far it is off is printed, and the budget alone holds it.
 */
static const struct limit {
	const char *name;
	double most;
	double share;
	bool goal;
} limits[] = {
	{ .name = "hypercall", .most = 20 },
	{ .name = "id_register", .most = 40 },
	{ .name = "sgi_self", .most = 300 },
	{ .name = "sgi_send", .most = 120 },
	{ .name = "sgi_remote", .most = 400, .goal = true },
	{ .name = "gicd_read", .most = 300 },
	{ .name = "gicr_read", .most = 300 },
	{ .name = "mmio_user", .most = 1200, .goal = true },
	{ .name = "ioeventfd", .most = 700 },
	{ .name = "timer_fire", .share = 0.25, .goal = true },
	{ .name = "wfi_wake", .share = 0.5, .goal = true },
	{ .name = "tick_added", .share = 0.5 },
	{ .name = "vcpu_switch", .share = 0.5, .goal = true },
	{ .name = "dirty_fault", .share = 1 },
	{ .name = "dirty_get", .share = 1 },
	{ .name = "dirty_clear", .share = 1 },
};

#define NR_LIMITS	(sizeof(limits) / sizeof(limits[0]))

static const struct limit *limit_of(const char *name)
{
	size_t i;

	for (i = 0; i < NR_LIMITS; i++)
		if (!strcmp(limits[i].name, name))
			return &limits[i];
	return NULL;
}

static void print_table(const struct figures *figures)
{
	unsigned int i;

	printf("%-16s %12s %12s %10s  %s\n", "name", "median", "mean",
	       "iterations", "unit");
	for (i = 0; i < figures->n; i++) {
		const struct figure *row = &figures->row[i];

		printf("%-16s %12.1f %12.1f %10" PRIu64 "  %s\n", row->name,
		       row->median, row->mean, row->iterations, row->unit);
	}
}

static void print_csv(const struct figures *figures)
{
	unsigned int i;

	puts("name,unit,median,mean,iterations");
	for (i = 0; i < figures->n; i++) {
		const struct figure *row = &figures->row[i];

		printf("%s,%s,%.1f,%.1f,%" PRIu64 "\n", row->name, row->unit,
		       row->median, row->mean, row->iterations);
	}
}

static void print_json(const struct figures *figures)
{
	unsigned int i;

	puts("[");
	for (i = 0; i < figures->n; i++) {
		const struct figure *row = &figures->row[i];

		printf("  {\"name\": \"%s\", \"unit\": \"%s\", ", row->name,
		       row->unit);
		printf("\"median\": %.1f, \"mean\": %.1f, ", row->median,
		       row->mean);
		printf("\"iterations\": %" PRIu64 "}%s\n", row->iterations,
		       i + 1 < figures->n ? "," : "");
	}
	puts("]");
}

void figures_print(const struct figures *figures, enum figures_format format)
{
	switch (format) {
	case FORMAT_TABLE:
		return print_table(figures);
	case FORMAT_CSV:
		return print_csv(figures);
	case FORMAT_JSON:
		return print_json(figures);
	}
}

static bool parse_row(const char *line, struct figure *row)
{
	return sscanf(line, "%31[^,],%15[^,],%lf,%lf,%" SCNu64, row->name,
		      row->unit, &row->median, &row->mean,
		      &row->iterations) == 5;
}

/* Lines that are not a row (a heading, a console's noise) are passed over. */
int figures_read(struct figures *figures, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];

	if (!file)
		return -errno;
	figures->n = 0;
	while (figures->n < FIGURES_MAX && fgets(line, sizeof(line), file))
		if (parse_row(line, &figures->row[figures->n]))
			figures->n++;
	fclose(file);
	return figures->n ? 0 : -ENODATA;
}

const struct figure *figures_find(const struct figures *figures,
				  const char *name)
{
	unsigned int i;

	for (i = 0; i < figures->n; i++)
		if (!strcmp(figures->row[i].name, name))
			return &figures->row[i];
	return NULL;
}

static const char * const verdicts[] = {
	[FIGURES_WITHIN] = "ok",
	[FIGURES_SHORT] = "over: a goal, not reached",
	[FIGURES_OVER] = "OVER",
	[FIGURES_NOT_JUDGED] = "not counted, not judged",
};

/* Below 0: there is none, for want of the figure that it is a share of. */
static double most(const struct limit *limit, const struct figure *a)
{
	if (!limit->share)
		return limit->most;
	return a ? a->median * limit->share : -1;
}

static enum figures_verdict judge(const struct limit *limit,
				  const struct figure *a,
				  const struct figure *b)
{
	if (!limit)
		return FIGURES_WITHIN;
	if (!b || most(limit, a) < 0)
		return FIGURES_OVER;
	if (strcmp(b->unit, UNIT_COUNTED))
		return FIGURES_NOT_JUDGED;
	if (b->median <= most(limit, a))
		return FIGURES_WITHIN;
	return limit->goal ? FIGURES_SHORT : FIGURES_OVER;
}

static void print_median(const struct figure *row)
{
	if (row)
		printf(" %12.1f", row->median);
	else
		printf(" %12s", "missing");
}

static void compare_row(const char *name, const struct figure *a,
			const struct figure *b, enum figures_verdict *worst)
{
	const struct limit *limit = limit_of(name);
	enum figures_verdict verdict = judge(limit, a, b);

	printf("%-16s", name);
	print_median(a);
	print_median(b);
	if (a && b && b->median > 0 && !strcmp(a->unit, b->unit))
		printf(" %8.1f", a->median / b->median);
	else
		printf(" %8s", "-");
	if (limit)
		printf(" %8.0f  %s", most(limit, a), verdicts[verdict]);
	putchar('\n');
	if (verdict > *worst)
		*worst = verdict;
}

enum figures_verdict figures_compare(const struct figures *a,
				     const struct figures *b)
{
	enum figures_verdict worst = FIGURES_WITHIN;
	unsigned int i;

	printf("%-16s %12s %12s %8s %8s\n", "name", "built-in", "tern",
	       "ratio", "limit");
	for (i = 0; i < a->n; i++)
		compare_row(a->row[i].name, &a->row[i],
			    figures_find(b, a->row[i].name), &worst);
	for (i = 0; i < b->n; i++)
		if (!figures_find(a, b->row[i].name))
			compare_row(b->row[i].name, NULL, &b->row[i], &worst);
	for (i = 0; i < NR_LIMITS; i++)
		if (!figures_find(a, limits[i].name) && !figures_find(b, limits[i].name))
			compare_row(limits[i].name, NULL, NULL, &worst);
	return worst;
}
