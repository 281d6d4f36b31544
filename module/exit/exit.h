/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door to exit handling: KVM_RUN, and what becomes of each exit.
 */
#ifndef TERN_EXIT_EXIT_H
#define TERN_EXIT_EXIT_H

#include "../vcpu/vcpu.h"
#include "../vcpu/vm.h"

/** enum exit_result - what a handler decides; a negative errno ends KVM_RUN with it */
enum exit_result {
	EXIT_USER = 0,		/* KVM_RUN returns 0; v->run says why */
	EXIT_RESUME = 1,	/* enter the guest again */
};

/** exit_run() - KVM_RUN; vCPU lock held. Return: 0 or a negative errno */
long exit_run(struct tern_vcpu *v);

/** exit_handle() - serve the exit that hyp_enter() returned with; interrupts on, loaded */
int exit_handle(struct tern_vcpu *v, enum hyp_exit why);

/** exit_park() - sleep while v->paused, without v->lock, until TERN_RESUME or a signal; not loaded */
void exit_park(struct tern_vcpu *v);

/* wait.c; loaded before and after */
/** exit_wait() - wait as WFI does until an interrupt, a request or a signal */
void exit_wait(struct tern_vcpu *v);
/** exit_wait_until() - the same, and no longer than until the virtual counter reaches @cntvct */
void exit_wait_until(struct tern_vcpu *v, u64 cntvct);
/** exit_wait_for() - sleep until @over(v), a request or a signal; not loaded. Return: it slept */
bool exit_wait_for(struct tern_vcpu *v, bool (*over)(struct tern_vcpu *v));
/** exit_wfi_over() - something waits that ends WFI; not loaded */
bool exit_wfi_over(struct tern_vcpu *v);

/* mmio.c */
/** exit_abort() - stage-2 instruction or data abort */
int exit_abort(struct tern_vcpu *v);

/* debug.c */
/** exit_debug() - a debug exception while the client debugs the guest */
int exit_debug(struct tern_vcpu *v);
/** exit_debug_set() - KVM_SET_GUEST_DEBUG. Return: 0 or -EINVAL */
int exit_debug_set(struct tern_vcpu *v, const struct kvm_guest_debug *dbg);
/** exit_debug_begin() / exit_debug_end() - around a KVM_RUN with v->guest_debug */
void exit_debug_begin(struct tern_vcpu *v);
void exit_debug_end(struct tern_vcpu *v);

/** EXIT_DEBUG_CONTROLS - what a client may ask for in struct kvm_guest_debug.control */
#define EXIT_DEBUG_CONTROLS (KVM_GUESTDBG_ENABLE | KVM_GUESTDBG_SINGLESTEP | \
			     KVM_GUESTDBG_USE_SW_BP | KVM_GUESTDBG_USE_HW)

/* page.c: the register page, around a KVM_RUN with v->page_sets */
/** exit_page_in() - take what the client wrote. Return: 0, or -EINVAL and nothing is changed */
int exit_page_in(struct tern_vcpu *v);
void exit_page_out(struct tern_vcpu *v);

/* pmu.c */
/** exit_pmu_note() - the guest's counters changed, and may be the first that count: until KVM_RUN ends EL0 is its own */
void exit_pmu_note(struct tern_vcpu *v);
/** exit_pmu_serve() - VCPU_REQ_PMU. Return: EXIT_USER when the client moved the thread to a CPU whose PMU is not the VM's */
int exit_pmu_serve(struct tern_vcpu *v);

/* tlbi.c */
/** exit_tlbi_init() - module parameter trap_tlbi. Return: 0 or -EINVAL (with a message) */
int exit_tlbi_init(void);
/** exit_tlbi_vcpu() - a vCPU is made: whether its broadcast TLBI traps */
void exit_tlbi_vcpu(struct tern_vcpu *v);
/** exit_is_tlbi() - the trapped system instruction is TLB maintenance of EL1 */
bool exit_is_tlbi(u64 esr);
int exit_tlbi(struct tern_vcpu *v);

/* sysreg.c */
/** exit_sysreg_init() - fill the trap tables. Return: 0, or -EINVAL for a table with a duplicate or out of order */
int exit_sysreg_init(void);
int exit_sysreg(struct tern_vcpu *v);
int exit_cp15_32(struct tern_vcpu *v);
int exit_cp15_64(struct tern_vcpu *v);
int exit_cp14_32(struct tern_vcpu *v);
int exit_cp14_64(struct tern_vcpu *v);
int exit_cp14_ls(struct tern_vcpu *v);
int exit_cp10(struct tern_vcpu *v);

/** exit_leaf_init() - a new vCPU: what tier (b) serves */
void exit_leaf_init(struct hyp_vcpu *h);

#endif
