// SPDX-License-Identifier: GPL-2.0
/*
 * Two things at once, every way: one action is stopped at each operation that
 * other CPUs can see, in turn, and the other action runs there from beginning
 * to end. Afterwards the interrupt is in one place, and is not lost.
 */
#include <stdlib.h>
#include "fake.h"

#define SPI	40
#define LINE	BIT(SPI - 32)

/** struct scene - where one interleaving plays */
static struct scene {
	struct fake *f;
	struct fake_cpu *a, *b;
	u32 raises;	/* edges so far */
	u32 acks;
} s;

static void (*other)(void);
static u32 points, stop_at;

static void race(void)
{
	void (*fn)(void) = other;

	if (points++ != stop_at || !fn)
		return;
	other = NULL;
	fn();
}

/* Actions */

static void do_raise(void)
{
	s.raises++;
	vgic_set_irq(&s.f->g, NULL, SPI, true);
}

static void do_enter_a(void)
{
	fake_enter(s.a);
}

static void do_exit_a(void)
{
	fake_exit(s.a);
}

static void do_enter_b(void)
{
	fake_enter(s.b);
}

static void do_route(u32 cpu)
{
	u64 val = cpu;

	vgic_mmio(&s.b->c, to_ipa(FAKE_DIST + D_IROUTER + 8 * SPI), 8, true, &val);
}

static void do_route_b(void)
{
	do_route(1);
}

static void do_route_b_and_enter(void)
{
	do_route(1);
	fake_enter(s.b);
}

static void do_disable_and_enable(void)
{
	u64 val = LINE;

	vgic_mmio(&s.b->c, to_ipa(FAKE_DIST + D_ICENABLER + 4), 4, true, &val);
	vgic_mmio(&s.b->c, to_ipa(FAKE_DIST + D_ISENABLER + 4), 4, true, &val);
}

/* Scenes: how things are when the two actions meet */

static void quiet(void)
{
}

static void pending_outside(void)
{
	do_raise();
}

static void pending_inside(void)
{
	do_raise();
	fake_enter(s.a);
}

static void active_inside(void)
{
	do_raise();
	fake_enter(s.a);
	assert_int_equal(fake_ack(s.a), SPI);
	s.acks++;
}

static void handled_inside(void)
{
	active_inside();
	fake_eoi(s.a, SPI);
}

static void active_outside(void)
{
	active_inside();
	fake_exit(s.a);
}

static void new_scene(void (*set)(void))
{
	u32 i;

	memset(&s, 0, sizeof(s));
	host_caps.nr_lr = 4;
	s.f = fake_new(2, 64);
	s.a = &s.f->cpu[0];
	s.b = &s.f->cpu[1];
	fake_write(s.a, FAKE_DIST + D_ICFGR + SPI / 16 * 4, 2U << SPI % 16 * 2);
	fake_write(s.a, FAKE_DIST + D_ISENABLER + 4, LINE);
	for (i = 0; i < 2; i++) {
		fake_exit(&s.f->cpu[i]);
		fake_enter(&s.f->cpu[i]);
		fake_exit(&s.f->cpu[i]);
	}
	set();
}

static u32 listed_on(const struct fake_cpu *p)
{
	u32 n, found = 0;

	for (n = 0; p->in_guest && n < host_caps.nr_lr; n++)
		found += LR_VINTID(p->lr[n]) == SPI && p->lr[n] & LR_STATE;
	return found;
}

/* Serve everything. An edge that came before the acknowledgement of an earlier one may have merged with it. */
static void serve(void)
{
	bool again;
	u32 i;

	do {
		again = false;
		fake_settle(s.f);
		assert_true(listed_on(s.a) + listed_on(s.b) <= 1);
		for (i = 0; i < 2; i++) {
			struct fake_cpu *p = &s.f->cpu[i];

			if (fake_running(p) < 0x100) {
				fake_eoi(p, SPI);
				again = true;
			} else if (fake_ack(p) == SPI) {
				s.acks++;
				again = true;
			}
		}
	} while (again);
}

static void check_rest(void)
{
	struct vgic_bank *k = &s.f->g.spi[0];

	fake_bounce(s.f);
	fake_exit(s.a);
	fake_exit(s.b);
	assert_int_equal(atomic_read(&k->latch) | atomic_read(&k->active) | atomic_read(&k->held), 0);
	assert_int_equal(atomic_read(&s.a->c.held[1]) | atomic_read(&s.b->c.held[1]), 0);
}

/* @acked: acknowledgements of the scene; what was raised later asks for one more at least */
static bool play(void (*set)(void), void (*first)(void), void (*second)(void), u32 at)
{
	u32 acked, raised;
	bool met;

	new_scene(set);
	acked = s.acks;
	raised = s.raises;
	other = second;
	points = 0;
	stop_at = at;
	shim_race = race;
	first();
	shim_race = NULL;
	met = !other;
	if (other)
		second();
	assert_true(listed_on(s.a) + listed_on(s.b) <= 1);
	serve();
	assert_true(s.acks <= s.raises);
	assert_true(s.acks - acked >= (s.raises > raised || raised > acked));
	check_rest();
	fake_free(s.f);
	return met;
}

static void all_ways(void (*set)(void), void (*first)(void), void (*second)(void))
{
	u32 at = 0;

	while (play(set, first, second, at))
		at++;
	assert_true(at > 0);
	at = 0;
	while (play(set, second, first, at))
		at++;
	assert_true(at > 0);
}

static void raise_and_enter(void **state)
{
	all_ways(quiet, do_raise, do_enter_a);
	all_ways(pending_outside, do_raise, do_enter_a);
	all_ways(active_outside, do_raise, do_enter_a);
}

static void raise_and_exit(void **state)
{
	all_ways(pending_inside, do_raise, do_exit_a);
	all_ways(active_inside, do_raise, do_exit_a);
	all_ways(handled_inside, do_raise, do_exit_a);
}

static void raise_and_reroute(void **state)
{
	all_ways(quiet, do_raise, do_route_b);
	all_ways(pending_outside, do_raise, do_route_b);
	all_ways(pending_inside, do_raise, do_route_b);
	all_ways(active_inside, do_raise, do_route_b);
	all_ways(quiet, do_raise, do_route_b_and_enter);
	all_ways(handled_inside, do_raise, do_route_b_and_enter);
}

static void reroute_and_enter(void **state)
{
	all_ways(pending_outside, do_route_b, do_enter_a);
	all_ways(pending_outside, do_route_b, do_enter_b);
	all_ways(pending_outside, do_enter_a, do_route_b_and_enter);
	all_ways(active_outside, do_enter_a, do_route_b_and_enter);
}

static void reroute_and_exit(void **state)
{
	all_ways(pending_inside, do_route_b, do_exit_a);
	all_ways(pending_inside, do_exit_a, do_route_b_and_enter);
	all_ways(active_inside, do_exit_a, do_route_b_and_enter);
	all_ways(handled_inside, do_exit_a, do_route_b_and_enter);
}

static void enable_and_all(void **state)
{
	all_ways(quiet, do_raise, do_disable_and_enable);
	all_ways(pending_outside, do_enter_a, do_disable_and_enable);
	all_ways(pending_inside, do_exit_a, do_disable_and_enable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raise_and_enter),
		cmocka_unit_test(raise_and_exit),
		cmocka_unit_test(raise_and_reroute),
		cmocka_unit_test(reroute_and_enter),
		cmocka_unit_test(reroute_and_exit),
		cmocka_unit_test(enable_and_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
