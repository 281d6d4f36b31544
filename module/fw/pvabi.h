/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of tern's own hypercalls and of the record they set up:
 * guest/tern_guest.h has them for guests, and guest/test compares the two.
 *
 * SMC64 fast calls of the vendor-specific hypervisor service (SMCCC owner 6),
 * above the 128 functions whose presence KVM's own feature call can tell.
 */
#ifndef TERN_FW_PVABI_H
#define TERN_FW_PVABI_H

/* x0: TERN_PV_HAS_*; x1, x2: TERN_PV_UID0, TERN_PV_UID1 */
#define TERN_PV_FEATURES	0xc6005400
/* x1: address of the caller's record, or TERN_PV_NO_RECORD. x0: 0 or error; x1: the caller's vCPU number */
#define TERN_PV_RECORD		0xc6005401
/* x1: TERN_PV_FLUSH_*; x2: vCPUs; x3: address; x4: pages; x5: ASID. x0: 0 or error */
#define TERN_PV_FLUSH		0xc6005402
/* x1: number of a vCPU that the caller waits for. x0: 0 or error */
#define TERN_PV_YIELD		0xc6005403

#define TERN_PV_HAS_RECORD	(1 << 0)
#define TERN_PV_HAS_FLUSH	(1 << 1)
#define TERN_PV_HAS_YIELD	(1 << 2)

#define TERN_PV_UID0		0x4a1c9e0d6e726574
#define TERN_PV_UID1		0x31b5f27c86d3a0e9

#define TERN_PV_NO_RECORD	(~0ULL)
#define TERN_PV_INVALID		(-3)	/* SMCCC: INVALID_PARAMETER */

/* The record: TERN_PV_RECORD_SIZE bytes, as much aligned. Its first word: */
#define TERN_PV_RECORD_SIZE	64
#define TERN_PV_PREEMPTED	(1U << 0)	/* the vCPU does not run; the host's to set and clear */
#define TERN_PV_FLUSH_TLB	(1U << 1)	/* the guest's to set while PREEMPTED is: flush before it runs */

/* x1 of TERN_PV_FLUSH: what, how, and in bits 63:32 the vCPU that bit 0 of x2 stands for, a multiple of 64 */
#define TERN_PV_FLUSH_VM	0	/* every stage-1 entry */
#define TERN_PV_FLUSH_ASID	1	/* those of one ASID */
#define TERN_PV_FLUSH_RANGE	2	/* those of an address range, of one ASID and global ones */
#define TERN_PV_FLUSH_WHAT	0xffULL
#define TERN_PV_FLUSH_LEAF	(1ULL << 8)	/* the range's last level alone */
#define TERN_PV_FLUSH_STAGE2	(1ULL << 9)	/* stage 2's entries as well */
#define TERN_PV_FLUSH_EVERY	(1ULL << 10)	/* all vCPUs; x2 and bits 63:32 are 0 */

#endif
