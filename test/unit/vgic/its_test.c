// SPDX-License-Identifier: GPL-2.0
/*
 * The ITS and LPIs: messages end as interrupts where the guest's commands say,
 * whatever else those commands, tables and registers contain.
 */
#include <stdlib.h>
#include <linux/sched/signal.h>
#include "fake.h"
#include "memory.h"
#include "vgic/its.h"

#define ITS		0x08080000ULL
#define DOORBELL	(ITS + 0x10040)

#define QUEUE		(MEMORY_BASE + 0x00000)
#define DEVICES		(MEMORY_BASE + 0x10000)
#define COLLECTIONS	(MEMORY_BASE + 0x20000)
#define PROPS		(MEMORY_BASE + 0x30000)
#define PENDING(cpu)	(MEMORY_BASE + 0x40000 + 0x10000ULL * (cpu))
#define LEVEL2		(MEMORY_BASE + 0x80000)
#define ITT		(MEMORY_BASE + 0x90000)
#define NOWHERE		0x90000000ULL

#define LPI		8192U
#define DEVICE		5U

/** struct its_test - a VM with an ITS, set up as a guest would */
struct its_test {
	struct fake *f;
	struct mem *m;
	struct vgic_its *its;
	u32 cwriter;
};

static void set_prop(struct its_test *t, u32 lpi, u8 prop)
{
	t->m->byte[PROPS - MEMORY_BASE + lpi - LPI] = prop;
}

static u64 its_read(struct its_test *t, u32 off)
{
	u64 val = 0;

	assert_int_equal(vgic_mmio(&t->f->cpu[0].c, to_ipa(ITS + off), off < 8 ? 4 : 8, false, &val), 0);
	return val;
}

static int its_write(struct its_test *t, u32 off, u32 len, u64 val)
{
	return vgic_mmio(&t->f->cpu[0].c, to_ipa(ITS + off), len, true, &val);
}

/* One command, done when this returns */
static void command(struct its_test *t, u64 w0, u64 w1, u64 w2, u64 w3)
{
	u64 *cmd = memory_word(t->m, QUEUE + t->cwriter);

	cmd[0] = w0;
	cmd[1] = w1;
	cmd[2] = w2;
	cmd[3] = w3;
	t->cwriter = (t->cwriter + 32) % 0x10000;
	assert_int_equal(its_write(t, 0x88, 8, t->cwriter), 0);
	assert_int_equal(its_read(t, 0x90), t->cwriter);
}

static void mapd(struct its_test *t, u32 device, u64 itt, u32 bits, bool valid)
{
	command(t, 0x08 | (u64)device << 32, bits - 1, (u64)valid << 63 | itt, 0);
}

static void mapc(struct its_test *t, u32 icid, u32 cpu, bool valid)
{
	command(t, 0x09, 0, (u64)valid << 63 | (u64)cpu << 16 | icid, 0);
}

static void mapti(struct its_test *t, u32 device, u32 event, u32 lpi, u32 icid)
{
	command(t, 0x0a | (u64)device << 32, (u64)lpi << 32 | event, icid, 0);
}

static void event_command(struct its_test *t, u32 op, u32 device, u32 event, u32 icid)
{
	command(t, op | (u64)device << 32, event, icid, 0);
}

#define movi(t, d, e, icid)	event_command(t, 0x01, d, e, icid)
#define raise(t, d, e)		event_command(t, 0x03, d, e, 0)
#define clear(t, d, e)		event_command(t, 0x04, d, e, 0)
#define inv(t, d, e)		event_command(t, 0x0c, d, e, 0)
#define invall(t, icid)		command(t, 0x0d, 0, icid, 0)
#define movall(t, from, to)	command(t, 0x0e, 0, (u64)(from) << 16, (u64)(to) << 16)
#define discard(t, d, e)	event_command(t, 0x0f, d, e, 0)

static int msi(struct its_test *t, u32 device, u32 event)
{
	struct vgic_msi m = { .addr = DOORBELL, .data = event, .devid = device, .has_devid = true };

	return vgic_msi(&t->f->g, &m);
}

static struct fake_cpu *cpu(struct its_test *t, u32 n)
{
	return &t->f->cpu[n];
}

/* What the vCPU is interrupted by now; handled to the end */
static u32 take(struct its_test *t, u32 n)
{
	u32 intid;

	fake_settle(t->f);
	intid = fake_ack(cpu(t, n));
	if (intid != SPURIOUS)
		fake_eoi(cpu(t, n), intid);
	return intid;
}

static u64 redist(u32 n)
{
	return FAKE_REDIST + (u64)n * GICR_SIZE;
}

