// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "chance.h"

static uint64_t state;

/* Marsaglia's xorshift64*: never 0 */
uint64_t chance(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

void chance_begin(int argc, char **argv, unsigned int *rounds)
{
	struct timespec now;
	uint64_t seed;

	clock_gettime(CLOCK_REALTIME, &now);
	seed = (uint64_t)now.tv_sec << 20 ^ now.tv_nsec;
	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		*rounds = atoi(argv[2]);
	state = seed ? seed : 1;
	printf("seed %llu, %u rounds\n", (unsigned long long)seed, *rounds);
	fflush(stdout);
}

uint64_t chance_below(uint64_t n)
{
	return chance() % n;
}

uint64_t chance_word(void)
{
	switch (chance_below(6)) {
	case 0:
		return 0;
	case 1:
		return ~0ull;
	case 2:
		return 1ull << chance_below(64);
	case 3:
		return ~(1ull << chance_below(64));
	case 4:
		return chance_below(512);
	default:
		return chance();
	}
}
