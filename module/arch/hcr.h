/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HCR_EL2, Hypervisor Configuration Register (Arm ARM D17.2).
 */
#ifndef TERN_ARCH_HCR_H
#define TERN_ARCH_HCR_H

#include <linux/bits.h>

#define HCR_VM	BIT_ULL(0)	/* stage 2 translation */
#define HCR_SWIO	BIT_ULL(1)	/* DC ISW acts as DC CISW */
#define HCR_PTW	BIT_ULL(2)	/* a stage-1 walk of Device memory faults */
#define HCR_FMO	BIT_ULL(3)	/* FIQ to EL2 */
#define HCR_IMO	BIT_ULL(4)	/* IRQ to EL2 */
#define HCR_AMO	BIT_ULL(5)	/* SError to EL2 */
#define HCR_VSE	BIT_ULL(8)	/* virtual SError pending */
#define HCR_FB	BIT_ULL(9)	/* broadcast maintenance */
#define HCR_TWI	BIT_ULL(13)	/* trap WFI */
#define HCR_TWE	BIT_ULL(14)	/* trap WFE */
#define HCR_TID2	BIT_ULL(17)	/* trap cache identification */
#define HCR_TID3	BIT_ULL(18)	/* trap feature identification */
#define HCR_TSC	BIT_ULL(19)	/* trap SMC */
#define HCR_TIDCP	BIT_ULL(20)	/* trap IMPLEMENTATION DEFINED */
#define HCR_TACR	BIT_ULL(21)	/* trap ACTLR_EL1 */
#define HCR_TSW	BIT_ULL(22)	/* trap set/way maintenance */
#define HCR_TVM	BIT_ULL(26)	/* trap writes of stage-1 controls */
#define HCR_TGE	BIT_ULL(27)	/* EL0 belongs to the host */
#define HCR_TRVM	BIT_ULL(30)	/* trap reads of stage-1 controls */
#define HCR_RW	BIT_ULL(31)	/* EL1 is AArch64 */
#define HCR_E2H	BIT_ULL(34)	/* VHE */
#define HCR_TLOR	BIT_ULL(35)	/* trap LORegions */
#define HCR_TERR	BIT_ULL(36)	/* trap error records */
#define HCR_TEA	BIT_ULL(37)	/* external aborts to EL2 */
#define HCR_APK	BIT_ULL(40)	/* no trap of key registers */
#define HCR_API	BIT_ULL(41)	/* no trap of authentication instructions */
#define HCR_FWB	BIT_ULL(46)	/* stage 2 forces attributes */
#define HCR_BSU_IS	BIT_ULL(10)	/* barriers reach at least the inner shareable domain */

#endif
