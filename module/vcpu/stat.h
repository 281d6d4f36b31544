/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a vCPU counts for its client (KVM API 4.132, abi/stats.c). Only its own
 * thread writes; others read what they find.
 */
#ifndef TERN_VCPU_STAT_H
#define TERN_VCPU_STAT_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define STAT_BUCKETS 32		/* bucket n > 0 holds 2^(n-1) and up to the next; the last all above */

/**
 * struct vcpu_stat - laid out as the client reads it, which is as built-in KVM has it
 *
 * Times are in nanoseconds. Exits are those that reach Linux context: what
 * hyp/ serves without it is not counted.
 *
 * @halt_successful_poll, @halt_attempted_poll: looks before a sleep that met an interrupt, and all
 * @halt_poll_invalid: none is, on arm64
 * @halt_wakeup:       sleeps that ended
 * @blocking:          asleep now
 */
struct vcpu_stat {
	u64 halt_successful_poll;
	u64 halt_attempted_poll;
	u64 halt_poll_invalid;
	u64 halt_wakeup;
	u64 halt_poll_success_ns;
	u64 halt_poll_fail_ns;
	u64 halt_wait_ns;
	u64 halt_poll_success_hist[STAT_BUCKETS];
	u64 halt_poll_fail_hist[STAT_BUCKETS];
	u64 halt_wait_hist[STAT_BUCKETS];
	u64 blocking;
	u64 hvc_exit_stat;
	u64 wfe_exit_stat;
	u64 wfi_exit_stat;
	u64 mmio_exit_user;
	u64 mmio_exit_kernel;
	u64 signal_exits;
	u64 exits;
};

static inline void stat_time(u64 *hist, u64 *sum, u64 ns)
{
	hist[min(fls64(ns), STAT_BUCKETS - 1)]++;
	*sum += ns;
}

/** stat_polled() - the vCPU looked for @ns whether its wait was over */
static inline void stat_polled(struct vcpu_stat *s, bool over, u64 ns)
{
	s->halt_attempted_poll++;
	if (over) {
		s->halt_successful_poll++;
		stat_time(s->halt_poll_success_hist, &s->halt_poll_success_ns, ns);
	} else {
		stat_time(s->halt_poll_fail_hist, &s->halt_poll_fail_ns, ns);
	}
}

/** stat_slept() - its thread slept for @ns */
static inline void stat_slept(struct vcpu_stat *s, u64 ns)
{
	s->halt_wakeup++;
	stat_time(s->halt_wait_hist, &s->halt_wait_ns, ns);
}

#endif
