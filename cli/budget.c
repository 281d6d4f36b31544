// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "budget.h"

/* A counter that ticks less than once an instruction rounds; this is no move. */
#define ROUNDING	0.5

struct budget_row {
	char name[FIGURE_NAME_MAX + 1];
	double instructions;
	double slack;		/* percent */
};

struct budget {
	unsigned int n;
	struct budget_row row[FIGURES_MAX];
};

static bool parse_row(struct budget_row *row, const char *line)
{
	row->slack = BUDGET_SLACK_PERCENT;
	return sscanf(line, "%31[^,],%lf,%lf", row->name, &row->instructions,
		      &row->slack) >= 2;
}

static int budget_read(struct budget *budget, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[256];
	int ret = 0;

	if (!file)
		return -errno;
	budget->n = 0;
	while (!ret && fgets(line, sizeof(line), file)) {
		if (*line == '#' || *line == '\n')
			continue;
		if (budget->n == FIGURES_MAX)
			ret = -E2BIG;
		else if (!parse_row(&budget->row[budget->n], line))
			ret = -EINVAL;
		else
			budget->n++;
	}
	fclose(file);
	return ret;
}

static bool has_budget(const struct budget *budget, const char *name)
{
	unsigned int i;

	for (i = 0; i < budget->n; i++)
		if (!strcmp(budget->row[i].name, name))
			return true;
	return false;
}

/* Prints what is to be said of one line of the budget; true if it is kept. */
static bool keeps(const struct budget_row *row, const struct figure *figure)
{
	double budget = row->instructions;
	double diff;
	bool kept;

	if (!figure) {
		printf("%-20s %12.1f %12s %10s  MISSING\n", row->name, budget,
		       "-", "-");
		return false;
	}
	diff = figure->median - budget;
	kept = diff <= budget * row->slack / 100 + ROUNDING;
	if (fabs(diff) > ROUNDING)
		printf("%-20s %12.1f %12.1f %+10.1f  %s\n", row->name, budget,
		       figure->median, diff, kept ? "moved" : "GROWN");
	return kept;
}

int budget_check(const struct figures *figures, const char *path)
{
	bool kept = true;
	struct budget budget;
	unsigned int i;
	int ret;

	ret = budget_read(&budget, path);
	if (ret)
		return ret;
	for (i = 0; i < figures->n; i++)
		if (strcmp(figures->row[i].unit, UNIT_COUNTED))
			return FIGURES_NOT_JUDGED;
	printf("%-20s %12s %12s %10s\n", "moved", "budget", "now", "by");
	for (i = 0; i < budget.n; i++)
		kept &= keeps(&budget.row[i],
			      figures_find(figures, budget.row[i].name));
	for (i = 0; i < figures->n; i++) {
		if (has_budget(&budget, figures->row[i].name))
			continue;
		printf("%-20s %12s %12.1f %10s  NO BUDGET\n",
		       figures->row[i].name, "-", figures->row[i].median, "-");
		kept = false;
	}
	return kept ? FIGURES_WITHIN : FIGURES_OVER;
}
