// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"

#define UNIT_COUNTED	"instructions"

/* What tern promises, in instructions an iteration, loop included. */
static const struct limit {
	const char *name;
	double most;
} limits[] = {
	{ "hypercall", 25 },
	{ "id_register", 45 },
	{ "sgi_self", 300 },
	{ "mmio_user", 1600 },
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

static const struct figure *find(const struct figures *figures,
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
	[FIGURES_OVER] = "OVER",
	[FIGURES_NOT_JUDGED] = "not counted, not judged",
};

static enum figures_verdict judge(const struct limit *limit,
				  const struct figure *b)
{
	if (!limit)
		return FIGURES_WITHIN;
	if (!b)
		return FIGURES_OVER;
	if (strcmp(b->unit, UNIT_COUNTED))
		return FIGURES_NOT_JUDGED;
	return b->median > limit->most ? FIGURES_OVER : FIGURES_WITHIN;
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
	enum figures_verdict verdict = judge(limit, b);

	printf("%-16s", name);
	print_median(a);
	print_median(b);
	if (a && b && b->median > 0 && !strcmp(a->unit, b->unit))
		printf(" %8.1f", a->median / b->median);
	else
		printf(" %8s", "-");
	if (limit)
		printf(" %8.0f  %s", limit->most, verdicts[verdict]);
	putchar('\n');
	if (verdict == FIGURES_OVER || *worst == FIGURES_WITHIN)
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
			    find(b, a->row[i].name), &worst);
	for (i = 0; i < b->n; i++)
		if (!find(a, b->row[i].name))
			compare_row(b->row[i].name, NULL, &b->row[i], &worst);
	for (i = 0; i < NR_LIMITS; i++)
		if (!find(a, limits[i].name) && !find(b, limits[i].name))
			compare_row(limits[i].name, NULL, NULL, &worst);
	return worst;
}
