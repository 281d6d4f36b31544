// SPDX-License-Identifier: GPL-2.0
/*
 * Random use of the virtual GIC by devices and guests, checked after every
 * step against the simplest possible model of the architecture: what each CPU
 * should see as its highest priority pending interrupt, and every state bit.
 */
#include <stdio.h>
#include <stdlib.h>
#include "fake.h"

#define NR_IRQS	96
#define NO_ROUTE (-1)

/** struct irq - an interrupt by the book */
struct irq {
	bool enable, latch, line, active, edge, group1;
	u8 prio;
	int route;
};

/**
 * struct config - one run
 * @manual: active state is also written through registers, and so few interrupts are used that
 *          all have a list register: with some left out, an end of interrupt without its list
 *          register is taken for that of the most urgent one
 */
struct config {
	u32 cpus, lrs, eoimode, steps;
	bool manual;
};

struct model {
	struct fake *f;
	const struct config *cfg;
	u64 rng;
	bool on;
	struct irq priv[FAKE_CPUS][32];
	struct irq spi[NR_IRQS - 32];
	u32 stack[FAKE_CPUS][32];	/* acknowledged, not ended */
	u32 depth[FAKE_CPUS];
	u32 dropped[FAKE_CPUS][NR_IRQS];	/* ended in EOImode 1, not deactivated */
	u32 nr_dropped[FAKE_CPUS];
	u64 acks;
};

static u32 rnd(struct model *m, u32 below)
{
	m->rng ^= m->rng << 13;
	m->rng ^= m->rng >> 7;
	m->rng ^= m->rng << 17;
	return (m->rng >> 11) % below;
}

static u32 pick_sgi(struct model *m)
{
	return rnd(m, m->cfg->manual ? 4 : 16);
}

static u32 pick_spi(struct model *m)
{
	return 32 + rnd(m, m->cfg->manual ? 8 : NR_IRQS - 32);
}

static u32 pick(struct model *m)
{
	u32 intid = rnd(m, NR_IRQS);

	if (!m->cfg->manual || intid == FAKE_TIMER)
		return intid;
	return intid < 32 ? pick_sgi(m) : pick_spi(m);
}

static struct irq *irq(struct model *m, u32 cpu, u32 intid)
{
	return intid < 32 ? &m->priv[cpu][intid] : &m->spi[intid - 32];
}

static bool pending(const struct irq *q)
{
	return q->latch || (q->line && !q->edge);
}

/* Could CPU @cpu be signalled this one, priorities apart? */
static bool presentable(struct model *m, u32 cpu, u32 intid)
{
	const struct irq *q = irq(m, cpu, intid);
	u32 vmcr = m->f->cpu[cpu].hyp.gic.vmcr;

	return m->on && pending(q) && q->enable && !q->active && q->route == (int)cpu &&
	       vmcr & (q->group1 ? VMCR_ENG1 : VMCR_ENG0) && q->prio < vmcr >> VMCR_PMR_SHIFT;
}

static u32 expected(struct model *m, u32 cpu)
{
	u32 intid, best = 0x100;

	for (intid = 0; intid < NR_IRQS; intid++)
		if (presentable(m, cpu, intid) && irq(m, cpu, intid)->prio < best)
			best = irq(m, cpu, intid)->prio;
	return best < fake_running(&m->f->cpu[cpu]) ? best : 0x100;
}

static void check(struct model *m)
{
	u32 cpu;

	fake_settle(m->f);
	for (cpu = 0; cpu < m->cfg->cpus; cpu++) {
		u32 prio = 0x100;

		if (fake_hppi(&m->f->cpu[cpu], &prio) == SPURIOUS)
			prio = 0x100;
		assert_int_equal(prio, expected(m, cpu));
	}
}

