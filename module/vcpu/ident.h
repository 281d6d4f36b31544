/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a guest can learn of the CPU it runs on: ID registers, invariant
 * registers, cache geometry.
 */
#ifndef TERN_VCPU_IDENT_H
#define TERN_VCPU_IDENT_H

#include <linux/types.h>
#include "../arch/sysreg.h"

struct tern_vcpu;
struct tern_vm;

/** vcpu_ident_init() - read this host's registers; once, at load, after host_caps_init() */
void vcpu_ident_init(void);

/** vcpu_ident_vm_init() - a new VM starts with what this host can promise */
void vcpu_ident_vm_init(struct tern_vm *vm);

/** vcpu_ident_host() - raw or sanitised value, fixed at load, of a register with SYSREG_VIS_INVAR */
u64 vcpu_ident_host(u32 enc);

/** vcpu_ident_value() - the ID register @d as this vCPU's guest reads it */
u64 vcpu_ident_value(const struct tern_vcpu *v, const struct sysreg_desc *d);

/** vcpu_ident_publish() - give all ID registers to the vector, which answers reads */
void vcpu_ident_publish(struct tern_vcpu *v);

/** vcpu_ident_set_pfr0() - a client's write to ID_AA64PFR0_EL1. Return: 0 or -EINVAL */
int vcpu_ident_set_pfr0(struct tern_vcpu *v, u64 val);

/** vcpu_ident_has_cache() - does CSSELR_EL1 value @sel name a cache of this host? */
bool vcpu_ident_has_cache(u32 sel);

/** vcpu_ident_ccsidr() - CCSIDR_EL1 of cache @sel */
u32 vcpu_ident_ccsidr(u32 sel);

#endif
