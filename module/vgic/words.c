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

/* Place in a bank, or -1 */
static int place_in_bank(u32 in)
{
	if (in & 3)
		return -1;
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
	return in < D_IPRIORITYR ? in % WORDS_LEN / 4 : (in - D_IPRIORITYR) / 32;
}

static_assert(sizeof(struct vgic) <= U16_MAX);

u16 vgic_dist_word(const struct vgic *g, u32 offset)
{
	int place = place_in_bank(offset);
	u32 b = bank_of_word(offset), n = (offset - D_IROUTER) / 8 - VGIC_PRIVATE;

	if (place >= 0 && b - 1 < g->nr_spis / 32)
		return offsetof(struct vgic, spi) + (b - 1) * sizeof(struct vgic_bank) + place;
	if (offset - D_IROUTER < 8 * VGIC_MAX_IRQS && !(offset & 7) && n < g->nr_spis)
		return offsetof(struct vgic, irouter) + 4 * n;
	return 0;
}

u16 vgic_redist_word(u32 offset)
{
	int place = place_in_bank(offset - R_SGI);

	return place >= 0 && !bank_of_word(offset - R_SGI) ? offsetof(struct vgic_cpu, own) + place : 0;
}
