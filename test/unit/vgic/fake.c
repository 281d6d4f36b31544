// SPDX-License-Identifier: GPL-2.0
/*
 * A machine around the virtual GIC. See fake.h.
 */
#include <stdlib.h>
#include "fake.h"

struct host_caps host_caps = {
	.nr_lr = 4,
	.pri_bits = 5,
	.pre_bits = 5,
	.nr_apr = 1,
	.vtr = VTR_TDS | 1 << 23,
};

u32 hyp_gic_vmcr(const struct hyp_vcpu *h)
{
	return h->gic.vmcr;
}

/* List registers of the CPU that runs, which is @fake_here's */
static struct fake_cpu *fake_here;

u64 hyp_gic_peek(u32 n)
{
	assert_true(fake_here->in_guest);
	return fake_here->lr[n];
}

void hyp_gic_poke(struct hyp_gic *hw, u32 n, u64 lr)
{
	assert_ptr_equal(hw, &fake_here->hyp.gic);
	assert_true(n <= hw->nr_used && n < host_caps.nr_lr);
	fake_here->lr[n] = hw->lr[n] = lr;
	if (n == hw->nr_used)
		hw->nr_used++;
}

static void kick_now(struct fake_cpu *p)
{
	p->kicks++;
	if (p->in_guest)
		fake_exit(p);
}

void (*fake_kick)(struct fake_cpu *p) = kick_now;

void kick_post(struct kick *k)
{
	fake_kick(container_of(k, struct fake_cpu, kick));
}

/*
 * The host's timer interrupt: taken when the line is up and the interrupt is
 * not active. It interrupts the guest, whatever its handler has to say.
 */
static void host_timer(struct fake_cpu *p)
{
	if (!p->timer_line || p->host_active)
		return;
	p->host_active = true;
	fake_exit(p);
	vgic_set_ppi(&p->c, FAKE_TIMER, true);
}

static bool timer_level(void *opaque)
{
	return ((struct fake_cpu *)opaque)->timer_line;
}

static void timer_set_active(void *opaque, bool active)
{
	((struct fake_cpu *)opaque)->host_active = active;
}

static const struct vgic_hw_ops timer_ops = {
	.level = timer_level,
	.set_active = timer_set_active,
};

/* What the timers do after an exit: a line that fell while the interrupt was in no list register */
static void timer_sync(struct fake_cpu *p)
{
	if (p->timer_line)
		return;
	if (atomic_read(&p->c.own.line) & BIT(FAKE_TIMER)) {
		vgic_set_ppi(&p->c, FAKE_TIMER, false);
		if (!vgic_hw_active(&p->c, FAKE_TIMER))
			p->host_active = false;
	}
}

void fake_timer(struct fake_cpu *p, bool level)
{
	p->timer_line = level;
	host_timer(p);
}

/* Entry and exit */

void fake_enter(struct fake_cpu *p)
{
	struct hyp_gic *hw = &p->hyp.gic;
	u32 n, kicks = p->kicks;

	if (p->in_guest)
		return;
	while (!vgic_flush(&p->c))
		vgic_await(&p->c);
	p->ipi = p->kicks != kicks;
	assert_true(hw->nr_used <= host_caps.nr_lr);
	for (n = 0; n < HYP_MAX_LR; n++)
		p->lr[n] = n < hw->nr_used ? hw->lr[n] : 0;
	for (n = 0; n < hw->nr_used; n++) {
		assert_int_not_equal(p->lr[n] & LR_STATE, 0);
		if (p->lr[n] & LR_HW)
			assert_int_not_equal(p->lr[n] & LR_STATE, LR_STATE);
	}
	p->hcr = hw->hcr;
	p->in_guest = true;
}

void fake_exit(struct fake_cpu *p)
{
	struct hyp_gic *hw = &p->hyp.gic;
	u32 n;

	if (!p->in_guest)
		return;
	p->in_guest = false;
	for (n = 0; n < hw->nr_used; n++)
		hw->lr[n] = p->lr[n];
	hw->hcr = p->hcr;
	vgic_sync(&p->c);
	assert_int_equal(hw->nr_used, 0);
	timer_sync(p);
	host_timer(p);
}