/* Every word, with no vCPU in the guest */
static void check_bank(struct vgic_bank *k, const struct irq *q)
{
	u32 i;

	for (i = 0; i < 32; i++, q++) {
		assert_int_equal(!!(atomic_read(&k->enable) & BIT(i)), q->enable);
		assert_int_equal(!!(atomic_read(&k->latch) & BIT(i)), q->latch);
		assert_int_equal(!!(atomic_read(&k->active) & BIT(i)), q->active);
		assert_int_equal(!!(atomic_read(&k->group) & BIT(i)), q->group1);
		assert_int_equal(!!(atomic_read(&k->edge) & BIT(i)), q->edge);
		assert_int_equal(k->prio[i], q->prio);
	}
}

static void check_words(struct model *m)
{
	u32 cpu, b;

	for (cpu = 0; cpu < m->cfg->cpus; cpu++)
		fake_exit(&m->f->cpu[cpu]);
	for (cpu = 0; cpu < m->cfg->cpus; cpu++) {
		check_bank(&m->f->cpu[cpu].c.own, m->priv[cpu]);
		if (!m->priv[cpu][FAKE_TIMER].active && !m->f->cpu[cpu].timer_line)
			assert_false(m->f->cpu[cpu].host_active);
	}
	for (b = 0; b < (NR_IRQS - 32) / 32; b++)
		check_bank(&m->f->g.spi[b], &m->spi[b * 32]);
	fake_settle(m->f);
}

/* What a guest does with its CPU interface */

static void do_ack(struct model *m, u32 cpu)
{
	u32 intid = fake_ack(&m->f->cpu[cpu]);
	struct irq *q;

	if (intid == SPURIOUS)
		return;
	assert_true(intid < NR_IRQS);
	q = irq(m, cpu, intid);
	assert_true(presentable(m, cpu, intid));
	q->active = true;
	q->latch = false;
	m->stack[cpu][m->depth[cpu]++] = intid;
	m->acks++;
}

static void do_eoi(struct model *m, u32 cpu)
{
	u32 intid;

	if (!m->depth[cpu])
		return;
	intid = m->stack[cpu][--m->depth[cpu]];
	if (m->cfg->eoimode)
		m->dropped[cpu][m->nr_dropped[cpu]++] = intid;
	else
		irq(m, cpu, intid)->active = false;
	fake_eoi(&m->f->cpu[cpu], intid);
}

static void do_dir(struct model *m, u32 cpu)
{
	u32 i, intid;

	if (!m->nr_dropped[cpu])
		return;
	i = rnd(m, m->nr_dropped[cpu]);
	intid = m->dropped[cpu][i];
	m->dropped[cpu][i] = m->dropped[cpu][--m->nr_dropped[cpu]];
	irq(m, cpu, intid)->active = false;
	fake_dir(&m->f->cpu[cpu], intid);
}

static void do_interface(struct model *m, u32 cpu)
{
	u32 *vmcr = &m->f->cpu[cpu].hyp.gic.vmcr;

	switch (rnd(m, 4)) {
	case 0:
		*vmcr ^= VMCR_ENG0;
		break;
	case 1:
		*vmcr ^= VMCR_ENG1;
		break;
	case 2:
		*vmcr = (*vmcr & 0xffffff) | (rnd(m, 31) + 1) << 27;
		break;
	default:
		*vmcr = (*vmcr & 0xffffff) | VMCR_ENG0 | VMCR_ENG1 | 0xf8U << VMCR_PMR_SHIFT;
	}
}

/* What devices do. A line that falls takes a pending interrupt back only at the next exit. */

static void do_line(struct model *m)
{
	u32 intid = pick_spi(m);
	struct irq *q = irq(m, 0, intid);
	bool level = rnd(m, 2);

	if (q->edge)
		q->latch |= level;
	else
		q->line = level;
	assert_int_equal(vgic_set_irq(&m->f->g, NULL, intid, level), 0);
	if (!level)
		fake_bounce(m->f);
}

