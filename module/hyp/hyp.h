/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the world switch. Everything in hyp/ runs with interrupts masked
 * or preemption off, takes no lock, allocates nothing and never sleeps.
 *
 * A vCPU is loaded on a CPU (hyp_load), where registers of groups EL12 and EL0
 * then live; resumed (hyp_resume), which adds group USER and the keys; and
 * entered any number of times (hyp_enter). Paused (hyp_pause) it leaves the
 * CPU to the host and its user space but stays loaded, until hyp_unload().
 * hyp_reg_read() and hyp_reg_write() find registers wherever they are. What is
 * done for each run is in run.h.
 *
 * Exits are served in the lowest of three tiers that can serve them right:
 * (a) in the vector, with a handful of registers touched; (b) by the vCPU's
 * leaf function, guest context still loaded; (c) by returning from hyp_enter().
 */
#ifndef TERN_HYP_HYP_H
#define TERN_HYP_HYP_H

#include <linux/atomic.h>
#include <linux/kvm.h>
#include <asm/sysreg.h>
#include "../arch/sysreg.h"
#include "../arch/types.h"

#define HYP_MAX_LR 16
#define HYP_MAX_APR 4

/** enum hyp_exit - why hyp_enter() returned; the vectors know these numbers */
enum hyp_exit {
	HYP_EXIT_SYNC = 0,	/* synchronous exception: see esr, far, hpfar */
	HYP_EXIT_IRQ = 1,	/* nothing to do but unmask interrupts */
	HYP_EXIT_DABT = 2,	/* synchronous too: most often a data abort of AArch64 */
	HYP_EXIT_FIQ = 3,
	HYP_EXIT_SERROR = 5,	/* even: with a syndrome */
};

/**
 * struct hyp_gic - what the virtual CPU interface holds while the vCPU is loaded
 * @lr:      list registers; the first @nr_used are written before entry and,
 *           after exit, hold what the hardware left in them
 * @nr_used: list registers in use (0: no ICH register is touched)
 * @hcr:     ICH_HCR_EL2 to enter with (En is added); after an exit with
 *           @nr_used or @hcr nonzero, EOIcount is in it
 * @vmcr:    ICH_VMCR_EL2, valid in memory while unloaded
 * @ap0r, @ap1r: active priorities, valid in memory while unloaded
 * @hw_used, @hw_hcr: what the CPU holds, so that only changes are written
 * @want, @has: @nr_used and @hcr, @hw_used and @hw_hcr, in one look each
 */
struct hyp_gic {
	u64 lr[HYP_MAX_LR];
	union {
		struct {
			u32 nr_used;
			u32 hcr;
		};
		u64 want;
	};
	union {
		struct {
			u32 hw_used;
			u32 hw_hcr;
		};
		u64 has;
	};
	u32 vmcr;
	u32 ap0r[HYP_MAX_APR];
	u32 ap1r[HYP_MAX_APR];
};

/** struct hyp_fp - FP/SIMD registers, laid out as struct user_fpsimd_state */
struct hyp_fp {
	__uint128_t v[32];
	u32 fpsr;
	u32 fpcr;
};

/**
 * struct hyp_sve - scalable vectors of a vCPU that has them; FPSR and FPCR are in struct hyp_fp all the same
 * @state: laid out as hyp/sve.h tells; NULL: the vCPU has none (yet), and struct hyp_fp is used
 * @vq:    the longest vector, in units of 128 bits
 * @host_zcr: the host's ZCR_EL2 while the guest's state is in the registers
 */
struct hyp_sve {
	void *state;
	u32 vq;
	u64 host_zcr;
};

#define HYP_KEY_WORDS 10	/* APIA, APIB, APDA, APDB, APGA: low, high */

/**
 * struct hyp_host - the host's side of the switch
 *
 * @sp to @sp_el0 are valid while the guest runs, @hcr, @mdcr and @vbar from load
 * to unload, the rest from resume to pause.
 */