static void enable_lpis(struct its_test *t, u32 n)
{
	fake_write64(cpu(t, n), redist(n) + R_PROPBASER, PROPS | 15);
	fake_write64(cpu(t, n), redist(n) + R_PENDBASER, PENDING(n));
	fake_write(cpu(t, n), redist(n) + R_CTLR, 1);
	assert_int_equal(fake_read(cpu(t, n), redist(n) + R_CTLR) & 1, 1);
}

static void enable_its(struct its_test *t)
{
	its_write(t, 0x80, 8, 1ULL << 63 | QUEUE | 15);
	its_write(t, 0x100, 8, 1ULL << 63 | DEVICES);
	its_write(t, 0x108, 8, 1ULL << 63 | COLLECTIONS);
	its_write(t, 0, 4, 1);
	assert_int_equal(its_read(t, 0) & ITS_CTLR_ENABLE, 1);
}

static struct its_test *its_new(u32 cpus)
{
	struct its_test *t = calloc(1, sizeof(*t));
	u32 n;

	t->m = calloc(1, sizeof(*t->m));
	t->f = fake_new(cpus, 64);
	assert_int_equal(vgic_its_create(&t->f->g, t->m, &t->its), 0);
	assert_int_equal(vgic_its_set_base(t->its, ITS), 0);
	for (n = 0; n < cpus; n++)
		enable_lpis(t, n);
	enable_its(t);
	return t;
}

static void its_free(struct its_test *t)
{
	fake_free(t->f);
	free(t->m);
	free(t);
}

/* ... with DEVICE's events 0..3 as LPI + event on vCPU 0, and collections 0 and 1 on vCPUs 0 and 1 */
static struct its_test *its_mapped(void)
{
	struct its_test *t = its_new(2);
	u32 n;

	for (n = 0; n < 4; n++)
		set_prop(t, LPI + n, 0xa1);
	mapc(t, 0, 0, true);
	mapc(t, 1, 1, true);
	mapd(t, DEVICE, ITT, 4, true);
	for (n = 0; n < 4; n++)
		mapti(t, DEVICE, n, LPI + n, 0);
	return t;
}

static void message_interrupts(void **state)
{
	struct its_test *t = its_mapped();

	assert_int_equal(msi(t, DEVICE, 2), 1);
	assert_int_equal(take(t, 0), LPI + 2);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_int_equal(take(t, 1), SPURIOUS);
	raise(t, DEVICE, 3);
	assert_int_equal(take(t, 0), LPI + 3);
	its_free(t);
}

/* One pending bit, however many messages; one more when it comes while being handled */
static void message_while_active(void **state)
{
	struct its_test *t = its_mapped();

	msi(t, DEVICE, 0);
	msi(t, DEVICE, 0);
	fake_settle(t->f);
	assert_int_equal(fake_ack(cpu(t, 0)), LPI);
	msi(t, DEVICE, 0);
	fake_settle(t->f);
	assert_int_equal(fake_ack(cpu(t, 0)), SPURIOUS);
	fake_eoi(cpu(t, 0), LPI);
	assert_int_equal(take(t, 0), LPI);
	assert_int_equal(take(t, 0), SPURIOUS);
	its_free(t);
}

static void message_to_nobody(void **state)
{
	struct vgic_msi m = { .addr = DOORBELL, .devid = DEVICE };
	struct its_test *t = its_mapped();

	assert_int_equal(vgic_msi(&t->f->g, &m), -EINVAL);	/* no device */
	m.has_devid = true;
	m.addr = NOWHERE;
	assert_int_equal(vgic_msi(&t->f->g, &m), -EINVAL);
	m.addr = ITS - 1;
	assert_int_equal(vgic_msi(&t->f->g, &m), -EINVAL);
	assert_int_equal(msi(t, DEVICE, 4), 0);
	assert_int_equal(msi(t, DEVICE + 1, 0), 0);
	assert_int_equal(msi(t, 0x10000 + DEVICE, 0), 0);
	assert_int_equal(msi(t, ~0U, ~0U), 0);
	assert_int_equal(msi(t, DEVICE - 1, 0x10000), 0);
	its_write(t, 0, 4, 0);
	assert_int_equal(msi(t, DEVICE, 0), -EBUSY);
	its_write(t, 0, 4, 1);
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 0);
	assert_int_equal(msi(t, DEVICE, 0), -EBUSY);
	its_free(t);
}

static void no_its(void **state)
{
	struct vgic_msi m = { .addr = DOORBELL, .has_devid = true };
	struct fake *f = fake_new(1, 64);

	assert_int_equal(vgic_msi(&f->g, &m), -ENODEV);
	fake_write(&f->cpu[0], redist(0) + R_CTLR, 1);
	assert_int_equal(fake_read(&f->cpu[0], redist(0) + R_CTLR) & 1, 0);
	assert_int_equal(fake_read(&f->cpu[0], redist(0) + R_TYPER) & 1, 0);
	assert_int_equal(fake_read(&f->cpu[0], FAKE_DIST + D_TYPER) & TYPER_LPIS, 0);
	fake_free(f);
}

