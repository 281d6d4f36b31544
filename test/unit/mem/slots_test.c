// SPDX-License-Identifier: GPL-2.0
/* KVM's rules for memory slots, and the look-ups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "mem/slots.h"

#define PAGE	4096ULL
#define MB	(1ULL << 20)
#define GB	(1ULL << 30)

typedef struct kvm_userspace_memory_region region;

static struct mem_slots slots;

static region make(u32 slot, u64 ipa, u64 size, u64 hva, u32 flags)
{
	return (region){ .slot = slot, .guest_phys_addr = ipa, .memory_size = size,
			 .userspace_addr = hva, .flags = flags };
}

static int check(region r)
{
	struct mem_slot *old;

	return mem_slots_check(&slots, &r, 40, &old);
}

static struct mem_slot *add(region r)
{
	struct mem_slot *slot;

	assert_int_equal(check(r), MEM_SLOT_CREATE);
	slot = mem_slots_prepare(&slots, &r);
	assert_non_null(slot);
	mem_slots_insert(&slots, slot);
	mem_slots_publish_id(&slots, slot);
	return slot;
}

static void del(struct mem_slot *slot)
{
	mem_slots_remove(&slots, slot);
	assert_true(slot->dead);
	mem_slots_forget(&slots, slot->id);
	free(slot);
}

static int setup(void **state)
{
	mem_slots_init(&slots);
	return 0;
}

static int teardown(void **state)
{
	struct mem_slot *slot;
	u32 id;

	for (id = 0; id < MEM_MAX_SLOTS && slots.npages; id++) {
		slot = mem_slots_by_id(&slots, id);
		if (slot)
			del(slot);
	}
	assert_int_equal(slots.npages, 0);
	mem_slots_fini(&slots);
	shim_alloc_left = -1;
	return 0;
}

static void malformed(void **state)
{
	assert_int_equal(check(make(0, 0, PAGE, GB, 4)), -EINVAL);
	assert_int_equal(check(make(0, 0, PAGE, GB, ~0)), -EINVAL);
	assert_int_equal(check(make(MEM_MAX_SLOTS, 0, PAGE, GB, 0)), -EINVAL);
	assert_int_equal(check(make(1 << 16, 0, PAGE, GB, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0, PAGE + 1, GB, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0x800, PAGE, GB, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0, PAGE, GB + 8, 0)), -EINVAL);
	assert_int_equal(check(make(0, -PAGE, 2 * PAGE, GB, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0, 2 * PAGE, -PAGE, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0, PAGE << 31, GB, 0)), -EINVAL);
	assert_int_equal(check(make(0, 0, 0, 0, 0)), -EINVAL);
	assert_int_equal(check(make(MEM_MAX_SLOTS - 1, 0, PAGE, GB, 0)), MEM_SLOT_CREATE);
	assert_int_equal(check(make(0, 0, PAGE, GB, 3)), MEM_SLOT_CREATE);
}

static void beyond_the_guest(void **state)
{
	assert_int_equal(check(make(0, 1024 * GB, PAGE, GB, 0)), -EFAULT);
	assert_int_equal(check(make(0, 1024 * GB - PAGE, 2 * PAGE, GB, 0)), -EFAULT);
	assert_int_equal(check(make(0, 1024 * GB - PAGE, PAGE, GB, 0)), MEM_SLOT_CREATE);
}

static void overlap(void **state)
{
	add(make(0, 10 * PAGE, 10 * PAGE, GB, 0));
	assert_int_equal(check(make(1, 19 * PAGE, PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(1, 10 * PAGE, PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(1, 0, 11 * PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(1, 0, 100 * PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(1, 12 * PAGE, PAGE, GB, 0)), -EEXIST);
	/* Overlap is found before the end of the guest's space is. */
	assert_int_equal(check(make(1, 12 * PAGE, 2048 * GB, GB, 0)), -EEXIST);
	assert_int_equal(check(make(1, 0, 10 * PAGE, GB, 0)), MEM_SLOT_CREATE);
	/* The client's memory may be the guest's twice. */
	assert_int_equal(check(make(1, 20 * PAGE, 10 * PAGE, GB, 0)), MEM_SLOT_CREATE);
}

