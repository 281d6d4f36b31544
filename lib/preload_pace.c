// SPDX-License-Identifier: GPL-2.0
/* When a row of calls is a burst. */
#include "preload.h"

static bool row_is_burst(unsigned int row, const struct preload_pace *pace,
			 unsigned int least)
{
	return row > (pace->threshold > least ? pace->threshold : least);
}

bool preload_pace_get(struct preload_pace *pace, unsigned int least)
{
	pace->sets = 0;
	pace->gets++;
	return row_is_burst(pace->gets, pace, least);
}

bool preload_pace_set(struct preload_pace *pace, unsigned int least)
{
	pace->gets = 0;
	pace->sets++;
	return row_is_burst(pace->sets, &(struct preload_pace){ 0 }, least);
}

/* The first has no record, and is worth trying. */
void preload_pace_read(struct preload_pace *pace, unsigned int worth,
		       unsigned int least)
{
	if (!pace->threshold || pace->given >= worth)
		pace->threshold = least;
	else if (pace->threshold < 1u << 20)
		pace->threshold *= 2;
	pace->given = 0;
	pace->gets = 0;
}
