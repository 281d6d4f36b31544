// SPDX-License-Identifier: GPL-2.0
/*
 * Tries to catch a translation that should be gone. Each vCPU owns a page of
 * addresses, which it moves from one page of memory to another over and over,
 * making all vCPUs forget the old one; and looks at the pages of the others. A
 * count that is odd while a page moves tells which value there must be.
 */
#include "../shoot.h"

const struct guest_header guest_header __attribute__((section(".header"), used)) = {
	.branch = 0x14000000 | sizeof(struct guest_header) / 4, .magic = GUEST_MAGIC,
	.kind = GUEST_KIND_TLB, .vcpus = 1, .title = "move pages, and look at others'",
};

#define WINDOWS		(8ull << 30)	/* a page of addresses for each vCPU */
#define PTE_PAGE	0x403
#define LOOKS		40		/* at others' pages, between two moves */
#define PHASE_US	50000		/* each way for so long */

static uint64_t middle[512] __attribute__((aligned(4096)));
static uint64_t leaf[512] __attribute__((aligned(4096)));
static volatile uint64_t pages[GUEST_MAX_VCPUS][2][512] __attribute__((aligned(4096)));

static struct {
	uint64_t count;		/* odd while the page moves */
	uint64_t looks;
	bool faulted;
} __attribute__((aligned(64))) state[GUEST_MAX_VCPUS];

static unsigned int nr_vcpus;
static uint64_t end;
static volatile unsigned int ready, finished;

static uint64_t value_of(unsigned int owner, uint64_t count)
{
	return count << 8 | owner;
}

static enum shoot_way way_now(void)
{
	return sysreg_read(cntvct_el0) / guest_ticks(PHASE_US) % 2 ? SHOOT_RECORD : SHOOT_CALL;
}

static uint64_t address(unsigned int owner)
{
	return WINDOWS + 4096 * owner;
}

static void set_leaf(unsigned int owner, uint64_t entry)
{
	*(volatile uint64_t *)&leaf[owner] = entry;
}

static void move(unsigned int self)
{
	uint64_t count = state[self].count;
	volatile uint64_t *from = pages[self][count / 2 % 2], *to = pages[self][(count / 2 + 1) % 2];

	__atomic_store_n(&state[self].count, count + 1, __ATOMIC_SEQ_CST);
	set_leaf(self, 0);
	shoot(way_now(), nr_vcpus, address(self), 1);
	/* Who still sees the old page sees this. */
	from[0] = ~value_of(self, count);
	to[0] = value_of(self, count + 2);
	set_leaf(self, (uintptr_t)to | PTE_PAGE | MAP_NORMAL);
	tern_changed_tables();
	isb();
	__atomic_store_n(&state[self].count, count + 2, __ATOMIC_SEQ_CST);
}

static void on_sync(struct guest_frame *frame)
{
	uint64_t far = sysreg_read(far_el1);

	CHECK_EQ(ESR_EC(sysreg_read(esr_el1)), EC_DABT_CUR);
	CHECK(far >= WINDOWS && far < address(nr_vcpus));
	state[guest_cpu()].faulted = true;
	frame->pc += 4;
}

static void look(unsigned int self, unsigned int owner)
{
	uint64_t before, after, got;

	before = __atomic_load_n(&state[owner].count, __ATOMIC_ACQUIRE);
	*(volatile bool *)&state[self].faulted = false;
	got = mmio_read64(address(owner));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	after = __atomic_load_n(&state[owner].count, __ATOMIC_ACQUIRE);
	if (before != after || before % 2 || *(volatile bool *)&state[self].faulted)
		return;
	CHECK_EQ(got, value_of(owner, before));
	state[self].looks++;
}

/* So that it is off its CPU, with what it saw in the TLB. */
static void sleep_a_while(void)
{
	irq_disable();
	sysreg_write(cntv_tval_el0, guest_ticks(100));
	sysreg_write(cntv_ctl_el0, 1);
	wfi();
	irq_enable();
}

static void work(void)
{
	unsigned int self = guest_cpu(), i, turn = 0;

	gic_enable(PPI_VTIMER, 0xa0);
	guest_on_sync = on_sync;
	shoot_init(SHOOT_RECORD);
	pages[self][0][0] = value_of(self, 0);
	set_leaf(self, (uintptr_t)pages[self][0] | PTE_PAGE | MAP_NORMAL);
	tern_changed_tables();
	__atomic_fetch_add(&ready, 1, __ATOMIC_SEQ_CST);
	while (ready != nr_vcpus)
		asm volatile("yield");
	while (sysreg_read(cntvct_el0) < end) {
		for (i = 0; i < LOOKS; i++)
			look(self, (self + i) % nr_vcpus);
		if (++turn % 4 == self % 4)
			sleep_a_while();
		if (turn % 2)
			move(self);
	}
	__atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
}

static void other(void)
{
	gic_init_cpu();
	work();
	for (;;)
		wfi();
}

void guest_main(void)
{
	uint64_t looks = 0, moves = 0, later = 0;
	unsigned int i;

	nr_vcpus = db_read(DB_VCPUS);
	end = sysreg_read(cntvct_el0) + guest_ticks(1000 * db_read(DB_BATCHES));
	middle[0] = (uintptr_t)leaf | MAP_TABLE;
	guest_map[WINDOWS >> 30] = (uintptr_t)middle | MAP_TABLE;
	gic_init();
	for (i = 1; i < nr_vcpus; i++)
		guest_cpu_on(i, other);
	work();
	while (finished != nr_vcpus)
		asm volatile("yield");
	for (i = 0; i < nr_vcpus; i++) {
		looks += state[i].looks;
		moves += state[i].count / 2;
		later += shoot_cpu[i].later;
	}
	db_write(DB_SAMPLE, looks);
	db_write(DB_SAMPLE, moves);
	db_write(DB_SAMPLE, later);
}
