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

/* so many samples of so many iterations each */
struct bench_plan {
	uint64_t batch;
	uint64_t batches;
};
typedef void (*bench_sample_fn)(void *arg, uint64_t ticks);

/* What is measured without a bare-metal guest */
struct bench_host_row {
	const char *name;
	const char *title;
	int (*measure)(const char *device, struct bench_plan plan,
		       bench_sample_fn sample, void *arg);
	uint64_t per_sample;	/* iterations of a sample, 0: the plan's */
};
extern const struct bench_host_row bench_host_rows[];
extern const unsigned int bench_nr_host_rows;
const struct bench_host_row *bench_host_row(const char *name);

enum bench_dirty {
	BENCH_DIRTY_FAULT,	/* a write to a page that is protected */
	BENCH_DIRTY_GET,	/* KVM_GET_DIRTY_LOG, which protects them again */
	BENCH_DIRTY_CLEAR,	/* KVM_CLEAR_DIRTY_LOG, of pages got before */
};
#define BENCH_DIRTY_PAGES	256u	/* written for each sample */

/* so many samples of what BENCH_DIRTY_PAGES pages take; 0 or a negative errno */
int bench_dirty(const char *device, enum bench_dirty what, uint64_t batches,
		bench_sample_fn sample, void *arg);

/* on one CPU, so that no figure holds a migration */
void bench_stay_here(void);

#endif
