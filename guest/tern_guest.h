/* SPDX-License-Identifier: MIT */
/*
 * For operating systems that run as guests of tern: which of my CPUs run, and
 * flushing the TLBs of others without waiting for those that do not.
 *
 * Freestanding C for arm64, nothing but <stdint.h>. All of it does nothing, and
 * says so, where the hypervisor is another one; a guest that was moved there
 * by live migration is right, too, as long as it does what is said here about
 * failures. tern_guest(7) tells the whole interface.
 *
 * Before the first call a guest knows (by device tree or ACPI) that PSCI is
 * reached by HVC, and (by PSCI_FEATURES and SMCCC_VERSION) that SMCCC is 1.1 or
 * later.
 *
 * How an operating system flushes the TLBs of a set of its CPUs:
 *
 *	change the translation tables
 *	tern_changed_tables()
 *	for each other CPU of the set:
 *		if (!tern_flush_later(&record[cpu]))
 *			add it to those that get an interrupt
 *	send the interrupts, flush this CPU's own TLB, wait for the others
 *
 * or it lets the hypervisor do all of it, by tern_flush().
 */
#ifndef TERN_GUEST_H
#define TERN_GUEST_H

#ifdef __KERNEL__
#include <linux/types.h>	/* Linux has the same names there */
#else
#include <stdint.h>
#endif

/* Calls: SMCCC, vendor-specific hypervisor service, SMC64 */
#define TERN_GUEST_FEATURES	0xc6005400u
#define TERN_GUEST_RECORD	0xc6005401u
#define TERN_GUEST_FLUSH	0xc6005402u
#define TERN_GUEST_YIELD	0xc6005403u

/* tern_features() */
#define TERN_HAS_RECORD		(1u << 0)
#define TERN_HAS_FLUSH		(1u << 1)
#define TERN_HAS_YIELD		(1u << 2)

#define TERN_UID0		0x4a1c9e0d6e726574ull
#define TERN_UID1		0x31b5f27c86d3a0e9ull

#define TERN_NO_RECORD		(~0ull)
#define TERN_INVALID		(-3)	/* an argument is wrong, and nothing was done */
#define TERN_NOT_SUPPORTED	(-1)	/* another hypervisor, or not offered any more */

/* A CPU's record. The host writes @state, atomically; the rest stays 0. */
struct tern_record {
	uint32_t state;
	uint32_t reserved[15];
} __attribute__((aligned(64)));

#define TERN_PREEMPTED		(1u << 0)	/* the CPU does not run */
#define TERN_FLUSH_TLB		(1u << 1)	/* it flushes its TLB before it runs */

/* tern_flush(): what, and how */
#define TERN_FLUSH_VM		0u		/* every entry */
#define TERN_FLUSH_ASID		1u		/* those of one ASID */
#define TERN_FLUSH_RANGE	2u		/* those of an address range, in one ASID and global */
#define TERN_FLUSH_LEAF		(1u << 8)	/* the range's last-level entries alone */
#define TERN_FLUSH_STAGE2	(1u << 9)	/* the hypervisor's own entries as well */
#define TERN_FLUSH_EVERY	(1u << 10)	/* all CPUs, the caller's included: @first and @mask are 0 */

struct tern_result {
	uint64_t x0, x1, x2;
};

static inline struct tern_result tern_call(uint64_t fn, uint64_t a1, uint64_t a2, uint64_t a3,
					   uint64_t a4, uint64_t a5)
{
	register uint64_t x0 __asm__("x0") = fn;
	register uint64_t x1 __asm__("x1") = a1;
	register uint64_t x2 __asm__("x2") = a2;
	register uint64_t x3 __asm__("x3") = a3;
	register uint64_t x4 __asm__("x4") = a4;
	register uint64_t x5 __asm__("x5") = a5;

	/* x4 to x17 survive since SMCCC 1.1, which has the arguments among them. */
	__asm__ volatile("hvc #0"
			 : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
			 : "r"(x4), "r"(x5)
			 : "memory");
	return (struct tern_result){ x0, x1, x2 };
}

/* What is offered: TERN_HAS_x, or 0 when this is not tern. */
static inline uint32_t tern_features(void)
{
	struct tern_result r = tern_call(TERN_GUEST_FEATURES, 0, 0, 0, 0, 0);

	if ((int64_t)r.x0 < 0 || r.x1 != TERN_UID0 || r.x2 != TERN_UID1)
		return 0;
	return (uint32_t)r.x0;
}

/*
 * The calling CPU's record is at guest-physical address @pa from now on, or
 * nowhere (TERN_NO_RECORD). The memory is ordinary, write-back cacheable and
 * belongs to the record until it is taken away; so it is, by the hypervisor, when
 * the CPU is switched off (CPU_OFF) or reset. Each CPU has an address of its own.
 *
 * @number: the CPU's number among tern_flush()'s
 * Gives 0, TERN_INVALID or TERN_NOT_SUPPORTED.
 */
static inline int tern_record_set(uint64_t pa, uint32_t *number)
{
	struct tern_result r = tern_call(TERN_GUEST_RECORD, pa, 0, 0, 0, 0);

	if (number && !r.x0)
		*number = (uint32_t)r.x1;
	return (int)(int64_t)r.x0;
}

/* A hint for who would wait for that CPU; it may be wrong as soon as it is given. */
static inline int tern_preempted(const struct tern_record *r)
{
	return __atomic_load_n(&r->state, __ATOMIC_RELAXED) & TERN_PREEMPTED;
}

/* Before tern_flush_later(): the table entries are visible to every CPU's table walks. */
static inline void tern_changed_tables(void)
{
	__asm__ volatile("dsb ishst" ::: "memory");
}

/*
 * The CPU of this record flushes all of its TLB before it runs again: 1. Or it
 * runs, as far as is known: 0, and it needs an interrupt.
 */
static inline int tern_flush_later(struct tern_record *r)
{
	uint32_t state = __atomic_load_n(&r->state, __ATOMIC_RELAXED);

	if (!(state & TERN_PREEMPTED))
		return 0;
	/* Set already: it may have been by someone whose flush comes too early for this one. */
	return __atomic_compare_exchange_n(&r->state, &state, state | TERN_FLUSH_TLB, 0,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/*
 * No CPU that is meant uses an entry that is out of date by now, once this
 * returns 0. Waits for none that does not run.
 *
 * @how:   one of TERN_FLUSH_VM, _ASID, _RANGE, and flags
 * @first: the number of the CPU that bit 0 of @mask means, a multiple of 64
 * @mask:  CPUs by number (tern_record_set()); the caller's own may be among them
 * @va, @pages: the range, for TERN_FLUSH_RANGE: @pages of 4096 bytes
 * @asid:  for _ASID and _RANGE
 *
 * Anything but 0 means that nothing was flushed: the guest does it itself.
 */
static inline int tern_flush(uint32_t how, uint32_t first, uint64_t mask, uint64_t va, uint64_t pages,
			     uint32_t asid)
{
	tern_changed_tables();
	return (int)(int64_t)tern_call(TERN_GUEST_FLUSH, how | (uint64_t)first << 32, mask, va, pages,
				       asid).x0;
}

/*
 * The caller waits for CPU @number, whose record says that it was preempted: if
 * it is ready to run it gets the caller's time. Worth while for who waits for
 * an answer that only that CPU can give.
 */
static inline int tern_yield(uint32_t number)
{
	return (int)(int64_t)tern_call(TERN_GUEST_YIELD, number, 0, 0, 0, 0).x0;
}

#endif
