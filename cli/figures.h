/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of measured figures: written, read back and compared. */
#ifndef TERN_CLI_FIGURES_H
#define TERN_CLI_FIGURES_H

#include <stdint.h>

#define FIGURES_MAX	64
#define FIGURE_NAME_MAX	31

/* The unit of figures that limits and budgets are for */
#define UNIT_COUNTED	"instructions"

struct figure {
	char name[FIGURE_NAME_MAX + 1];
	char unit[16];
	double median;
	double mean;
	uint64_t iterations;
};

struct figures {
	unsigned int n;
	struct figure row[FIGURES_MAX];
};

enum figures_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

void figures_print(const struct figures *figures, enum figures_format format);

/* reads what FORMAT_CSV printed: 0 or a negative errno */
int figures_read(struct figures *figures, const char *path);

const struct figure *figures_find(const struct figures *figures,
				  const char *name);

/* from best to worst */
enum figures_verdict {
	FIGURES_WITHIN,
	FIGURES_SHORT,		/* above a limit that is a goal as yet */
	FIGURES_NOT_JUDGED,	/* limits are for counted instructions only */
	FIGURES_OVER,		/* a figure of b is above its limit or missing */
};

/* Prints both sets with ratio and limit; the worst there was to say of b. */
enum figures_verdict figures_compare(const struct figures *a,
				     const struct figures *b);

#endif
