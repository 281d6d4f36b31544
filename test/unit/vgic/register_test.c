// SPDX-License-Identifier: GPL-2.0
/*
 * The register maps as guests and clients see them, and moving a GIC to
 * another VM register by register.
 */
#include <stdlib.h>
#include "fake.h"

/* ICC registers by KVM's number: op0 15:14, op1 13:11, CRn 10:7, CRm 6:3, op2 2:0 */
#define ICC(crn, crm, op2)	(3 << 14 | (crn) << 7 | (crm) << 3 | (op2))
#define ICC_PMR		ICC(4, 6, 0)
#define ICC_BPR0	ICC(12, 8, 3)
#define ICC_AP0R(n)	ICC(12, 8, 4 + (n))
#define ICC_AP1R(n)	ICC(12, 9, n)
#define ICC_BPR1	ICC(12, 12, 3)
#define ICC_CTLR	ICC(12, 12, 4)
#define ICC_SRE		ICC(12, 12, 5)
#define ICC_IGRPEN0	ICC(12, 12, 6)
#define ICC_IGRPEN1	ICC(12, 12, 7)

static u32 get_dist(struct fake *f, u32 off)
{
	u32 val = 0xdeadbeef;

	assert_int_equal(vgic_dist_uaccess(&f->g, off, false, &val), 0);
	return val;
}

static int set_dist(struct fake *f, u32 off, u32 val)
{
	return vgic_dist_uaccess(&f->g, off, true, &val);
}

static u32 get_redist(struct fake_cpu *p, u32 off)
{
	u32 val = 0xdeadbeef;

	assert_int_equal(vgic_redist_uaccess(&p->c, off, false, &val), 0);
	return val;
}

static void set_redist(struct fake_cpu *p, u32 off, u32 val)
{
	assert_int_equal(vgic_redist_uaccess(&p->c, off, true, &val), 0);
}

static u32 get_line(struct fake *f, struct fake_cpu *p, u32 intid)
{
	u32 val = 0xdeadbeef;

	assert_int_equal(vgic_level_uaccess(&f->g, &p->c, intid, false, &val), 0);
	return val;
}

static void set_line(struct fake *f, struct fake_cpu *p, u32 intid, u32 val)
{
	assert_int_equal(vgic_level_uaccess(&f->g, &p->c, intid, true, &val), 0);
}

static u64 get_icc(struct fake_cpu *p, u32 reg)
{
	u64 val = 0xdeadbeef;

	assert_int_equal(vgic_icc_uaccess(&p->c, reg, false, &val), 0);
	return val;
}

static int set_icc(struct fake_cpu *p, u32 reg, u64 val)
{
	return vgic_icc_uaccess(&p->c, reg, true, &val);
}

static struct fake *stopped(u32 cpus, u32 irqs)
{
	struct fake *f;
	u32 i;

	host_caps.nr_lr = 4;
	f = fake_new(cpus, irqs);
	for (i = 0; i < cpus; i++)
		fake_exit(&f->cpu[i]);
	return f;
}

static void identification(void **state)
{
	struct fake *f = stopped(2, 96);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(fake_read(p, FAKE_DIST + D_CTLR), 0x52);
	fake_write(p, FAKE_DIST + D_CTLR, 0);
	assert_int_equal(fake_read(p, FAKE_DIST + D_CTLR), 0x50);
	assert_int_equal(fake_read(p, FAKE_DIST + D_TYPER), 2 | 9 << 19);
	assert_int_equal(fake_read(p, FAKE_DIST + D_IIDR), 0x4b00343b);
	assert_int_equal(fake_read(p, FAKE_DIST + D_TYPER2), 0);
	assert_int_equal(fake_read(p, FAKE_DIST + D_STATUSR), 0xffffffff);
	assert_int_equal(fake_read(p, FAKE_DIST + D_PIDR2), 0x3b);
	assert_int_equal(fake_read(p, FAKE_DIST + D_PIDR2 + 4), 0);
	assert_int_equal(fake_read(p, FAKE_REDIST + R_CTLR), 6);
	assert_int_equal(fake_read(p, FAKE_REDIST + R_IIDR), 0x4b00043b);
	assert_int_equal(fake_read(p, FAKE_REDIST + R_WAKER), 0);
	assert_int_equal(fake_read(p, FAKE_REDIST + D_PIDR2), 0x3b);
	assert_int_equal(fake_read(p, FAKE_REDIST + GICR_SIZE + R_TYPER), 1 << 8 | 1 << 4);
	assert_int_equal(fake_read(p, FAKE_REDIST + GICR_SIZE + R_TYPER + 4), 1);
	fake_free(f);
}

