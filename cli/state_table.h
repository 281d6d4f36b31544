/* SPDX-License-Identifier: GPL-2.0 */
/* What "tern bench state" measured: a row each way, a column each VM. */
#ifndef TERN_CLI_STATE_TABLE_H
#define TERN_CLI_STATE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define STATE_SIZES_MAX	16
#define STATE_ROWS_MAX	8

struct state_results {
	uint32_t n;
	uint32_t vcpus[STATE_SIZES_MAX];
	unsigned int rows;
	const char *name[STATE_ROWS_MAX];
	double figure[STATE_ROWS_MAX][STATE_SIZES_MAX];
	bool missing[STATE_ROWS_MAX];	/* the kernel has no such call */
};

void state_print_table(const struct state_results *r, const char *unit);
void state_print_csv(const struct state_results *r, const char *unit);

#endif
