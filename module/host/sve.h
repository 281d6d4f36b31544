/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vector lengths of the Scalable Vector Extension that this host can give to guests.
 */
#ifndef TERN_HOST_SVE_H
#define TERN_HOST_SVE_H

#include <linux/types.h>

#define SVE_MAX_VQ 16	/* 2048 bits: the most that the architecture has */

/**
 * struct host_sve - constant after load
 * @max_vq: longest vector, in units of 128 bits; 0: guests have no SVE
 * @vqs:    bit n - 1: vectors of n units are there, up to @max_vq
 */
struct host_sve {
	u32 max_vq;
	u32 vqs;
};

extern struct host_sve host_sve;

/** host_sve_init() - ask every CPU; may sleep. Return: 0 or a negative errno */
int host_sve_init(void);

/**
 * host_sve_limit() - the longest vector for guests
 * @common: lengths that all CPUs have, as in struct host_sve
 * @any:    lengths that some CPU has
 *
 * A guest limits its vectors by ZCR_EL1.LEN, and gets the next shorter ones that
 * are there: a length that only some CPUs have must be out of its reach.
 * Return: in units, or 0. Pure.
 */
static inline u32 host_sve_limit(u32 common, u32 any)
{
	u32 some = any & ~common;

	if (some)
		common &= (1U << __builtin_ctz(some)) - 1;
	return common ? 32 - __builtin_clz(common) : 0;
}

#endif