static void do_timer(struct model *m, u32 cpu)
{
	bool level = rnd(m, 2);

	m->priv[cpu][FAKE_TIMER].line = level;
	fake_timer(&m->f->cpu[cpu], level);
	if (!level)
		fake_bounce(m->f);
}

static void sgi_model(struct model *m, u32 cpu, u32 sgi, enum vgic_sgi_kind kind)
{
	struct irq *q = &m->priv[cpu][sgi];

	if (kind == VGIC_SGI1R || !q->group1)
		q->latch = true;
}

static void do_sgi(struct model *m, u32 cpu)
{
	u32 sgi = pick_sgi(m), list = rnd(m, 1 << FAKE_CPUS), to;
	enum vgic_sgi_kind kind = rnd(m, 4) ? VGIC_SGI1R : VGIC_SGI0R;
	bool others = !rnd(m, 4);
	struct fake_cpu *p = &m->f->cpu[cpu];

	for (to = 0; to < m->cfg->cpus; to++)
		if (others ? to != cpu : list >> to & 1)
			sgi_model(m, to, sgi, kind);
	fake_exit(p);
	vgic_sgi(&p->c, (u64)sgi << 24 | list | (others ? BIT_ULL(40) : 0), kind);
	fake_enter(p);
}

static void do_sgi_self(struct model *m, u32 cpu)
{
	u32 sgi = pick_sgi(m);

	if (!m->f->cpu[cpu].in_guest)
		return;
	m->priv[cpu][sgi].latch = true;
	fake_sgi_self(&m->f->cpu[cpu], sgi);
}

/* What guests do with memory-mapped registers */

/* Register @reg of interrupt @intid, one bit each; @cpu's if private. Written by @by. */
static void write_bit(struct model *m, u32 by, u32 cpu, u32 reg, u32 intid)
{
	struct fake_cpu *p = &m->f->cpu[by];
	u64 frame = intid < 32 ? fake_sgi_frame(&m->f->cpu[cpu]) : FAKE_DIST;

	fake_write(p, frame + reg + intid / 32 * 4, BIT(intid % 32));
}

static void do_enable(struct model *m, u32 by, u32 cpu, u32 intid)
{
	bool on = rnd(m, 3);

	irq(m, cpu, intid)->enable = on;
	write_bit(m, by, cpu, on ? D_ISENABLER : D_ICENABLER, intid);
}

static void do_pend(struct model *m, u32 by, u32 cpu, u32 intid)
{
	bool on = rnd(m, 2);

	irq(m, cpu, intid)->latch = on;
	write_bit(m, by, cpu, on ? D_ISPENDR : D_ICPENDR, intid);
}

static void forget_dropped(struct model *m, u32 intid, u32 from, u32 to)
{
	u32 cpu, i;

	for (cpu = from; cpu < to; cpu++)
		for (i = 0; i < m->nr_dropped[cpu]; i++)
			if (m->dropped[cpu][i] == intid)
				m->dropped[cpu][i--] = m->dropped[cpu][--m->nr_dropped[cpu]];
}

static bool on_stack(struct model *m, u32 cpu, u32 intid)
{
	u32 i;

	for (i = 0; i < m->depth[cpu]; i++)
		if (m->stack[cpu][i] == intid)
			return true;
	return false;
}

static void do_active(struct model *m, u32 by, u32 cpu, u32 intid)
{
	u32 from = intid < 32 ? cpu : 0, to = intid < 32 ? cpu + 1 : m->cfg->cpus, i;
	bool on = rnd(m, 2);

	if (!m->cfg->manual)
		return;
	for (i = from; i < to; i++)
		if (on_stack(m, i, intid))
			return;
	if (!on)
		forget_dropped(m, intid, from, to);
	irq(m, cpu, intid)->active = on;
	write_bit(m, by, cpu, on ? D_ISACTIVER : D_ICACTIVER, intid);
}