static void revision(void **state)
{
	struct fake *f = stopped(1, 64);

	fake_write(&f->cpu[0], FAKE_DIST + D_IIDR, 0x4b00243b);	/* not for the guest */
	fake_exit(&f->cpu[0]);
	assert_int_equal(get_dist(f, D_IIDR), 0x4b00343b);
	assert_int_equal(set_dist(f, D_IIDR, 0x4b00143b), -EINVAL);
	assert_int_equal(set_dist(f, D_IIDR, 0x4b00443b), -EINVAL);
	assert_int_equal(set_dist(f, D_IIDR, 0x4a00243b), -EINVAL);
	assert_int_equal(set_dist(f, D_IIDR, 0x4b00243b), 0);
	assert_int_equal(get_dist(f, D_IIDR), 0x4b00243b);
	assert_int_equal(get_redist(&f->cpu[0], R_CTLR), 0);
	assert_int_equal(set_dist(f, D_TYPER2, 0), 0);
	assert_int_equal(set_dist(f, D_TYPER2, 1), -EINVAL);
	fake_free(f);
}

/* Private interrupts are not in the distributor, and nothing beyond the last. */
static void holes(void **state)
{
	static const u32 bits[] = { D_IGROUPR, D_ISENABLER, D_ISPENDR, D_ISACTIVER };
	struct fake *f = stopped(1, 96);
	struct fake_cpu *p = &f->cpu[0];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		fake_write(p, FAKE_DIST + bits[i], ~0U);
		assert_int_equal(fake_read(p, FAKE_DIST + bits[i]), 0);
		fake_write(p, FAKE_DIST + bits[i] + 8, ~0U);
		assert_int_equal(fake_read(p, FAKE_DIST + bits[i] + 8), ~0U);
		fake_write(p, FAKE_DIST + bits[i] + 12, ~0U);
		assert_int_equal(fake_read(p, FAKE_DIST + bits[i] + 12), 0);
		assert_true(vgic_dist_has(&f->g, bits[i]));
		assert_true(vgic_dist_has(&f->g, bits[i] + 8));
		assert_false(vgic_dist_has(&f->g, bits[i] + 12));
	}
	assert_false(vgic_dist_has(&f->g, D_CTLR + 2));
	assert_false(vgic_dist_has(&f->g, 0x20));
	assert_false(vgic_dist_has(&f->g, D_IROUTER + 96 * 8));
	assert_true(vgic_dist_has(&f->g, D_IROUTER + 95 * 8 + 4));
	assert_false(vgic_dist_has(&f->g, 0x10000));
	assert_false(vgic_dist_has(&f->g, ~3U));
	assert_true(vgic_redist_has(&f->g, R_SGI + D_ISENABLER));
	assert_false(vgic_redist_has(&f->g, R_SGI + D_ISENABLER + 4));
	assert_false(vgic_redist_has(&f->g, R_SGI + D_ISENABLER + 1));
	fake_free(f);
}

