/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vCPU that waits for another hands its time to it. Which of them lost
 * their CPU is noted by the preempt notifier: yield_to() does nothing for a
 * thread that sleeps or runs.
 */
#ifndef TERN_VCPU_YIELD_H
#define TERN_VCPU_YIELD_H

struct tern_vcpu;

/** vcpu_yield_to() - the calling vCPU's thread gives its place to @target's, if that one lost its own; may sleep */
void vcpu_yield_to(struct tern_vcpu *target);

/** vcpu_spins() - @v waits for some vCPU, who knows which: one that lost its CPU gets the place, each in its turn */
void vcpu_spins(struct tern_vcpu *v);

#endif
