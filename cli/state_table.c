// SPDX-License-Identifier: GPL-2.0
/* What "tern bench state" measured, printed. */
#include <stdio.h>

#include "state_table.h"

/* Least squares of figure = a + b * vCPUs, and the worst point's distance */
static void fit(const struct state_results *r, unsigned int row, double *a,
		double *b, double *off)
{
	double sx = 0, sy = 0, sxx = 0, sxy = 0, n = r->n, line, d;
	uint32_t i;

	for (i = 0; i < r->n; i++) {
		sx += r->vcpus[i];
		sy += r->figure[row][i];
		sxx += (double)r->vcpus[i] * r->vcpus[i];
		sxy += r->vcpus[i] * r->figure[row][i];
	}
	d = n * sxx - sx * sx;
	*b = d > 0 ? (n * sxy - sx * sy) / d : 0;
	*a = (sy - *b * sx) / n;
	*off = 0;
	for (i = 0; i < r->n; i++) {
		line = *a + *b * r->vcpus[i];
		d = line ? (r->figure[row][i] - line) / line : 0;
		d = d < 0 ? -d : d;
		if (r->vcpus[i] >= 16 && d > *off)
			*off = d;
	}
}

void state_print_table(const struct state_results *r, const char *unit)
{
	unsigned int row;
	double a, b, off;
	uint32_t i;

	printf("%-10s", unit);
	for (i = 0; i < r->n; i++)
		printf(" %11u vCPUs", r->vcpus[i]);
	puts("   a + b*n");
	for (row = 0; row < r->rows; row++) {
		printf("%-10s", r->name[row]);
		if (r->missing[row]) {
			puts("  the kernel has no such call");
			continue;
		}
		for (i = 0; i < r->n; i++)
			printf(" %17.0f", r->figure[row][i]);
		fit(r, row, &a, &b, &off);
		printf("   %.0f + %.0f*n", a, b);
		if (r->n > 2)
			printf(", within %.1f %%", 100 * off);
		putchar('\n');
	}
}

void state_print_csv(const struct state_results *r, const char *unit)
{
	unsigned int row;
	uint32_t i;

	puts("name,unit,vcpus,figure");
	for (row = 0; row < r->rows; row++)
		for (i = 0; !r->missing[row] && i < r->n; i++)
			printf("%s,%s,%u,%.0f\n", r->name[row], unit,
			       r->vcpus[i], r->figure[row][i]);
}