/* Masked in the property table and told so: not delivered, and not lost */
static void masked(void **state)
{
	struct its_test *t = its_mapped();

	msi(t, DEVICE, 0);
	fake_settle(t->f);		/* in a list register already */
	set_prop(t, LPI, 0xa0);
	inv(t, DEVICE, 0);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_false(vgic_deliverable(&cpu(t, 0)->c));
	set_prop(t, LPI, 0xa1);
	assert_int_equal(take(t, 0), SPURIOUS);
	invall(t, 0);
	assert_int_equal(take(t, 0), LPI);

	/* and by the redistributor's own register */
	set_prop(t, LPI, 0xa0);
	fake_write64(cpu(t, 0), redist(0) + R_INVLPIR, LPI);
	msi(t, DEVICE, 0);
	assert_int_equal(take(t, 0), SPURIOUS);
	set_prop(t, LPI, 0xa1);
	fake_write64(cpu(t, 0), redist(0) + R_INVALLR, 0);
	assert_int_equal(take(t, 0), LPI);
	its_free(t);
}

static void dropped(void **state)
{
	struct its_test *t = its_mapped();

	msi(t, DEVICE, 0);
	fake_settle(t->f);
	clear(t, DEVICE, 0);
	assert_int_equal(take(t, 0), SPURIOUS);

	msi(t, DEVICE, 0);
	discard(t, DEVICE, 0);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_int_equal(msi(t, DEVICE, 0), 0);

	msi(t, DEVICE, 1);
	mapd(t, DEVICE, ITT, 4, false);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_int_equal(msi(t, DEVICE, 1), 0);
	assert_int_equal(t->its->nr_events, 0);
	its_free(t);
}

/* Pending ones go along, also out of the list registers of a vCPU in the guest */
static void moved(void **state)
{
	struct its_test *t = its_mapped();

	msi(t, DEVICE, 0);
	fake_settle(t->f);
	movi(t, DEVICE, 0, 1);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_int_equal(take(t, 1), LPI);
	msi(t, DEVICE, 0);
	assert_int_equal(take(t, 1), LPI);

	msi(t, DEVICE, 1);
	msi(t, DEVICE, 2);
	fake_settle(t->f);
	mapc(t, 0, 1, true);
	assert_int_equal(take(t, 0), SPURIOUS);
	assert_int_equal(take(t, 1), LPI + 1);
	assert_int_equal(take(t, 1), LPI + 2);

	msi(t, DEVICE, 3);
	fake_settle(t->f);
	movall(t, 1, 0);
	assert_int_equal(take(t, 1), SPURIOUS);
	assert_int_equal(take(t, 0), LPI + 3);
	its_free(t);
}

/* More than there are list registers: in order of priority, none lost */
static void many(void **state)
{
	struct its_test *t = its_new(1);
	u32 n, last = 0, seen = 0;

	mapc(t, 0, 0, true);
	mapd(t, DEVICE, ITT, 6, true);
	for (n = 0; n < 40; n++) {
		set_prop(t, LPI + n * 100, (n * 24 & 0xf8) % 0xf0 | 1);
		mapti(t, DEVICE, n, LPI + n * 100, 0);
	}
	for (n = 0; n < 40; n++)
		assert_int_equal(msi(t, DEVICE, n), 1);
	for (;;) {
		u32 intid, prio;

		fake_settle(t->f);
		intid = fake_hppi(cpu(t, 0), &prio);
		if (intid == SPURIOUS)
			break;
		assert_true(prio >= last);
		last = prio;
		assert_int_equal(take(t, 0), intid);
		seen++;
	}
	assert_int_equal(seen, 40);
	its_free(t);
}

static void event_waits_for_collection(void **state)
{
	struct its_test *t = its_mapped();

	mapti(t, DEVICE, 8, LPI + 8, 7);
	set_prop(t, LPI + 8, 1);
	inv(t, DEVICE, 8);
	assert_int_equal(msi(t, DEVICE, 8), 0);
	mapc(t, 7, 1, true);
	assert_int_equal(msi(t, DEVICE, 8), 1);
	assert_int_equal(take(t, 1), LPI + 8);
	mapc(t, 7, 1, false);
	assert_int_equal(msi(t, DEVICE, 8), 0);
	its_free(t);
}

