/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Meaning of KVM's core register ids, which are offsets into struct kvm_regs
 * in 32-bit words: pure.
 */
#ifndef TERN_VCPU_REGID_H
#define TERN_VCPU_REGID_H

#include <linux/types.h>

/* Offsets in words; regs.c holds them against the uapi header. */
#define REGID_X0	0	/* two words each */
#define REGID_SP	62
#define REGID_PC	64
#define REGID_PSTATE	66
#define REGID_SP_EL1	68
#define REGID_ELR_EL1	70
#define REGID_SPSR	72	/* EL1, ABT, UND, IRQ, FIQ */
#define REGID_V0	84	/* four words each */
#define REGID_FPSR	212
#define REGID_FPCR	213
#define REGID_WORDS	216

/** enum regid_kind - where a core register is */
enum regid_kind {
	REGID_KIND_X,		/* general register .index */
	REGID_KIND_SP,		/* SP_EL0 */
	REGID_KIND_PC,
	REGID_KIND_PSTATE,
	REGID_KIND_SYS,		/* system register .index (enum sysreg_id) */
	REGID_KIND_V,		/* vector register .index */
	REGID_KIND_FPSR,
	REGID_KIND_FPCR,
};

/**
 * struct regid_core - a decoded core register
 * @size: in bytes
 */
struct regid_core {
	enum regid_kind kind;
	unsigned int index;
	unsigned int size;
};

/** vcpu_regid_core() - decode word offset @off. Return: 0, or -EINVAL when no register begins there */
int vcpu_regid_core(u32 off, struct regid_core *c);

/**
 * vcpu_regid_pstate_ok() - may a client set PSTATE to @pstate?
 * AArch64 EL0t, EL1t, EL1h, and AArch32 user mode when @el0_32.
 */
bool vcpu_regid_pstate_ok(u64 pstate, bool el0_32);

#endif
