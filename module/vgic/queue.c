// SPDX-License-Identifier: GPL-2.0
/*
 * Banks <-> list registers. See vgic.h for the protocol.
 */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include "../arch/ich.h"
#include "../host/caps.h"
#include "lpi.h"
#include "queue.h"

/* What vCPU @c could list of bank @b now: pending and not active ... */
static u32 want_pending(struct vgic_cpu *c, u32 b)
{
	struct vgic_bank *k = vgic_bank_of(c, b);
	u32 want = vgic_bank_pending(k) & atomic_read(&k->enable) & ~atomic_read(&k->active);

	if (!want || !atomic_read(&c->vgic->enabled))
		return 0;
	if (!b)
		return want;
	return want & atomic_read(&c->target[b]) & (~atomic_read(&k->held) | atomic_read(&c->held[b]));
}

/* ... and active. */
static u32 want_active(struct vgic_cpu *c, u32 b)
{
	u32 active = atomic_read(&vgic_bank_of(c, b)->active);

	return b ? active & atomic_read(&c->held[b]) : active;
}

/*
 * Both. This and what follows is on the way of every interrupt: inlined, with
 * @b a constant 0 for SGIs and PPIs.
 */
static __always_inline u32 want_all(struct vgic_cpu *c, u32 b)
{
	struct vgic_bank *k = vgic_bank_of(c, b);
	u32 active = atomic_read(&k->active), held;
	u32 want = vgic_bank_pending(k) & atomic_read(&k->enable) & ~active;

	if (want && !atomic_read(&c->vgic->enabled))
		want = 0;
	if (b) {
		held = atomic_read(&c->held[b]);
		want &= atomic_read(&c->target[b]) & (~atomic_read(&k->held) | held);
		active &= held;
	}
	return want | active;
}

static const struct vgic_map *map_of(const struct vgic_cpu *c, u32 intid)
{
	const struct vgic_map *m = c->map;

	while (m->intid != intid)
		m++;
	return m;
}

/*
 * Take the pending state of an enabled interrupt for list register @n; it may
 * have gone meanwhile. A latch is consumed now and given back on exit if the
 * guest did not acknowledge. A mapped line is one-shot, see struct vgic_hw_ops.
 */
static __always_inline u64 take_pending(struct vgic_cpu *c, struct vgic_bank *k, u32 mask, u32 n, bool edge, bool hw)
{
	bool line = !edge && atomic_read(&k->line) & mask;

	if ((edge || atomic_read(&k->latch) & mask) && atomic_fetch_andnot(mask, &k->latch) & mask)
		c->took |= BIT(n);
	else if (!line)
		return 0;
	if (hw && line)
		atomic_andnot(mask, &k->line);
	return LR_PENDING;
}

/*
 * May an active interrupt be pending as well in its list register? Not a level
 * one, whose line must be looked at again; not with HW=1 (UNPREDICTABLE, Arm
 * IHI 0069, ICH_LR<n>_EL2.HW); and not an SPI that is routed elsewhere now.
 */
static bool both_states(struct vgic_cpu *c, u32 b, u32 mask, bool edge, bool hw)
{
	return edge && !hw && atomic_read(&vgic_bank_of(c, b)->enable) & mask && atomic_read(&c->vgic->enabled) &&
	       (!b || atomic_read(&c->target[b]) & mask);
}

/*
 * The maintenance interrupt on deactivation is wanted only where something is
 * to be done then: the device still asserts its line, or somebody watches, or
 * the pending state had to stay behind.
 */
static __always_inline bool want_eoi(const struct vgic_bank *k, u32 mask, u64 lr, bool edge)
{
	u32 wait = edge ? 0 : atomic_read(&k->line) | atomic_read(&k->watch);

	if ((lr & LR_STATE) == LR_ACTIVE)
		wait |= atomic_read(&k->latch);
	return wait & mask;
}

