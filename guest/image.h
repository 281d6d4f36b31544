/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a bare-metal guest and the client that runs it agree on: the machine,
 * the doorbell (registers that exit to the client) and the header by which
 * every image says what it needs and how it ends. Numbers only: assembly
 * includes it too.
 */
#ifndef TERN_GUEST_IMAGE_H
#define TERN_GUEST_IMAGE_H

#define GUEST_GICD_BASE		0x08000000
#define GUEST_GICR_BASE		0x080a0000
#define GUEST_DOORBELL		0x09000000
#define GUEST_RAM_BASE		0x40000000
#define GUEST_RAM_SIZE		0x00400000
#define GUEST_ROM_BASE		0x50000000	/* a read-only slot */
#define GUEST_ROM_SIZE		0x00010000
#define GUEST_HOLE		0x60000000	/* nothing is ever here */
#define GUEST_IRQS		96
#define GUEST_STACK_SIZE	0x4000

#define GUEST_MAGIC		0x6e726574
#define GUEST_MAX_VCPUS		32

/* Doorbell registers, 8 bytes apart. A read of one not named here gives 0. */
#define DB_DONE		0x00	/* W: finished; 0 is a pass */
#define DB_TEXT		0x08	/* W: address of a string for the report */
#define DB_VALUE	0x10	/* W: a number for the report */
#define DB_SPI_HIGH	0x18	/* W: raise this wired interrupt */
#define DB_SPI_LOW	0x20	/* W: lower it */
#define DB_PPI_HIGH	0x28	/* W: raise this private interrupt of the vCPU */
#define DB_PPI_LOW	0x30	/* W: lower it */
#define DB_DISTURB	0x38	/* W: spoil host FP registers, change host CPU */
#define DB_SLEEP	0x40	/* W: sleep so many microseconds */
#define DB_SAMPLE	0x48	/* W: counter ticks of one batch */
#define DB_BATCH	0x50	/* R: iterations of a batch */
#define DB_BATCHES	0x58	/* R: how many batches */
#define DB_ECHO		0x60	/* RW: reads as it was last written */
#define DB_FEATURES	0x68	/* R: GUEST_NEEDS_x the vCPUs have */
#define DB_SEEN_ADDR	0x70	/* R: address of the last access outside the doorbell */
#define DB_SEEN_DATA	0x78	/* R: its data, 0 for a read */
#define DB_SEEN_SIZE	0x80	/* R: its length, with DB_SEEN_WRITE for a write */
#define DB_SEEN_COUNT	0x88	/* R: how many there were */
#define DB_NISV_COUNT	0x90	/* R: accesses that came without a syndrome */
#define DB_NISV_ADDR	0x98	/* R: address of the last of them */
#define DB_YIELD	0xa0	/* W: let the next thread of this CPU run */
#define DB_MARK		0xa8	/* R: what marks a batch in a trace, 0: nothing does */
#define DB_EVENT	0xb0	/* W: ends in an ioeventfd; see GUEST_NEEDS_EVENT */
#define DB_VCPUS	0xc0	/* R: how many vCPUs there are */
#define DB_SIZE		0x1000

#define DB_SEEN_WRITE	0x100

/* What a read outside the doorbell gives: byte n of the answer is 0x80 + n. */
#define GUEST_READ_BYTE	0x80

#define GUEST_KIND_TEST		1
#define GUEST_KIND_BENCH	2
#define GUEST_KIND_TLB		3	/* tern bench tlb */

/* What the client must set up; a test whose needs the host lacks is skipped. */
#define GUEST_NEEDS_PTRAUTH	0x1
#define GUEST_NEEDS_NISV	0x2
#define GUEST_NEEDS_EVENT	0x4	/* an ioeventfd at DB_EVENT */
#define GUEST_NEEDS_CPUS	0x8	/* vCPU n on host CPU n, alone */
#define GUEST_NEEDS_TERN	0x10	/* tern's own calls: tern_guest.h */
#define GUEST_NEEDS_SINGLE	0x20	/* batches of one iteration */
#define GUEST_NEEDS_SVE		0x40

/* How a good run ends. */
#define GUEST_ENDS_DONE		0	/* by DB_DONE */
#define GUEST_ENDS_OFF		1	/* system event: shutdown */
#define GUEST_ENDS_RESET	2	/* system event: reset */
#define GUEST_ENDS_ENOSYS	3	/* KVM_RUN fails with ENOSYS */

#ifndef __ASSEMBLER__
#include <stdint.h>

/* At the start of each image; entered at its first byte. */
struct guest_header {
	uint32_t branch;
	uint32_t magic;
	uint16_t kind;
	uint16_t vcpus;
	uint16_t needs;
	uint16_t ends;
	char title[112];
};
#endif

#endif