struct hyp_host {
	u64 sp;
	u64 x18;
	u64 x29;
	u64 lr;
	u64 sp_el0;
	u64 dit;
	u64 tco;
	u64 hcr;
	u64 mdcr;
	u64 vbar;
	u64 pmuserenr;
	u64 tpidr_el0;
	u64 tpidrro_el0;
	u64 key[HYP_KEY_WORDS];
};

/**
 * struct hyp_debug - what the guest runs with, set between entries
 * @mdscr:   MDSCR_EL1 for the guest; matters when SS, KDE or MDE is set
 * @set, @clear: what the client's debugging makes of MDSCR_EL1
 * @points:  the client's breakpoints and watchpoints, or NULL for the guest's own
 * @brps, @wrps: how many the CPU has
 * @live, @swapped: MDSCR_EL1, and the points too, are the guest's now
 * @host_mdscr, @host, @guest: the host's and the guest's while swapped
 */
struct hyp_debug {
	u64 mdscr;
	u64 set;
	u64 clear;
	const struct kvm_guest_debug_arch *points;
	u8 brps;
	u8 wrps;
	bool live;
	bool swapped;
	u64 host_mdscr;
	struct kvm_guest_debug_arch host;
	struct kvm_guest_debug_arch guest;
};

#define HYP_FAST_ID 128

struct hyp_vcpu;

/** enum hyp_leaf_result - what tier (b) made of an exit; the vectors know these numbers */
enum hyp_leaf_result {
	LEAF_DONE = 0,		/* served, hyp_leaf_skip() (leaf.h) included: the guest goes on */
	LEAF_FULL = 1,		/* not served, nothing changed: HYP_EXIT_SYNC */
	LEAF_LEAVE = 2,		/* served, and hyp_enter() returns HYP_EXIT_IRQ all the same */
	LEAF_DONE_ALL = 4,	/* served, and one of x16 to x30 changed in @h->x */
};

/** enum hyp_leaf - which exits have a function in tier (b) */
enum hyp_leaf {
	HYP_LEAF_SYSREG,	/* trapped system registers */
	HYP_LEAF_ABORT,		/* data aborts in hyp_set_frame()'s window */
	HYP_LEAF_FP,		/* hyp/'s own: FP registers trapped */
	HYP_LEAF_NR,
};

/**
 * hyp_leaf_fn - tier (b): serve an exit in guest context
 *
 * Called with interrupts masked, on the host's stack, ELR_EL2, SPSR_EL2,
 * FAR_EL2 and HPFAR_EL2 live. In @h->x are x0 to x19 and x30, and all if the instruction's Rt is above 15.
 * It may take raw spinlocks, must not sleep, and must be notrace.
 */
typedef enum hyp_leaf_result (*hyp_leaf_fn)(struct hyp_vcpu *h, u64 esr);

/**
 * struct hyp_vcpu - all of a vCPU that the world switch touches
 * @red_zone: below the address that SP_EL2 has while the guest runs; an
 *            unexpected exception at EL2 spills here
 * @x, @pc, @pstate, @sp_el0: the guest's general registers
 * @esr, @far, @hpfar: syndrome of the last synchronous exit
 * @fast_hvc: answer of PSCI_VERSION given in the vector, 0 for a full exit
 * @fast_id_match: ESR_EL2 mask (low word) and value (high word) of an
 *            ID-register read that the vector answers; all ones: never
 * @vectors, @cure: VBAR_EL2 while the guest runs, and what these vectors need to
 *            know; the CPU's, set at load
 * @fast_frame: first and size of the addresses whose data aborts tier (b) sees,
 *            as HPFAR_EL2 has them; size 0: none
 * @leaf:     tier (b), by enum hyp_leaf
 * @flags:    HYP_FLAG_*
 * @host:     near the front: the vectors reach it with pair instructions
 * @fast_id:  answers, index op2 | 1 << 3 | (CRm & 7) << 4
 * @hcr:      HCR_EL2 while the guest runs (TGE clear)
 * @mdcr:     MDCR_EL2 while resumed; HPMN is the host's, since load
 * @cptr:     CPTR_EL2 at each entry
 * @vttbr, @vtcr: stage 2, written at load; see hyp_set_vttbr()
 * @vmid, @vmid_active: mem/: the VMID in vttbr with its generation, and where this
 *            CPU's active one is kept, while loaded
 * @cntvoff:  CNTVOFF_EL2
 * @vsesr:    VSESR_EL2, the syndrome of a virtual SError
 * @cpu:      loaded here, or -1
 * @running:  resumed
 * @fp_granted: the host's FP state is in memory: the guest may have the registers
 * @ptrauth:  the guest has pointer authentication
 * @live:     nonzero when any of the next four is set: entry and exit have more to do
 * @fp_live:  the guest's FP state is in the registers
 * @debug_live: something is armed for the guest, or MDSCR_EL1 is the guest's now
 * @ptrauth_live: its keys are switched (it used them once)
 * @vse_live: HCR_EL2.VSE is set in @hcr: hyp_set_vse()
 * @reg:      the register image, index enum sysreg_id
 */
