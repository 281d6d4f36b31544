/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: alignment. */
#ifndef TERN_SHIM_ALIGN_H
#define TERN_SHIM_ALIGN_H

#define ALIGN(x, a)	 (((x) + ((__typeof__(x))(a) - 1)) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a) (!((x) & ((__typeof__(x))(a) - 1)))

#endif