static void access_sizes(void **state)
{
	struct fake *f = stopped(2, 96);
	struct fake_cpu *p = &f->cpu[0];
	u64 val;

	fake_write(p, FAKE_DIST + D_IPRIORITYR + 40, 0x40302010);
	fake_write8(p, FAKE_DIST + D_IPRIORITYR + 42, 0xff);
	assert_int_equal(fake_read(p, FAKE_DIST + D_IPRIORITYR + 40), 0x40f82010);
	fake_write8(p, FAKE_DIST + D_ISENABLER + 4, 0xff);
	assert_int_equal(fake_read(p, FAKE_DIST + D_ISENABLER + 4), 0);
	fake_write64(p, FAKE_DIST + D_ISENABLER + 8, ~0ULL);
	assert_int_equal(fake_read(p, FAKE_DIST + D_ISENABLER + 8), 0);

	fake_write64(p, FAKE_DIST + D_IROUTER + 40 * 8, 0xffffffff80000001ULL);
	assert_int_equal(fake_read(p, FAKE_DIST + D_IROUTER + 40 * 8), 1);
	assert_int_equal(fake_read(p, FAKE_DIST + D_IROUTER + 40 * 8 + 4), 0);
	fake_write(p, FAKE_DIST + D_IROUTER + 40 * 8 + 4, ~0U);
	assert_int_equal(f->g.route[40 - 32], 1);
	fake_write(p, FAKE_DIST + D_IROUTER + 40 * 8, 0x010203);
	assert_int_equal(f->g.route[40 - 32], VGIC_NO_CPU);

	fake_exit(p);
	assert_int_equal(vgic_mmio(&p->c, to_ipa(FAKE_DIST + D_CTLR), 2, false, &val), 0);
	assert_int_equal(val, 0);
	assert_int_equal(vgic_mmio(&p->c, to_ipa(FAKE_DIST + D_CTLR + 1), 4, false, &val), 0);
	assert_int_equal(val, 0);
	assert_int_equal(vgic_mmio(&p->c, to_ipa(FAKE_DIST + D_CTLR), 8, false, &val), 0);
	assert_int_equal(val, 0);
	fake_free(f);
}

static void fixed_triggers(void **state)
{
	struct fake *f = stopped(1, 96);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(fake_read(p, fake_sgi_frame(p) + D_ICFGR), 0xaaaaaaaa);
	assert_int_equal(fake_read(p, fake_sgi_frame(p) + D_ICFGR + 4), 0);
	fake_write(p, fake_sgi_frame(p) + D_ICFGR, 0);
	fake_write(p, fake_sgi_frame(p) + D_ICFGR + 4, ~0U);
	assert_int_equal(fake_read(p, fake_sgi_frame(p) + D_ICFGR), 0xaaaaaaaa);
	assert_int_equal(fake_read(p, fake_sgi_frame(p) + D_ICFGR + 4), 0);
	fake_free(f);
}

static void lpi_table_addresses(void **state)
{
	struct fake *f = stopped(1, 64);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(get_redist(p, R_PENDBASER), 3 << 7 | 1 << 10);
	set_redist(p, R_PROPBASER, 0x12345000 | 2 << 10 | 1 << 7 | 0x7f);
	set_redist(p, R_PROPBASER + 4, ~0U);
	assert_int_equal(get_redist(p, R_PROPBASER), 0x12345000 | 1 << 10 | 3 << 7 | 0x1f);
	assert_int_equal(get_redist(p, R_PROPBASER + 4), 0x000fffff);
	fake_write64(p, FAKE_REDIST + R_PENDBASER, ~0ULL);
	fake_exit(p);
	assert_int_equal(get_redist(p, R_PENDBASER), 0xffff0f80);
	assert_int_equal(get_redist(p, R_PENDBASER + 4), 0x000fffff);
	fake_free(f);
}

/* The client's view: the latch without the line, whole words, no clearing. */
static void clients_pending_state(void **state)
{
	struct fake *f = stopped(1, 64);
	struct fake_cpu *p = &f->cpu[0];

	assert_int_equal(vgic_set_irq(&f->g, NULL, 33, true), 0);
	assert_int_equal(get_dist(f, D_ISPENDR + 4), 0);
	assert_int_equal(fake_read(p, FAKE_DIST + D_ISPENDR + 4), 2);
	fake_exit(p);
	assert_int_equal(set_dist(f, D_ISPENDR + 4, 0xf0), 0);
	assert_int_equal(set_dist(f, D_ISPENDR + 4, 0x30), 0);
	assert_int_equal(set_dist(f, D_ICPENDR + 4, 0x10), 0);
	assert_int_equal(get_dist(f, D_ISPENDR + 4), 0x30);
	assert_int_equal(get_dist(f, D_ICPENDR + 4), 0);
	assert_int_equal(get_line(f, p, 32), 2);
	set_line(f, p, 32, 0xc0);
	assert_int_equal(get_line(f, p, 32), 0xc0);
	assert_int_equal(fake_read(p, FAKE_DIST + D_ISPENDR + 4), 0xf0);
	fake_exit(p);
	set_line(f, p, 0, ~0U);
	assert_int_equal(get_line(f, p, 0), 0xffff0000);	/* SGIs have no line */
	set_line(f, p, 64, ~0U);
	assert_int_equal(get_line(f, p, 64), 0);
	assert_int_equal(vgic_level_uaccess(&f->g, &p->c, 33, false, &(u32){ 0 }), -EINVAL);
	fake_free(f);
}

