/* SPDX-License-Identifier: GPL-2.0 */
/* What a bare-metal guest is written with. */
#ifndef TERN_GUEST_GUEST_H
#define TERN_GUEST_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image.h"

/* The first word branches over the header to start.S. */
#define GUEST_IMAGE(_title, _kind, ...)					\
	const struct guest_header guest_header				\
	__attribute__((section(".header"), used)) = {			\
		.branch = 0x14000000 | sizeof(struct guest_header) / 4,	\
		.magic = GUEST_MAGIC, .kind = _kind, .title = _title,	\
		__VA_ARGS__						\
	}
#define GUEST_TEST(title)	GUEST_IMAGE(title, GUEST_KIND_TEST, .vcpus = 1)
#define GUEST_TEST_WITH(title, ...)					\
	GUEST_IMAGE(title, GUEST_KIND_TEST, __VA_ARGS__)
#define GUEST_BENCH(title)	GUEST_IMAGE(title, GUEST_KIND_BENCH, .vcpus = 1)
#define GUEST_BENCH_WITH(title, ...)					\
	GUEST_IMAGE(title, GUEST_KIND_BENCH, __VA_ARGS__)

#define GUEST_STRING(name)	#name
#define sysreg_read(name) ({						\
	uint64_t _v;							\
	asm volatile("mrs %0, " GUEST_STRING(name) : "=r"(_v) : : "memory"); \
	_v; })
#define sysreg_write(name, value)					\
	asm volatile("msr " GUEST_STRING(name) ", %x0" : : "rZ"((uint64_t)(value)) : "memory")
#define isb()		asm volatile("isb" : : : "memory")
#define dsb()		asm volatile("dsb sy" : : : "memory")
#define irq_enable()	asm volatile("msr daifclr, #2" : : : "memory")
#define irq_disable()	asm volatile("msr daifset, #2" : : : "memory")
#define wfi()		asm volatile("dsb sy; wfi" : : : "memory")

/* Always the plain addressing form, so that each has a syndrome. */
static inline uint64_t mmio_read64(uint64_t addr)
{
	uint64_t v;

	asm volatile("ldr %0, [%1]" : "=r"(v) : "r"(addr) : "memory");
	return v;
}

static inline uint32_t mmio_read32(uint64_t addr)
{
	uint32_t v;

	asm volatile("ldr %w0, [%1]" : "=r"(v) : "r"(addr) : "memory");
	return v;
}

static inline uint8_t mmio_read8(uint64_t addr)
{
	uint32_t v;

	asm volatile("ldrb %w0, [%1]" : "=r"(v) : "r"(addr) : "memory");
	return v;
}

static inline void mmio_write64(uint64_t addr, uint64_t v)
{
	asm volatile("str %x0, [%1]" : : "rZ"(v), "r"(addr) : "memory");
}

static inline void mmio_write32(uint64_t addr, uint32_t v)
{
	asm volatile("str %w0, [%1]" : : "rZ"(v), "r"(addr) : "memory");
}

static inline void mmio_write8(uint64_t addr, uint8_t v)
{
	asm volatile("strb %w0, [%1]" : : "r"(v), "r"(addr) : "memory");
}

static inline uint64_t db_read(unsigned int reg)
{
	return mmio_read64(GUEST_DOORBELL + reg);
}

static inline void db_write(unsigned int reg, uint64_t v)
{
	mmio_write64(GUEST_DOORBELL + reg, v);
}

struct guest_frame {
	uint64_t x[31];
	uint64_t pc;
	uint64_t pstate;
};

/* Written by each guest. */
void guest_main(void);

/* What happens on an exception; NULL: the test fails and reports it. */
extern void (*volatile guest_on_sync)(struct guest_frame *frame);
extern void (*volatile guest_on_irq)(struct guest_frame *frame);

/* Level 1 of the identity map, 1 GB an entry; 512 of them are walked. */
extern uint64_t guest_map[512];
#define MAP_BLOCK	0x401		/* valid, accessed */
#define MAP_TABLE	0x3
#define MAP_NORMAL	(0 << 2 | 3 << 8)
#define MAP_DEVICE	(1 << 2)
void guest_map_set(unsigned int entry, uint64_t value);

void __attribute__((noreturn)) guest_finish(uint64_t status);
void guest_say(const char *text, uint64_t value);
void __attribute__((noreturn)) guest_fail(const char *text, int line,
					  uint64_t got, uint64_t want);

#define CHECK(cond) do {						\
	if (!(cond))							\
		guest_fail("not so: " #cond, __LINE__, 0, 1);		\
} while (0)
#define CHECK_EQ(got, want) do {					\
	uint64_t _g = (uint64_t)(got), _w = (uint64_t)(want);		\
	if (_g != _w)							\
		guest_fail(#got " is not " #want, __LINE__, _g, _w);	\
} while (0)

