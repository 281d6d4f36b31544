// SPDX-License-Identifier: GPL-2.0
/*
 * Banks and list registers, case by case: what random use (model_test.c) does
 * not look at, such as what is not done.
 */
#include <stdlib.h>
#include "fake.h"

#define LEVEL_SPI	40
#define EDGE_SPI	41

static struct fake *start(u32 cpus)
{
	struct fake *f;

	host_caps.nr_lr = 4;
	f = fake_new(cpus, 96);
	fake_write(&f->cpu[0], FAKE_DIST + D_ICFGR + LEVEL_SPI / 16 * 4, 2U << EDGE_SPI % 16 * 2);
	fake_write(&f->cpu[0], FAKE_DIST + D_ISENABLER + 4, ~0U);
	fake_bounce(f);
	return f;
}

/* Nothing going on: no list register, no flags, nothing to do before or after. */
static void idle(void **state)
{
	struct fake *f = start(2);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(p->hyp.gic.nr_used, 0);
	assert_int_equal(p->hyp.gic.hcr, 0);
	assert_int_equal(atomic64_read(&p->c.todo) | p->c.carry | p->c.listed, 0);
	assert_false(vgic_work(&p->c));
	assert_false(vgic_deliverable(&p->c));
	fake_free(f);
}

/* The state of an edge interrupt ends with its handling: the next entry is idle again. */
static void idle_after_work(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	vgic_set_irq(&f->g, NULL, EDGE_SPI, true);
	fake_settle(f);
	assert_int_equal(fake_ack(p), EDGE_SPI);
	fake_eoi(p, EDGE_SPI);
	fake_exit(p);
	assert_int_equal(p->c.carry | atomic64_read(&p->c.todo) | p->c.listed, 0);
	assert_int_equal(atomic_read(&f->g.spi[0].held), 0);
	fake_free(f);
}

/* The end of a level interrupt is reported only if its line is still up or somebody watches. */
static void maintenance_only_when_needed(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	vgic_set_irq(&f->g, NULL, LEVEL_SPI, true);
	fake_settle(f);
	assert_true(p->lr[0] & LR_EOI);
	assert_int_equal(fake_ack(p), LEVEL_SPI);
	vgic_set_irq(&f->g, NULL, LEVEL_SPI, false);
	fake_bounce(f);		/* the driver's access to its device */
	assert_false(p->lr[0] & LR_EOI);
	vgic_set_irq(&f->g, NULL, LEVEL_SPI, true);	/* kicks */
	fake_settle(f);
	assert_true(p->lr[0] & LR_EOI);
	fake_eoi(p, LEVEL_SPI);
	fake_settle(f);
	assert_int_equal(fake_ack(p), LEVEL_SPI);
	fake_free(f);
}

static u32 acked;

static void on_ack(void *opaque, u32 intid)
{
	acked = intid;
	vgic_set_irq(opaque, NULL, intid, false);
}

static void watched(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	acked = 0;
	vgic_set_ack(&f->g, on_ack, &f->g);
	assert_int_equal(vgic_watch(&f->g, 31, true), -EINVAL);
	assert_int_equal(vgic_watch(&f->g, 96, true), -EINVAL);
	vgic_set_irq(&f->g, NULL, LEVEL_SPI, true);
	fake_settle(f);
	assert_int_equal(fake_ack(p), LEVEL_SPI);
	assert_int_equal(vgic_watch(&f->g, LEVEL_SPI, true), 0);
	fake_settle(f);
	fake_eoi(p, LEVEL_SPI);
	assert_int_equal(acked, 0);
	fake_settle(f);
	assert_int_equal(acked, LEVEL_SPI);
	assert_int_equal(fake_ack(p), SPURIOUS);

	assert_int_equal(vgic_watch(&f->g, LEVEL_SPI, false), 0);
	acked = 0;
	vgic_set_irq(&f->g, NULL, LEVEL_SPI, true);
	fake_settle(f);
	assert_int_equal(fake_ack(p), LEVEL_SPI);
	vgic_set_irq(&f->g, NULL, LEVEL_SPI, false);
	fake_eoi(p, LEVEL_SPI);
	fake_settle(f);
	assert_int_equal(acked, 0);
	fake_free(f);
}

/* Lines of the timers are not the client's. */
static void owned_lines(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(vgic_own(&p->c, FAKE_TIMER), -EEXIST);
	assert_int_equal(vgic_own(&p->c, 15), -EINVAL);
	assert_int_equal(vgic_own(&p->c, 32), -EINVAL);
	assert_int_equal(vgic_set_irq(&f->g, &p->c, FAKE_TIMER, true), 0);
	assert_int_equal(atomic_read(&p->c.own.line), 0);
	assert_int_equal(vgic_set_irq(&f->g, &p->c, 26, true), 0);
	assert_int_equal(atomic_read(&p->c.own.line), BIT(26));
	assert_int_equal(vgic_set_irq(&f->g, NULL, 26, true), -EINVAL);
	assert_int_equal(vgic_set_irq(&f->g, NULL, 8192, true), -EINVAL);
	assert_int_equal(vgic_set_ppi(&p->c, 15, true), -EINVAL);
	assert_int_equal(vgic_set_ppi(&p->c, 32, true), -EINVAL);
	fake_free(f);
}

