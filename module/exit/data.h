/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of an access that aborted: between the register that the
 * instruction names and the bus, which KVM's API defines as the guest's memory
 * would look to the host. The vCPU is loaded.
 */
#ifndef TERN_EXIT_DATA_H
#define TERN_EXIT_DATA_H

#include <linux/swab.h>
#include <asm/esr.h>
#include <asm/ptrace.h>
#include "../hyp/hyp.h"

/* ESR_ELx.ISS of a data abort with ISV set (Arm ARM D17.2, ESR_ELx) */
#define DATA_LEN(esr)	(1U << ((esr) >> ESR_ELx_SAS_SHIFT & 3))
#define DATA_RT(esr)	((esr) >> ESR_ELx_SRT_SHIFT & 31)

/* A guest that has never set either bit, and runs AArch64, has little-endian data wherever it is. */
static __always_inline bool data_surely_little(u64 pstate)
{
	return !(pstate & PSR_MODE32_BIT) && !(hyp_live_sctlr() & (SCTLR_EL1_E0E | SCTLR_ELx_EE));
}

/* Is the guest's data big-endian where it is now? (SCTLR_EL1.EE and E0E, PSTATE.E) */
static inline bool data_big_endian(u64 pstate)
{
	if (pstate & PSR_MODE32_BIT)
		return pstate & PSR_AA32_E_BIT;
	return hyp_live_sctlr() & ((pstate & PSR_MODE_MASK) == PSR_MODE_EL0t ? SCTLR_EL1_E0E : SCTLR_ELx_EE);
}

static __always_inline u64 data_swap(u64 pstate, u64 data, unsigned int len)
{
	if (likely(data_surely_little(pstate)))
		return data;
	return data_big_endian(pstate) ? swab64(data) >> (64 - 8 * len) : data;
}

/* What the instruction writes, the low @len bytes */
static __always_inline u64 data_written(const struct hyp_vcpu *h, u64 esr, u64 pstate, unsigned int len)
{
	unsigned int rt = DATA_RT(esr);

	return rt == 31 ? 0 : data_swap(pstate, h->x[rt], len);
}

/* A read ends: the low @len bytes of @data to its register. */
static __always_inline void data_read(struct hyp_vcpu *h, u64 esr, u64 pstate, u64 data, unsigned int len)
{
	unsigned int unused = -(8 * len) & 63, rt = DATA_RT(esr);

	data = data_swap(pstate, data << unused >> unused, len);
	if (unlikely(esr & ESR_ELx_SSE)) {
		data = (s64)(data << unused) >> unused;
		if (!(esr & ESR_ELx_SF))
			data = lower_32_bits(data);
	}
	if (rt != 31)
		h->x[rt] = data;
}

#endif
