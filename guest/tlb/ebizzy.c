// SPDX-License-Identifier: GPL-2.0
/*
 * What ebizzy does to a kernel: each vCPU maps memory, fills it, searches it,
 * and unmaps it again, all in one address space, so that all TLBs have to
 * forget it.
 */
#include "../shoot.h"

const struct guest_header guest_header __attribute__((section(".header"), used)) = {
	.branch = 0x14000000 | sizeof(struct guest_header) / 4, .magic = GUEST_MAGIC,
	.kind = GUEST_KIND_TLB, .vcpus = 1, .title = "map, fill, search, unmap",
};

#define WINDOWS		(8ull << 30)	/* 2 MB of addresses for each vCPU */
#define WINDOW_SIZE	(2ull << 20)
#define PAGES		16
#define WORDS		(PAGES * 4096 / 8)
#define SEARCHES	64
#define PTE_PAGE	0x403		/* valid, accessed */

static uint64_t middle[512] __attribute__((aligned(4096)));
static uint64_t leaf[GUEST_MAX_VCPUS][512] __attribute__((aligned(4096)));
static uint64_t pages[GUEST_MAX_VCPUS][WORDS] __attribute__((aligned(4096)));
static uint64_t source[WORDS];

static struct {
	uint64_t records;
} __attribute__((aligned(64))) done[GUEST_MAX_VCPUS];

static enum shoot_way way;
static unsigned int nr_vcpus;
static volatile unsigned int ready, finished;
static volatile bool go, stop;

static void map(unsigned int self)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		*(volatile uint64_t *)&leaf[self][i] = ((uintptr_t)pages[self] + 4096 * i) | PTE_PAGE | MAP_NORMAL;
	asm volatile("dsb ishst; isb" : : : "memory");
}

static void unmap(unsigned int self, uint64_t va)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		*(volatile uint64_t *)&leaf[self][i] = 0;
	shoot(way, nr_vcpus, va, PAGES);
}

static uint64_t search(const volatile uint64_t *array, uint64_t key)
{
	uint64_t low = 0, high = WORDS;

	while (high - low > 1) {
		uint64_t mid = (low + high) / 2;

		if (array[mid] <= key)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static void one_record(unsigned int self, uint64_t va)
{
	volatile uint64_t *array = (volatile uint64_t *)va;
	uint64_t key = done[self].records * 7919;
	unsigned int i;

	map(self);
	for (i = 0; i < WORDS; i++)
		array[i] = source[i];
	for (i = 0; i < SEARCHES; i++, key = key * 25 + 11)
		CHECK_EQ(search(array, key % (3 * WORDS)), key % (3 * WORDS) / 3);
	unmap(self, va);
	done[self].records++;
}

static void work(void)
{
	unsigned int self = guest_cpu();
	uint64_t va = WINDOWS + self * WINDOW_SIZE;

	shoot_init(way);
	one_record(self, va);		/* memory is there afterwards */
	done[self].records = 0;
	shoot_cpu[self].waited = 0;
	__atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
	while (!go)
		asm volatile("yield");
	while (!stop)
		one_record(self, va);
	__atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
}

/* Its interrupts are still answered. */
static void other(void)
{
	gic_init_cpu();
	work();
	for (;;)
		wfi();
}

/* vCPU 0 keeps the time, and so its part is a little less. */
static void work_for(uint64_t ticks)
{
	uint64_t va = WINDOWS, from;

	shoot_init(way);
	one_record(0, va);
	while (ready != nr_vcpus - 1)
		asm volatile("yield");
	done[0].records = 0;
	shoot_cpu[0].waited = 0;
	from = sysreg_read(cntvct_el0);
	go = true;
	do
		one_record(0, va);
	while (sysreg_read(cntvct_el0) - from < ticks);
	stop = true;
	/* Who waited when it was over finishes its record, and that counts. */
	while (finished != nr_vcpus - 1)
		asm volatile("yield");
	db_write(DB_SAMPLE, sysreg_read(cntvct_el0) - from);
}

void guest_main(void)
{
	uint64_t sum[4] = { 0 };
	unsigned int i;

	way = db_read(DB_BATCH);
	nr_vcpus = db_read(DB_VCPUS);
	for (i = 0; i < WORDS; i++)
		source[i] = 3 * i;
	for (i = 0; i < nr_vcpus; i++)
		middle[i] = (uintptr_t)leaf[i] | MAP_TABLE;
	guest_map[WINDOWS >> 30] = (uintptr_t)middle | MAP_TABLE;
	gic_init();
	for (i = 1; i < nr_vcpus; i++)
		guest_cpu_on(i, other);
	work_for(guest_ticks(1000 * db_read(DB_BATCHES)));
	for (i = 0; i < nr_vcpus; i++) {
		sum[0] += done[i].records;
		sum[1] += shoot_cpu[i].waited;
		sum[2] += shoot_cpu[i].asked;
		sum[3] += shoot_cpu[i].later;
	}
	for (i = 0; i < 4; i++)
		db_write(DB_SAMPLE, sum[i]);
}
