// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once, in real threads: vCPUs that run, devices that raise
 * edge-triggered SPIs, somebody who moves the SPIs around, and somebody who
 * reads active state, and takes pending state back. No interrupt is taken by
 * two vCPUs at once, none is lost, and none comes after it was cleared.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include "fake.h"

#define FIRST	32
#define SPIS	8
#define RAISES	150
#define CLEARED	40	/* raised and cleared by one thread */

static struct fake *f;
static bool stop_cpus, stop_others;
static bool kicked[FAKE_CPUS];
static u32 raised[SPIS], seen[SPIS];
static int owner[SPIS];
static u32 acks, cleared_acks, clearings;

#define LOAD(x)		__atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define STORE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_SEQ_CST)

#define CHECK(c) do { if (!(c)) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); abort(); } } while (0)

/* Let the others run, now and then, at places where it matters. */
static void race(void)
{
	static __thread u32 x;

	if (!x)
		x = (u32)(uintptr_t)&x | 1;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	if (x % 16 == 0)
		sched_yield();
}

static void set_kicked(struct fake_cpu *p)
{
	STORE(kicked[p->c.index], true);
}

static void serve(struct fake_cpu *p)
{
	u32 intid = fake_ack(p), n = intid - FIRST, was;

	if (intid == SPURIOUS) {
		sched_yield();
		return;
	}
	if (intid == CLEARED) {
		__atomic_add_fetch(&cleared_acks, 1, __ATOMIC_SEQ_CST);
		fake_eoi(p, intid);
		return;
	}
	CHECK(n < SPIS);
	CHECK(__atomic_exchange_n(&owner[n], p->c.index + 1, __ATOMIC_SEQ_CST) == 0);
	was = LOAD(raised[n]);
	__atomic_add_fetch(&acks, 1, __ATOMIC_RELAXED);
	STORE(seen[n], was);
	CHECK(__atomic_exchange_n(&owner[n], 0, __ATOMIC_SEQ_CST) == (int)p->c.index + 1);
	fake_eoi(p, intid);
}

static void *run_cpu(void *arg)
{
	struct fake_cpu *p = arg;
	u32 n;

	while (!LOAD(stop_cpus)) {
		STORE(kicked[p->c.index], false);
		fake_enter(p);
		for (n = 0; n < 50 && !LOAD(kicked[p->c.index]); n++)
			serve(p);
		fake_exit(p);
	}
	return NULL;
}

static void wait_served(u32 n, u32 until)
{
	u32 waits;

	for (waits = 0; (int)(LOAD(seen[n]) - until) < 0; waits++) {
		CHECK(waits < 10000000);
		sched_yield();
	}
}

/* Some at once, and then each must have been served. */
static void *run_device(void *arg)
{
	u32 i, n, now[SPIS] = {};

	for (i = 0; i < RAISES; i++) {
		n = i * 5 % SPIS;
		now[n] = __atomic_add_fetch(&raised[n], 1, __ATOMIC_SEQ_CST);
		vgic_set_irq(&f->g, NULL, FIRST + n, true);
		if (i % 3)
			wait_served(n, now[n]);
	}
	for (n = 0; n < SPIS; n++)
		wait_served(n, now[n]);
	return NULL;
}

static void access_dist(u32 off, u32 len, bool write, u64 val)
{
	CHECK(!vgic_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + off), len, write, &val));
}

static void *run_router(void *arg)
{
	u32 i = 0;

	while (!LOAD(stop_others)) {
		access_dist(D_IROUTER + 8 * (FIRST + i % SPIS), 8, true, i / SPIS % f->nr);
		i += 3;
		sched_yield();
	}
	return NULL;
}

/* What was taken before the write to ICPENDR is done was taken; afterwards nothing is. */
static void *run_clearer(void *arg)
{
	u32 before, i;

	while (!LOAD(stop_others)) {
		vgic_set_irq(&f->g, NULL, CLEARED, true);
		for (i = 0; i < clearings % 8; i++)
			sched_yield();
		access_dist(D_ICPENDR + 4, 4, true, BIT(CLEARED - 32));
		before = LOAD(cleared_acks);
		for (i = 0; i < 8; i++)
			sched_yield();
		CHECK(LOAD(cleared_acks) == before);
		__atomic_add_fetch(&clearings, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Clearing pending or active state would lose interrupts by right: only others' bits are cleared. */
static void *run_meddler(void *arg)
{
	while (!LOAD(stop_others)) {
		access_dist(D_ISACTIVER + 4, 4, false, 0);
		access_dist(D_ICACTIVER + 4, 4, true, ~0x1ffU);
		access_dist(D_ICPENDR + 4, 4, true, ~0x1ffU);
		access_dist(D_ICENABLER + 4, 4, true, 0xff);
		access_dist(D_ISENABLER + 4, 4, true, 0xff);
		sched_yield();
	}
	return NULL;
}

static void start(pthread_t *t, void *(*fn)(void *), void *arg)
{
	assert_int_equal(pthread_create(t, NULL, fn, arg), 0);
}

static void all_at_once(void **state)
{
	pthread_t cpu[FAKE_CPUS], device[2], router, meddler, clearer;
	u32 i, waits;

	host_caps.nr_lr = 4;
	f = fake_new(FAKE_CPUS, 64);
	access_dist(D_ICFGR + 8, 4, true, 0xaaaaaaaa);
	access_dist(D_ISENABLER + 4, 4, true, 0x1ff);
	for (i = 0; i < f->nr; i++)
		fake_exit(&f->cpu[i]);
	fake_kick = set_kicked;
	shim_race = race;

	for (i = 0; i < f->nr; i++)
		start(&cpu[i], run_cpu, &f->cpu[i]);
	start(&router, run_router, NULL);
	start(&meddler, run_meddler, NULL);
	start(&clearer, run_clearer, NULL);
	start(&device[0], run_device, NULL);
	start(&device[1], run_device, NULL);
	pthread_join(device[0], NULL);
	pthread_join(device[1], NULL);
	for (waits = 0; !LOAD(cleared_acks) || LOAD(clearings) <= LOAD(cleared_acks); waits++) {
		CHECK(waits < 10000000);	/* until both outcomes have happened */
		sched_yield();
	}
	STORE(stop_others, true);
	pthread_join(router, NULL);
	pthread_join(meddler, NULL);
	pthread_join(clearer, NULL);
	shim_race = NULL;

	STORE(stop_cpus, true);
	for (i = 0; i < f->nr; i++)
		pthread_join(cpu[i], NULL);
	assert_true(acks > RAISES / 2);
	for (i = 0; i < f->nr; i++)
		assert_int_equal(atomic_read(&f->cpu[i].c.held[1]), 0);
	assert_int_equal(atomic_read(&f->g.spi[0].held), 0);
	assert_int_equal(atomic_read(&f->g.spi[0].active), 0);
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
