// SPDX-License-Identifier: GPL-2.0
/* CRC-32C: the sums in images. */
#include <string.h>

#include "lib.h"

/* Four bits at a time: all that a host without the instructions needs. */
static uint32_t crc_plain(uint32_t crc, const uint8_t *p, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
		0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
		0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};

	while (size--) {
		crc ^= *p++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return crc;
}

#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>

__attribute__((target("+crc")))
static uint32_t crc_instructions(uint32_t crc, const uint8_t *p, size_t size)
{
	uint64_t word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		crc = __builtin_aarch64_crc32cx(crc, word);
	}
	while (size--)
		crc = __builtin_aarch64_crc32cb(crc, *p++);
	return crc;
}

uint32_t lib_crc32c(uint32_t crc, const void *data, size_t size)
{
	crc = ~crc;
	if (getauxval(AT_HWCAP) & HWCAP_CRC32)
		return ~crc_instructions(crc, data, size);
	return ~crc_plain(crc, data, size);
}
#else
uint32_t lib_crc32c(uint32_t crc, const void *data, size_t size)
{
	return ~crc_plain(~crc, data, size);
}
#endif
