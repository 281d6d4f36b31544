/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to the world switch. Everything in hyp/ runs with interrupts masked
 * or preemption off, takes no lock, allocates nothing and never sleeps.
 *
 * A vCPU is loaded on a CPU (hyp_load), entered any number of times there
 * (hyp_enter), and unloaded (hyp_unload). Between load and unload the
 * registers of group EL12 and EL0 live in the CPU; hyp_reg_read() and
 * hyp_reg_write() find them wherever they are.
 */
#ifndef TERN_HYP_HYP_H
#define TERN_HYP_HYP_H

#include <linux/kvm.h>
#include "../arch/sysreg.h"

#define HYP_MAX_LR 16

/** enum hyp_exit - why hyp_enter() returned */
enum hyp_exit {
	HYP_EXIT_SYNC,		/* synchronous exception: see esr, far, hpfar */
	HYP_EXIT_IRQ,		/* a host interrupt is pending: unmask and it is taken */
	HYP_EXIT_FIQ,
	HYP_EXIT_SERROR,
};

/**
 * struct hyp_gic - what the virtual CPU interface holds while the vCPU is loaded
 * @lr:      list registers; entries below @nr_used are written before entry and,
 *           after exit, hold what the hardware left in them
 * @nr_used: number of list registers in use (0: no ICH register is touched)
 * @hcr:     ICH_HCR_EL2 to enter with (En added by hyp); after exit EOIcount is in it
 * @vmcr:    ICH_VMCR_EL2, valid in memory while unloaded
 * @ap0r, @ap1r: active priorities, valid in memory while unloaded
 */
struct hyp_gic {
	u64 lr[HYP_MAX_LR];
	u32 nr_used;
	u32 hcr;
	u32 vmcr;
	u32 ap0r[4];
	u32 ap1r[4];
};

/** struct hyp_fp - FP/SIMD registers as KVM's user_fpsimd_state lays them out */
struct hyp_fp {
	__uint128_t v[32];
	u32 fpsr;
	u32 fpcr;
};

/**
 * struct hyp_host - the host's side of the switch, valid between load and unload or during one entry
 */
struct hyp_host {
	u64 sp;
	u64 x19[11];		/* x19-x29 */
	u64 lr;
	u64 x18;
	u64 sp_el0;
	u64 hcr, vbar, cptr, mdcr;
	u64 key[10];		/* APIA, APIB, APDA, APDB, APGA: low, high */
	u64 tpidr_el0, tpidrro_el0, mdscr;
};

#define HYP_FAST_ID 128

/**
 * struct hyp_vcpu - all of a vCPU that the world switch touches; SP_EL2 points at it while the guest runs
 * @x, @pc, @pstate, @sp_el0: the guest's general registers
 * @esr, @far, @hpfar: syndrome of the last synchronous exit
 * @exit:    enum hyp_exit
 * @fast_hvc: nonzero: answer of PSCI_VERSION, given in the vector; 0: full exit
 * @fast_id: ID registers answered in the vector, index (CRm & 7) << 3 | op2 with
 *           bit 6 set..: laid out by hyp_set_id()
 * @hcr:     HCR_EL2 while the guest runs (TGE clear)
 * @vttbr, @vtcr: stage 2, written at load and when vttbr changes
 * @cntvoff: CNTVOFF_EL2
 * @reg:     the register image, index enum sysreg_id
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
	u64 exit;
	u64 fast_hvc;
	u64 fast_ss;
	u64 fast_id[HYP_FAST_ID];
	struct hyp_host host;
	u64 hcr;
	u64 vttbr;
	u64 vtcr;
	u64 cntvoff;
	u64 mdcr;
	int cpu;		/* loaded here, or -1 */
	bool fp_live;		/* the guest's FP registers are in the CPU */
	bool fp_wanted;
	bool ptrauth;		/* feature granted */
	bool ptrauth_live;
	bool slow;		/* debugging: every exit is a full exit */
	struct hyp_gic gic;
	struct hyp_fp fp;
	u64 reg[SYSREG_NR];
} __aligned(64);

int hyp_init(void);
void hyp_fini(void);

void hyp_vcpu_init(struct hyp_vcpu *h);

/** hyp_load() - make @h resident on this CPU; preemption off */
void hyp_load(struct hyp_vcpu *h);

/** hyp_unload() - take @h's state back to memory and give the CPU back to the host; preemption off */
void hyp_unload(struct hyp_vcpu *h);

/** hyp_enter() - run the guest until the next full exit; loaded, interrupts masked
 *  Return: enum hyp_exit, also in h->exit. */
enum hyp_exit hyp_enter(struct hyp_vcpu *h);

/** hyp_fp_grant() - answer to an FP trap: flushes the host's FP state; interrupts on */
void hyp_fp_grant(struct hyp_vcpu *h);

/** hyp_reg_read() - value of register @r, from the CPU when it lives there; preemption off, or unloaded */
u64 hyp_reg_read(const struct hyp_vcpu *h, enum sysreg_id r);
void hyp_reg_write(struct hyp_vcpu *h, enum sysreg_id r, u64 v);

/**
 * struct hyp_mmu - a stage-2 translation regime as TLB maintenance sees it
 * @vttbr: VTTBR_EL2, VMID and table base
 * @vtcr:  VTCR_EL2
 */
struct hyp_mmu {
	u64 vttbr;
	u64 vtcr;
};

/* Broadcast (inner shareable) TLB maintenance; any context that may mask interrupts. */
void hyp_tlb_flush_ipa(const struct hyp_mmu *m, ipa_t ipa, int level);
void hyp_tlb_flush_range(const struct hyp_mmu *m, ipa_t ipa, u64 size);
void hyp_tlb_flush_vmid(const struct hyp_mmu *m);
/** hyp_tlb_flush_local() - this CPU only, all of the VMID's entries and its instruction cache view */
void hyp_tlb_flush_local(const struct hyp_mmu *m);
/** hyp_tlb_flush_all() - every VMID, all CPUs (VMID roll-over) */
void hyp_tlb_flush_all(void);

/** hyp_gic_vmcr() / hyp_gic_set_vmcr() - ICH_VMCR_EL2 wherever it lives */
u32 hyp_gic_vmcr(const struct hyp_vcpu *h);
void hyp_gic_set_vmcr(struct hyp_vcpu *h, u32 vmcr);

#endif