static void bad_commands(void **state)
{
	struct its_test *t = its_mapped();
	u32 op;

	mapd(t, 0x2000, ITT, 4, true);			/* beyond the table */
	mapti(t, 0x2000, 0, LPI + 9, 0);
	assert_int_equal(msi(t, 0x2000, 0), 0);
	mapd(t, 6, ITT, 17, true);			/* too many events */
	mapti(t, 6, 0, LPI + 9, 0);
	assert_int_equal(msi(t, 6, 0), 0);
	mapti(t, DEVICE, 16, LPI + 9, 0);		/* beyond its ITT */
	assert_int_equal(msi(t, DEVICE, 16), 0);
	mapti(t, DEVICE, 5, LPI - 1, 0);		/* no LPI */
	mapti(t, DEVICE, 6, 0x10000, 0);
	assert_int_equal(msi(t, DEVICE, 5) + msi(t, DEVICE, 6), 0);
	mapti(t, DEVICE, 7, LPI + 9, 0x2000);		/* collection beyond the table */
	assert_int_equal(msi(t, DEVICE, 7), 0);
	mapc(t, 2, 9, true);				/* no such vCPU */
	mapti(t, DEVICE, 9, LPI + 9, 2);
	assert_int_equal(msi(t, DEVICE, 9), 0);
	mapd(t, 7, NOWHERE, 4, true);			/* ITT in no memory */
	mapti(t, 7, 0, LPI + 9, 0);
	assert_int_equal(msi(t, 7, 0), 0);
	for (op = 0; op < 0x100; op++)
		command(t, op | (u64)(op * 77777) << 32, (u64)op * 0x123456789abcdULL, ~0ULL / (op + 1), ~0ULL);
	for (op = 0; op < 0x100; op++)
		command(t, op | ~0xffULL, ~0ULL, ~0ULL, ~0ULL);
	fake_bounce(t->f);
	its_free(t);
}

static void bad_registers(void **state)
{
	struct its_test *t = its_mapped();
	u64 baser = its_read(t, 0x100);

	assert_int_equal(baser & BASER_RO, 1ULL << 56 | 7ULL << 48);
	its_write(t, 0x100, 8, 0);			/* enabled: ignored */
	its_write(t, 0x80, 8, 0);
	assert_int_equal(its_read(t, 0x100), baser);
	its_write(t, 0x88, 8, 0x10000);			/* beyond the queue */
	assert_int_equal(its_read(t, 0x88), t->cwriter);
	its_write(t, 0, 4, 0);
	its_write(t, 0x100, 4, 0x12345678);
	its_write(t, 0x104, 4, 0);			/* invalid: the devices go */
	assert_int_equal(msi(t, DEVICE, 0), -EBUSY);
	its_write(t, 0, 4, 1);				/* does not go on without them */
	assert_int_equal(its_read(t, 0) & 1, 0);
	assert_int_equal(t->its->nr_events, 0);

	/* a queue in no memory: its commands are passed over */
	its_write(t, 0x100, 8, 1ULL << 63 | DEVICES);
	its_write(t, 0x80, 8, 1ULL << 63 | NOWHERE | 255);
	its_write(t, 0, 4, 1);
	its_write(t, 0x88, 8, 0xfffe0);
	assert_int_equal(its_read(t, 0x90), 0xfffe0);
	its_free(t);
}

static void two_levels(void **state)
{
	struct its_test *t = its_new(1);

	its_write(t, 0, 4, 0);
	its_write(t, 0x100, 8, 3ULL << 62 | DEVICES);
	assert_int_equal(its_read(t, 0x100) >> 62, 3);
	its_write(t, 0, 4, 1);
	*memory_word(t->m, DEVICES + 8 * 1) = 1ULL << 63 | LEVEL2;
	*memory_word(t->m, DEVICES + 8 * 2) = 1ULL << 63 | NOWHERE;
	set_prop(t, LPI, 1);
	mapc(t, 0, 0, true);
	mapd(t, 0x2005, ITT, 2, true);
	mapti(t, 0x2005, 0, LPI, 0);
	assert_int_equal(msi(t, 0x2005, 0), 1);
	assert_int_equal(take(t, 0), LPI);
	mapd(t, 0x0005, ITT, 2, true);		/* first level not valid */
	mapti(t, 0x0005, 0, LPI, 0);
	assert_int_equal(msi(t, 0x0005, 0), 0);
	mapd(t, 0x4005, ITT, 2, true);		/* second level in no memory */
	mapti(t, 0x4005, 0, LPI, 0);
	assert_int_equal(msi(t, 0x4005, 0), 0);

	assert_int_equal(vgic_its_save(t->its), 0);
	assert_int_equal(*memory_word(t->m, LEVEL2 + 8 * 5), 1ULL << 63 | ITT >> 8 << 5 | 1);
	its_free(t);
}

