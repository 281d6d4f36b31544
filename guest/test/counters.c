// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("the counters run on, the same distance apart on every vCPU and CPU",
		.vcpus = 2);

static volatile uint64_t other_offset;
static volatile bool done;

/* Both as close together as the least of some readings can tell. */
static uint64_t offset(void)
{
	uint64_t v, p, w, best = ~0ull, offset = 0;
	unsigned int i;

	for (i = 0; i < 32; i++) {
		isb();
		v = sysreg_read(cntvct_el0);
		isb();
		p = sysreg_read(cntpct_el0);
		isb();
		w = sysreg_read(cntvct_el0);
		CHECK(w >= v);
		if (w - v < best) {
			best = w - v;
			offset = p - v;
		}
	}
	return offset;
}

static bool near(uint64_t a, uint64_t b)
{
	uint64_t slack = guest_ticks(1000);

	return a - b + slack <= 2 * slack;
}

static void other(void)
{
	other_offset = offset();
	done = true;
}

void guest_main(void)
{
	uint64_t first = offset(), last = 0, now;
	unsigned int i;

	/* A machine's virtual time begins when it does: minutes at most ago. */
	CHECK(sysreg_read(cntvct_el0) < guest_ticks(300000000));
	guest_cpu_on(1, other);
	WAIT_FOR(done);
	CHECK(near(other_offset, first));
	for (i = 0; i < 40; i++) {
		db_write(i % 2 ? DB_DISTURB : DB_ECHO, i);
		now = sysreg_read(cntvct_el0);
		CHECK(now >= last);
		last = now;
		CHECK(near(offset(), first));
	}
	/* It does not stand still while the guest is out. */
	now = sysreg_read(cntvct_el0);
	db_write(DB_SLEEP, 20000);
	CHECK(sysreg_read(cntvct_el0) - now >= guest_ticks(20000));
}
