/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HCR_EL2 (Arm ARM D19.2.48). The names carry TERN_ since <asm/kvm_arm.h> has
 * the plain ones.
 */
#ifndef TERN_ARCH_HCR_H
#define TERN_ARCH_HCR_H

#include <linux/types.h>

#define TERN_HCR_VM	(1ULL << 0)	/* stage 2 on */
#define TERN_HCR_SWIO	(1ULL << 1)	/* invalidate by set/way cleans too */
#define TERN_HCR_PTW	(1ULL << 2)	/* no table walk of device memory */
#define TERN_HCR_FMO	(1ULL << 3)
#define TERN_HCR_IMO	(1ULL << 4)
#define TERN_HCR_AMO	(1ULL << 5)
#define TERN_HCR_VF	(1ULL << 6)
#define TERN_HCR_VI	(1ULL << 7)
#define TERN_HCR_VSE	(1ULL << 8)	/* virtual SError pending */
#define TERN_HCR_FB	(1ULL << 9)	/* broadcast the guest's maintenance */
#define TERN_HCR_BSU_IS	(1ULL << 10)	/* barriers at least inner shareable */
#define TERN_HCR_TWI	(1ULL << 13)
#define TERN_HCR_TWE	(1ULL << 14)
#define TERN_HCR_TID0	(1ULL << 15)
#define TERN_HCR_TID1	(1ULL << 16)
#define TERN_HCR_TID2	(1ULL << 17)
#define TERN_HCR_TID3	(1ULL << 18)
#define TERN_HCR_TSC	(1ULL << 19)
#define TERN_HCR_TIDCP	(1ULL << 20)
#define TERN_HCR_TACR	(1ULL << 21)
#define TERN_HCR_TSW	(1ULL << 22)
#define TERN_HCR_TVM	(1ULL << 26)
#define TERN_HCR_TGE	(1ULL << 27)
#define TERN_HCR_RW	(1ULL << 31)	/* EL1 is AArch64 */
#define TERN_HCR_E2H	(1ULL << 34)
#define TERN_HCR_TLOR	(1ULL << 35)
#define TERN_HCR_TERR	(1ULL << 36)
#define TERN_HCR_TEA	(1ULL << 37)
#define TERN_HCR_APK	(1ULL << 40)	/* 1: no trap of key registers */
#define TERN_HCR_API	(1ULL << 41)	/* 1: no trap of instructions */
#define TERN_HCR_FWB	(1ULL << 46)

/* What every guest runs with; the same traps as built-in KVM's. */
#define TERN_HCR_GUEST \
	(TERN_HCR_VM | TERN_HCR_SWIO | TERN_HCR_PTW | TERN_HCR_FMO | \
	 TERN_HCR_IMO | TERN_HCR_AMO | TERN_HCR_FB | TERN_HCR_BSU_IS | \
	 TERN_HCR_TWI | TERN_HCR_TWE | TERN_HCR_TID3 | TERN_HCR_TSC | \
	 TERN_HCR_TIDCP | TERN_HCR_TACR | TERN_HCR_TSW | TERN_HCR_RW | \
	 TERN_HCR_E2H | TERN_HCR_TLOR)

#endif