static void changes(void **state)
{
	add(make(7, 10 * PAGE, 10 * PAGE, GB, 0));
	add(make(8, 30 * PAGE, 10 * PAGE, 2 * GB, KVM_MEM_READONLY));
	assert_int_equal(check(make(7, 10 * PAGE, 10 * PAGE, GB, 0)), MEM_SLOT_NOTHING);
	assert_int_equal(check(make(7, 10 * PAGE, 10 * PAGE, GB, 1)), MEM_SLOT_FLAGS);
	assert_int_equal(check(make(8, 30 * PAGE, 10 * PAGE, 2 * GB, 3)), MEM_SLOT_FLAGS);
	assert_int_equal(check(make(8, 30 * PAGE, 10 * PAGE, 2 * GB, 0)), -EINVAL);
	assert_int_equal(check(make(7, 10 * PAGE, 9 * PAGE, GB, 0)), -EINVAL);
	assert_int_equal(check(make(7, 10 * PAGE, 10 * PAGE, GB + PAGE, 0)), -EINVAL);
	assert_int_equal(check(make(7, 0, 0, 0, 0)), MEM_SLOT_DELETE);
	assert_int_equal(check(make(9, 0, 0, 0, 0)), -EINVAL);
}

static void moves(void **state)
{
	add(make(7, 10 * PAGE, 10 * PAGE, GB, 0));
	add(make(8, 30 * PAGE, 10 * PAGE, 2 * GB, 0));
	add(make(9, 4 * PAGE, PAGE, 2 * GB, 0));
	/* It may overlap itself, in front and behind, but not others. */
	assert_int_equal(check(make(7, 5 * PAGE, 10 * PAGE, GB, 0)), MEM_SLOT_MOVE);
	assert_int_equal(check(make(7, 20 * PAGE, 10 * PAGE, GB, 0)), MEM_SLOT_MOVE);
	assert_int_equal(check(make(7, 11 * PAGE, 10 * PAGE, GB, 1)), MEM_SLOT_MOVE);
	assert_int_equal(check(make(7, 4 * PAGE, 10 * PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(7, 21 * PAGE, 10 * PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(7, 31 * PAGE, 10 * PAGE, GB, 0)), -EEXIST);
	assert_int_equal(check(make(7, 1024 * GB, 10 * PAGE, GB, 0)), -EFAULT);
	/* Across others, in both directions. */
	assert_int_equal(check(make(7, 50 * PAGE, 10 * PAGE, GB, 0)), MEM_SLOT_MOVE);
	assert_int_equal(check(make(8, 5 * PAGE, 5 * PAGE, 2 * GB, 0)), -EINVAL);
	assert_int_equal(check(make(9, 20 * PAGE, PAGE, 2 * GB, 0)), MEM_SLOT_MOVE);
	add(make(10, 60 * PAGE, PAGE, 2 * GB, 0));
	assert_int_equal(check(make(10, 5 * PAGE, PAGE, 2 * GB, 0)), MEM_SLOT_MOVE);
}

static void lookups(void **state)
{
	struct mem_slot *a = add(make(1, 10 * PAGE, 10 * PAGE, GB, 0));
	struct mem_slot *b = add(make(2, 20 * PAGE, PAGE, 2 * GB, 0));

	assert_ptr_equal(mem_slots_find(&slots, 10), a);
	assert_ptr_equal(mem_slots_find(&slots, 19), a);
	assert_ptr_equal(mem_slots_find(&slots, 20), b);
	assert_null(mem_slots_find(&slots, 9));
	assert_null(mem_slots_find(&slots, 21));
	assert_null(mem_slots_find(&slots, ~0ULL));
	assert_ptr_equal(mem_slots_by_id(&slots, 2), b);
	assert_null(mem_slots_by_id(&slots, 3));
	assert_null(mem_slots_by_id(&slots, ~0));
	assert_int_equal(mem_slot_hva(a, 13), GB + 3 * PAGE);
	assert_int_equal(slots.npages, 11);
	del(a);
	assert_null(mem_slots_find(&slots, 10));
	assert_ptr_equal(mem_slots_find(&slots, 20), b);
	assert_int_equal(slots.npages, 1);
}

/* A move: the new slot takes the number of the old, and nothing is allocated on the way. */
static void replacing(void **state)
{
	region r = make(1, 50 * PAGE, 10 * PAGE, GB, 0);
	struct mem_slot *old = add(make(1, 10 * PAGE, 10 * PAGE, GB, 0));
	struct mem_slot *new = mem_slots_prepare(&slots, &r);

	assert_non_null(new);
	assert_ptr_equal(mem_slots_by_id(&slots, 1), old);
	shim_alloc_left = 0;
	mem_slots_remove(&slots, old);
	mem_slots_insert(&slots, new);
	mem_slots_publish_id(&slots, new);
	assert_ptr_equal(mem_slots_by_id(&slots, 1), new);
	assert_null(mem_slots_find(&slots, 10));
	assert_ptr_equal(mem_slots_find(&slots, 59), new);
	shim_alloc_left = -1;
	free(old);
}

static void no_memory(void **state)
{
	region r = make(1, 10 * PAGE, 10 * PAGE, GB, 0);
	struct mem_slot *slot;
	int n;

	for (n = 0; n < 2; n++) {
		shim_alloc_left = n;
		assert_null(mem_slots_prepare(&slots, &r));
		assert_null(mem_slots_by_id(&slots, 1));
	}
	shim_alloc_left = -1;
	/* Given up after it was prepared: the number is free again, or still the other's. */
	slot = mem_slots_prepare(&slots, &r);
	mem_slots_discard(&slots, slot, false);
	assert_null(slots.by_id.head);
	slot = add(r);
	mem_slots_discard(&slots, mem_slots_prepare(&slots, &r), true);
	assert_ptr_equal(mem_slots_by_id(&slots, 1), slot);
}

static void block_levels(void **state)
{
	struct mem_slot *s = add(make(1, GB, 3 * GB, 4 * GB, 0));

	assert_int_equal(mem_slot_max_level(s, GB / PAGE), 1);
	assert_int_equal(mem_slot_max_level(s, (4 * GB - PAGE) / PAGE), 1);
	del(s);
	/* 2 MB short at both ends: whole gigabytes only in the middle. */
	s = add(make(1, GB + 2 * MB, 3 * GB - 4 * MB, 4 * GB + 2 * MB, 0));
	assert_int_equal(mem_slot_max_level(s, (GB + 2 * MB) / PAGE), 2);
	assert_int_equal(mem_slot_max_level(s, 2 * GB / PAGE), 1);
	assert_int_equal(mem_slot_max_level(s, 3 * GB / PAGE), 2);
	del(s);
	/* Congruent by 2 MB but not by 1 GB. */
	s = add(make(1, GB, 3 * GB, 4 * GB + 2 * MB, 0));
	assert_int_equal(mem_slot_max_level(s, 2 * GB / PAGE), 2);
	del(s);
	s = add(make(1, GB, 3 * GB, 4 * GB + PAGE, 0));
	assert_int_equal(mem_slot_max_level(s, 2 * GB / PAGE), 3);
	del(s);
	/* Starts within a block, congruent: the first block would stick out. */
	s = add(make(1, GB + PAGE, 4 * MB, 4 * GB + PAGE, 0));
	assert_int_equal(mem_slot_max_level(s, GB / PAGE + 1), 3);
	assert_int_equal(mem_slot_max_level(s, (GB + 2 * MB) / PAGE), 2);
	assert_int_equal(mem_slot_max_level(s, (GB + 4 * MB) / PAGE), 3);
}

static void dirty_bits(void **state)
{
	struct mem_slot *s = add(make(1, 10 * PAGE, 100 * PAGE, GB, KVM_MEM_LOG_DIRTY_PAGES));
	unsigned long bits[2] = { 0 };

	mem_slot_mark_dirty(s, 10);
	s->dirty = bits;
	mem_slot_mark_dirty(s, 10);
	mem_slot_mark_dirty(s, 10);
	mem_slot_mark_dirty(s, 109);
	assert_int_equal(bits[0], 1);
	assert_int_equal(bits[1], 1UL << 35);
	s->dirty = NULL;
}

/* Many slots in random order: each page is found where a plain table says. */
static void many(void **state)
{
	enum { PAGES = 3000 };
	u32 owner[PAGES] = { 0 };	/* id + 1 */
	u32 id;
	int i;

	srandom(7);
	for (i = 0; i < 2000; i++) {
		u64 first = random() % PAGES, n = 1 + random() % 5, k;
		bool free_room = first + n <= PAGES;
		struct mem_slot *slot;
		region r;

		id = random() % 500;
		slot = mem_slots_by_id(&slots, id);
		if (slot) {
			for (k = 0; k < slot->npages; k++)
				owner[slot->gfn + k] = 0;
			del(slot);
			continue;
		}
		if (!free_room)
			continue;
		for (k = 0; k < n; k++)
			free_room &= !owner[first + k];
		r = make(id, first * PAGE, n * PAGE, GB, 0);
		assert_int_equal(check(r), free_room ? MEM_SLOT_CREATE : -EEXIST);
		if (!free_room)
			continue;
		add(r);
		for (k = 0; k < n; k++)
			owner[first + k] = id + 1;
	}
	for (i = 0; i < PAGES; i++) {
		struct mem_slot *slot = mem_slots_find(&slots, i);

		assert_int_equal(slot ? slot->id + 1 : 0, owner[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(malformed, setup, teardown),
		cmocka_unit_test_setup_teardown(beyond_the_guest, setup, teardown),
		cmocka_unit_test_setup_teardown(overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(changes, setup, teardown),
		cmocka_unit_test_setup_teardown(moves, setup, teardown),
		cmocka_unit_test_setup_teardown(lookups, setup, teardown),
		cmocka_unit_test_setup_teardown(replacing, setup, teardown),
		cmocka_unit_test_setup_teardown(no_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(block_levels, setup, teardown),
		cmocka_unit_test_setup_teardown(dirty_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(many, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