static __always_inline u64 make_lr(struct vgic_cpu *c, u32 b, u32 bit, u32 n)
{
	struct vgic_bank *k = vgic_bank_of(c, b);
	u32 mask = BIT(bit);
	bool edge = atomic_read(&k->edge) & mask;
	bool hw = !b && c->hwmap & mask;
	u64 lr = (b * 32 + bit) | (u64)READ_ONCE(k->prio[bit]) << LR_PRIO_SHIFT;

	if (atomic_read(&k->group) & mask)
		lr |= LR_GROUP1;
	if (atomic_read(&k->active) & mask)
		lr |= LR_ACTIVE;
	if (!(lr & LR_ACTIVE) || both_states(c, b, mask, edge, hw))
		lr |= take_pending(c, k, mask, n, edge, hw);
	if (hw)
		lr |= LR_HW | (u64)map_of(c, bit)->host_intid << LR_PHYS_SHIFT;
	else if (want_eoi(k, mask, lr, edge))
		lr |= LR_EOI;
	return lr;
}

/* LPIs are in group 1 and have no active state (Arm IHI 0069, chapter 5). */
static u32 list_lpi(struct vgic_cpu *c, u32 intid, u32 n)
{
	if (!vgic_lpi_take(c, intid))
		return n;
	c->hw->lr[n] = intid | (u64)vgic_lpi_prio(c, intid) << LR_PRIO_SHIFT | LR_GROUP1 | LR_PENDING;
	return n + 1;
}

/* Return: list registers in use after this one; unchanged when the interrupt has gone meanwhile */
static __always_inline u32 list_one(struct vgic_cpu *c, u32 b, u32 bit, u32 n)
{
	u64 lr;

	if (b && !vgic_claim(c, b, BIT(bit)))
		return n;
	lr = make_lr(c, b, bit, n);
	if (!(lr & LR_STATE)) {
		if (b)
			vgic_release(c, b, BIT(bit), c);
		return n;
	}
	c->hw->lr[n] = lr;
	return n + 1;
}

static u32 list_own(struct vgic_cpu *c, u32 bit, u32 n)
{
	return list_one(c, 0, bit, n);
}

static u32 list_spi(struct vgic_cpu *c, u32 b, u32 bit, u32 n)
{
	return list_one(c, b, bit, n);
}

/* The device's line where only rising edges are seen; false: nothing keeps the host's interrupt active */
static void resample(struct vgic_cpu *c, struct vgic_bank *k, u32 mask)
{
	const struct vgic_map *m = map_of(c, __ffs(mask));
	bool level = m->ops->level(m->opaque);

	vgic_assign(&k->line, mask, level ? mask : 0);
	if (!level)
		m->ops->set_active(m->opaque, false);
}

static void report_ack(struct vgic *g, struct vgic_bank *k, u32 b, u32 mask)
{
	if (b && atomic_read(&k->watch) & mask && !(atomic_read(&k->edge) & mask))
		g->ack(g->ack_opaque, b * 32 + __ffs(mask));
}

/* One list register back to its bank */
static __always_inline void fold_one(struct vgic_cpu *c, u32 b, u64 lr, u32 n)
{
	u32 mask = BIT(lr % 32);
	struct vgic_bank *k = vgic_bank_of(c, b);
	bool was_active = atomic_read(&k->active) & mask;

	if (lr & LR_ACTIVE) {
		if (!was_active)
			atomic_or(mask, &k->active);
	} else if (was_active) {
		atomic_andnot(mask, &k->active);
	}
	if (lr & LR_PENDING && c->took & BIT(n))
		atomic_or(mask, &k->latch);
	if (!b && lr & LR_HW &&
	    (lr & LR_PENDING || (was_active && !(lr & LR_ACTIVE) && atomic_read(&k->line) & mask)))
		resample(c, k, mask);
	if (b && lr & LR_EOI && !(lr & LR_STATE))
		report_ack(c->vgic, k, b, mask);

	if (b && !(lr & LR_ACTIVE))
		vgic_release(c, b, mask, c);
	else if (lr & LR_STATE || vgic_bank_pending(k) & mask)
		c->carry |= BIT(b);
}

static void fold_lpi(struct vgic_cpu *c, u64 lr)
{
	if (!(lr & LR_PENDING))
		return;		/* acknowledged, whatever a list register may show as active */
	vgic_lpi_put(c, LR_VINTID(lr));
	c->carry |= VGIC_TODO_LPI;
}

static noinline void fold_other(struct vgic_cpu *c, u64 lr, u32 n)
{
	if (LR_VINTID(lr) >= LPI_BASE)
		fold_lpi(c, lr);
	else
		fold_one(c, LR_VINTID(lr) / 32, lr, n);
}

