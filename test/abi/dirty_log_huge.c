// SPDX-License-Identifier: GPL-2.0
/*
 * A huge page is logged page by page, and is one again when the log has ended:
 * then one fault lets the guest write all of it.
 */
#include "lib.h"

#define DATA		0x80000000UL
#define HUGE_SIZE	0x200000UL
#define COUNT		(HUGE_SIZE / PAGE)
#define ROUNDS		5

/* Writes to x3 pages from x2 on; reports how long that took. */
GUEST(writer, "1: mov x4, x2\n\tmov x5, x3\n\tisb\n\tmrs x6, cntvct_el0\n"
	      "2: str x5, [x4]\n\tadd x4, x4, #4096\n\tsubs x5, x5, #1\n\tb.ne 2b\n\t"
	      "isb\n\tmrs x0, cntvct_el0\n\tsub x0, x0, x6\n\t" REPORT "b 1b");

static struct vm vm;
static void *data;
static uint64_t bits[COUNT / 64];

static uint64_t ticks(uint64_t first, uint64_t count)
{
	GOOD(vcpu_set_x(&vm.vcpu[0], 2, DATA + first * PAGE));
	GOOD(vcpu_set_x(&vm.vcpu[0], 3, count));
	return next_report(&vm.vcpu[0]);
}

static void keep_least(uint64_t *least, uint64_t ticks)
{
	if (ticks < *least)
		*least = ticks;
}

/* Does the kernel give the client huge pages? */
static bool is_huge(void)
{
	unsigned long start, end, kib = 0;
	FILE *file = fopen("/proc/self/smaps", "r");
	char line[256];
	bool here = false;

	CHECK(file);
	while (!kib && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
			here = start <= (uintptr_t)data && (uintptr_t)data < end;
		else if (here)
			sscanf(line, "AnonHugePages: %lu", &kib);
	}
	fclose(file);
	return kib >= HUGE_SIZE / 1024;
}

static void logging(bool on)
{
	EXPECT(set_slot(vm.fd, 30, on ? KVM_MEM_LOG_DIRTY_PAGES : 0, DATA,
			HUGE_SIZE, data), 0);
}

static void fetch(void)
{
	struct kvm_dirty_log log = { .slot = 30, .dirty_bitmap = bits };

	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, &log), 0);
}

static unsigned int number_dirty(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < COUNT / 64; i++)
		n += __builtin_popcountl(bits[i]);
	return n;
}

int main(void)
{
	uint64_t logged = UINT64_MAX, after = UINT64_MAX;
	int i;

	make_machine(&vm, 1);
	LOAD(&vm, writer);
	data = (void *)(((uintptr_t)pages(2 * HUGE_SIZE) + HUGE_SIZE - 1) & -HUGE_SIZE);
	madvise(data, HUGE_SIZE, MADV_HUGEPAGE);
	memset(data, 1, HUGE_SIZE);
	if (!is_huge())
		skip("the kernel gives no huge page");
	logging(false);
	ticks(0, COUNT);
	for (i = 0; i < ROUNDS; i++) {
		logging(true);
		ticks(100, 1);
		fetch();
		EXPECT(number_dirty(), 1);
		EXPECT(bits[100 / 64], 1UL << 100 % 64);
		keep_least(&logged, ticks(0, COUNT));
		fetch();
		EXPECT(number_dirty(), COUNT);
		/* every page is protected once more */
		logging(false);
		keep_least(&after, ticks(0, COUNT));
	}
	printf("# %lu ticks logged, %lu after\n", logged, after);
	CHECK(after < logged / 8);
	return 0;
}