static void map_limits(void **state)
{
	static const struct vgic_hw_ops none;
	struct fake *f = start(1);
	struct vgic_cpu *c = &f->cpu[0].c;
	u32 i;

	fake_exit(&f->cpu[0]);
	assert_int_equal(vgic_map_hw(c, 15, 20, &none, NULL), -EINVAL);
	assert_int_equal(vgic_map_hw(c, 32, 20, &none, NULL), -EINVAL);
	for (i = 1; i < VGIC_MAX_MAPS; i++)
		assert_int_equal(vgic_map_hw(c, 16 + i, 20, &none, NULL), 0);
	assert_int_equal(vgic_map_hw(c, 20, 20, &none, NULL), -ENOSPC);
	vgic_unmap_hw(c, 18);
	assert_int_equal(c->hwmap, BIT(17) | BIT(19) | BIT(FAKE_TIMER));
	assert_int_equal(vgic_map_hw(c, 20, 20, &none, NULL), 0);
	for (i = 16; i < 21; i++)
		vgic_unmap_hw(c, i);
	fake_free(f);
}

/* A mapped interrupt and the host's: active together, and the host's free again whatever the guest does. */
static void mapped_lifecycle(void **state)
{
	struct fake *f = start(2);
	struct fake_cpu *p = &f->cpu[0];

	fake_write(p, fake_sgi_frame(p) + D_ISENABLER, BIT(FAKE_TIMER));
	fake_timer(p, true);
	fake_settle(f);
	assert_true(p->host_active);
	assert_true(p->lr[0] & LR_HW);
	assert_false(p->lr[0] & LR_EOI);
	assert_int_equal(fake_ack(p), FAKE_TIMER);
	p->timer_line = false;
	fake_eoi(p, FAKE_TIMER);
	assert_false(p->host_active);
	fake_bounce(f);
	assert_int_equal(p->hyp.gic.nr_used, 0);

	/* turned off before it was taken */
	fake_timer(p, true);
	fake_settle(f);
	fake_timer(p, false);
	fake_bounce(f);
	assert_false(p->host_active);
	assert_int_equal(fake_ack(p), SPURIOUS);

	/* deactivated by register, from another CPU */
	fake_timer(p, true);
	fake_settle(f);
	assert_int_equal(fake_ack(p), FAKE_TIMER);
	p->timer_line = false;
	fake_write(&f->cpu[1], fake_sgi_frame(p) + D_ICACTIVER, BIT(FAKE_TIMER));
	fake_settle(f);
	assert_false(p->host_active);
	fake_eoi(p, FAKE_TIMER);

	/* made active, and pending, by register */
	fake_write(p, fake_sgi_frame(p) + D_ISACTIVER, BIT(FAKE_TIMER));
	fake_settle(f);
	assert_true(p->host_active);
	assert_true(vgic_hw_active(&p->c, FAKE_TIMER));
	fake_write(p, fake_sgi_frame(p) + D_ICACTIVER, BIT(FAKE_TIMER));
	fake_settle(f);
	assert_false(p->host_active);
	fake_free(f);
}

/* Disabled in the virtual GIC, the line moved meanwhile: enabling looks at the device. */
static void mapped_disabled(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	fake_timer(p, true);
	fake_settle(f);
	assert_int_equal(p->hyp.gic.nr_used, 0);
	assert_true(p->host_active);
	p->timer_line = false;
	fake_write(p, fake_sgi_frame(p) + D_ISENABLER, BIT(FAKE_TIMER));
	fake_settle(f);
	assert_false(p->host_active);
	assert_int_equal(fake_ack(p), SPURIOUS);
	fake_free(f);
}

static void reset(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];

	fake_write(p, fake_sgi_frame(p) + D_ISENABLER, BIT(FAKE_TIMER));
	fake_timer(p, true);
	fake_settle(f);
	assert_int_equal(fake_ack(p), FAKE_TIMER);
	p->timer_line = false;
	fake_exit(p);
	vgic_cpu_reset(&p->c);
	fake_settle(f);
	assert_int_equal(p->hyp.gic.nr_used, 0);
	assert_false(p->host_active);
	fake_free(f);
}

