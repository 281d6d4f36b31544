/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before arch_timer. In it a guest waits in udelay() for the timer
 * period and 100 microseconds more, then wants to have seen the interrupt. An
 * emulated machine whose emulator waits for a busy computer can be without any
 * timer interrupt, its host's own included, for hundreds of milliseconds, and
 * the test of 6.1 has no parameter for the margin. Here the guest waits as long
 * as the test says, so that an interrupt too many is still noticed, and then
 * until the interrupt is there, but at most CONFORM_MARGIN_US.
 */
#ifndef TERN_CONFORM_MARGIN_H
#define TERN_CONFORM_MARGIN_H

#include <stdint.h>
#include "kvm_util.h"
#include "processor.h"
#include "delay.h"

static inline void conform_wait(unsigned long us, const int *count, unsigned int wanted)
{
	unsigned long waited;

	udelay(us);
	for (waited = 0; waited < CONFORM_MARGIN_US; waited += 100) {
		if (*(const volatile int *)count >= (int)wanted)
			return;
		udelay(100);
	}
}

/* In the one place that calls it: the interrupts seen, and those seen before this one. */
#define udelay(us) conform_wait(us, &shared_data->nr_iter, config_iter + 1)

#endif
