// SPDX-License-Identifier: GPL-2.0
#define TIMER_PPI	PPI_VTIMER
#define TIMER_CTL	cntv_ctl_el0
#define TIMER_CVAL	cntv_cval_el0
#define TIMER_COUNT	cntvct_el0
#include "timer.inc"

GUEST_TEST("the virtual timer fires as PPI 27, on time and once for each setting");
