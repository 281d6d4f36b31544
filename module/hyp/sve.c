// SPDX-License-Identifier: GPL-2.0
/*
 * The registers of the Scalable Vector Extension change hands as those of FP
 * do (fpsimd.c), for vCPUs that have it.
 *
 * ZCR_EL2.LEN limits the guest's vectors, and is what these loads and stores
 * go by. The host's is put back with the registers: its tasks differ.
 */
#include <asm/sysreg.h>
#include "internal.h"
#include "sve.h"

#define SVE_ASM ".arch_extension sve\n"

#define Z_LIST(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define P_LIST(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

/* Offsets count in lengths of the register. */
#define Z_STR(n) "str z" #n ", [%0, #" #n ", mul vl]\n"
#define Z_LDR(n) "ldr z" #n ", [%0, #" #n ", mul vl]\n"
#define P_STR(n) "str p" #n ", [%1, #" #n ", mul vl]\n"
#define P_LDR(n) "ldr p" #n ", [%1, #" #n ", mul vl]\n"

static void *predicates(const struct hyp_vcpu *h)
{
	return h->sve.state + sve_reg_offset(h->sve.vq, SVE_NR_Z);
}

void hyp_sve_load(struct hyp_vcpu *h)
{
	h->sve.host_zcr = read_sysreg_s(SYS_ZCR_EL1);
	write_sysreg_s(h->sve.vq - 1, SYS_ZCR_EL1);
	isb();
	/* FFR is loaded by way of P0. */
	asm volatile(SVE_ASM
		     Z_LIST(Z_LDR)
		     "ldr p0, [%1, #16, mul vl]\n"
		     "wrffr p0.b\n"
		     P_LIST(P_LDR)
		     :: "r"(h->sve.state), "r"(predicates(h)) : "memory");
	write_sysreg(h->fp.fpsr, fpsr);
	write_sysreg(h->fp.fpcr, fpcr);
}

void hyp_sve_save(struct hyp_vcpu *h)
{
	asm volatile(SVE_ASM
		     Z_LIST(Z_STR)
		     P_LIST(P_STR)
		     "rdffr p0.b\n"
		     "str p0, [%1, #16, mul vl]\n"
		     :: "r"(h->sve.state), "r"(predicates(h)) : "memory");
	h->fp.fpsr = read_sysreg(fpsr);
	h->fp.fpcr = read_sysreg(fpcr);
	write_sysreg_s(h->sve.host_zcr, SYS_ZCR_EL1);
}