/* An entry that was called off gives everything back. */
static void called_off(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];
	u32 i;

	fake_exit(p);
	vgic_set_irq(&f->g, NULL, EDGE_SPI, true);
	for (i = 0; i < 3; i++) {
		assert_true(vgic_flush(&p->c));
		assert_int_equal(p->hyp.gic.nr_used, 1);
		assert_int_equal(atomic_read(&f->g.spi[0].latch), 0);
		vgic_sync(&p->c);
		assert_int_equal(atomic_read(&f->g.spi[0].latch), BIT(EDGE_SPI % 32));
		assert_int_equal(atomic_read(&f->g.spi[0].held), 0);
	}
	fake_enter(p);
	assert_int_equal(fake_ack(p), EDGE_SPI);
	fake_free(f);
}

/* An SPI stays with the CPU that acknowledged it, and is in one place at a time. */
static void moved_while_active(void **state)
{
	struct fake *f = start(2);
	struct fake_cpu *a = &f->cpu[0], *b = &f->cpu[1];

	vgic_set_irq(&f->g, NULL, EDGE_SPI, true);
	fake_settle(f);
	assert_int_equal(fake_ack(a), EDGE_SPI);
	fake_write64(b, FAKE_DIST + D_IROUTER + 8 * EDGE_SPI, 1);
	vgic_set_irq(&f->g, NULL, EDGE_SPI, true);
	fake_settle(f);
	assert_int_equal(fake_ack(b), SPURIOUS);
	assert_int_equal(fake_read(b, FAKE_DIST + D_ISACTIVER + 4), BIT(EDGE_SPI % 32));
	fake_settle(f);
	fake_eoi(a, EDGE_SPI);
	fake_settle(f);
	assert_int_equal(fake_ack(a), SPURIOUS);
	assert_int_equal(fake_ack(b), EDGE_SPI);
	fake_free(f);
}

static u64 sgi1r(u32 sgi, u64 mpidr, u16 list)
{
	return (u64)sgi << 24 | (mpidr >> 32 & 0xff) << 48 | (mpidr >> 16 & 0xff) << 32 | (mpidr >> 8 & 0xff) << 16 | list;
}

static void sgi_targets(void **state)
{
	struct fake *f = start(4);
	u32 i;

	for (i = 0; i < 4; i++)
		fake_exit(&f->cpu[i]);
	f->cpu[2].hyp.reg[REG_MPIDR_EL1] = 0x80000000 | 3ULL << 32 | 0x050403;
	vgic_leaf_sgi(&f->cpu[0].c, sgi1r(7, 3ULL << 32 | 0x050400, 0x8));
	assert_int_equal(atomic_read(&f->cpu[2].c.own.latch), BIT(7));
	vgic_sgi(&f->cpu[2].c, sgi1r(6, 3ULL << 32 | 0x050400, 0x8), VGIC_SGI1R);	/* to itself */
	assert_int_equal(atomic_read(&f->cpu[2].c.own.latch), BIT(7) | BIT(6));
	vgic_sgi(&f->cpu[1].c, BIT_ULL(40) | 5 << 24 | 0xf, VGIC_SGI1R);	/* all but itself */
	for (i = 0; i < 4; i++)
		assert_int_equal(atomic_read(&f->cpu[i].c.own.latch) >> 5 & 1, i != 1);
	vgic_sgi(&f->cpu[0].c, sgi1r(4, 0x100, 0xffff), VGIC_SGI1R);	/* nobody */
	vgic_sgi(&f->cpu[0].c, sgi1r(3, 0, 0xb), VGIC_SGI0R);		/* not group 0 */
	vgic_sgi(&f->cpu[0].c, sgi1r(3, 0, 0xb), VGIC_ASGI1R);
	for (i = 0; i < 4; i++)
		assert_int_equal(atomic_read(&f->cpu[i].c.own.latch) & (BIT(4) | BIT(3)), 0);
	fake_free(f);
}

/* Not the sender's own kick: it is on its way out anyway. */
static void sgi_to_self(void **state)
{
	struct fake *f = start(1);
	struct fake_cpu *p = &f->cpu[0];
	u32 kicks = p->kicks;

	fake_exit(p);
	vgic_sgi(&p->c, sgi1r(1, 0, 1), VGIC_SGI1R);
	assert_int_equal(p->kicks, kicks);
	assert_true(vgic_deliverable(&p->c));
	fake_enter(p);
	assert_int_equal(fake_ack(p), 1);
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idle),
		cmocka_unit_test(idle_after_work),
		cmocka_unit_test(maintenance_only_when_needed),
		cmocka_unit_test(watched),
		cmocka_unit_test(owned_lines),
		cmocka_unit_test(map_limits),
		cmocka_unit_test(mapped_lifecycle),
		cmocka_unit_test(mapped_disabled),
		cmocka_unit_test(reset),
		cmocka_unit_test(called_off),
		cmocka_unit_test(moved_while_active),
		cmocka_unit_test(sgi_targets),
		cmocka_unit_test(sgi_to_self),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
