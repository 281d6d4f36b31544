// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("code that the guest writes is what it then executes, also on another CPU");

#define MOVZ_X0(n)	(0xd2800000u | (n) << 5)
#define RET		0xd65f03c0u

static uint32_t code[2] __attribute__((aligned(64)));

static void publish(const void *addr)
{
	asm volatile("dc cvau, %0\n dsb ish\n ic ivau, %0\n dsb ish\n isb"
		     : : "r"(addr) : "memory");
}

static uint64_t run(volatile uint32_t *at, unsigned int value)
{
	at[0] = MOVZ_X0(value);
	at[1] = RET;
	publish((const void *)at);
	return ((uint64_t (*)(void))at)();
}

void guest_main(void)
{
	/* Pages the guest has not touched before: mapped by the write. */
	uint64_t fresh = GUEST_RAM_BASE + GUEST_RAM_SIZE / 2;
	unsigned int i;

	for (i = 1; i < 200; i++) {
		CHECK_EQ(run(code, i), i);
		CHECK_EQ(run((uint32_t *)(fresh + i * 4096), i + 1000),
			 i + 1000);
		if (i % 50 == 0)
			db_write(DB_DISTURB, 0);
	}
}
