/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: small things of every file. */
#ifndef TERN_SHIM_KERNEL_H
#define TERN_SHIM_KERNEL_H

#include <stdio.h>
#include <linux/align.h>
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define U16_MAX ((u16)~0U)
#define upper_32_bits(n) ((u32)((u64)(n) >> 32))
#define lower_32_bits(n) ((u32)(n))

#define EXPORT_SYMBOL_GPL(s)
#define pr_err(...)	fprintf(stderr, __VA_ARGS__)
#define pr_warn(...)	fprintf(stderr, __VA_ARGS__)
#define pr_info(...)	fprintf(stderr, __VA_ARGS__)
#define pr_debug(...)	((void)0)

#endif