static void cpu_interface(void **state)
{
	struct fake *f = stopped(1, 64);
	struct fake_cpu *p = &f->cpu[0];

	p->hyp.gic.vmcr = 0;
	assert_int_equal(get_icc(p, ICC_SRE), 7);
	assert_int_equal(set_icc(p, ICC_SRE, 0), -EINVAL);
	assert_int_equal(set_icc(p, ICC_SRE, 1), 0);
	assert_int_equal(set_icc(p, ICC_PMR, 0x1f0), 0);
	assert_int_equal(get_icc(p, ICC_PMR), 0xf0);
	assert_int_equal(set_icc(p, ICC_BPR0, 3), 0);
	assert_int_equal(set_icc(p, ICC_BPR1, 5), 0);
	assert_int_equal(get_icc(p, ICC_BPR1), 5);
	assert_int_equal(set_icc(p, ICC_IGRPEN0, 1), 0);
	assert_int_equal(set_icc(p, ICC_IGRPEN1, 3), 0);
	assert_int_equal(p->hyp.gic.vmcr, 0xf0U << 24 | 3 << 21 | 5 << 18 | 1 << 3 | 3);

	assert_int_equal(get_icc(p, ICC_CTLR), 4 << 8 | 1 << 11);
	assert_int_equal(set_icc(p, ICC_CTLR, 4 << 8 | 1 << 11 | 3), 0);
	assert_int_equal(p->hyp.gic.vmcr & (VMCR_CBPR | VMCR_EOIM), VMCR_CBPR | VMCR_EOIM);
	assert_int_equal(get_icc(p, ICC_BPR1), 4);	/* BPR0 + 1 */
	assert_int_equal(set_icc(p, ICC_BPR1, 1), 0);
	assert_int_equal(p->hyp.gic.vmcr >> 18 & 7, 5);
	assert_int_equal(set_icc(p, ICC_BPR0, 7), 0);
	assert_int_equal(get_icc(p, ICC_BPR1), 7);

	assert_int_equal(set_icc(p, ICC_CTLR, 5 << 8), -EINVAL);	/* more priorities than here */
	assert_int_equal(set_icc(p, ICC_CTLR, 4 << 8 | 2 << 11), -EINVAL);
	assert_int_equal(set_icc(p, ICC_CTLR, 4 << 8 | 1 << 14), -EINVAL);
	assert_int_equal(set_icc(p, ICC_CTLR, 4 << 8 | 1 << 15), -EINVAL);
	assert_int_equal(set_icc(p, ICC_CTLR, 3 << 8), 0);
	assert_int_equal(get_icc(p, ICC_CTLR), 3 << 8);
	fake_free(f);
}

static void active_priorities(void **state)
{
	struct fake *f = stopped(1, 64);
	struct fake_cpu *p = &f->cpu[0];
	u64 val = 0;

	assert_int_equal(set_icc(p, ICC_AP0R(0), 1), 0);
	assert_int_equal(set_icc(p, ICC_AP1R(0), 2), 0);
	assert_int_equal(p->hyp.gic.ap0r[0], 1);
	assert_int_equal(p->hyp.gic.ap1r[0], 2);
	assert_int_equal(get_icc(p, ICC_AP1R(0)), 2);
	assert_int_equal(set_icc(p, ICC_AP1R(1), 2), -EINVAL);
	assert_int_equal(vgic_icc_uaccess(&p->c, ICC_AP0R(1), false, &val), -EINVAL);
	p->c.pri_bits = 6;
	assert_int_equal(set_icc(p, ICC_AP1R(1), 3), 0);
	assert_int_equal(set_icc(p, ICC_AP1R(2), 3), -EINVAL);
	p->c.pri_bits = 7;
	assert_int_equal(set_icc(p, ICC_AP1R(3), 3), 0);

	assert_true(vgic_icc_has(ICC_AP1R(3)));
	assert_false(vgic_icc_has(ICC(12, 12, 0)));	/* IAR1 */
	assert_int_equal(vgic_icc_uaccess(&p->c, ICC(12, 12, 0), false, &val), -ENOENT);
	assert_int_equal(set_icc(p, ICC(12, 11, 5), 0), -ENOENT);
	assert_int_equal(vgic_icc_uaccess(&p->c, 0, false, &val), -ENOENT);
	fake_free(f);
}