struct hyp_vcpu {
	u64 red_zone[16];
	u64 x[31];
	u64 pc;
	u64 pstate;
	u64 sp_el0;
	u64 esr;
	u64 far;
	u64 hpfar;
	u64 fast_hvc;
	u64 fast_id_match;
	const char *vectors;
	u64 cure;
	u64 fast_frame[2];
	hyp_leaf_fn leaf[HYP_LEAF_NR];
	u64 flags;
	struct hyp_host host;
	u64 fast_id[HYP_FAST_ID];
	u64 hcr;
	u64 mdcr;
	u64 cptr;
	u64 vttbr;
	u64 vtcr;
	u64 vmid;
	const atomic64_t *vmid_active;
	u64 cntvoff;
	u64 vsesr;
	int cpu;
	bool running;
	bool fp_granted;
	bool ptrauth;
	union {
		u32 live;
		struct {
			bool fp_live;
			bool debug_live;
			bool ptrauth_live;
			bool vse_live;
		};
	};
	struct hyp_gic gic;
	struct hyp_fp fp;
	struct hyp_sve sve;
	struct hyp_debug debug;
	u64 reg[SYSREG_NR];
} __aligned(64);

#define HYP_FLAG_DIT	0	/* bit numbers: the host's PSTATE.DIT is restored after an exit */
#define HYP_FLAG_TCO	1
#define HYP_FLAG_PMU	2	/* the CPUs have a PMU, SME */
#define HYP_FLAG_SME	3
#define HYP_FLAG_KEYS	4	/* as ptrauth_live */

/** hyp_init() - prepare every CPU, present and future. Return: 0 or a negative errno */
int hyp_init(void);
void hyp_fini(void);

/** hyp_vcpu_init() - traps and defaults of a new vCPU; the rest is zero */
void hyp_vcpu_init(struct hyp_vcpu *h);

/** hyp_set_id() - answer reads of ID register (3, 0, 0, @crm, @op2) with @val in the vector */
void hyp_set_id(struct hyp_vcpu *h, unsigned int crm, unsigned int op2, u64 val);

static inline unsigned int hyp_id_slot(unsigned int crm, unsigned int op2)
{
	return (crm & 7) << 4 | 1 << 3 | (op2 & 7);
}

/** hyp_id() - what hyp_set_id() set */
static inline u64 hyp_id(const struct hyp_vcpu *h, unsigned int crm, unsigned int op2)
{
	return h->fast_id[hyp_id_slot(crm, op2)];
}

/** hyp_set_fast() - use tiers (a) and (b), or (a debugger watches) full exits only */
void hyp_set_fast(struct hyp_vcpu *h, bool on);

/** hyp_set_frame() - data aborts in [@base, @base + @size), whole pages, go to tier (b) first */
void hyp_set_frame(struct hyp_vcpu *h, ipa_t base, u64 size);

/** hyp_debug_breakpoints() / hyp_debug_watchpoints() - how many every CPU has */
unsigned int hyp_debug_breakpoints(void);
unsigned int hyp_debug_watchpoints(void);

/** hyp_set_vse() - a virtual SError with syndrome h->vsesr is pending, or none is; not while the guest runs */
void hyp_set_vse(struct hyp_vcpu *h, bool pending);

