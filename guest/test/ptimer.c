// SPDX-License-Identifier: GPL-2.0
#define TIMER_PPI	PPI_PTIMER
#define TIMER_CTL	cntp_ctl_el0
#define TIMER_CVAL	cntp_cval_el0
#define TIMER_COUNT	cntpct_el0
#include "timer.inc"

GUEST_TEST("the physical timer fires as PPI 30, on time and once for each setting");
