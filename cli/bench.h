/* SPDX-License-Identifier: GPL-2.0 */
/* What the measuring commands share: the counter, and what it counts. */
#ifndef TERN_CLI_BENCH_H
#define TERN_CLI_BENCH_H

#include <stdint.h>

/* CNTVCT_EL0, once all before it is done */
uint64_t bench_counter(void);
double bench_ns_per_tick(void);
/* "instructions" where each takes one nanosecond, else "ns" */
const char *bench_unit(void);

/* on one CPU, so that no figure holds a migration */
void bench_stay_here(void);

#endif
