// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"
#include "../tern_guest.h"

GUEST_TEST_WITH("tern's record goes when its vCPU is switched off, and no flush is lost by that",
		.vcpus = 2, .needs = GUEST_NEEDS_TERN);

#define SGI_WAKE	3
#define ROUNDS		30
#define ENTRY		8
#define GB		(1ull << 30)
#define OFFSET		0x200000
#define PATTERN		0x5500	/* neither of the record's bits */
#define AFF_OFF		1

/* In the hole, which userspace answers, and in memory */
static const uint64_t map[2] = {
	0x80000000 | MAP_BLOCK | MAP_NORMAL, GUEST_RAM_BASE | MAP_BLOCK | MAP_NORMAL,
};
static const uint64_t want[2] = { 0x8786858483828180, 0x1234 };

static struct tern_record record;
static volatile uint64_t seen, woken;
static volatile unsigned int asked, answered;

static void on_irq(struct guest_frame *frame)
{
	(void)frame;
	gic_eoi(gic_ack());
	woken++;
}

static void sleep_until_woken(uint64_t before)
{
	while (woken == before) {
		irq_disable();
		if (woken == before)
			wfi();
		irq_enable();
	}
}

static void answer(unsigned int n)
{
	seen = mmio_read64(ENTRY * GB + OFFSET);
	__atomic_store_n(&answered, n, __ATOMIC_RELEASE);
}

/* From CPU_ON to CPU_OFF: asleep without a record, then with one. */
static void second(void)
{
	uint64_t before = woken;
	unsigned int n = answered;

	gic_init_cpu();
	gic_enable(SGI_WAKE, 0xa0);
	irq_enable();
	answer(n + 1);
	sleep_until_woken(before);
	CHECK_EQ(record.state, PATTERN);
	CHECK_EQ(tern_record_set((uintptr_t)&record, NULL), 0);
	CHECK_EQ(record.state, 0);
	answer(n + 2);
	sleep_until_woken(before + 1);
	answer(n + 3);
}

static void change(unsigned int i)
{
	guest_map[ENTRY] = map[i % 2];
	tern_changed_tables();
}

static void expect_answer(unsigned int i)
{
	asked++;
	WAIT_FOR(__atomic_load_n(&answered, __ATOMIC_ACQUIRE) == asked);
	CHECK_EQ(seen, want[i % 2]);
}

static void one_life(unsigned int i)
{
	/* Off: the record says "runs", so that nothing is left there, and belongs to nobody. */
	CHECK_EQ(record.state, 0);
	CHECK_EQ(tern_flush_later(&record), 0);
	record.state = PATTERN;
	change(i);
	CHECK_EQ(tern_flush(TERN_FLUSH_ASID, 0, 2, 0, 0, 0), 0);
	guest_cpu_on(1, second);
	expect_answer(i);
	db_write(DB_SLEEP, 5000);
	CHECK_EQ(record.state, PATTERN);
	gic_sgi(SGI_WAKE, 1);
	expect_answer(i);
	WAIT_FOR(tern_preempted(&record));
	change(i + 1);
	CHECK_EQ(tern_flush_later(&record), 1);
	gic_sgi(SGI_WAKE, 1);
	expect_answer(i + 1);
	WAIT_FOR(guest_hvc(PSCI_AFFINITY_INFO, 1, 0, 0).x0 == AFF_OFF);
}

void guest_main(void)
{
	unsigned int i;

	mmio_write64(GUEST_RAM_BASE + OFFSET, want[1]);
	gic_init();
	guest_on_irq = on_irq;
	for (i = 0; i < ROUNDS; i++)
		one_life(i);
}
