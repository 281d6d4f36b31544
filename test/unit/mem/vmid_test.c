// SPDX-License-Identifier: GPL-2.0
/*
 * VMIDs: never do two VMs use one number without a flush between, and never
 * two at once.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "mem/vmid.h"

#define CPUS	8
#define VMS	700
#define NUMBERS	256

static struct mem_vmid_space space;
static atomic64_t vm[VMS];
static unsigned int flushes;

/* What TLBs may hold: the VM each number stands for, + 1; and which VM each CPU runs, + 1. */
static unsigned int tlb[NUMBERS];
static unsigned int running[CPUS], number[CPUS];

static void forget_all(void)
{
	unsigned int i;

	flushes++;
	memset(tlb, 0, sizeof(tlb));
	/* CPUs in a guest go on filling their TLBs. */
	for (i = 0; i < CPUS; i++)
		if (running[i])
			tlb[number[i]] = running[i];
}

static int setup(void **state)
{
	flushes = 0;
	memset(vm, 0, sizeof(vm));
	memset(tlb, 0, sizeof(tlb));
	memset(running, 0, sizeof(running));
	return mem_vmid_space_init(&space, 8, CPUS, forget_all);
}

static int teardown(void **state)
{
	mem_vmid_space_fini(&space);
	return 0;
}

static u64 enter(unsigned int v, unsigned int cpu)
{
	unsigned int i;
	u64 n;

	mem_vmid_use(&space, &vm[v], cpu);
	n = mem_vmid_number(&space, atomic64_read(&vm[v]));
	assert_in_range(n, 1, NUMBERS - 1);
	/* A VM has one number on all CPUs: a flush by number reaches them all. */
	for (i = 0; i < CPUS; i++)
		assert_true(i == cpu || running[i] != v + 1 || number[i] == n);
	assert_true(!tlb[n] || tlb[n] == v + 1);
	tlb[n] = v + 1;
	running[cpu] = v + 1;
	number[cpu] = n;
	return n;
}

static void leave(unsigned int cpu)
{
	mem_vmid_unuse(&space, cpu);
	running[cpu] = 0;
}

static void refuses(void **state)
{
	struct mem_vmid_space s;
	int n;

	assert_int_equal(mem_vmid_space_init(&s, 8, 255, forget_all), -EINVAL);
	assert_int_equal(mem_vmid_space_init(&s, 8, 254, forget_all), 0);
	mem_vmid_space_fini(&s);
	assert_int_equal(mem_vmid_space_init(&s, 16, 4096, forget_all), 0);
	mem_vmid_space_fini(&s);
	for (n = 0; n < 2; n++) {
		shim_alloc_left = n;
		assert_int_equal(mem_vmid_space_init(&s, 8, 4, forget_all), -ENOMEM);
	}
	shim_alloc_left = -1;
}

static void stays(void **state)
{
	u64 a = enter(0, 0);

	assert_int_equal(enter(0, 0), a);
	assert_int_equal(enter(0, 1), a);
	leave(0);
	assert_int_equal(enter(0, 0), a);
	assert_int_not_equal(enter(1, 2), a);
	assert_int_equal(flushes, 0);
}

/* All numbers are lent before anybody flushes; who runs at the flush keeps his. */
static void rolls_over(void **state)
{
	u64 kept = enter(0, 0);
	unsigned int v;

	for (v = 1; v < NUMBERS - 1; v++) {
		enter(v, 1);
		leave(1);
	}
	assert_int_equal(flushes, 0);
	enter(v, 1);
	assert_int_equal(flushes, 1);
	assert_int_equal(enter(0, 0), kept);
	assert_int_equal(enter(0, 2), kept);
	/* The others get numbers of the new generation. */
	for (v = 1; v < NUMBERS - 2; v++) {
		enter(v, 3);
		leave(3);
	}
	assert_int_equal(flushes, 1);
}

/* In a guest through two generations without an exit. */
static void long_in_guest(void **state)
{
	u64 kept = enter(0, 0);
	unsigned int i;

	for (i = 0; flushes < 3; i++) {
		enter(1 + i % (VMS - 1), 1);
		leave(1);
	}
	assert_int_equal(enter(0, 0), kept);
	assert_int_equal(flushes, 3);
}

/* The same, while others of the VM come and go. */
static void renewed_meanwhile(void **state)
{
	u64 kept = enter(0, 0);
	unsigned int i;

	for (i = 0; flushes < 5; i++) {
		enter(1 + i % (VMS - 1), 1);
		leave(1);
		if (i % 100)
			continue;
		assert_int_equal(enter(0, 2), kept);
		leave(2);
	}
}