static void fold(struct vgic_cpu *c, u32 used)
{
	u32 n;

	for (n = 0; n < used; n++) {
		u64 lr = c->hw->lr[n];

		if (likely(LR_VINTID(lr) < VGIC_PRIVATE))
			fold_one(c, 0, lr, n);
		else
			fold_other(c, lr, n);
	}
	c->took = 0;
}

/*
 * More interrupts than list registers.
 *
 * Pending ones come before active ones: the next to be taken must be there,
 * while the deactivation of an absent active one is counted by ICH_HCR.EOIcount
 * (EOImode 0) or trapped (EOImode 1, ICC_DIR_EL1). Mapped ones come first of
 * the active, because their list register deactivates the host's interrupt.
 * Pending ones of a group that is disabled in the CPU interface come last.
 */
enum { SORT_PENDING, SORT_HW, SORT_ACTIVE, SORT_MASKED };

/**
 * struct sorted - the most urgent interrupts
 * @key:  class << 8 | priority
 * @intid: the interrupt of each
 * @n:    entries in use
 * @left: classes of which some were left out, as bits
 * @left_group: groups of the SORT_MASKED ones left out
 */
struct sorted {
	u16 key[HYP_MAX_LR];
	u16 intid[HYP_MAX_LR];
	u32 n;
	u32 left;
	u32 left_group;
};

static void sort_left(struct sorted *s, struct vgic_cpu *c, u32 key, u32 intid)
{
	u32 group = 1;

	if (intid < LPI_BASE)
		group = (u32)atomic_read(&vgic_bank_of(c, intid / 32)->group) >> intid % 32 & 1;
	s->left |= BIT(key >> 8);
	if (key >> 8 == SORT_MASKED)
		s->left_group |= BIT(group);
}

static void sort_insert(struct sorted *s, struct vgic_cpu *c, u32 key, u32 intid)
{
	u32 i;

	if (s->n == host_caps.nr_lr) {
		if (s->key[s->n - 1] <= key) {
			sort_left(s, c, key, intid);
			return;
		}
		s->n--;
		sort_left(s, c, s->key[s->n], s->intid[s->n]);
	}
	for (i = s->n++; i && s->key[i - 1] > key; i--) {
		s->key[i] = s->key[i - 1];
		s->intid[i] = s->intid[i - 1];
	}
	s->key[i] = key;
	s->intid[i] = intid;
}

static void sort_bank(struct sorted *s, struct vgic_cpu *c, u32 b, u32 vmcr)
{
	struct vgic_bank *k = vgic_bank_of(c, b);
	u32 active = want_active(c, b), want = active | want_pending(c, b);
	u32 group1 = atomic_read(&k->group);
	u32 masked = (vmcr & VMCR_ENG1 ? 0 : group1) | (vmcr & VMCR_ENG0 ? 0 : ~group1);

	for (; want; want &= want - 1) {
		u32 bit = __ffs(want), class = SORT_PENDING;

		if (active & BIT(bit))
			class = !b && c->hwmap & BIT(bit) ? SORT_HW : SORT_ACTIVE;
		else if (masked & BIT(bit))
			class = SORT_MASKED;
		sort_insert(s, c, class << 8 | READ_ONCE(k->prio[bit]), b * 32 + bit);
	}
}

static void sort_lpis(struct sorted *s, struct vgic_cpu *c, u32 vmcr)
{
	u32 class = vmcr & VMCR_ENG1 ? SORT_PENDING : SORT_MASKED, intid;

	for (intid = vgic_lpi_next(c, LPI_BASE); intid; intid = vgic_lpi_next(c, intid + 1))
		sort_insert(s, c, class << 8 | vgic_lpi_prio(c, intid), intid);
}

/*
 * When to come back for those left out. None of it is true at entry: with
 * pending ones left out only pending ones, of enabled groups, are listed.
 */
static u32 overflow_hcr(const struct sorted *s, u32 vmcr)
{
	u32 hcr = 0;

	if (s->left & BIT(SORT_PENDING))
		hcr |= VHCR_NPIE | (vmcr & VMCR_ENG0 ? VHCR_VGRP0DIE : 0) | (vmcr & VMCR_ENG1 ? VHCR_VGRP1DIE : 0);
	if (s->left_group & BIT(0))
		hcr |= VHCR_VGRP0EIE;
	if (s->left_group & BIT(1))
		hcr |= VHCR_VGRP1EIE;
	if (s->left & (BIT(SORT_ACTIVE) | BIT(SORT_HW))) {
		hcr |= VHCR_LRENPIE;
		if (host_caps.vtr & VTR_TDS)
			hcr |= VHCR_TDIR;
	}
	return hcr;
}