static void same_bank(const struct vgic_bank *a, const struct vgic_bank *b)
{
	assert_int_equal(atomic_read(&a->enable), atomic_read(&b->enable));
	assert_int_equal(atomic_read(&a->latch), atomic_read(&b->latch));
	assert_int_equal(atomic_read(&a->active), atomic_read(&b->active));
	assert_int_equal(atomic_read(&a->group), atomic_read(&b->group));
	assert_int_equal(atomic_read(&a->edge), atomic_read(&b->edge));
	assert_int_equal(atomic_read(&a->line) & ~atomic_read(&a->edge), atomic_read(&b->line) & ~atomic_read(&b->edge));
	assert_memory_equal(a->prio, b->prio, sizeof(a->prio));
}

/*
 * As a VMM does it. Registers that set bits are enough in a fresh VM; the order
 * here is the least helpful: active and pending before triggers and routes.
 */
static const struct copied {
	u32 off, len;
} copied[] = {
	{ D_ISACTIVER, 4 }, { D_ISPENDR, 4 }, { D_ISENABLER, 4 }, { D_IGROUPR, 4 },
	{ D_ICFGR, 8 }, { D_IPRIORITYR, 32 },
};

static void move_cpu(struct fake_cpu *to, struct fake_cpu *from)
{
	u32 i, off;

	for (i = 0; i < ARRAY_SIZE(copied); i++)
		for (off = 0; off < copied[i].len; off += 4)
			set_redist(to, R_SGI + copied[i].off + off, get_redist(from, R_SGI + copied[i].off + off));
	set_line(container_of(to->c.vgic, struct fake, g), to, 0,
		 get_line(container_of(from->c.vgic, struct fake, g), from, 0));
}

static void move(struct fake *to, struct fake *from, u32 irqs)
{
	u32 i, off, n;

	for (i = 0; i < from->nr; i++)
		move_cpu(&to->cpu[i], &from->cpu[i]);
	for (i = 0; i < ARRAY_SIZE(copied); i++)
		for (off = copied[i].len; off < copied[i].len * irqs / 32; off += 4)
			assert_int_equal(set_dist(to, copied[i].off + off, get_dist(from, copied[i].off + off)), 0);
	for (n = 32; n < irqs; n += 32)
		set_line(to, &to->cpu[0], n, get_line(from, &from->cpu[0], n));
	for (n = 32; n < irqs; n++)
		assert_int_equal(set_dist(to, D_IROUTER + 8 * n, get_dist(from, D_IROUTER + 8 * n)), 0);
	assert_int_equal(set_dist(to, D_CTLR, get_dist(from, D_CTLR)), 0);
}

static void scramble(struct fake *f, u32 irqs)
{
	u32 i, n;

	srand(7);
	for (i = 0; i < f->nr; i++) {
		set_redist(&f->cpu[i], R_SGI + D_ISENABLER, rand());
		set_redist(&f->cpu[i], R_SGI + D_ISPENDR, rand());
		set_redist(&f->cpu[i], R_SGI + D_ISACTIVER, 1U << (i + 3));
		set_redist(&f->cpu[i], R_SGI + D_IGROUPR, rand());
		set_line(f, &f->cpu[i], 0, rand() & ~BIT(FAKE_TIMER));
	}
	for (n = 32; n < irqs; n += 32) {
		set_dist(f, D_ISENABLER + n / 8, rand());
		set_dist(f, D_ISPENDR + n / 8, rand());
		set_dist(f, D_IGROUPR + n / 8, rand());
		set_dist(f, D_ICFGR + n / 4, rand());
		set_line(f, &f->cpu[0], n, rand());
	}
	for (n = 32; n < irqs; n++) {
		set_dist(f, D_IROUTER + 8 * n, rand() % (f->nr + 1));
		set_dist(f, D_IPRIORITYR + (n & ~3), rand());
	}
	set_dist(f, D_ISACTIVER + 4, 0x8421);
}