/* A signal ends the guest's write early; repeated, it does the rest. */
static void signal_waits(void **state)
{
	struct its_test *t = its_new(1);
	u32 n;

	for (n = 0; n < 8; n++)
		memory_word(t->m, QUEUE + 32 * n)[0] = 5;
	shim_signal = true;
	assert_int_equal(its_write(t, 0x88, 8, 8 * 32), -EAGAIN);
	assert_int_equal(its_read(t, 0x90), 32);
	assert_int_equal(its_read(t, 0) & ITS_CTLR_QUIESCENT, 0);
	shim_signal = false;
	assert_int_equal(its_write(t, 0x88, 8, 8 * 32), 0);
	assert_int_equal(its_read(t, 0x90), 8 * 32);
	its_free(t);
}

/* The words that KVM documents for revision 0 */
static void saved_words(void **state)
{
	struct its_test *t = its_mapped();

	mapti(t, DEVICE, 12, LPI + 12, 1);
	mapd(t, 100, ITT + 0x100, 2, true);
	mapti(t, DEVICE, 13, LPI + 13, 9);		/* waits for collection 9 */
	assert_int_equal(vgic_its_save(t->its), 0);
	assert_int_equal(*memory_word(t->m, DEVICES + 8 * DEVICE), 1ULL << 63 | 95ULL << 49 | ITT >> 8 << 5 | 3);
	assert_int_equal(*memory_word(t->m, DEVICES + 8 * 100), 1ULL << 63 | (ITT + 0x100) >> 8 << 5 | 1);
	assert_int_equal(*memory_word(t->m, ITT), 1ULL << 48 | (u64)LPI << 16);
	assert_int_equal(*memory_word(t->m, ITT + 8 * 3), 9ULL << 48 | (u64)(LPI + 3) << 16);
	assert_int_equal(*memory_word(t->m, ITT + 8 * 12), 1ULL << 48 | (u64)(LPI + 12) << 16 | 1);
	assert_int_equal(*memory_word(t->m, ITT + 8 * 13), (u64)(LPI + 13) << 16 | 9);
	assert_int_equal(*memory_word(t->m, COLLECTIONS), 1ULL << 63);
	assert_int_equal(*memory_word(t->m, COLLECTIONS + 8), 1ULL << 63 | 1 << 16 | 1);
	assert_int_equal(*memory_word(t->m, COLLECTIONS + 16), 1ULL << 63 | 0xffffffffULL << 16 | 9);
	assert_int_equal(*memory_word(t->m, COLLECTIONS + 24), 0);
	its_free(t);
}

/* Registers as a client moves them, in its order */
static void move_registers(struct its_test *from, struct its_test *to)
{
	static const u32 regs[] = { 0x80, 0x90, 0x88, 0x100, 0x108 };
	u64 val;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		assert_int_equal(vgic_its_uaccess(from->its, regs[i], false, &val), 0);
		assert_int_equal(vgic_its_uaccess(to->its, regs[i], true, &val), 0);
	}
}

static void saved_and_restored(void **state)
{
	struct its_test *t = its_mapped(), *u;
	u64 on = 1;

	movi(t, DEVICE, 3, 1);
	discard(t, DEVICE, 0);
	msi(t, DEVICE, 2);
	msi(t, DEVICE, 3);
	fake_settle(t->f);
	fake_exit(cpu(t, 0));
	fake_exit(cpu(t, 1));
	assert_int_equal(vgic_save_pending_tables(&t->f->g), 0);
	assert_int_equal(vgic_its_save(t->its), 0);
	assert_int_equal(t->m->byte[PENDING(0) - MEMORY_BASE + (LPI + 2) / 8], 4);
	assert_int_equal(t->m->byte[PENDING(1) - MEMORY_BASE + (LPI + 3) / 8], 8);
	t->m->writes = 0;
	assert_int_equal(vgic_save_pending_tables(&t->f->g), 0);
	assert_int_equal(t->m->writes, 0);		/* nothing changed */

	/* a VM whose LPIs are on before its memory is there, as a client may do it */
	u = its_new(2);
	vgic_its_reset(u->its);
	memcpy(u->m->byte, t->m->byte, MEMORY_SIZE);
	move_registers(t, u);
	assert_int_equal(vgic_its_restore(u->its), 0);
	assert_int_equal(vgic_its_uaccess(u->its, 0, true, &on), 0);
	assert_int_equal(take(u, 0), LPI + 2);
	assert_int_equal(take(u, 1), LPI + 3);
	assert_int_equal(msi(u, DEVICE, 0), 0);
	assert_int_equal(msi(u, DEVICE, 1), 1);
	assert_int_equal(take(u, 0), LPI + 1);
	assert_int_equal(u->its->nr_events, 3);
	its_free(t);
	its_free(u);
}

static int restore_with(struct its_test *t, u64 ipa, u64 word)
{
	u64 *p = memory_word(t->m, ipa), old = *p;
	int err;

	vgic_its_clear_devices(t->its);
	vgic_its_clear_collections(t->its);
	*p = word;
	err = vgic_its_restore(t->its);
	*p = old;
	if (err)
		assert_int_equal(t->its->nr_events, 0);
	return err;
}

