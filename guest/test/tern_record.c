// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"
#include "../tern_guest.h"
#include "../../module/fw/pvabi.h"

GUEST_TEST_WITH("tern's record says when a vCPU sleeps, and a flush asked for meanwhile is done",
		.vcpus = 2, .needs = GUEST_NEEDS_TERN);

/* The module has these numbers of its own. */
#define SAME(a, b) _Static_assert((uint64_t)(a) == (uint64_t)(b), #a)
SAME(TERN_GUEST_FEATURES, TERN_PV_FEATURES);
SAME(TERN_GUEST_RECORD, TERN_PV_RECORD);
SAME(TERN_GUEST_FLUSH, TERN_PV_FLUSH);
SAME(TERN_GUEST_YIELD, TERN_PV_YIELD);
SAME(TERN_HAS_YIELD, TERN_PV_HAS_YIELD);
SAME(TERN_HAS_RECORD | TERN_HAS_FLUSH << 8, TERN_PV_HAS_RECORD | TERN_PV_HAS_FLUSH << 8);
SAME(TERN_UID0, TERN_PV_UID0);
SAME(TERN_UID1, TERN_PV_UID1);
SAME(TERN_NO_RECORD, TERN_PV_NO_RECORD);
SAME(TERN_INVALID, TERN_PV_INVALID);
SAME(sizeof(struct tern_record), TERN_PV_RECORD_SIZE);
SAME(TERN_PREEMPTED, TERN_PV_PREEMPTED);
SAME(TERN_FLUSH_TLB, TERN_PV_FLUSH_TLB);
SAME(TERN_FLUSH_VM, TERN_PV_FLUSH_VM);
SAME(TERN_FLUSH_ASID, TERN_PV_FLUSH_ASID);
SAME(TERN_FLUSH_RANGE, TERN_PV_FLUSH_RANGE);
SAME(TERN_FLUSH_LEAF, TERN_PV_FLUSH_LEAF);
SAME(TERN_FLUSH_STAGE2, TERN_PV_FLUSH_STAGE2);
SAME(TERN_FLUSH_EVERY, TERN_PV_FLUSH_EVERY);

#define SGI_WAKE	3
#define ROUNDS		50
#define ENTRY		8
#define GB		(1ull << 30)
#define OFFSET		0x200000

static struct tern_record record[2];
static volatile uint64_t seen, woken;
static volatile bool ready;

static void on_irq(struct guest_frame *frame)
{
	(void)frame;
	gic_eoi(gic_ack());
	woken++;
}

/* Reads before and after each sleep: the first fills the TLB. */
static void sleeper(void)
{
	uint32_t number = 77;
	unsigned int i;

	gic_init_cpu();
	gic_enable(SGI_WAKE, 0xa0);
	CHECK_EQ(tern_record_set((uintptr_t)&record[1], &number), 0);
	CHECK_EQ(number, 1);
	for (i = 0; i < ROUNDS; i++) {
		uint64_t before = woken;

		seen = mmio_read64(ENTRY * GB + OFFSET);
		ready = true;
		while (woken == before) {
			irq_disable();
			if (woken == before)
				wfi();
			irq_enable();
		}
		CHECK_EQ(record[1].state, 0);
		seen = mmio_read64(ENTRY * GB + OFFSET);
		ready = true;
		while (ready)
			;
	}
	db_write(DB_DONE, 0);
}

static void map(unsigned int i)
{
	guest_map[ENTRY] = (i % 2 ? GUEST_RAM_BASE : 0x80000000ull) | MAP_BLOCK | MAP_NORMAL;
}

void guest_main(void)
{
	/* In memory, and in the hole that userspace answers */
	static const uint64_t value[2] = { 0x8786858483828180, 0x1234 };
	unsigned int i;

	CHECK_EQ(tern_features(), TERN_HAS_RECORD | TERN_HAS_FLUSH | TERN_HAS_YIELD);
	mmio_write64(GUEST_RAM_BASE + OFFSET, value[1]);
	gic_init();
	guest_on_irq = on_irq;
	map(0);
	tern_changed_tables();
	guest_cpu_on(1, sleeper);
	for (i = 0;; i++) {
		WAIT_FOR(ready);
		CHECK_EQ(seen, value[i % 2]);
		ready = false;
		WAIT_FOR(tern_preempted(&record[1]));
		map(i + 1);
		tern_changed_tables();
		CHECK_EQ(tern_flush_later(&record[1]), 1);
		CHECK_EQ(record[1].state, TERN_PREEMPTED | TERN_FLUSH_TLB);
		gic_sgi(SGI_WAKE, 1);
		WAIT_FOR(ready);
		CHECK_EQ(seen, value[(i + 1) % 2]);
		ready = false;
	}
}