/* ICH_MISR_EL2 != 0 */
static bool maintenance(const struct fake_cpu *p)
{
	bool pending = false;
	u32 n, vmcr = p->hyp.gic.vmcr;

	for (n = 0; n < host_caps.nr_lr; n++) {
		if (p->lr[n] & LR_EOI && !(p->lr[n] & (LR_STATE | LR_HW)))
			return true;
		if ((p->lr[n] & LR_STATE) == LR_PENDING)
			pending = true;
	}
	return (p->hcr & VHCR_LRENPIE && VHCR_EOICOUNT(p->hcr)) || (p->hcr & VHCR_NPIE && !pending) ||
	       p->hcr & ((vmcr & VMCR_ENG0 ? VHCR_VGRP0EIE : VHCR_VGRP0DIE) |
			 (vmcr & VMCR_ENG1 ? VHCR_VGRP1EIE : VHCR_VGRP1DIE));
}

void fake_settle(struct fake *f)
{
	u32 i, rounds = 0;
	bool again;

	do {
		again = false;
		assert_true(rounds++ < 100);	/* else entries never get anywhere */
		for (i = 0; i < f->nr; i++) {
			struct fake_cpu *p = &f->cpu[i];

			if (p->in_guest && (p->ipi || maintenance(p)))
				fake_exit(p);
			if (p->in_guest)
				continue;
			fake_enter(p);
			again = true;
		}
	} while (again);
}

void fake_bounce(struct fake *f)
{
	u32 i;

	for (i = 0; i < f->nr; i++)
		fake_exit(&f->cpu[i]);
	fake_settle(f);
}

/* The virtual CPU interface (Arm IHI 0069 4.8 and the pseudocode of ICV_*) with five priority bits, BPR 0 */

u32 fake_running(const struct fake_cpu *p)
{
	u32 ap = p->ap[0] | p->ap[1];

	return ap ? __builtin_ctz(ap) << 3 : 0x100;
}

static int best_lr(const struct fake_cpu *p)
{
	u32 vmcr = p->hyp.gic.vmcr, best_prio = 0x100, n;
	int best = -1;

	for (n = 0; n < host_caps.nr_lr; n++) {
		u32 prio = p->lr[n] >> LR_PRIO_SHIFT & 0xff;

		if ((p->lr[n] & LR_STATE) != LR_PENDING ||
		    !(vmcr & (p->lr[n] & LR_GROUP1 ? VMCR_ENG1 : VMCR_ENG0)))
			continue;
		if (prio < best_prio) {
			best = n;
			best_prio = prio;
		}
	}
	return best;
}

u32 fake_hppi(const struct fake_cpu *p, u32 *prio)
{
	int n = best_lr(p);

	if (n < 0)
		return SPURIOUS;
	*prio = p->lr[n] >> LR_PRIO_SHIFT & 0xff;
	if (*prio >= p->hyp.gic.vmcr >> VMCR_PMR_SHIFT || *prio >= fake_running(p))
		return SPURIOUS;
	return LR_VINTID(p->lr[n]);
}

u32 fake_ack(struct fake_cpu *p)
{
	u32 prio, intid = fake_hppi(p, &prio);
	int n = best_lr(p);

	assert_true(p->in_guest);
	if (intid == SPURIOUS)
		return intid;
	p->lr[n] ^= LR_STATE;
	p->ap[p->lr[n] & LR_GROUP1 ? 1 : 0] |= BIT(prio >> 3);
	return intid;
}

static bool deactivate_lr(struct fake_cpu *p, u32 intid)
{
	u32 n;

	for (n = 0; n < host_caps.nr_lr; n++) {
		if (LR_VINTID(p->lr[n]) != intid || !(p->lr[n] & LR_ACTIVE))
			continue;
		p->lr[n] &= ~LR_ACTIVE;
		if (p->lr[n] & LR_HW) {
			assert_int_equal(p->lr[n] >> LR_PHYS_SHIFT & 0x3ff, FAKE_HOST_PPI);
			p->host_active = false;
		}
		return true;
	}
	return false;
}

void fake_eoi(struct fake_cpu *p, u32 intid)
{
	u32 ap = p->ap[0] | p->ap[1], n;
	bool listed = false;

	assert_true(p->in_guest);
	if (!ap)
		return;
	p->ap[0] &= ~(ap & -ap);
	p->ap[1] &= ~(ap & -ap);
	for (n = 0; n < host_caps.nr_lr; n++)
		listed |= LR_VINTID(p->lr[n]) == intid && p->lr[n] & LR_ACTIVE;
	/* EOIcount counts no LPIs (Arm IHI 0069, ICH_HCR_EL2). */
	if (!listed && intid < 8192)
		p->hcr += 1U << 27;
	else if (!(p->hyp.gic.vmcr & VMCR_EOIM))
		deactivate_lr(p, intid);
	if (!p->host_active)
		host_timer(p);
}