static void restored_from_rubbish(void **state)
{
	struct its_test *t = its_mapped();
	u64 dte, ite, cte;
	u32 seed = 1, n, i;

	assert_int_equal(vgic_its_save(t->its), 0);
	dte = *memory_word(t->m, DEVICES + 8 * DEVICE);
	ite = *memory_word(t->m, ITT);
	cte = *memory_word(t->m, COLLECTIONS);
	assert_int_equal(vgic_its_restore(t->its), -EEXIST);
	assert_int_equal(restore_with(t, COLLECTIONS, cte), 0);
	assert_int_equal(restore_with(t, COLLECTIONS, cte | 5 << 16), -EINVAL);		/* no such vCPU */
	assert_int_equal(restore_with(t, COLLECTIONS, cte | 0x2000), -EINVAL);		/* beyond the table */
	assert_int_equal(restore_with(t, COLLECTIONS + 8, cte), -EEXIST);
	assert_int_equal(restore_with(t, COLLECTIONS, 0), -EINVAL);			/* events without theirs */
	assert_int_equal(restore_with(t, ITT, (ite & ~(0xffffffffULL << 16)) | 1 << 16), -EINVAL);
	assert_int_equal(restore_with(t, ITT, ite | 1ULL << 45), -EINVAL);		/* no LPI */
	assert_int_equal(restore_with(t, ITT, ite | 0xffULL << 48), -EINVAL);		/* next beyond the ITT */
	assert_int_equal(restore_with(t, ITT, ite | 3), -EINVAL);			/* no such collection */
	assert_int_equal(restore_with(t, DEVICES + 8 * DEVICE, dte | 0x1f), -EINVAL);	/* too many events */
	assert_int_equal(restore_with(t, DEVICES + 8 * DEVICE, 1ULL << 63 | NOWHERE >> 8 << 5 | 3), -EFAULT);
	for (n = 0; n < 200; n++) {
		for (i = 0; i < 64; i++) {
			seed = seed * 1664525 + 1013904223;
			*memory_word(t->m, ITT + 8 * i) = (u64)seed << 32 | seed * 2654435761U;
			*memory_word(t->m, DEVICES + 8 * i) = (u64)(seed | 1U << 31) << 32 | seed * 40503U;
		}
		restore_with(t, COLLECTIONS, cte);
	}
	its_free(t);
}

/* EnableLPIs reads the pending table, unless the guest says that it is zero. */
static void pending_table_loaded(void **state)
{
	struct its_test *t = its_mapped();

	t->m->byte[PENDING(0) - MEMORY_BASE + (LPI + 1) / 8] = 2;
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 0);
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 1);
	assert_int_equal(take(t, 0), LPI + 1);
	msi(t, DEVICE, 0);
	fake_settle(t->f);
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 0);		/* forgets */
	assert_int_equal(take(t, 0), SPURIOUS);
	fake_write64(cpu(t, 0), redist(0) + R_PENDBASER, 1ULL << 62 | PENDING(0));
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 1);
	assert_int_equal(take(t, 0), SPURIOUS);
	fake_write64(cpu(t, 0), redist(0) + R_PENDBASER, NOWHERE);	/* on: ignored */
	assert_int_equal(vgic_save_pending_tables(&t->f->g), 0);
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 0);
	fake_write64(cpu(t, 0), redist(0) + R_PENDBASER, NOWHERE);
	fake_write(cpu(t, 0), redist(0) + R_CTLR, 1);
	assert_int_equal(vgic_save_pending_tables(&t->f->g), -EFAULT);
	its_free(t);
}

/* vCPU @n's EnableLPIs, and how many bytes of guest memory it looks at */
static u32 switch_lpis(struct its_test *t, u32 n, bool on)
{
	u32 before = t->m->reads;

	fake_write(cpu(t, n), redist(n) + R_CTLR, on);
	return t->m->reads - before;
}

#define PENDING_BYTES	((0x10000 - LPI) / 8)
#define ALL_BYTES	(0x10000 - LPI + PENDING_BYTES)

/* The table of properties is read by the first vCPU alone, ... */
static void properties_read_once(void **state)
{
	struct its_test *t = its_new(2);
	u32 n;

	switch_lpis(t, 0, false);
	switch_lpis(t, 1, false);
	for (n = 0; n < 64; n++)
		set_prop(t, LPI + n, n * 37);
	assert_int_equal(switch_lpis(t, 0, true), ALL_BYTES);
	for (n = 0; n < 64; n++) {
		assert_int_equal(vgic_lpi_prio(&cpu(t, 0)->c, LPI + n), n * 37 & 0xf8);
		assert_int_equal(t->f->g.lpi_props->enable[0] >> n & 1, n * 37 & 1);
	}
	fake_write64(cpu(t, 1), redist(1) + R_PROPBASER, PROPS | 15);	/* what it was */
	assert_int_equal(switch_lpis(t, 1, true), PENDING_BYTES);
	its_free(t);
}

