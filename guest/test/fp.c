// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("FP registers survive exits to userspace and a change of CPU");

struct fp {
	uint64_t q[32][2];
};

static void fp_load(const struct fp *fp)
{
	asm volatile(
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
		"23,24,25,26,27,28,29,30,31\n"
	"ldr q\\n, [%0, #16 * \\n]\n"
	".endr\n"
	: : "r"(fp) : "memory");
}

static void fp_store(struct fp *fp)
{
	asm volatile(
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
		"23,24,25,26,27,28,29,30,31\n"
	"str q\\n, [%0, #16 * \\n]\n"
	".endr\n"
	: : "r"(fp) : "memory");
}

#define FPCR_RMODE	(2ull << 22)
#define FPSR_FLAGS	0x1full

void guest_main(void)
{
	struct fp want, got;
	unsigned int round, n;

	for (round = 0; round < 24; round++) {
		for (n = 0; n < 32; n++) {
			want.q[n][0] = 0x0101010101010101 * n + round;
			want.q[n][1] = ~want.q[n][0];
		}
		fp_load(&want);
		sysreg_write(fpcr, FPCR_RMODE);
		sysreg_write(fpsr, FPSR_FLAGS & round);
		switch (round % 3) {
		case 0:
			db_write(DB_DISTURB, 0);
			break;
		case 1:
			db_write(DB_DISTURB, 0);
			db_write(DB_SLEEP, 2000);
			break;
		case 2:
			guest_hvc(PSCI_VERSION, 0, 0, 0);
			break;
		}
		CHECK_EQ(sysreg_read(fpcr), FPCR_RMODE);
		CHECK_EQ(sysreg_read(fpsr), FPSR_FLAGS & round);
		fp_store(&got);
		for (n = 0; n < 32; n++) {
			CHECK_EQ(got.q[n][0], want.q[n][0]);
			CHECK_EQ(got.q[n][1], want.q[n][1]);
		}
	}
}