/* As many VMs running at once as there are CPUs, in random order. */
static void random_use(void **state)
{
	unsigned int i;

	srandom(3);
	for (i = 0; i < 200000; i++) {
		unsigned int cpu = random() % CPUS;

		if (random() % 3)
			enter(random() % VMS, cpu);
		else
			leave(cpu);
	}
	assert_in_range(flushes, 100, 2000);
}

/* Threads as CPUs: who holds a number now, and how many CPUs with him. */
static struct {
	unsigned int vm, count;
} holder[NUMBERS];
static pthread_mutex_t holder_lock = PTHREAD_MUTEX_INITIALIZER;
static bool clash;

static void hold(u64 n, unsigned int v)
{
	pthread_mutex_lock(&holder_lock);
	if (holder[n].count && holder[n].vm != v)
		clash = true;
	holder[n].vm = v;
	holder[n].count++;
	pthread_mutex_unlock(&holder_lock);
}

static void *cpu_thread(void *arg)
{
	unsigned int cpu = (unsigned long)arg, seed = cpu, i, v;
	u64 n;

	for (i = 0; i < 30000; i++) {
		v = rand_r(&seed) % VMS;
		mem_vmid_use(&space, &vm[v], cpu);
		n = mem_vmid_number(&space, atomic64_read(&vm[v]));
		hold(n, v);
		pthread_mutex_lock(&holder_lock);
		holder[n].count--;
		pthread_mutex_unlock(&holder_lock);
		if (rand_r(&seed) % 2)
			mem_vmid_unuse(&space, cpu);
	}
	return NULL;
}

static void count_flush(void)
{
	flushes++;
}

static void concurrent(void **state)
{
	pthread_t thread[CPUS];
	unsigned long i;

	space.flush_all = count_flush;
	for (i = 0; i < CPUS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, cpu_thread, (void *)i), 0);
	for (i = 0; i < CPUS; i++)
		pthread_join(thread[i], NULL);
	assert_false(clash);
	assert_true(flushes > 10);
}

static void reach(void **state)
{
	u64 a, b;

	assert_int_equal(mem_vmid_reach(&space, 1, 0), MEM_VMID_NOWHERE);
	mem_vmid_use(&space, &vm[0], 2);
	mem_vmid_use(&space, &vm[1], 3);
	a = atomic64_read(&vm[0]);
	b = atomic64_read(&vm[1]);
	assert_int_equal(mem_vmid_reach(&space, a, 2), MEM_VMID_HERE);
	assert_int_equal(mem_vmid_reach(&space, a, 3), MEM_VMID_ELSEWHERE);
	assert_int_equal(mem_vmid_reach(&space, b, 3), MEM_VMID_HERE);
	mem_vmid_use(&space, &vm[0], 4);
	assert_int_equal(mem_vmid_reach(&space, a, 2), MEM_VMID_ELSEWHERE);
	assert_int_equal(mem_vmid_reach(&space, a, 4), MEM_VMID_ELSEWHERE);
	mem_vmid_unuse(&space, 2);
	assert_int_equal(mem_vmid_reach(&space, a, 4), MEM_VMID_HERE);
	mem_vmid_unuse(&space, 4);
	assert_int_equal(mem_vmid_reach(&space, a, 4), MEM_VMID_NOWHERE);
}

/* Nobody knows what CPUs do that have not taken note of a roll-over. */
static void reach_after_roll_over(void **state)
{
	unsigned int v;
	u64 a;

	mem_vmid_use(&space, &vm[0], 2);
	a = atomic64_read(&vm[0]);
	for (v = 1; !flushes; v++)
		mem_vmid_use(&space, &vm[v], 3);
	assert_int_equal(mem_vmid_reach(&space, a, 2), MEM_VMID_ELSEWHERE);
	assert_int_equal(mem_vmid_reach(&space, a, 5), MEM_VMID_ELSEWHERE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(refuses, setup, teardown),
		cmocka_unit_test_setup_teardown(stays, setup, teardown),
		cmocka_unit_test_setup_teardown(rolls_over, setup, teardown),
		cmocka_unit_test_setup_teardown(long_in_guest, setup, teardown),
		cmocka_unit_test_setup_teardown(renewed_meanwhile, setup, teardown),
		cmocka_unit_test_setup_teardown(random_use, setup, teardown),
		cmocka_unit_test_setup_teardown(concurrent, setup, teardown),
		cmocka_unit_test_setup_teardown(reach, setup, teardown),
		cmocka_unit_test_setup_teardown(reach_after_roll_over, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