static void do_prio(struct model *m, u32 by, u32 cpu, u32 intid)
{
	u64 frame = intid < 32 ? fake_sgi_frame(&m->f->cpu[cpu]) : FAKE_DIST;
	u8 prio = rnd(m, 8) << 4 | rnd(m, 16);

	if (irq(m, cpu, intid)->active)
		return;
	irq(m, cpu, intid)->prio = prio & PRIO_MASK;
	fake_write8(&m->f->cpu[by], frame + D_IPRIORITYR + intid, prio);
	fake_bounce(m->f);
}

static void do_group(struct model *m, u32 by, u32 cpu, u32 intid)
{
	u64 reg = (intid < 32 ? fake_sgi_frame(&m->f->cpu[cpu]) : FAKE_DIST) + D_IGROUPR + intid / 32 * 4;
	struct irq *q = irq(m, cpu, intid);

	if (q->active)
		return;
	q->group1 = !q->group1;
	fake_write(&m->f->cpu[by], reg, fake_read(&m->f->cpu[by], reg) ^ BIT(intid % 32));
}

static void do_route(struct model *m, u32 by, u32 intid)
{
	u32 to = rnd(m, m->cfg->cpus + 1);

	if (intid < 32)
		return;
	irq(m, 0, intid)->route = to < m->cfg->cpus ? (int)to : NO_ROUTE;
	fake_write64(&m->f->cpu[by], FAKE_DIST + D_IROUTER + 8 * intid, to);
}

/* Changing the trigger of an interrupt that is pending or active is UNPREDICTABLE. */
static void do_config(struct model *m, u32 by, u32 intid)
{
	u64 reg = FAKE_DIST + D_ICFGR + intid / 16 * 4;
	struct irq *q = irq(m, 0, intid);

	if (intid < 32 || q->line || q->latch || q->active)
		return;
	q->edge = !q->edge;
	fake_write(&m->f->cpu[by], reg, fake_read(&m->f->cpu[by], reg) ^ 2U << intid % 16 * 2);
}

static void do_ctlr(struct model *m, u32 by)
{
	m->on = rnd(m, 4);
	fake_write(&m->f->cpu[by], FAKE_DIST + D_CTLR, m->on ? CTLR_ENABLE_G1 : 0);
	if (!m->on)
		fake_bounce(m->f);
}

static void do_register(struct model *m, u32 by)
{
	u32 cpu = rnd(m, m->cfg->cpus), intid = pick(m);

	/* The device decides when it is pending; the rest of its state is the host's too. */
	bool mapped = intid == FAKE_TIMER;

	switch (rnd(m, 16)) {
	case 0 ... 4:
		do_enable(m, by, cpu, intid);
		break;
	case 5 ... 7:
		if (!mapped)
			do_pend(m, by, cpu, intid);
		break;
	case 8 ... 9:
		if (!mapped)
			do_active(m, by, cpu, intid);
		break;
	case 10 ... 11:
		do_prio(m, by, cpu, intid);
		break;
	case 12:
		do_group(m, by, cpu, intid);
		break;
	case 13:
		do_route(m, by, intid);
		break;
	case 14:
		do_config(m, by, intid);
		break;
	default:
		do_ctlr(m, by);
	}
}

/* WFI ends when something could be signalled, whatever runs now. */
static void do_wfi(struct model *m, u32 cpu)
{
	bool any = false;
	u32 intid;

	for (intid = 0; intid < NR_IRQS; intid++)
		any |= presentable(m, cpu, intid);
	fake_exit(&m->f->cpu[cpu]);
	assert_int_equal(vgic_deliverable(&m->f->cpu[cpu].c), any);
	fake_enter(&m->f->cpu[cpu]);
}

