// SPDX-License-Identifier: GPL-2.0
/*
 * A client's accesses to the registers that there are most of, a word of a
 * bank each: reads, and writes of what is there already, which most writes of a
 * restore are. Everything else goes by the register maps.
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <asm/byteorder.h>
#include "bank.h"
#include "regs.h"
#include "words.h"

#define WORDS_LEN	0x80	/* of an array of one bit an interrupt */
#define PRIO_BYTES	(PRIO_MASK * 0x01010101U)
#define CFG_BITS	0xaaaaaaaaU

/* NULL: there is no such bank, or not in this frame */
static inline struct vgic_bank *bank_at(struct vgic *g, struct vgic_cpu *c, u32 b)
{
	if (c)
		return b ? NULL : &c->own;
	if (b - 1 >= g->nr_spis / 32)
		return NULL;
	return &g->spi[array_index_nospec(b - 1, VGIC_BANKS - 1)];
}

/* One bit an interrupt. @same: a write of @val would change nothing */
static inline u32 bits_of(const struct vgic_bank *k, u32 array, u32 val, bool *same)
{
	u32 now;

	switch (array) {
	case D_IGROUPR / WORDS_LEN:
		now = atomic_read(&k->group);
		*same = val == now;
		return now;
	case D_ISENABLER / WORDS_LEN:
		now = atomic_read(&k->enable);
		*same = !(val & ~now);
		return now;
	case D_ICENABLER / WORDS_LEN:
		now = atomic_read(&k->enable);
		*same = !(val & now);
		return now;
	case D_ISPENDR / WORDS_LEN:
		now = atomic_read(&k->latch);
		*same = val == now;
		return now;
	case D_ISACTIVER / WORDS_LEN:
		now = atomic_read(&k->active);
		*same = !(val & ~now);
		return now;
	case D_ICACTIVER / WORDS_LEN:
		now = atomic_read(&k->active);
		*same = !(val & now);
		return now;
	default:	/* ICPENDR: see vgic_read_spend() */
		*same = true;
		return 0;
	}
}

static inline bool done(bool write, bool same, u32 now, u32 *val)
{
	if (write)
		return same;
	*val = now;
	return true;
}

static bool bits_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val)
{
	const struct vgic_bank *k = bank_at(g, c, in % WORDS_LEN / 4);
	bool same = false;
	u32 now;

	if (!k)
		return false;
	now = bits_of(k, in / WORDS_LEN, *val, &same);
	return done(write, same, now, val);
}

static bool prio_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val)
{
	const struct vgic_bank *k = bank_at(g, c, (in - D_IPRIORITYR) / 32);
	u32 now;

	if (!k)
		return false;
	now = le32_to_cpup((const __le32 *)&k->prio[in % 32]);
	return done(write, now == (*val & PRIO_BYTES), now, val);
}

static bool cfg_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val)
{
	const struct vgic_bank *k = bank_at(g, c, (in - D_ICFGR) / 8);
	u32 now;

	if (!k)
		return false;
	now = vgic_bank_cfg(k, in / 4 % 2);
	/* Those of SGIs and PPIs are fixed. */
	return done(write, c || now == (*val & CFG_BITS), now, val);
}

/* The route may be wrong although the register is right: MPIDR_EL1 may have changed. */
static bool routed(const struct vgic *g, u32 n)
{
	u32 to = READ_ONCE(g->route[n]);

	return to != VGIC_NO_CPU && (g->cpu[to]->hyp->reg[REG_MPIDR_EL1] & MPIDR_AFF) == g->irouter[n];
}

static bool route_access(struct vgic *g, u32 in, bool write, u32 *val)
{
	u32 n = (in - D_IROUTER) / 8 - VGIC_PRIVATE, now;

	if (n >= g->nr_spis)
		return false;
	n = array_index_nospec(n, VGIC_MAX_SPI);
	now = in & 4 ? 0 : READ_ONCE(g->irouter[n]);
	return done(write, in & 4 || ((*val & AFF_210) == now && routed(g, n)), now, val);
}

bool vgic_word_access(struct vgic *g, struct vgic_cpu *c, u32 in, bool write, u32 *val)
{
	if (in & 3)
		return false;
	if (in - D_IGROUPR < D_IPRIORITYR - D_IGROUPR)
		return bits_access(g, c, in, write, val);
	if (in - D_IPRIORITYR < D_ITARGETSR - D_IPRIORITYR)
		return prio_access(g, c, in, write, val);
	if (in - D_ICFGR < D_IGRPMODR - D_ICFGR)
		return cfg_access(g, c, in, write, val);
	if (!c && in - D_IROUTER < 8 * VGIC_MAX_IRQS)
		return route_access(g, in, write, val);
	return false;
}

/* Spots */

#define NOWHERE		((struct vgic_spot){ .kind = SPOT_NONE })
#define ALL_BITS	0xffffffffU

static_assert(sizeof(struct vgic) <= U16_MAX && sizeof(struct vgic_cpu) <= U16_MAX);

static struct vgic_spot spot(enum vgic_spot_kind kind, u32 at, u32 mask)
{
	return (struct vgic_spot){ .kind = kind, .at = at, .mask = mask };
}