static void save_and_restore(void **state)
{
	struct fake *from = stopped(3, 96), *to = stopped(3, 96);
	u32 i, cpu;

	scramble(from, 96);
	move(to, from, 96);
	for (i = 0; i < 3; i++)
		same_bank(&to->cpu[i].c.own, &from->cpu[i].c.own);
	for (i = 0; i < 2; i++)
		same_bank(&to->g.spi[i], &from->g.spi[i]);
	assert_memory_equal(to->g.irouter, from->g.irouter, sizeof(to->g.irouter));
	assert_memory_equal(to->g.route, from->g.route, sizeof(to->g.route));

	/* Each active SPI is with the vCPU it is routed to now, and with no other. */
	for (i = 0; i < 32; i++)
		for (cpu = 0; cpu < 3; cpu++)
			if (0x8421 >> i & 1 && to->g.route[i] != VGIC_NO_CPU)
				assert_int_equal(atomic_read(&to->cpu[cpu].c.held[1]) >> i & 1, to->g.route[i] == cpu);
	fake_settle(to);
	fake_free(from);
	fake_free(to);
}

/* What tier (b) serves reads as in a full exit; registers that take a lock it leaves alone. */
static void same_in_tier_b(void **state)
{
	static const u32 lens[] = { 1, 2, 4, 8 };
	struct fake *f = stopped(2, 96);
	u32 refused = 0, served = 0, i, off;

	set_dist(f, D_ISENABLER + 4, 0x55aa);
	set_redist(&f->cpu[1], R_SGI + D_IPRIORITYR, 0x80402010);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		for (off = 0; off < FAKE_REDIST + 2 * GICR_SIZE - FAKE_DIST; off += lens[i]) {
			u64 a = 0x1234, b = 0x5678;
			int err = vgic_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + off), lens[i], false, &a);

			if (!vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + off), lens[i], false, &b)) {
				refused++;
				continue;
			}
			assert_int_equal(err, 0);
			b &= GENMASK_ULL(8 * lens[i] - 1, 0);
			assert_int_equal(a, b);
			served += b != 0;
		}
	}
	assert_true(served > 20);
	assert_true(refused >= 2 * (2 + 2));	/* I{S,C}ACTIVER of 64 SPIs, and of two vCPUs */
	fake_free(f);
}

static void refused_in_tier_b(void **state)
{
	static const u32 slow_writes[] = { D_CTLR, D_ICPENDR + 4, D_ISACTIVER + 4, D_ICACTIVER + 4, D_IROUTER + 8 * 32 };
	struct fake *f = stopped(1, 64);
	u64 val = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(slow_writes); i++)
		assert_false(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + slow_writes[i]), 4, true, &val));
	assert_false(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + D_ISACTIVER + 4), 4, false, &val));
	assert_false(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + D_ISPENDR + 4), 4, false, &val));
	assert_false(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_REDIST + R_SGI + D_ICPENDR), 4, true, &val));
	val = 0x3;
	f->cpu[0].c.listed = 1;
	assert_false(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + D_ISENABLER + 4), 4, true, &val));
	f->cpu[0].c.listed = 0;
	assert_true(vgic_leaf_mmio(&f->cpu[0].c, to_ipa(FAKE_DIST + D_ISENABLER + 4), 4, true, &val));
	assert_int_equal(get_dist(f, D_ISENABLER + 4), 0x3);
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identification),
		cmocka_unit_test(revision),
		cmocka_unit_test(holes),
		cmocka_unit_test(access_sizes),
		cmocka_unit_test(fixed_triggers),
		cmocka_unit_test(lpi_table_addresses),
		cmocka_unit_test(clients_pending_state),
		cmocka_unit_test(cpu_interface),
		cmocka_unit_test(active_priorities),
		cmocka_unit_test(save_and_restore),
		cmocka_unit_test(same_in_tier_b),
		cmocka_unit_test(refused_in_tier_b),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
