/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of hyp/ share among themselves.
 */
#ifndef TERN_HYP_INTERNAL_H
#define TERN_HYP_INTERNAL_H

#include <linux/percpu.h>
#include <asm/kvm_arm.h>
#include <asm/sysreg.h>
#include "hyp.h"

/* entry.S: tables of 2 KiB, one for each enum predictor_kind */
extern const char hyp_vectors[];

/* vectors.c */
/** hyp_vectors_prepare() - choose this CPU's; before a guest runs on it, preemption off */
void hyp_vectors_prepare(void);
/** hyp_vectors_load() - take over those of this CPU; preemption off */
void hyp_vectors_load(struct hyp_vcpu *h);

/* fast.c */
enum hyp_leaf_result hyp_leaf_fp(struct hyp_vcpu *h, u64 esr);

/* fpsimd.c */
void hyp_fp_save(struct hyp_fp *fp);
void hyp_fp_load(const struct hyp_fp *fp);

/* sve.c: the same with scalable vectors; CPTR_EL2 lets them pass */
void hyp_sve_save(struct hyp_vcpu *h);
void hyp_sve_load(struct hyp_vcpu *h);

/* entry.S: the vectors of the host on this CPU (mitigations make them differ between CPUs) */
DECLARE_PER_CPU(u64, hyp_host_vbar);

/* CPTR_EL2 as laid out when HCR_EL2.E2H is set (Arm ARM, CPTR_EL2) */
#define CPTR_ZEN	GENMASK_ULL(17, 16)
#define CPTR_FPEN	GENMASK_ULL(21, 20)
#define CPTR_SMEN	GENMASK_ULL(25, 24)
#define CPTR_TTA	BIT_ULL(28)
#define CPTR_TAM	BIT_ULL(30)

/* debug.c */
void hyp_debug_init(struct hyp_vcpu *h);
void hyp_debug_enter(struct hyp_vcpu *h, u64 host_mdscr);
void hyp_debug_exit(struct hyp_vcpu *h);

/* gic.c */
void hyp_gic_load(struct hyp_gic *g);
void hyp_gic_unload(struct hyp_gic *g);

#endif
