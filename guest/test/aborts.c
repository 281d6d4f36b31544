// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("fetches, table walks and addresses beyond the machine abort in the guest");

/* Blocks of 1 GB that the identity map leaves free. */
#define WALK_ENTRY	8		/* its table is in the hole */
#define FAR_ENTRY	9		/* beyond 40 bits */
#define GB		(1ull << 30)
#define FSC_WALK(level)	(0x14 + (level))
#define FSC_IS_ADDR_SIZE(fsc)	((fsc) < 4)

static void call(uint64_t addr)
{
	((void (*)(void))addr)();
}

void guest_main(void)
{
	uint64_t esr, far = FAR_ENTRY * GB + 0x1238;
	unsigned int fsc;

	/* Instructions from where nothing is. */
	guest_catch();
	call(GUEST_HOLE + 0x40);
	esr = guest_caught();
	CHECK(esr);
	CHECK_EQ(ESR_EC(esr), EC_IABT_CUR);
	CHECK_EQ(ESR_FSC(esr), FSC_EXTERNAL);
	CHECK_EQ(guest_caught_far, GUEST_HOLE + 0x40);

	/* A table where nothing is. */
	guest_map_set(WALK_ENTRY, GUEST_HOLE | MAP_TABLE);
	guest_catch();
	mmio_read64(WALK_ENTRY * GB + 0x5008);
	esr = guest_caught();
	CHECK(esr);
	CHECK_EQ(ESR_EC(esr), EC_DABT_CUR);
	fsc = ESR_FSC(esr);
	CHECK(fsc == FSC_EXTERNAL || fsc == FSC_WALK(2));
	CHECK_EQ(guest_caught_far, WALK_ENTRY * GB + 0x5008);

	/* An address that the machine's 40 bits do not reach. */
	guest_map_set(FAR_ENTRY, 1ull << 40 | MAP_BLOCK | MAP_DEVICE);
	guest_catch();
	mmio_read64(far);
	esr = guest_caught();
	CHECK(esr);
	CHECK_EQ(ESR_EC(esr), EC_DABT_CUR);
	fsc = ESR_FSC(esr);
	CHECK(fsc == FSC_EXTERNAL || FSC_IS_ADDR_SIZE(fsc));
	/* Built-in KVM gives the guest-physical address, which is not right. */
	CHECK(guest_caught_far == far ||
	      guest_caught_far == (1ull << 40 | (far & (GB - 1))));

	/* Cleaning a line of nothing is no access: nobody hears of it. */
	esr = db_read(DB_SEEN_COUNT);
	asm volatile("dc civac, %0" : : "r"((uint64_t)GUEST_HOLE) : "memory");
	CHECK_EQ(db_read(DB_SEEN_COUNT), esr);
}
