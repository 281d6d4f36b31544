/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TERN_UNIT_LINUX_CRC32_H
#define TERN_UNIT_LINUX_CRC32_H

#include <linux/types.h>
#include <stddef.h>

/* bit by bit: CRC-32C, as the kernel's without any inversion */
static inline u32 __crc32c_le(u32 crc, const void *data, size_t n)
{
	const u8 *p = data;
	int i;

	while (n--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0);
	}
	return crc;
}

#endif
