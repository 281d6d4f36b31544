// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("pointers signed with the guest's own keys authenticate after exits",
		.vcpus = 1, .needs = GUEST_NEEDS_PTRAUTH);

#define SCTLR_KEYS	(1ull << 31 | 1ull << 30 | 1ull << 27 | 1ull << 13)

#define KEYS(x, low)							\
	x(apiakeylo_el1, low + 0x11) x(apiakeyhi_el1, low + 0x12)	\
	x(apibkeylo_el1, low + 0x21) x(apibkeyhi_el1, low + 0x22)	\
	x(apdakeylo_el1, low + 0x31) x(apdakeyhi_el1, low + 0x32)	\
	x(apdbkeylo_el1, low + 0x41) x(apdbkeyhi_el1, low + 0x42)	\
	x(apgakeylo_el1, low + 0x51) x(apgakeyhi_el1, low + 0x52)
#define WRITE_KEY(name, value)	sysreg_write(name, value);
#define CHECK_KEY(name, value)	CHECK_EQ(sysreg_read(name), value);

#define PAC(op, pointer) ({						\
	register uint64_t _p asm("x0") = (pointer);			\
	asm volatile(op " x0, %1"	\
		     : "+r"(_p) : "r"(0x55ull));			\
	_p; })
#define PACGA(pointer) ({						\
	uint64_t _r;							\
	asm volatile("pacga %0, %1, %2" \
		     : "=r"(_r) : "r"((uint64_t)(pointer)), "r"(0x55ull)); \
	_r; })

static void exits(unsigned int round)
{
	guest_hvc(PSCI_VERSION, 0, 0, 0);
	db_read(DB_ECHO);
	if (round % 4 == 0)
		db_write(DB_DISTURB, 0);
	if (round % 4 == 2)
		db_write(DB_SLEEP, 1000);
}

void guest_main(void)
{
	const uint64_t pointer = 0x40001230;
	uint64_t ia, ib, da, ga, round;
	uint64_t isar1 = sysreg_read(id_aa64isar1_el1);

	/* APA or API, GPA or GPI: the vCPU was promised them. */
	CHECK(isar1 >> 4 & 0xff);
	CHECK(isar1 >> 24 & 0xff || sysreg_read(s3_0_c0_c6_2) >> 8 & 0xff);
	sysreg_write(sctlr_el1, sysreg_read(sctlr_el1) | SCTLR_KEYS);
	isb();
	for (round = 0; round < 24; round++) {
		uint64_t base = 0x0123456789ab0000 * (round + 1);

		KEYS(WRITE_KEY, base)
		isb();
		ia = PAC("pacia", pointer);
		ib = PAC("pacib", pointer);
		da = PAC("pacda", pointer);
		ga = PACGA(pointer);
		CHECK(ia != pointer);
		exits(round);
		KEYS(CHECK_KEY, base)
		CHECK_EQ(PAC("pacia", pointer), ia);
		CHECK_EQ(PAC("pacda", pointer), da);
		CHECK_EQ(PACGA(pointer), ga);
		CHECK_EQ(PAC("autia", ia), pointer);
		CHECK_EQ(PAC("autib", ib), pointer);
		CHECK_EQ(PAC("autda", da), pointer);
	}
}
