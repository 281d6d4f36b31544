/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An access that the client answers, in line: most MMIO goes where it went
 * before (struct mem_hole), and then KVM_RUN does nothing else.
 */
#ifndef TERN_EXIT_MMIO_H
#define TERN_EXIT_MMIO_H

#include <asm/unaligned.h>
#include "data.h"
#include "exit.h"

static __always_inline ipa_t mmio_page(const struct tern_vcpu *v)
{
	return to_ipa((v->hyp.hpfar & GENMASK_ULL(43, 4)) << 8);
}

static __always_inline ipa_t mmio_ipa(const struct tern_vcpu *v)
{
	return to_ipa(mmio_page(v).ipa | (v->hyp.far & ~PAGE_MASK));
}

static __always_inline void mmio_store_data(void *buf, u64 data, unsigned int len)
{
	switch (len) {
	case 1:
		*(u8 *)buf = data;
		break;
	case 2:
		put_unaligned((u16)data, (u16 *)buf);
		break;
	case 4:
		put_unaligned((u32)data, (u32 *)buf);
		break;
	default:
		put_unaligned(data, (u64 *)buf);
	}
}

/* Is somebody in the kernel waiting for this write? Interrupts may be masked. */
static __always_inline bool mmio_taken(struct tern_vcpu *v, ipa_t ipa, unsigned int len, u64 data)
{
	return v->vm->io_write && v->vm->io_write(v->vm, ipa, len, data);
}

static __always_inline int mmio_done_here(struct tern_vcpu *v)
{
	v->stat.mmio_exit_kernel++;
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}

/**
 * mmio_outside() - an access outside memory and the GIC, whose syndrome says all of it; loaded, interrupts may be masked
 * Return: EXIT_USER, or EXIT_RESUME when an ioeventfd or a coalesced zone had it
 */
static __always_inline int mmio_outside(struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr, data;
	bool write = esr & ESR_ELx_WNR;
	unsigned int len = DATA_LEN(esr);
	struct kvm_run *run = v->run;
	ipa_t ipa = mmio_ipa(v);

	if (write) {
		data = data_written(&v->hyp, esr, v->hyp.pstate, len);
		if (mmio_taken(v, ipa, len, data))
			return mmio_done_here(v);
		mmio_store_data(run->mmio.data, data, len);
	}
	run->exit_reason = KVM_EXIT_MMIO;
	run->mmio.phys_addr = ipa.ipa;
	run->mmio.len = len;
	run->mmio.is_write = write;
	v->mmio_len = len;
	v->stat.mmio_exit_user++;
	return EXIT_USER;
}

/* A translation fault, on no table walk and no cache maintenance, whose syndrome says all of the access */
static __always_inline bool mmio_plain(const struct tern_vcpu *v)
{
	u64 esr = v->hyp.esr;

	return (esr & ESR_ELx_FSC_TYPE) == ESR_ELx_FSC_FAULT && esr & ESR_ELx_ISV &&
	       !(esr & (ESR_ELx_S1PTW | ESR_ELx_CM));
}

/** mmio_is_outside() - the data abort is one for mmio_outside(), as the last was */
static __always_inline bool mmio_is_outside(const struct tern_vcpu *v)
{
	return mmio_plain(v) && mem_is_hole(&v->vm->mem, &v->hole, mmio_page(v));
}

/* An eventfd's lock may sleep in a real-time kernel. */
static __always_inline bool mmio_may_mask(const struct tern_vcpu *v)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || !(v->hyp.esr & ESR_ELx_WNR);
}

/** mmio_complete() - KVM_RUN after KVM_EXIT_MMIO (v->mmio_len): take the client's answer; loaded */
static __always_inline void mmio_complete(struct tern_vcpu *v)
{
	/* The length is ours: what the client left in the shared page is not to be trusted. */
	if (!(v->hyp.esr & ESR_ELx_WNR))
		data_read(&v->hyp, v->hyp.esr, v->hyp.pstate, get_unaligned((const u64 *)v->run->mmio.data),
			  v->mmio_len);
	v->mmio_len = 0;
	vcpu_skip_insn(v);
}

#endif
