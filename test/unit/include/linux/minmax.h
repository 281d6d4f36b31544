/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: min() and max(). */
#ifndef TERN_SHIM_MINMAX_H
#define TERN_SHIM_MINMAX_H

#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)

#endif