static u32 list_any(struct vgic_cpu *c, u32 intid, u32 n)
{
	if (intid >= LPI_BASE)
		return list_lpi(c, intid, n);
	return intid < VGIC_PRIVATE ? list_own(c, intid, n) : list_spi(c, intid / 32, intid % 32, n);
}

static noinline u32 list_sorted(struct vgic_cpu *c, u64 banks)
{
	u32 vmcr = hyp_gic_vmcr(c->hyp), n = 0, i, b;
	struct sorted s = {};

	for (b = banks; b; b &= b - 1)
		sort_bank(&s, c, __ffs(b), vmcr);
	if (banks & VGIC_TODO_LPI)
		sort_lpis(&s, c, vmcr);
	for (i = 0; i < s.n; i++)
		n = list_any(c, s.intid[i], n);
	c->hw->hcr = overflow_hcr(&s, vmcr);
	c->out_active = c->hw->hcr & VHCR_LRENPIE;
	c->carry = banks;
	return n;
}

/* Return: list registers in use, or more than there are */
static __always_inline u32 list_bank(struct vgic_cpu *c, u32 b, u32 n)
{
	u32 want = want_all(c, b);

	for (; want; want &= want - 1) {
		if (unlikely(n == host_caps.nr_lr))
			return n + 1;
		n = b ? list_spi(c, b, __ffs(want), n) : list_one(c, 0, __ffs(want), n);
	}
	return n;
}

static u32 list_lpis(struct vgic_cpu *c, u32 n)
{
	u32 intid;

	for (intid = vgic_lpi_next(c, LPI_BASE); intid; intid = vgic_lpi_next(c, intid + 1)) {
		if (n == host_caps.nr_lr)
			return n + 1;
		n = list_lpi(c, intid, n);
	}
	return n;
}

/* SPIs and LPIs */
static noinline u32 list_others(struct vgic_cpu *c, u64 banks, u32 n)
{
	u32 b;

	for (b = banks; b && n <= host_caps.nr_lr; b &= b - 1)
		n = list_bank(c, __ffs(b), n);
	if (banks & VGIC_TODO_LPI && n <= host_caps.nr_lr)
		n = list_lpis(c, n);
	return n;
}

/* Each interrupt of @banks to a list register, in no particular order while they all fit */
static u32 list_banks(struct vgic_cpu *c, u64 banks)
{
	u32 n = 0;

	if (banks & BIT(0))
		n = list_bank(c, 0, n);
	if (banks & ~BIT_ULL(0))
		n = list_others(c, banks & ~BIT_ULL(0), n);
	if (likely(n <= host_caps.nr_lr))
		return n;
	fold(c, host_caps.nr_lr);
	return list_sorted(c, banks);
}

/* Somebody changed a mapped interrupt behind the host's back: look at the device, and tell the host. */
static void refit(struct vgic_cpu *c)
{
	u32 left;

	for (left = c->hwmap; left; left &= left - 1) {
		u32 mask = left & -left;
		const struct vgic_map *m = map_of(c, __ffs(mask));
		bool level = m->ops->level(m->opaque);

		vgic_assign(&c->own.line, mask, level ? mask : 0);
		m->ops->set_active(m->opaque, level || (atomic_read(&c->own.active) |
							atomic_read(&c->own.latch)) & mask);
	}
}

bool vgic_flush_slow(struct vgic_cpu *c)
{
	u64 banks;
	u32 n;

	WRITE_ONCE(c->listed, 1);
	banks = atomic64_xchg(&c->todo, 0) | c->carry;	/* full barrier between listed and stop */
	if (unlikely(READ_ONCE(c->stop))) {
		c->carry = banks;
		smp_store_release(&c->listed, 0);
		return false;
	}
	c->carry = 0;
	if (unlikely(banks & VGIC_TODO_HW)) {
		refit(c);
		banks = (banks & ~(u64)VGIC_TODO_HW) | BIT(0);
	}
	n = list_banks(c, banks);
	c->hw->nr_used = n;
	smp_store_release(&c->listed, n);
	return true;
}

