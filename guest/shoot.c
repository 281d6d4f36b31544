// SPDX-License-Identifier: GPL-2.0
#include "shoot.h"

struct shoot_cpu shoot_cpu[GUEST_MAX_VCPUS];
struct tern_record shoot_record[GUEST_MAX_VCPUS];

/* This vCPU's own entries. */
static void forget(void)
{
	asm volatile("tlbi vmalle1; dsb nsh; isb" : : : "memory");
}

static void answer(uint32_t inbox)
{
	unsigned int n;

	for (; inbox; inbox &= inbox - 1) {
		n = __builtin_ctz(inbox);
		__atomic_fetch_sub(&shoot_cpu[n].awaited, 1, __ATOMIC_RELEASE);
	}
}

static void on_sgi(struct guest_frame *frame)
{
	unsigned int intid = gic_ack();
	uint32_t inbox;

	(void)frame;
	if (intid == GIC_SPURIOUS)
		return;
	if (intid == PPI_VTIMER)
		sysreg_write(cntv_ctl_el0, 0);
	inbox = __atomic_exchange_n(&shoot_cpu[guest_cpu()].inbox, 0, __ATOMIC_ACQ_REL);
	if (inbox)
		forget();
	answer(inbox);
	gic_eoi(intid);
}

static void ask(unsigned int self, uint32_t others)
{
	struct shoot_cpu *me = &shoot_cpu[self];
	uint32_t left, count = 0;
	unsigned int n;

	for (left = others; left; left &= left - 1)
		count++;
	__atomic_store_n(&me->awaited, count, __ATOMIC_RELAXED);
	me->asked += count;
	for (left = others; left; left &= left - 1) {
		n = __builtin_ctz(left);
		__atomic_fetch_or(&shoot_cpu[n].inbox, 1u << self, __ATOMIC_RELEASE);
	}
	gic_sgi_many(SHOOT_SGI, others);
}

/* Of @others, those that need an interrupt. */
static uint32_t running(unsigned int self, uint32_t others)
{
	uint32_t left = others;
	unsigned int n;

	for (; left; left &= left - 1) {
		n = __builtin_ctz(left);
		if (tern_flush_later(&shoot_record[n])) {
			others &= ~(1u << n);
			shoot_cpu[self].later++;
		}
	}
	return others;
}

/* To one of those whose answer is missing. */
static void yield_to_one(unsigned int self, uint32_t others)
{
	unsigned int n;

	for (; others; others &= others - 1) {
		n = __builtin_ctz(others);
		if (!(__atomic_load_n(&shoot_cpu[n].inbox, __ATOMIC_RELAXED) >> self & 1))
			continue;
		if (!tern_preempted(&shoot_record[n]))
			continue;
		CHECK_EQ(tern_yield(n), 0);
		return;
	}
}

#define SPINS	1000	/* who runs answers within a few of them */

static void await(unsigned int self, uint32_t others, enum shoot_way way)
{
	uint32_t *awaited = &shoot_cpu[self].awaited, v;
	uint64_t from = sysreg_read(cntvct_el0);
	unsigned int spins = 0;

	for (;;) {
		asm volatile("ldaxr %w0, [%1]" : "=r"(v) : "r"(awaited) : "memory");
		if (!v)
			break;
		if (way == SHOOT_IPI_WFE)
			asm volatile("wfe" : : : "memory");
		else if (way == SHOOT_IPI_YIELD && ++spins > SPINS)
			yield_to_one(self, others);
		else
			asm volatile("yield" : : : "memory");
	}
	shoot_cpu[self].waited += sysreg_read(cntvct_el0) - from;
}

static void broadcast(uint64_t va, unsigned int pages)
{
	for (; pages--; va += 4096)
		asm volatile("tlbi vale1is, %0" : : "r"(va >> 12) : "memory");
	asm volatile("dsb ish; isb" : : : "memory");
}

void shoot(enum shoot_way way, unsigned int nr_vcpus, uint64_t va, unsigned int pages)
{
	unsigned int self = guest_cpu();
	uint32_t others = ((nr_vcpus == 32 ? 0 : 1u << nr_vcpus) - 1) & ~(1u << self);
	uint64_t from;

	tern_changed_tables();
	switch (way) {
	case SHOOT_BROADCAST:
		broadcast(va, pages);
		return;
	case SHOOT_CALL:
		from = sysreg_read(cntvct_el0);
		CHECK_EQ(tern_flush(TERN_FLUSH_VM | TERN_FLUSH_EVERY, 0, 0, 0, 0, 0), 0);
		shoot_cpu[self].waited += sysreg_read(cntvct_el0) - from;
		return;
	case SHOOT_RECORD:
		others = running(self, others);
		break;
	default:
		break;
	}
	if (others)
		ask(self, others);
	forget();
	if (others)
		await(self, others, way);
}

void shoot_init(enum shoot_way way)
{
	gic_enable(SHOOT_SGI, 0xa0);
	guest_on_irq = on_sgi;
	if (way == SHOOT_RECORD || way == SHOOT_IPI_YIELD)
		CHECK_EQ(tern_record_set((uintptr_t)&shoot_record[guest_cpu()], NULL), 0);
	irq_enable();
}