/* Ends the test when cond does not come true within seconds. */
#define WAIT_FOR(cond) do {						\
	uint64_t _end = guest_deadline();				\
	while (!(cond))							\
		if (sysreg_read(cntvct_el0) > _end)			\
			guest_fail("never came: " #cond, __LINE__, 0, 1); \
} while (0)
uint64_t guest_deadline(void);
/* busy for so many microseconds of the virtual counter */
void guest_delay(unsigned int us);
static inline uint64_t guest_ticks(uint64_t us)
{
	return us * sysreg_read(cntfrq_el0) / 1000000;
}

/*
 * Exceptions that a test provokes: guest_catch() makes the next synchronous
 * one continue at the instruction after it, and guest_caught() gives its
 * ESR_EL1, or 0 when none came.
 */
void guest_catch(void);
uint64_t guest_caught(void);
extern volatile uint64_t guest_caught_far;
#define ESR_EC(esr)	((esr) >> 26 & 0x3f)
#define ESR_IL(esr)	((esr) >> 25 & 1)
#define ESR_FSC(esr)	((esr) & 0x3f)
#define EC_UNKNOWN	0x00
#define EC_IABT_CUR	0x21
#define EC_DABT_CUR	0x25
#define FSC_EXTERNAL	0x10	/* synchronous external abort */

/* SMCCC and PSCI */
struct smccc_result {
	uint64_t x0, x1, x2, x3;
};
struct smccc_result guest_hvc(uint64_t fn, uint64_t a1, uint64_t a2,
			      uint64_t a3);
struct smccc_result guest_smc(uint64_t fn);

#define PSCI_VERSION		0x84000000
#define PSCI_CPU_SUSPEND	0xc4000001
#define PSCI_CPU_OFF		0x84000002
#define PSCI_CPU_ON		0xc4000003
#define PSCI_AFFINITY_INFO	0xc4000004
#define PSCI_MIGRATE_INFO_TYPE	0x84000006
#define PSCI_SYSTEM_OFF		0x84000008
#define PSCI_SYSTEM_RESET	0x84000009
#define PSCI_FEATURES		0x8400000a
#define PSCI_SYSTEM_SUSPEND	0xc400000e
#define PSCI_SYSTEM_RESET2	0xc4000012
#define SMCCC_VERSION		0x80000000
#define SMCCC_ARCH_FEATURES	0x80000001
#define SMCCC_ARCH_WORKAROUND_1	0x80008000
#define SMCCC_ARCH_WORKAROUND_2	0x80007fff
#define SMCCC_ARCH_WORKAROUND_3	0x80003fff
#define TRNG_VERSION		0x84000050
#define TRNG_FEATURES		0x84000051
#define TRNG_GET_UUID		0x84000052
#define TRNG_RND32		0x84000053
#define TRNG_RND64		0xc4000053

#define SMCCC_NOT_SUPPORTED	(~0ull)
#define PSCI_INVALID_PARAMS	(~1ull)
#define PSCI_ALREADY_ON		(~3ull)

/* This vCPU's number: sixteen share an Aff1 (KVM's MPIDR_EL1). */
static inline unsigned int guest_cpu(void)
{
	uint64_t mpidr = sysreg_read(mpidr_el1);

	return (mpidr & 0xf) | (mpidr >> 8 & 0xff) << 4;
}

/* starts vCPU n in fn on its own stack; it is off again when fn returns */
void guest_cpu_on(unsigned int n, void (*fn)(void));
extern char guest_secondary[];

/*
 * One measurement. A trace of the emulator can be cut at it: before and after
 * a batch the virtual timer's compare value, which no hypervisor needs to trap
 * and which is off, is written a number that the client gave.
 *
 * fn does so many iterations and returns counter ticks.
 */
void guest_bench(uint64_t (*fn)(uint64_t iterations));

/*
 * The loop of a benchmark. body is assembly, and may name operands [in0] and
 * [in1]; what it changes is listed after it.
 */
#define BENCH_LOOP(n, in0_, in1_, body, ...) ({				\
	uint64_t _n = (n), _a, _b;					\
	asm volatile(							\
	"	isb\n"							\
	"	mrs	%[a], cntvct_el0\n"				\
	"1:\n" body							\
	"	subs	%[n], %[n], #1\n"				\
	"	b.ne	1b\n"						\
	"	isb\n"							\
	"	mrs	%[b], cntvct_el0\n"				\
	: [n] "+&r"(_n), [a] "=&r"(_a), [b] "=&r"(_b)			\
	: [in0] "r"((uint64_t)(in0_)), [in1] "r"((uint64_t)(in1_))	\
	: "cc", "memory", ##__VA_ARGS__);				\
	_b - _a; })

#endif
