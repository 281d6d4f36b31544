// SPDX-License-Identifier: GPL-2.0
/*
 * No write of a guest is lost from the dirty log, and none reaches a page that
 * its client took away, while the client changes its memory in every way.
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "lib.h"

#define DATA		0x80000000UL
#define NPAGES		512UL
#define SIZE		(NPAGES * PAGE)
#define VCPUS		2
#define SECONDS		4

/* Adds one to a word of its own in each page of DATA, for ever; reports each time round. */
GUEST(writer, "mov x2, #0x80000000\n\tadd x2, x2, x0, lsl #3\n\tmov x10, x0\n\tmov x5, #0\n"
      "1:\tadd x5, x5, #1\n\tmov x3, #512\n\tmov x4, x2\n"
      "2:\tstr x5, [x4]\n\tadd x4, x4, #4096\n\tsubs x3, x3, #1\n\tb.ne 2b\n\t"
      "mov x0, x5\n\t" REPORT "b 1b");

static struct vm vm;
static volatile bool over;
static uint8_t *data;

static void *runner(void *arg)
{
	struct vcpu *v = arg;

	while (!over)
		expect_exit(v, KVM_EXIT_MMIO);
	return NULL;
}

static void disturb(unsigned int *seed)
{
	size_t at = rand_r(seed) % NPAGES * PAGE, len = (1 + rand_r(seed) % 64) * PAGE;

	if (at + len > SIZE)
		len = SIZE - at;
	switch (rand_r(seed) % 5) {
	case 0:
		madvise(data + at, len, MADV_COLD);
		break;
	case 1:
		madvise(data + at, len, MADV_PAGEOUT);
		break;
	case 2:
		mprotect(data + at, len, PROT_READ | PROT_WRITE | PROT_EXEC);
		mprotect(data + at, len, PROT_READ | PROT_WRITE);
		break;
	case 3:
		madvise(data, SIZE, rand_r(seed) & 1 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		break;
	default:
		sched_yield();
	}
}

static void fetch(uint64_t *bits)
{
	struct kvm_dirty_log log = { .slot = 1, .dirty_bitmap = bits };

	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, &log), 0);
}

/* As a migration does it: the copy of a page is taken after its bit. */
static void copy_dirty(uint8_t *copy, const uint64_t *bits)
{
	size_t i;

	for (i = 0; i < NPAGES; i++)
		if (bits[i / 64] >> i % 64 & 1)
			memcpy(copy + i * PAGE, data + i * PAGE, PAGE);
}

static void migrate(uint8_t *copy)
{
	static uint64_t bits[NPAGES / 64];
	pthread_t thread[VCPUS];
	int i;

	EXPECT(set_slot(vm.fd, 1, KVM_MEM_LOG_DIRTY_PAGES, DATA, SIZE, data), 0);
	memcpy(copy, data, SIZE);
	over = false;
	for (i = 0; i < VCPUS; i++)
		EXPECT(pthread_create(&thread[i], NULL, runner, &vm.vcpu[i]), 0);
	for (i = 0; i < 20; i++) {
		fetch(bits);
		copy_dirty(copy, bits);
		usleep(3000);
	}
	over = true;
	for (i = 0; i < VCPUS; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	fetch(bits);
	copy_dirty(copy, bits);
	CHECK(!memcmp(copy, data, SIZE));
	EXPECT(set_slot(vm.fd, 1, 0, DATA, SIZE, data), 0);
}

/* The client's memory is swapped, aged, protected and joined meanwhile. */
static void *trouble(void *arg)
{
	unsigned int seed = 9;

	while (!*(volatile bool *)arg) {
		disturb(&seed);
		usleep(rand_r(&seed) % 1000);
	}
	return NULL;
}

int main(void)
{
	uint8_t *copy = pages(SIZE);
	pthread_t thread;
	bool end = false;
	time_t stop;

	make_machine(&vm, VCPUS);
	LOAD(&vm, writer);
	data = (uint8_t *)(((uintptr_t)pages(2 * SIZE) + SIZE - 1) & ~(SIZE - 1));
	EXPECT(set_slot(vm.fd, 1, 0, DATA, SIZE, data), 0);
	EXPECT(pthread_create(&thread, NULL, trouble, &end), 0);
	for (stop = time(NULL) + SECONDS; time(NULL) < stop;)
		migrate(copy);
	end = true;
	EXPECT(pthread_join(thread, NULL), 0);
	return 0;
}
