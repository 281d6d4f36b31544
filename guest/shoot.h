/* SPDX-License-Identifier: GPL-2.0 */
/* Making other vCPUs forget translations: the ways there are. */
#ifndef TERN_GUEST_SHOOT_H
#define TERN_GUEST_SHOOT_H

#include "gic.h"
#include "tern_guest.h"

/* The ways: what the client asks for (DB_BATCH) */
enum shoot_way {
	SHOOT_IPI,		/* interrupt all others, and wait */
	SHOOT_RECORD,		/* those that run; others flush before they do */
	SHOOT_CALL,		/* the hypervisor does it */
	SHOOT_BROADCAST,	/* TLBI to the inner shareable domain */
	SHOOT_IPI_WFE,		/* SHOOT_IPI, waiting by WFE */
	SHOOT_IPI_YIELD,	/* SHOOT_IPI, yielding to those that were preempted */
	SHOOT_WAYS,
};

/* The others' requests come by this SGI. */
#define SHOOT_SGI	1

/* How long this vCPU has waited for others, in ticks, and how often it asked */
struct shoot_cpu {
	uint32_t inbox;			/* vCPUs that wait for this one, as bits */
	uint32_t awaited;		/* answers that this one waits for */
	uint64_t waited;
	uint64_t asked;			/* interrupts sent, one for each vCPU */
	uint64_t later;			/* left in a record */
} __attribute__((aligned(64)));

extern struct shoot_cpu shoot_cpu[GUEST_MAX_VCPUS];
extern struct tern_record shoot_record[GUEST_MAX_VCPUS];

/* on each vCPU once, after the GIC's part; interrupts are enabled afterwards */
void shoot_init(enum shoot_way way);
/* the table entries of @pages pages from @va on, in every vCPU's TLB, are gone when it returns */
void shoot(enum shoot_way way, unsigned int nr_vcpus, uint64_t va, unsigned int pages);

#endif