/* ... and again if it may be another by then. */
static void properties_read_again(void **state)
{
	struct its_test *t = its_new(2);
	const unsigned long *enable = t->f->g.lpi_props->enable;

	mapc(t, 0, 0, true);
	switch_lpis(t, 1, false);
	assert_int_equal(switch_lpis(t, 1, true), ALL_BYTES);	/* one was off */
	switch_lpis(t, 0, false);
	switch_lpis(t, 1, false);
	invall(t, 0);						/* while all are off */
	set_prop(t, LPI, 1);
	assert_int_equal(switch_lpis(t, 0, true), ALL_BYTES);
	assert_int_equal(*enable & 1, 1);

	/* Another table comes, is read for all, and goes again. */
	fake_write64(cpu(t, 1), redist(1) + R_PROPBASER, (PROPS + 0x1000) | 15);
	invall(t, 0);
	assert_int_equal(*enable & 1, 0);
	fake_write64(cpu(t, 1), redist(1) + R_PROPBASER, PROPS | 15);
	assert_int_equal(switch_lpis(t, 1, true), ALL_BYTES);
	assert_int_equal(*enable & 1, 1);

	/* One that is no memory enables none, and is asked for each time. */
	switch_lpis(t, 1, false);
	fake_write64(cpu(t, 1), redist(1) + R_PROPBASER, NOWHERE | 15);
	switch_lpis(t, 1, true);
	assert_int_equal(*enable, 0);
	assert_false(t->f->g.lpi_props_known);
	its_free(t);
}

static void no_memory(void **state)
{
	struct its_test *t = its_new(1);
	u32 n, first;

	mapc(t, 0, 0, true);
	for (n = 0; n < 6; n++) {
		shim_alloc_left = n;
		first = 100 + n;
		mapd(t, first, ITT, 4, true);
		mapti(t, first, 0, LPI, 3 + n);
		mapti(t, first, 1, LPI + 1, 0);
		msi(t, first, 0);
		msi(t, first, 1);
		shim_alloc_left = -1;
		mapd(t, first, ITT, 4, false);
		assert_int_equal(t->its->nr_events, 0);
	}
	its_free(t);
}

