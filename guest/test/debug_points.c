// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST("a guest's own breakpoints and watchpoints, all that it has");

#define MDSCR_KDE	(1u << 13)
#define MDSCR_MDE	(1u << 15)
#define DAIF_D		8
#define EC_BREAK_CUR	0x31
#define EC_WATCH_CUR	0x35
/* DBGBCR: enabled, at EL1, four bytes; DBGWCR: the same, loads or stores, eight bytes */
#define BCR_EL1		(1u | 1u << 1 | 0xfu << 5)
#define WCR_EL1(lsc)	(1u | 1u << 1 | (lsc) << 3 | 0xffu << 5)
#define LOADS		1u
#define STORES		2u

#define EACH(x)								\
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)				\
	x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15)

static void set_break(unsigned int n, uint64_t value, uint64_t control)
{
	switch (n) {
#define SET(i) case i:							\
		sysreg_write(dbgbvr##i##_el1, value);			\
		sysreg_write(dbgbcr##i##_el1, control);			\
		break;
	EACH(SET)
#undef SET
	}
	isb();
}

static void set_watch(unsigned int n, uint64_t value, uint64_t control)
{
	switch (n) {
#define SET(i) case i:							\
		sysreg_write(dbgwvr##i##_el1, value);			\
		sysreg_write(dbgwcr##i##_el1, control);			\
		break;
	EACH(SET)
#undef SET
	}
	isb();
}

static volatile uint64_t hits, hit_class, hit_pc, hit_far;

/* Debug exceptions stay masked from here on, so that the instruction is done. */
static void on_debug(struct guest_frame *frame)
{
	hits++;
	hit_class = ESR_EC(sysreg_read(esr_el1));
	hit_pc = frame->pc;
	hit_far = sysreg_read(far_el1);
	frame->pstate |= 1u << 9;
}

#define WITH_DEBUG(code) do {						\
	hits = 0;							\
	guest_on_sync = on_debug;					\
	asm volatile("msr daifclr, %0; isb" : : "i"(DAIF_D) : "memory"); \
	code;								\
	asm volatile("msr daifset, %0; isb" : : "i"(DAIF_D) : "memory"); \
	guest_on_sync = NULL;						\
} while (0)

static void __attribute__((noinline, noclone)) target(void)
{
	asm volatile("nop" : : : "memory");
}

static volatile uint64_t watched[4];

static void check_break(unsigned int n)
{
	set_break(n, (uintptr_t)target, BCR_EL1);
	WITH_DEBUG(target());
	CHECK_EQ(hits, 1);
	CHECK_EQ(hit_class, EC_BREAK_CUR);
	CHECK_EQ(hit_pc, (uintptr_t)target);
	set_break(n, (uintptr_t)target, 0);
	WITH_DEBUG(target());
	CHECK_EQ(hits, 0);
}

static void check_watch(unsigned int n)
{
	set_watch(n, (uintptr_t)&watched[1], WCR_EL1(STORES));
	WITH_DEBUG(watched[1] = n);
	CHECK_EQ(hits, 1);
	CHECK_EQ(hit_class, EC_WATCH_CUR);
	CHECK_EQ(hit_far, (uintptr_t)&watched[1]);
	WITH_DEBUG(watched[0] = watched[2] = watched[1]);
	CHECK_EQ(hits, 0);
	set_watch(n, (uintptr_t)&watched[1], WCR_EL1(LOADS));
	WITH_DEBUG((void)watched[1]);
	CHECK_EQ(hits, 1);
	WITH_DEBUG(watched[1] = 0);
	CHECK_EQ(hits, 0);
	set_watch(n, 0, 0);
}

/* They last through exits, other work on this CPU, and a change of CPU. */
static void check_lasting(void)
{
	unsigned int i;

	set_break(1, (uintptr_t)target, BCR_EL1);
	for (i = 0; i < 5; i++) {
		db_write(DB_DISTURB, 0);
		db_write(DB_SLEEP, 1000);
		guest_hvc(PSCI_FEATURES, PSCI_VERSION, 0, 0);
		WITH_DEBUG(target());
		CHECK_EQ(hits, 1);
		CHECK_EQ(sysreg_read(dbgbvr1_el1), (uintptr_t)target);
	}
	/* and not through the OS lock, or without MDE (Arm ARM D2.4, D2.9) */
	sysreg_write(oslar_el1, 1);
	isb();
	WITH_DEBUG(target());
	CHECK_EQ(hits, 0);
	sysreg_write(oslar_el1, 0);
	sysreg_write(mdscr_el1, MDSCR_KDE);
	isb();
	WITH_DEBUG(target());
	CHECK_EQ(hits, 0);
	sysreg_write(mdscr_el1, MDSCR_KDE | MDSCR_MDE);
	isb();
	WITH_DEBUG(target());
	CHECK_EQ(hits, 1);
	set_break(1, 0, 0);
}

void guest_main(void)
{
	uint64_t dfr0 = sysreg_read(id_aa64dfr0_el1);
	unsigned int i;

	sysreg_write(oslar_el1, 0);
	sysreg_write(mdscr_el1, MDSCR_KDE | MDSCR_MDE);
	isb();
	for (i = 0; i <= (dfr0 >> 12 & 0xf); i++)
		check_break(i);
	for (i = 0; i <= (dfr0 >> 20 & 0xf); i++)
		check_watch(i);
	check_lasting();
	sysreg_write(mdscr_el1, 0);
}
