/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System registers: identities, encodings and properties, all derived from
 * sysreg.def. No state but an index filled once at load.
 */
#ifndef TERN_ARCH_SYSREG_H
#define TERN_ARCH_SYSREG_H

#include <linux/types.h>
#include "sysreg.def"

/* OSLSR_EL1: OS lock implemented (OSLM = 0b10, split over bits 3 and 0), locked */
#define SYSREG_OSLSR_OSLM	0x8ULL
#define SYSREG_OSLSR_OSLK	0x2ULL
#define SYSREG_OSLAR_OSLK	0x1ULL

/* What built-in KVM leaves in registers whose reset value is UNKNOWN. */
#define SYSREG_UNKNOWN		0x1de7ec7edbadc0deULL

/* The same in PMEVCNTRn_EL0, 32 bits, and PMEVTYPERn_EL0, of which P, U, NSH and the event are there */
#define SYSREG_PMEVCNTR		(SYSREG_UNKNOWN & 0xffffffff)
#define SYSREG_PMEVTYPER	(SYSREG_UNKNOWN & 0xc800ffff)

/*
 * A register's encoding as one number, ordered like the manual's
 * (op0, op1, CRn, CRm, op2): 2 + 3 + 4 + 4 + 3 bits. It is also bits 15:0 of
 * KVM's register id.
 */
