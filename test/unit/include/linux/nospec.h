/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: an index that the caller has checked; a wrong one ends the test. */
#ifndef TERN_SHIM_NOSPEC_H
#define TERN_SHIM_NOSPEC_H

#include <linux/bug.h>

#define array_index_nospec(i, n) ({ __typeof__(i) i_ = (i); BUG_ON(i_ >= (n)); i_; })

#endif