static u32 number(u32 below)
{
	static u64 seed = 88172645463325252ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

/* Commands, messages, switches and save and restore at random: the books balance. */
static void anything(void **state)
{
	struct its_test *t = its_mapped();
	unsigned long key;
	u32 n, events, taken = 0;
	void *val;

	for (n = 0; n < 300; n++)
		set_prop(t, LPI + n, n | 1);
	for (n = 0; n < 40000; n++) {
		u32 device = number(6), event = number(20), icid = number(4);

		switch (number(16)) {
		case 0:
			if (number(8))
				break;
			mapd(t, device, number(8) ? ITT + 0x100 * device : NOWHERE, 1 + number(5), number(8));
			break;
		case 1:
			mapc(t, icid, number(3), number(8));
			break;
		case 2 ... 5:
			mapti(t, device, event, LPI + number(300) - number(2), icid);
			break;
		case 6:
			event_command(t, number(16), device, event, icid);
			break;
		case 7:
			movi(t, device, event, icid);
			break;
		case 8:
			set_prop(t, LPI + number(300), number(256) | (number(4) > 0));
			inv(t, device, event);
			break;
		case 9:
			invall(t, icid);
			movall(t, number(3), number(3));
			break;
		case 10:
			if (number(20))
				break;
			fake_write(cpu(t, 0), redist(number(2)) + R_CTLR, number(4) > 0);
			break;
		case 11:
			if (number(50) || vgic_its_save(t->its))
				break;
			vgic_its_clear_devices(t->its);
			vgic_its_clear_collections(t->its);
			vgic_its_restore(t->its);
			vgic_save_pending_tables(&t->f->g);
			break;
		default:
			msi(t, device, event);
			if (take(t, number(2)) != SPURIOUS)
				taken++;
		}
		events = 0;
		xa_for_each(&t->its->event, key, val)
			events++;
		assert_int_equal(events, t->its->nr_events);
	}
	assert_true(taken > 100);
	its_free(t);
}

static void user_registers(void **state)
{
	struct its_test *t = its_mapped();
	u64 val;

	assert_int_equal(vgic_its_has_reg(0), 0);
	assert_int_equal(vgic_its_has_reg(4), 0);
	assert_int_equal(vgic_its_has_reg(8), 0);
	assert_int_equal(vgic_its_has_reg(0x84), -EINVAL);
	assert_int_equal(vgic_its_has_reg(0x70), -ENXIO);
	assert_int_equal(vgic_its_has_reg(0x10040), -ENXIO);
	assert_int_equal(vgic_its_has_reg(ITS_SIZE), -ENXIO);
	assert_int_equal(vgic_its_has_reg(1ULL << 32), -ENXIO);
	assert_int_equal(vgic_its_uaccess(t->its, 8, false, &val), 0);
	assert_int_equal(val, 1 | 7 << 4 | 15 << 8 | 15 << 13);
	assert_int_equal(vgic_its_uaccess(t->its, 4, false, &val), 0);
	assert_int_equal(val, 0x4b00043b);
	val |= 1 << 12;
	assert_int_equal(vgic_its_uaccess(t->its, 4, true, &val), -EINVAL);
	val = 0;
	assert_int_equal(vgic_its_uaccess(t->its, 0x90, true, &val), -EBUSY);
	vgic_its_reset(t->its);
	val = 0x1000;
	assert_int_equal(vgic_its_uaccess(t->its, 0x90, true, &val), -EINVAL);
	assert_int_equal(vgic_its_uaccess(t->its, 0xffe8, false, &val), 0);
	assert_int_equal(val, 0x3b);
	its_free(t);
}

/* A message arrives at each step of a command; it ends where the command says, or nowhere. */

#define NOBODY 2

static void settled(struct its_test *t, u32 where)
{
	u32 n;

	for (n = 0; n < 2; n++)
		assert_int_equal(take(t, n), n == where ? LPI : SPURIOUS);
	for (n = 0; n < 2; n++)
		assert_int_equal(take(t, n), SPURIOUS);
}

static struct its_test *racing;
static u32 points, stop_at;
static int raced;

static void race(void)
{
	if (points++ != stop_at || raced >= 0)
		return;
	raced = 0;
	raced = msi(racing, DEVICE, 0);
}

static void message_during(void (*run)(struct its_test *t), u32 where)
{
	for (stop_at = 0;; stop_at++) {
		struct its_test *t = its_mapped();

		racing = t;
		raced = -1;
		points = 0;
		fake_settle(t->f);
		shim_race = race;
		run(t);
		shim_race = NULL;
		settled(t, raced < 0 ? NOBODY : where);
		its_free(t);
		if (raced < 0)
			break;
	}
	assert_true(stop_at > 3);
}

static void run_movi(struct its_test *t)
{
	movi(t, DEVICE, 0, 1);
}

static void run_mapc(struct its_test *t)
{
	mapc(t, 0, 1, true);
}

static void run_discard(struct its_test *t)
{
	discard(t, DEVICE, 0);
}

static void run_inv(struct its_test *t)
{
	inv(t, DEVICE, 0);
}

static void message_at_any_time(void **state)
{
	message_during(run_movi, 1);
	message_during(run_mapc, 1);
	message_during(run_inv, 0);
	message_during(run_discard, NOBODY);
}

/* ... and a command at each step of a message */

static void (*meanwhile)(struct its_test *t);

static void race_command(void)
{
	void (*fn)(struct its_test *t) = meanwhile;

	if (points++ != stop_at || !fn)
		return;
	meanwhile = NULL;
	fn(racing);
}

static void during_message(void (*run)(struct its_test *t), u32 where)
{
	for (stop_at = 0;; stop_at++) {
		struct its_test *t = its_mapped();

		racing = t;
		meanwhile = run;
		points = 0;
		fake_settle(t->f);
		shim_race = race_command;
		msi(t, DEVICE, 0);
		shim_race = NULL;
		settled(t, meanwhile ? 0 : where);
		its_free(t);
		if (meanwhile)
			break;
	}
	assert_true(stop_at > 3);
}

static void command_at_any_time(void **state)
{
	during_message(run_movi, 1);
	during_message(run_mapc, 1);
	during_message(run_inv, 0);
	during_message(run_discard, NOBODY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_interrupts),
		cmocka_unit_test(message_while_active),
		cmocka_unit_test(message_to_nobody),
		cmocka_unit_test(no_its),
		cmocka_unit_test(masked),
		cmocka_unit_test(dropped),
		cmocka_unit_test(moved),
		cmocka_unit_test(many),
		cmocka_unit_test(event_waits_for_collection),
		cmocka_unit_test(bad_commands),
		cmocka_unit_test(bad_registers),
		cmocka_unit_test(two_levels),
		cmocka_unit_test(signal_waits),
		cmocka_unit_test(saved_words),
		cmocka_unit_test(saved_and_restored),
		cmocka_unit_test(restored_from_rubbish),
		cmocka_unit_test(pending_table_loaded),
		cmocka_unit_test(properties_read_once),
		cmocka_unit_test(properties_read_again),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(anything),
		cmocka_unit_test(user_registers),
		cmocka_unit_test(message_at_any_time),
		cmocka_unit_test(command_at_any_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