static void do_read_active(struct model *m, u32 by)
{
	u32 cpu = rnd(m, m->cfg->cpus), b = rnd(m, NR_IRQS / 32), i;
	u64 frame = b ? FAKE_DIST : fake_sgi_frame(&m->f->cpu[cpu]);
	u32 val = fake_read(&m->f->cpu[by], frame + (rnd(m, 2) ? D_ISACTIVER : D_ICACTIVER) + 4 * b);

	for (i = 0; i < 32; i++)
		assert_int_equal(val >> i & 1, irq(m, cpu, 32 * b + i)->active);
}

static void step(struct model *m)
{
	u32 cpu = rnd(m, m->cfg->cpus);

	switch (rnd(m, 32)) {
	case 0 ... 6:
		do_ack(m, cpu);
		break;
	case 7 ... 11:
		do_eoi(m, cpu);
		break;
	case 12 ... 14:
		do_dir(m, cpu);
		break;
	case 15 ... 17:
		do_line(m);
		break;
	case 18:
		do_timer(m, cpu);
		break;
	case 19:
		do_sgi(m, cpu);
		break;
	case 20:
		do_sgi_self(m, cpu);
		break;
	case 21 ... 25:
		do_register(m, cpu);
		break;
	case 26:
		do_interface(m, cpu);
		break;
	case 27:
		fake_exit(&m->f->cpu[cpu]);
		break;
	case 28:
		do_wfi(m, cpu);
		break;
	case 29:
		do_read_active(m, cpu);
		break;
	case 30:
		check_words(m);
		break;
	default:
		fake_bounce(m->f);
	}
}

static void init(struct model *m, const struct config *cfg, u64 seed)
{
	u32 cpu, i;

	memset(m, 0, sizeof(*m));
	m->cfg = cfg;
	m->rng = seed;
	host_caps.nr_lr = cfg->lrs;
	m->f = fake_new(cfg->cpus, NR_IRQS);
	m->on = true;
	for (cpu = 0; cpu < cfg->cpus; cpu++) {
		if (cfg->eoimode)
			m->f->cpu[cpu].hyp.gic.vmcr |= VMCR_EOIM;
		for (i = 0; i < 32; i++)
			m->priv[cpu][i] = (struct irq){ .enable = i < 16, .edge = i < 16, .group1 = true, .route = cpu };
	}
	for (i = 0; i < NR_IRQS - 32; i++)
		m->spi[i] = (struct irq){ .group1 = true };
}

static void run(const struct config *cfg, u64 seed)
{
	struct model *m = malloc(sizeof(*m));
	u32 i;

	assert_non_null(m);
	init(m, cfg, seed);
	for (i = 0; i < cfg->steps; i++) {
		step(m);
		check(m);
	}
	check_words(m);
	assert_true(m->acks > cfg->steps / 50);	/* else the test proves nothing */
	fake_free(m->f);
	free(m);
}

static void random_use(void **state)
{
	static const u32 lrs[] = { 1, 2, 3, 4, 16 };
	const char *env = getenv("TERN_SEED");
	u64 base = env ? strtoull(env, NULL, 0) : 1, seed;
	u32 l, mode, cpus;

	for (l = 0; l < ARRAY_SIZE(lrs); l++)
		for (mode = 0; mode < 2; mode++)
			for (cpus = 1; cpus <= FAKE_CPUS; cpus++) {
				struct config cfg = { .cpus = cpus, .lrs = lrs[l], .eoimode = mode, .steps = 4000 };

				seed = base * 0x9e3779b97f4a7c15ULL + l * 100 + mode * 10 + cpus;
				printf("# seed %#llx: %u CPUs, %u list registers, EOImode %u\n",
				       (unsigned long long)seed, cpus, lrs[l], mode);
				run(&cfg, seed);
			}
}

static void random_use_with_active_writes(void **state)
{
	u32 mode;

	for (mode = 0; mode < 2; mode++) {
		struct config cfg = { .cpus = 3, .lrs = 16, .eoimode = mode, .steps = 10000, .manual = true };

		run(&cfg, 0xfeedULL + mode);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_use),
		cmocka_unit_test(random_use_with_active_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
