// SPDX-License-Identifier: GPL-2.0
/* Prints the counter; machine/run --count makes it tick once an instruction. */
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
	uint64_t v;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(v));
	printf("%" PRIu64 "\n", v);
	return 0;
}
