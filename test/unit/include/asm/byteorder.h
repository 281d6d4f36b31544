/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: byte order, of a little-endian machine. */
#ifndef TERN_SHIM_BYTEORDER_H
#define TERN_SHIM_BYTEORDER_H

#include <linux/types.h>

#define le32_to_cpu(x)	((u32)(x))
#define cpu_to_le32(x)	((__le32)(x))
#define le32_to_cpup(p)	((u32)*(p))
#define le64_to_cpu(x)	((u64)(x))
#define cpu_to_le64(x)	((__le64)(x))

#endif