/** hyp_debug_update() - MDSCR_EL1's image or the OS lock changed; not while the guest runs */
void hyp_debug_update(struct hyp_vcpu *h);

/**
 * hyp_debug_client() - the client debugs the guest from the next KVM_RUN on; paused
 * @control: KVM_GUESTDBG_*, 0: no more
 * @points:  its breakpoints and watchpoints, with KVM_GUESTDBG_USE_HW; used until the next call
 */
void hyp_debug_client(struct hyp_vcpu *h, u32 control, const struct kvm_guest_debug_arch *points);

/** enum hyp_stale - which of a VMID's TLB entries on one CPU are stale */
enum hyp_stale {
	HYP_STALE_NONE,
	HYP_STALE_STAGE1,	/* those of stage 1, those combined with stage 2 included */
	HYP_STALE_BOTH,		/* all of them */
};

/** hyp_load() - put what is the guest's alone into this CPU's registers, and drop what is @stale; preemption off */
void hyp_load(struct hyp_vcpu *h, enum hyp_stale stale);

/** hyp_unload() - take it back to memory, on the same CPU; paused; preemption off */
void hyp_unload(struct hyp_vcpu *h);

/** hyp_set_vttbr() - new VMID or table base; preemption off */
void hyp_set_vttbr(struct hyp_vcpu *h, u64 vttbr);

/** hyp_fp_grant() - put the host's FP state away so that the guest may use the registers; interrupts on, resumed */
void hyp_fp_grant(struct hyp_vcpu *h);

/** hyp_ptrauth_grant() - switch the guest's pointer authentication keys from now on; preemption off */
void hyp_ptrauth_grant(struct hyp_vcpu *h);

/** hyp_pmu_reopen() - perf was asked for something, and may have closed the monitors to EL0 for its own reasons */
void hyp_pmu_reopen(const struct hyp_vcpu *h);

/** hyp_reg_read() - value of register @r, from the CPU when it lives there; preemption off, or unloaded */
u64 hyp_reg_read(const struct hyp_vcpu *h, enum sysreg_id r);
void hyp_reg_write(struct hyp_vcpu *h, enum sysreg_id r, u64 v);

/** hyp_live_sctlr() - the guest's SCTLR_EL1; loaded here */
static inline u64 hyp_live_sctlr(void)
{
	return read_sysreg_s(SYS_SCTLR_EL12);
}

/**
 * hyp_gic_peek() / hyp_gic_poke() - list register @n of the vCPU that is in the guest on this CPU
 *
 * For tier (b): a poke takes effect when the guest goes on, and makes list
 * registers up to @n count as in use.
 */
u64 hyp_gic_peek(u32 n);
void hyp_gic_poke(struct hyp_gic *g, u32 n, u64 lr);

/** hyp_gic_vmcr() / hyp_gic_set_vmcr() - ICH_VMCR_EL2 wherever it lives; preemption off, or unloaded */
u32 hyp_gic_vmcr(const struct hyp_vcpu *h);
void hyp_gic_set_vmcr(struct hyp_vcpu *h, u32 vmcr);

/**
 * struct hyp_mmu - a stage-2 translation regime as TLB maintenance sees it
 * @vttbr: VTTBR_EL2, VMID and table base
 * @vtcr:  VTCR_EL2
 */
struct hyp_mmu {
	u64 vttbr;
	u64 vtcr;
};

/* TLB maintenance, broadcast to the inner shareable domain or (@here, preemption off) on this CPU alone; any context. */
void hyp_tlb_flush_range(const struct hyp_mmu *m, ipa_t ipa, u64 size, bool here);
void hyp_tlb_flush_vmid(const struct hyp_mmu *m, bool here);
/** hyp_tlb_flush_all() - every VMID on every CPU, and the instruction caches (VMID roll-over) */
void hyp_tlb_flush_all(void);
/** hyp_flush_stale() - drop what is stale here of the vCPU that is loaded here; preemption off */
void hyp_flush_stale(enum hyp_stale stale);

#endif