#define SYSREG_ENCODE(op0, op1, crn, crm, op2) \
	((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

#define SYSREG_OP0(enc)	((enc) >> 14 & 3)
#define SYSREG_OP1(enc)	((enc) >> 11 & 7)
#define SYSREG_CRN(enc)	((enc) >> 7 & 15)
#define SYSREG_CRM(enc)	((enc) >> 3 & 15)
#define SYSREG_OP2(enc)	((enc) & 7)

#define SYSREG_F_ENC(A, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_ENC_##name = SYSREG_ENCODE(op0, op1, crn, crm, op2),
enum sysreg_enc {
	SYSREG_LIST(SYSREG_F_ENC, )
};
#undef SYSREG_F_ENC

/** SYSREG_ENC(name) - encoding of a register by name */
#define SYSREG_ENC(name) SYSREG_ENC_##name

/* Which groups have a place in the register image. */
#define SYSREG_STORE_EL12(name)	REG_##name,
#define SYSREG_STORE_EL0(name)	REG_##name,
#define SYSREG_STORE_USER(name)	REG_##name,
#define SYSREG_STORE_KEY(name)	REG_##name,
#define SYSREG_STORE_DBG(name)	REG_##name,
#define SYSREG_STORE_MEM(name)	REG_##name,
#define SYSREG_STORE_ID(name)
#define SYSREG_STORE_PMU(name)
#define SYSREG_STORE_ICC(name)
#define SYSREG_STORE_NONE(name)

#define SYSREG_F_ID(A, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_STORE_##group(name)
/** enum sysreg_id - place of a register in the image (struct hyp_vcpu.reg) */
enum sysreg_id {
	SYSREG_LIST(SYSREG_F_ID, )
	SYSREG_NR
};

/*
 * SYSREG_FOR_EL12(X) and its sisters expand X(name, op0, op1, CRn, CRm, op2)
 * for each register of one group, so that the world switch is straight-line
 * code. An EL12 register is reached by the host with op1 = 5 in place of 0.
 */
#define SYSREG_FOR_EL12(X)	SYSREG_LIST(SYSREG_F_EL12, X)
#define SYSREG_FOR_EL0(X)	SYSREG_LIST(SYSREG_F_EL0, X)
#define SYSREG_FOR_USER(X)	SYSREG_LIST(SYSREG_F_USER, X)
#define SYSREG_FOR_KEY(X)	SYSREG_LIST(SYSREG_F_KEY, X)
#define SYSREG_FOR_DBG(X)	SYSREG_LIST(SYSREG_F_DBG, X)

#define SYSREG_F_EL12(X, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_EL12_##group(X, name, op0, op1, crn, crm, op2)
#define SYSREG_EL12_EL12(X, ...)	X(__VA_ARGS__)
#define SYSREG_EL12_EL0(X, ...)
#define SYSREG_EL12_USER(X, ...)
#define SYSREG_EL12_KEY(X, ...)
#define SYSREG_EL12_DBG(X, ...)
#define SYSREG_EL12_MEM(X, ...)
#define SYSREG_EL12_ID(X, ...)
#define SYSREG_EL12_PMU(X, ...)
#define SYSREG_EL12_ICC(X, ...)
#define SYSREG_EL12_NONE(X, ...)

#define SYSREG_F_EL0(X, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_EL0_##group(X, name, op0, op1, crn, crm, op2)
#define SYSREG_EL0_EL12(X, ...)
#define SYSREG_EL0_EL0(X, ...)		X(__VA_ARGS__)
#define SYSREG_EL0_USER(X, ...)
#define SYSREG_EL0_KEY(X, ...)
#define SYSREG_EL0_DBG(X, ...)
#define SYSREG_EL0_MEM(X, ...)
#define SYSREG_EL0_ID(X, ...)
#define SYSREG_EL0_PMU(X, ...)
#define SYSREG_EL0_ICC(X, ...)
#define SYSREG_EL0_NONE(X, ...)

#define SYSREG_F_USER(X, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_USER_##group(X, name, op0, op1, crn, crm, op2)
#define SYSREG_USER_EL12(X, ...)
#define SYSREG_USER_EL0(X, ...)
#define SYSREG_USER_USER(X, ...)		X(__VA_ARGS__)
#define SYSREG_USER_KEY(X, ...)
#define SYSREG_USER_DBG(X, ...)
#define SYSREG_USER_MEM(X, ...)
#define SYSREG_USER_ID(X, ...)
#define SYSREG_USER_PMU(X, ...)
#define SYSREG_USER_ICC(X, ...)
#define SYSREG_USER_NONE(X, ...)

#define SYSREG_F_KEY(X, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_KEY_##group(X, name, op0, op1, crn, crm, op2)
#define SYSREG_KEY_EL12(X, ...)
#define SYSREG_KEY_EL0(X, ...)
#define SYSREG_KEY_USER(X, ...)
#define SYSREG_KEY_KEY(X, ...)		X(__VA_ARGS__)
#define SYSREG_KEY_DBG(X, ...)
#define SYSREG_KEY_MEM(X, ...)
#define SYSREG_KEY_ID(X, ...)
#define SYSREG_KEY_PMU(X, ...)
#define SYSREG_KEY_ICC(X, ...)
#define SYSREG_KEY_NONE(X, ...)

#define SYSREG_F_DBG(X, name, op0, op1, crn, crm, op2, group, trap, reset, vis) \
	SYSREG_DBG_##group(X, name, op0, op1, crn, crm, op2)
#define SYSREG_DBG_EL12(X, ...)
#define SYSREG_DBG_EL0(X, ...)
#define SYSREG_DBG_USER(X, ...)
#define SYSREG_DBG_KEY(X, ...)
#define SYSREG_DBG_DBG(X, ...)		X(__VA_ARGS__)
#define SYSREG_DBG_MEM(X, ...)
#define SYSREG_DBG_ID(X, ...)
#define SYSREG_DBG_PMU(X, ...)
#define SYSREG_DBG_ICC(X, ...)
#define SYSREG_DBG_NONE(X, ...)

/** enum sysreg_group - where the value lives; see sysreg.def */
enum sysreg_group {
	SYSREG_GROUP_NONE,
	SYSREG_GROUP_EL12,
	SYSREG_GROUP_EL0,
	SYSREG_GROUP_USER,
	SYSREG_GROUP_KEY,
	SYSREG_GROUP_DBG,
	SYSREG_GROUP_MEM,
	SYSREG_GROUP_ID,
	SYSREG_GROUP_PMU,
	SYSREG_GROUP_ICC,
};

/** enum sysreg_trap - what a trapped access does; exit/sysreg.c has one handler for each */
enum sysreg_trap {
	SYSREG_TRAP_NONE,	/* never trapped by tern: UNDEFINED if it is */
	SYSREG_TRAP_UNDEF,
	SYSREG_TRAP_RAZ,	/* reads zero, ignores writes */
	SYSREG_TRAP_RO,		/* the hardware answers reads; a trapped write is UNDEFINED */
	SYSREG_TRAP_WO,		/* and the reverse */
	SYSREG_TRAP_VM,		/* HCR_EL2.TVM: translation control, until the caches are on */
	SYSREG_TRAP_ID,
	SYSREG_TRAP_DCSW,
	SYSREG_TRAP_ACTLR,
	SYSREG_TRAP_KEY,	/* until the guest's keys are switched */
	SYSREG_TRAP_DBG,
	SYSREG_TRAP_DBGAUTH,
	SYSREG_TRAP_OSLAR,
	SYSREG_TRAP_OSLSR,
	SYSREG_TRAP_LOR,
	SYSREG_TRAP_LORID,
	SYSREG_TRAP_SGI,
	SYSREG_TRAP_SRE,
	SYSREG_TRAP_DIR,
	SYSREG_TRAP_CTR,
	SYSREG_TRAP_CLIDR,
	SYSREG_TRAP_CSSELR,
	SYSREG_TRAP_CCSIDR,
	SYSREG_TRAP_PMU,	/* UNDEFINED for a vCPU without performance monitors */
	SYSREG_TRAP_NR
};

/** enum sysreg_reset - the value after KVM_ARM_VCPU_INIT */
enum sysreg_reset {
	SYSREG_RESET_NONE,	/* nothing stored */
	SYSREG_RESET_VAL,	/* desc->val */
	SYSREG_RESET_HOST,	/* this host's EL1 register: implementation defined */
	SYSREG_RESET_MPIDR,	/* from the vCPU's number */
	SYSREG_RESET_PMU,	/* desc->val, but only bits of counters that there are */
	SYSREG_RESET_PMCR,
};

/** enum sysreg_vis - what KVM_GET_ONE_REG, KVM_SET_ONE_REG and KVM_GET_REG_LIST know of it */
enum sysreg_vis {
	SYSREG_VIS_HIDE,	/* not a client's register: ENOENT */
	SYSREG_VIS_LIST,	/* stored, freely readable and writable */
	SYSREG_VIS_AUTH,	/* LIST with pointer authentication granted, else HIDE */
	SYSREG_VIS_SVE,		/* LIST with scalable vectors, else HIDE */
	SYSREG_VIS_CORE,	/* reached as a field of struct kvm_regs only */
	SYSREG_VIS_INVAR,	/* the host's value; listed before the others */
	SYSREG_VIS_ID,		/* computed; only that value may be written */
	SYSREG_VIS_ID32,	/* as ID with AArch32 at EL0, else zero and writes ignored */
	SYSREG_VIS_IDRAZ,	/* unallocated or hidden: zero */
	SYSREG_VIS_PFR0,	/* as ID, but CSV2 and CSV3 may be lowered */
	SYSREG_VIS_OSLSR,	/* only OSLK may be written */
	SYSREG_VIS_PMU,		/* LIST with performance monitors, else HIDE; pmu/ is told of writes */
	SYSREG_VIS_PMUCLR,	/* the same: the register of PMxxxSET once more */
	SYSREG_VIS_PMURAZ,	/* reads zero and ignores writes with performance monitors, else HIDE */
};

#define SYSREG_NO_STORE	0xffff

/**
 * struct sysreg_desc - one line of sysreg.def
 * @enc:   SYSREG_ENCODE()
 * @reg:   enum sysreg_id, or SYSREG_NO_STORE
 * @group, @trap, @reset, @vis: the enums above
 * @val:   value for SYSREG_RESET_VAL
 * @name:  as in the Arm ARM, for messages
 */
struct sysreg_desc {
	u16 enc;
	u16 reg;
	u8 group;
	u8 trap;
	u8 reset;
	u8 vis;
	u64 val;
	const char *name;
};

extern const struct sysreg_desc sysreg_table[];
extern const unsigned int sysreg_table_len;

/**
 * sysreg_table_check() - is @table strictly ascending, so without duplicates, and sound?
 * Return: -1 when it is, else the number of the first bad line.
 */
int sysreg_table_check(const struct sysreg_desc *table, unsigned int n);

/**
 * sysreg_init() - check the table and fill the direct index; called once at load
 * @bad: on failure, the name of the line at fault
 * Return: 0 or -EINVAL.
 */
int sysreg_init(const char **bad);

/** sysreg_find() - the register with encoding @enc (any 16-bit value), or NULL; O(1) */
const struct sysreg_desc *sysreg_find(u32 enc);

#endif
