/* SPDX-License-Identifier: GPL-2.0 */
/*
 * vgic_init asks for this kernel header, which tools/include of Linux 6.1
 * does not have. Only what that test uses.
 */
#ifndef TERN_CONFORM_BITFIELD_H
#define TERN_CONFORM_BITFIELD_H

#define FIELD_PREP(mask, value)						\
	(((unsigned long long)(value) << __builtin_ctzll(mask)) & (mask))

#endif