/* Deactivation as the guest does it; vCPU @c's own thread */
static void deactivate_one(struct vgic_cpu *c, u32 b, u32 mask)
{
	struct vgic_bank *k = vgic_bank_of(c, b);

	if (!(atomic_fetch_andnot(mask, &k->active) & mask))
		return;
	c->carry |= BIT(b);
	if (!b && c->hwmap & mask)
		c->carry |= VGIC_TODO_HW;
	report_ack(c->vgic, k, b, mask);
	if (b)
		vgic_release(c, b, mask, c);
}

/* The most urgent active interrupt in none of the list registers; INTID or -1 */
static int first_out(struct vgic_cpu *c, const u32 *in)
{
	int best = -1, best_prio = 256;
	u32 b;

	for (b = 0; b < VGIC_BANKS; b++) {
		struct vgic_bank *k = vgic_bank_of(c, b);
		u32 left = want_active(c, b) & ~in[b];

		for (; left; left &= left - 1) {
			u32 bit = __ffs(left);

			if (k->prio[bit] < best_prio) {
				best = b * 32 + bit;
				best_prio = k->prio[bit];
			}
		}
	}
	return best;
}

/*
 * The guest dropped the priority of @count interrupts that were in no list
 * register. With EOImode 0 that was their deactivation, in reverse order of
 * acknowledgement: the most urgent of them first (Arm IHI 0069 4.8).
 */
static noinline void deactivate_out(struct vgic_cpu *c, u32 used, u32 count)
{
	u32 in[VGIC_BANKS] = {}, n;
	int intid;

	if (hyp_gic_vmcr(c->hyp) & VMCR_EOIM)
		return;
	for (n = 0; n < used; n++)
		if (LR_VINTID(c->hw->lr[n]) < LPI_BASE)
			in[LR_VINTID(c->hw->lr[n]) / 32] |= BIT(c->hw->lr[n] % 32);
	while (count--) {
		intid = first_out(c, in);
		if (intid < 0)
			return;
		deactivate_one(c, intid / 32, BIT(intid % 32));
	}
}

void vgic_sync_slow(struct vgic_cpu *c)
{
	struct hyp_gic *hw = c->hw;
	u32 used = hw->nr_used;

	fold(c, used);
	if (unlikely(c->out_active)) {
		c->out_active = false;
		deactivate_out(c, used, VHCR_EOICOUNT(hw->hcr));
	}
	hw->hcr = 0;
	hw->nr_used = 0;
	smp_store_release(&c->listed, 0);
}

/* Reserved INTIDs and interrupts that are not active are ignored, as is everything in EOImode 0. */
void vgic_icc_dir(struct vgic_cpu *c, u64 val)
{
	u32 intid = val & 0xffffff, b = intid / 32, mask = BIT(intid % 32);

	if (!(hyp_gic_vmcr(c->hyp) & VMCR_EOIM))
		return;
	if (intid >= c->vgic->nr_spis + VGIC_PRIVATE || !(want_active(c, b) & mask))
		return;
	deactivate_one(c, b, mask);
}

static bool lpi_deliverable(struct vgic_cpu *c, u32 pmr)
{
	u32 intid;

	for (intid = vgic_lpi_next(c, LPI_BASE); intid; intid = vgic_lpi_next(c, intid + 1))
		if (vgic_lpi_prio(c, intid) < pmr)
			return true;
	return false;
}

bool vgic_deliverable_of(struct vgic_cpu *c, u64 todo)
{
	u32 banks = todo, vmcr, pmr;

	preempt_disable();
	vmcr = hyp_gic_vmcr(c->hyp);
	preempt_enable();
	pmr = vmcr >> VMCR_PMR_SHIFT;
	for (; banks; banks &= banks - 1) {
		u32 b = __ffs(banks), want = want_pending(c, b);
		struct vgic_bank *k = vgic_bank_of(c, b);
		u32 group1 = atomic_read(&k->group);

		want &= (vmcr & VMCR_ENG1 ? group1 : 0) | (vmcr & VMCR_ENG0 ? ~group1 : 0);
		for (; want; want &= want - 1)
			if (READ_ONCE(k->prio[__ffs(want)]) < pmr)
				return true;
	}
	return todo & VGIC_TODO_LPI && vmcr & VMCR_ENG1 && lpi_deliverable(c, pmr);
}