/* Place in a bank, or -1 */
static int place_in_bank(u32 in)
{
	switch (in / WORDS_LEN) {
	case D_IGROUPR / WORDS_LEN:
		return offsetof(struct vgic_bank, group);
	case D_ISENABLER / WORDS_LEN:
		return offsetof(struct vgic_bank, enable);
	case D_ISPENDR / WORDS_LEN:
		return offsetof(struct vgic_bank, latch);
	case D_ISACTIVER / WORDS_LEN:
		return offsetof(struct vgic_bank, active);
	}
	if (in - D_IPRIORITYR < D_ITARGETSR - D_IPRIORITYR && IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN))
		return offsetof(struct vgic_bank, prio) + in % 32;
	return -1;
}

static u32 bank_of_word(u32 in)
{
	if (in - D_ICFGR < D_IGRPMODR - D_ICFGR)
		return (in - D_ICFGR) / 8;
	return in < D_IPRIORITYR ? in % WORDS_LEN / 4 : (in - D_IPRIORITYR) / 32;
}

/* Of a word of the bank that is at @bank in what @kind says */
static struct vgic_spot spot_in_bank(enum vgic_spot_kind kind, u32 bank, u32 in)
{
	int place = place_in_bank(in);
	struct vgic_spot cfg = spot(kind == SPOT_DIST ? SPOT_CFG_DIST : SPOT_CFG_CPU, bank, ALL_BITS);

	if (place >= 0)
		return spot(kind, bank + place, ALL_BITS);
	if (in - D_ICFGR >= D_IGRPMODR - D_ICFGR)
		return NOWHERE;
	cfg.shift = in / 4 % 2;
	return cfg;
}

static u32 spi_bank(u32 b)
{
	return offsetof(struct vgic, spi) + (b - 1) * sizeof(struct vgic_bank);
}

struct vgic_spot vgic_dist_spot(const struct vgic *g, u32 offset)
{
	u32 b = bank_of_word(offset), n = (offset - D_IROUTER) / 8 - VGIC_PRIVATE;

	if (offset & 3)
		return NOWHERE;
	if (offset < D_IGRPMODR)
		return b - 1 < g->nr_spis / 32 ? spot_in_bank(SPOT_DIST, spi_bank(b), offset) : NOWHERE;
	if (offset - D_IROUTER < 8 * VGIC_MAX_IRQS && !(offset & 4) && n < g->nr_spis)
		return spot(SPOT_DIST, offsetof(struct vgic, irouter) + 4 * n, ALL_BITS);
	return NOWHERE;
}

struct vgic_spot vgic_redist_spot(u32 offset)
{
	u32 in = offset - R_SGI;

	if (offset & 3)
		return NOWHERE;
	if (in < D_IGRPMODR)
		return bank_of_word(in) ? NOWHERE :
					  spot_in_bank(SPOT_CPU, offsetof(struct vgic_cpu, own), in);
	if (!IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN))
		return NOWHERE;
	if (offset - R_PROPBASER < 8)
		return spot(SPOT_DIST, offsetof(struct vgic, propbaser) + offset - R_PROPBASER, ALL_BITS);
	if (offset - R_PENDBASER < 8)
		return spot(SPOT_CPU, offsetof(struct vgic_cpu, pendbaser) + offset - R_PENDBASER,
			    offset & 4 ? (u32)~(PENDBASER_PTZ >> 32) : ALL_BITS);
	return NOWHERE;
}

struct vgic_spot vgic_line_spot(const struct vgic *g, u32 intid)
{
	if (intid % 32 || intid >= g->nr_spis + VGIC_PRIVATE)
		return NOWHERE;
	if (intid)
		return spot(SPOT_LINE_DIST, spi_bank(intid / 32), ALL_BITS);
	return spot(SPOT_LINE_CPU, offsetof(struct vgic_cpu, own), VGIC_PPIS);
}

static const struct vgic_bank *bank_of(const struct vgic_base *b, const struct vgic_spot *s)
{
	return b->of[s->kind == SPOT_CFG_DIST || s->kind == SPOT_LINE_DIST ? SPOT_DIST : SPOT_CPU] + s->at;
}

bool vgic_spot_other(const struct vgic_base *b, const struct vgic_spot *s, u32 *val)
{
	const struct vgic_bank *k = bank_of(b, s);

	switch (s->kind) {
	case SPOT_CFG_DIST:
	case SPOT_CFG_CPU:
		*val = vgic_bank_cfg(k, s->shift);
		return true;
	case SPOT_LINE_DIST:
	case SPOT_LINE_CPU:
		*val = atomic_read(&k->line) & ~atomic_read(&k->edge) & s->mask;
		return true;
	case SPOT_FIXED:
		*val = s->mask;
		return true;
	}
	return false;
}

/* Lines of edge-triggered interrupts are there, too, though they do not show. */
bool vgic_spot_keeps_other(const struct vgic_base *b, const struct vgic_spot *s, u64 val)
{
	u32 now;

	if (s->kind == SPOT_LINE_DIST || s->kind == SPOT_LINE_CPU)
		return (atomic_read(&bank_of(b, s)->line) & s->mask) == val;
	return vgic_spot_other(b, s, &now) && now == val;
}