void fake_dir(struct fake_cpu *p, u32 intid)
{
	assert_true(p->in_guest);
	if (p->hcr & VHCR_TDIR) {
		fake_exit(p);
		vgic_icc_dir(&p->c, intid);
		fake_enter(p);
	} else {
		deactivate_lr(p, intid);
	}
	if (!p->host_active)
		host_timer(p);
}

void fake_sgi_self(struct fake_cpu *p, u32 sgi)
{
	assert_true(p->in_guest);
	fake_here = p;
	if (vgic_sgi_waits(&p->c, sgi) || vgic_leaf_sgi_self(&p->c, sgi))
		return;
	fake_exit(p);
	vgic_sgi(&p->c, (u64)sgi << 24 | BIT(p->c.index), VGIC_SGI1R);
	fake_enter(p);
}

/* Memory-mapped registers */

static void mmio(struct fake_cpu *p, u64 ipa, u32 len, bool write, u64 *val)
{
	fake_exit(p);
	assert_int_equal(vgic_mmio(&p->c, to_ipa(ipa), len, write, val), 0);
	fake_enter(p);
}

u32 fake_read(struct fake_cpu *p, u64 ipa)
{
	u64 val = 0;

	mmio(p, ipa, 4, false, &val);
	return val;
}

void fake_write(struct fake_cpu *p, u64 ipa, u32 val)
{
	u64 v = val;

	mmio(p, ipa, 4, true, &v);
}

void fake_write8(struct fake_cpu *p, u64 ipa, u8 val)
{
	u64 v = val;

	mmio(p, ipa, 1, true, &v);
}

void fake_write64(struct fake_cpu *p, u64 ipa, u64 val)
{
	mmio(p, ipa, 8, true, &val);
}

/* Life */

struct fake *fake_new(u32 nr, u32 nr_irqs)
{
	struct fake *f = aligned_alloc(64, sizeof(*f));
	u32 i;

	assert_non_null(f);
	memset(f, 0, sizeof(*f));
	f->nr = nr;
	vgic_vm_init(&f->g, 40);
	assert_int_equal(vgic_create(&f->g), 0);
	for (i = 0; i < nr; i++) {
		struct fake_cpu *p = &f->cpu[i];

		p->hyp.reg[REG_MPIDR_EL1] = 0x80000000 | i;
		assert_int_equal(vgic_cpu_init(&p->c, &f->g, i, i, &p->kick, &p->hyp.gic, &p->hyp), 0);
	}
	assert_int_equal(vgic_set_nr_irqs(&f->g, nr_irqs), 0);
	assert_int_equal(vgic_set_dist(&f->g, FAKE_DIST), 0);
	assert_int_equal(vgic_add_region(&f->g, 0, FAKE_REDIST, 0), 0);
	assert_int_equal(vgic_init(&f->g), 0);
	assert_int_equal(vgic_map_resources(&f->g), 0);
	for (i = 0; i < nr; i++) {
		struct fake_cpu *p = &f->cpu[i];

		vgic_cpu_load(&p->c);
		p->hyp.gic.vmcr = VMCR_ENG0 | VMCR_ENG1 | 0xf8U << VMCR_PMR_SHIFT;
		assert_int_equal(vgic_own(&p->c, FAKE_TIMER), 0);
		assert_int_equal(vgic_map_hw(&p->c, FAKE_TIMER, FAKE_HOST_PPI, &timer_ops, p), 0);
	}
	fake_settle(f);
	/* SPIs start edge-triggered, as in built-in KVM; tests want them level. */
	for (i = 32; i < nr_irqs; i += 16) {
		assert_int_equal(fake_read(&f->cpu[0], FAKE_DIST + D_ICFGR + i / 4), 0xaaaaaaaa);
		fake_write(&f->cpu[0], FAKE_DIST + D_ICFGR + i / 4, 0);
	}
	fake_write(&f->cpu[0], FAKE_DIST + D_CTLR, CTLR_ENABLE_G1);
	fake_settle(f);
	return f;
}

void fake_free(struct fake *f)
{
	u32 i;

	for (i = 0; i < f->nr; i++)
		fake_exit(&f->cpu[i]);
	while (i--)
		vgic_cpu_fini(&f->cpu[i].c);
	vgic_vm_fini(&f->g);
	free(f);
}
