// SPDX-License-Identifier: GPL-2.0
#include "../gic.h"

GUEST_TEST_WITH("six vCPUs with FP, timers, SGIs and every exit at once mix up nothing",
		.vcpus = 6);

#define VCPUS	6
#define ROUNDS	300
#define SGI	9

struct own {
	unsigned int ticks, sgis, rounds;
} __attribute__((aligned(64)));

static volatile struct own own[VCPUS];
static volatile unsigned int finished;

static unsigned int self(void)
{
	return sysreg_read(mpidr_el1) & 0xff;
}

static void on_irq(struct guest_frame *frame)
{
	unsigned int intid = gic_ack(), cpu = self();

	(void)frame;
	CHECK_EQ(sysreg_read(tpidr_el1), 0x7000 + cpu);
	if (intid == PPI_VTIMER) {
		own[cpu].ticks++;
		sysreg_write(cntv_tval_el0, guest_ticks(300 + 50 * cpu));
		isb();
	} else if (intid == SGI) {
		own[cpu].sgis++;
	} else {
		CHECK_EQ(intid, GIC_SPURIOUS);
		return;
	}
	gic_eoi(intid);
}

static void fp_fill(uint64_t v)
{
	asm volatile(
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
		"23,24,25,26,27,28,29,30,31\n"
	"dup v\\n\\().2d, %0\n"
	"add %0, %0, #1\n"
	".endr\n"
	: "+r"(v));
}

/* The sum over all of what differs from fp_fill(v): zero when all are right. */
static uint64_t fp_wrong(uint64_t v)
{
	uint64_t wrong = 0;

	asm volatile(
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"
		"23,24,25,26,27,28,29,30,31\n"
	"mov x9, v\\n\\().d[0]\n"
	"mov x10, v\\n\\().d[1]\n"
	"eor x9, x9, %1\n"
	"eor x10, x10, %1\n"
	"orr %0, %0, x9\n"
	"orr %0, %0, x10\n"
	"add %1, %1, #1\n"
	".endr\n"
	: "+r"(wrong), "+r"(v) : : "x9", "x10");
	return wrong;
}

static void some_exit(unsigned int round, unsigned int cpu)
{
	switch ((round + cpu) % 8) {
	case 0:
		db_write(DB_DISTURB, 0);
		break;
	case 1:
		CHECK_EQ(mmio_read32(GUEST_HOLE), 0x83828180);
		break;
	case 2:
		gic_sgi(SGI, (cpu + 1) % VCPUS);
		break;
	case 3:
		wfi();
		break;
	case 4:
		CHECK(guest_hvc(PSCI_VERSION, 0, 0, 0).x0 >= 0x10000);
		break;
	case 5:
		CHECK(sysreg_read(id_aa64pfr0_el1) & 0xf);
		break;
	case 6:
		CHECK_EQ(mmio_read64(gic_redist() + GICR_TYPER) >> 32, cpu);
		break;
	case 7:
		guest_delay(100);
		break;
	}
}

static void busy(void)
{
	unsigned int cpu = self(), round;
	uint64_t seed;

	sysreg_write(tpidr_el0, 0x5000 + cpu);
	sysreg_write(tpidr_el1, 0x7000 + cpu);
	gic_enable(SGI, 0x80);
	gic_enable(PPI_VTIMER, 0xa0);
	sysreg_write(cntv_tval_el0, guest_ticks(300));
	sysreg_write(cntv_ctl_el0, 1);
	isb();
	irq_enable();
	for (round = 0; round < ROUNDS; round++) {
		seed = 0x0101010101010101 * cpu + 1000 * round;
		fp_fill(seed);
		some_exit(round, cpu);
		CHECK_EQ(fp_wrong(seed), 0);
		CHECK_EQ(sysreg_read(tpidr_el0), 0x5000 + cpu);
		CHECK_EQ(self(), cpu);
	}
	WAIT_FOR(own[cpu].ticks);
	WAIT_FOR(own[cpu].sgis);
	irq_disable();
	sysreg_write(cntv_ctl_el0, 0);
	isb();
}

static void other(void)
{
	gic_init_cpu();
	busy();
	__atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
}

void guest_main(void)
{
	unsigned int i;

	gic_init();
	guest_on_irq = on_irq;
	for (i = 1; i < VCPUS; i++)
		guest_cpu_on(i, other);
	busy();
	for (i = 0; i < 4 && finished != VCPUS - 1; i++)
		db_write(DB_SLEEP, 1000000);
	WAIT_FOR(finished == VCPUS - 1);
}
