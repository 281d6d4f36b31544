/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client's accesses to words of banks.
 */
#ifndef TERN_VGIC_WORDS_H
#define TERN_VGIC_WORDS_H

#include "vgic.h"

/**
 * vgic_word_access() - the short way, no vCPU running
 * @c:  the redistributor's vCPU, or NULL: the distributor
 * @in: offset in the distributor's frame, or in the redistributor's second
 * Return: true when it is done, false: nothing is, the register maps know.
 */
bool vgic_word_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val);

/** enum vgic_spot_kind - how a register reads while no vCPU runs. Up to SPOT_HW: a word in that structure */
enum vgic_spot_kind {
	SPOT_DIST,	/* struct vgic */
	SPOT_CPU,	/* struct vgic_cpu */
	SPOT_HW,	/* struct hyp_gic */
	SPOT_CFG_DIST,	/* ICFGR of a bank in struct vgic, half @shift */
	SPOT_CFG_CPU,	/* ... in struct vgic_cpu */
	SPOT_LINE_DIST,	/* input lines of a bank's level-triggered interrupts */
	SPOT_LINE_CPU,
	SPOT_FIXED,	/* @mask */
	SPOT_NONE,	/* the register maps know */
};

/** struct vgic_spot - where that is: at @at bytes, >> @shift & @mask */
struct vgic_spot {
	u32 mask;
	u16 at;
	u8 kind;
	u8 shift;
};

struct vgic_spot vgic_dist_spot(const struct vgic *g, u32 offset);
struct vgic_spot vgic_redist_spot(u32 offset);
struct vgic_spot vgic_icc_spot(u32 enc);
struct vgic_spot vgic_line_spot(const struct vgic *g, u32 intid);

/** struct vgic_base - where spots are counted from: SPOT_DIST to SPOT_HW */
struct vgic_base {
	const void *of[SPOT_HW + 1];
};

/** vgic_base() - @c: a vCPU, or NULL when there are to be registers of the distributor alone */
static __always_inline struct vgic_base vgic_base(const struct vgic *g, const struct vgic_cpu *c)
{
	return (struct vgic_base){ .of = { g, c, c ? c->hw : NULL } };
}

bool vgic_spot_other(const struct vgic_base *b, const struct vgic_spot *s, u32 *val);
bool vgic_spot_keeps_other(const struct vgic_base *b, const struct vgic_spot *s, u64 val);

static __always_inline u32 vgic_spot_word(const struct vgic_base *b, const struct vgic_spot *s)
{
	return READ_ONCE(*(const u32 *)(b->of[s->kind] + s->at)) >> s->shift & s->mask;
}

/** vgic_spot_read() - Return: false when there is none, and nothing was read */
static __always_inline bool vgic_spot_read(const struct vgic_base *b, const struct vgic_spot *s, u32 *val)
{
	if (unlikely(s->kind > SPOT_HW))
		return s->kind != SPOT_NONE && vgic_spot_other(b, s, val);
	*val = vgic_spot_word(b, s);
	return true;
}

/** vgic_spot_keeps() - a write of @val is known to change nothing there; a route may yet be another */
static __always_inline bool vgic_spot_keeps(const struct vgic_base *b, const struct vgic_spot *s, u64 val)
{
	if (unlikely(s->kind > SPOT_HW))
		return vgic_spot_keeps_other(b, s, val);
	return vgic_spot_word(b, s) == val;
}

#endif
