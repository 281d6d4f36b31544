/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A budget is what counted figures were when they were last looked at: lines
 * "name,instructions", and remarks that begin with #. A third value is the
 * slack in percent of a figure that is not the same each time.
 */
#ifndef TERN_CLI_BUDGET_H
#define TERN_CLI_BUDGET_H

#include "figures.h"

/* Above its budget by more than this a figure has grown. */
#define BUDGET_SLACK_PERCENT	3

/*
 * Holds each figure against the budget in a file and prints those that moved.
 * FIGURES_OVER: one has grown beyond the slack, has no budget, or is missing.
 * A negative errno when the file cannot be read.
 */
int budget_check(const struct figures *figures, const char *path);

#endif
