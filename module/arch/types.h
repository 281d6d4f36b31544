/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of address a hypervisor confuses at its peril, as distinct types.
 */
#ifndef TERN_ARCH_TYPES_H
#define TERN_ARCH_TYPES_H

#include <linux/types.h>

/** ipa_t - intermediate physical (guest-physical) address, in bytes */
typedef struct {
	u64 ipa;
} ipa_t;

/** hpa_t - host-physical address, in bytes */
typedef struct {
	u64 hpa;
} hpa_t;

/** hva_t - virtual address in the process that owns the VM, in bytes */
typedef struct {
	u64 hva;
} hva_t;

static inline ipa_t to_ipa(u64 v)
{
	return (ipa_t){ v };
}

static inline hpa_t to_hpa(u64 v)
{
	return (hpa_t){ v };
}

static inline hva_t to_hva(u64 v)
{
	return (hva_t){ v };
}

#endif
