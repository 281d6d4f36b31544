/* SPDX-License-Identifier: GPL-2.0 */
/* Userspace stand-in: fields of registers. */
#ifndef TERN_SHIM_BITFIELD_H
#define TERN_SHIM_BITFIELD_H

#define FIELD_SHIFT_(mask)	__builtin_ctzll(mask)
#define FIELD_GET(mask, v)	((__typeof__(mask))(((v) & (mask)) >> FIELD_SHIFT_(mask)))
#define FIELD_PREP(mask, v)	(((__typeof__(mask))(v) << FIELD_SHIFT_(mask)) & (mask))
#define FIELD_FIT(mask, v)	(!(((__typeof__(mask))(v) << FIELD_SHIFT_(mask)) & ~(mask)))

#endif
