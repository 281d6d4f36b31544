// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("SVE registers of all lengths survive exits to userspace and a change of CPU",
		.vcpus = 2, .needs = GUEST_NEEDS_SVE);

#define CPACR_FP_SVE	(3ull << 20 | 3ull << 16)
#define ZCR_EL1		s3_0_c1_c2_0
#define MAX_BYTES	256

#define EACH_Z(x)							\
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)	\
	x(12) x(13) x(14) x(15) x(16) x(17) x(18) x(19) x(20) x(21)	\
	x(22) x(23) x(24) x(25) x(26) x(27) x(28) x(29) x(30) x(31)
#define EACH_P(x)							\
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)	\
	x(12) x(13) x(14) x(15)

#define LOAD_Z(n)	"ldr z" #n ", [%0, #" #n ", mul vl]\n"
#define STORE_Z(n)	"str z" #n ", [%0, #" #n ", mul vl]\n"
#define LOAD_P(n)	"ldr p" #n ", [%1, #" #n ", mul vl]\n"
#define STORE_P(n)	"str p" #n ", [%1, #" #n ", mul vl]\n"

/* One vCPU's registers, as long as vectors are now: Z, then P, then FFR */
struct sve {
	unsigned char z[32 * MAX_BYTES] __attribute__((aligned(16)));
	unsigned char p[17 * MAX_BYTES / 8] __attribute__((aligned(16)));
};

static struct sve want[2], got[2];

static unsigned int vector_bytes(void)
{
	uint64_t bytes;

	asm volatile("rdvl %0, #1" : "=r"(bytes));
	return bytes;
}

static void sve_load(const struct sve *s)
{
	asm volatile(EACH_Z(LOAD_Z)
		     "ldr p0, [%1, #16, mul vl]\n"
		     "wrffr p0.b\n"
		     EACH_P(LOAD_P)
		     : : "r"(s->z), "r"(s->p) : "memory");
}

static void sve_store(struct sve *s)
{
	asm volatile(EACH_Z(STORE_Z)
		     EACH_P(STORE_P)
		     "rdffr p0.b\n"
		     "str p0, [%1, #16, mul vl]\n"
		     : : "r"(s->z), "r"(s->p) : "memory");
}

/* FFR holds true elements, then false ones (Arm ARM, WRFFR) */
static void fill(struct sve *s, unsigned int bytes, unsigned int seed)
{
	unsigned int i, first = seed % (bytes + 1);

	for (i = 0; i < 32 * bytes; i++)
		s->z[i] = seed + 7 * i + (i >> 8);
	for (i = 0; i < 16 * bytes / 8; i++)
		s->p[i] = seed ^ (11 * i);
	for (i = 0; i < bytes / 8; i++, first -= first < 8 ? first : 8)
		s->p[16 * bytes / 8 + i] = first < 8 ? (1u << first) - 1 : 0xff;
}

static void compare(const struct sve *a, const struct sve *b, unsigned int bytes)
{
	unsigned int i;

	for (i = 0; i < 32 * bytes; i++)
		CHECK_EQ(a->z[i], b->z[i]);
	for (i = 0; i < 17 * bytes / 8; i++)
		CHECK_EQ(a->p[i], b->p[i]);
}

static void disturb(unsigned int round)
{
	switch (round % 3) {
	case 0:
		db_write(DB_DISTURB, 0);
		break;
	case 1:
		db_write(DB_SLEEP, 1000);
		break;
	case 2:
		guest_hvc(PSCI_VERSION, 0, 0, 0);
		break;
	}
}

/* ZCR_EL1.LEN asks for @units * 128 bits and gets what there is. */
static void set_length(unsigned int units)
{
	sysreg_write(ZCR_EL1, units - 1);
	isb();
}

static void all_lengths(unsigned int vcpu)
{
	unsigned int units, bytes, round = vcpu;

	for (units = 16; units; units = bytes / 16 - 1, round++) {
		set_length(units);
		bytes = vector_bytes();
		CHECK(bytes && bytes <= 16 * units && bytes % 16 == 0);
		fill(&want[vcpu], bytes, 31 * round + vcpu);
		sve_load(&want[vcpu]);
		disturb(round);
		CHECK_EQ(vector_bytes(), bytes);
		sve_store(&got[vcpu]);
		compare(&got[vcpu], &want[vcpu], bytes);
		CHECK_EQ(sysreg_read(ZCR_EL1), units - 1);
	}
}

static void use_sve(unsigned int vcpu)
{
	unsigned int i;

	CHECK_EQ(sysreg_read(id_aa64pfr0_el1) >> 32 & 0xf, 1);
	sysreg_write(cpacr_el1, CPACR_FP_SVE);
	isb();
	for (i = 0; i < 4; i++)
		all_lengths(vcpu);
}

/* A write to Vn clears the rest of Zn; an exit in between changes nothing of that. */
static void v_within_z(void)
{
	static unsigned char z[MAX_BYTES] __attribute__((aligned(16)));
	unsigned int i, bytes;

	set_length(16);
	bytes = vector_bytes();
	asm volatile("mov z3.b, #-1\n" : : : "memory");
	db_write(DB_DISTURB, 0);
	asm volatile("fmov d3, %0\n" : : "r"(0x1122334455667788ull));
	db_write(DB_DISTURB, 0);
	asm volatile("str z3, [%0]\n" : : "r"(z) : "memory");
	CHECK_EQ(*(uint64_t *)z, 0x1122334455667788ull);
	for (i = 8; i < bytes; i++)
		CHECK_EQ(z[i], 0);
}

static volatile bool done;

static void second(void)
{
	use_sve(1);
	done = true;
	for (;;)
		wfi();
}

void guest_main(void)
{
	guest_cpu_on(1, second);
	use_sve(0);
	v_within_z();
	while (!done)
		db_write(DB_SLEEP, 500);
}
