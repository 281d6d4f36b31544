// SPDX-License-Identifier: GPL-2.0
/*
 * The distributor: its register map over the banks (Arm IHI 0069 12.9). One
 * security state, affinity routing always on, LPIs with an ITS, no message-based SPIs.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include "access.h"
#include "dist.h"
#include "lpi.h"
#include "queue.h"
#include "regs.h"
#include "words.h"

/* Built-in KVM knows one enable for both groups, GICD_CTLR.EnableGrp1. */
static u64 read_ctlr(const struct vgic_access *a)
{
	return CTLR_DS | CTLR_ARE | (atomic_read(&a->g->enabled) ? CTLR_ENABLE_G1 : 0);
}

static int write_ctlr(const struct vgic_access *a, u64 val)
{
	bool on = val & CTLR_ENABLE_G1;
	u32 i;

	if (!atomic_xchg(&a->g->enabled, on) && on)
		for (i = 0; i < vgic_nr_cpus(a->g); i++)
			vgic_poke(a->g->cpu[i], VGIC_TODO_ALL);
	return 0;
}

static u64 read_typer(const struct vgic_access *a)
{
	u32 lines = (a->g->nr_spis + VGIC_PRIVATE) / 32 - 1;

	if (!vgic_has_its(a->g))
		return lines | (SPI_ID_BITS - 1) << TYPER_IDBITS_SHIFT;
	return lines | TYPER_LPIS | (LPI_ID_BITS - 1) << TYPER_IDBITS_SHIFT;
}

static u64 read_iidr(const struct vgic_access *a)
{
	return IIDR_PRODUCT | IIDR_ARM | a->g->impl_rev << IIDR_REV_SHIFT;
}

/* The client chooses the revision, nothing else. */
bool vgic_iidr_ok(const struct vgic *g, u64 val)
{
	u32 rev = (val & IIDR_REV_MASK) >> IIDR_REV_SHIFT;

	return !((val ^ (IIDR_PRODUCT | IIDR_ARM)) & ~(u64)IIDR_REV_MASK) && rev >= IIDR_REV_MIN &&
	       rev <= IIDR_REV_LATEST;
}

static int write_iidr(const struct vgic_access *a, u64 val)
{
	if (!a->user)
		return 0;
	if (!vgic_iidr_ok(a->g, val))
		return -EINVAL;
	a->g->impl_rev = (val & IIDR_REV_MASK) >> IIDR_REV_SHIFT;
	return 0;
}

/* No vSGIs without an active state (GICv4.1): reads zero, and the client may restore just that. */
static int write_typer2(const struct vgic_access *a, u64 val)
{
	return a->user && val ? -EINVAL : 0;
}

static u64 read_statusr(const struct vgic_access *a)
{
	return ~0ULL;	/* as built-in KVM: no error reporting, says every error */
}

static u32 spi_no(const struct vgic_access *a)
{
	return array_index_nospec(a->off / 8 - VGIC_PRIVATE, VGIC_MAX_SPI);
}

/* Aff3 is not implemented, and neither is IRM: the client's MPIDRs decide. */
static u64 read_irouter(const struct vgic_access *a)
{
	return vgic_part(a, READ_ONCE(a->g->irouter[spi_no(a)]));
}

static int write_irouter(const struct vgic_access *a, u64 val)
{
	u32 n = spi_no(a);

	if (a->off & 4)
		return 0;
	mutex_lock(&a->g->lock);
	WRITE_ONCE(a->g->irouter[n], val & AFF_210);
	vgic_reroute(a->g, n, a->user);
	mutex_unlock(&a->g->lock);
	return 0;
}

#define SPI_REG_SLOW(off, bits, sizes, slow, read, write) \
	VGIC_REG_SLOW(off, (bits) * 128, bits, sizes, slow, read, write)
#define SPI_REG(off, bits, sizes, read, write) SPI_REG_SLOW(off, bits, sizes, 0, read, write)

static const struct vgic_reg dist_regs[] = {
	VGIC_REG_SLOW(D_CTLR, 4, 0, 4, SLOW_WRITE, read_ctlr, write_ctlr),
	VGIC_REG(D_TYPER, 4, 0, 4, read_typer, NULL),
	VGIC_REG(D_IIDR, 4, 0, 4, read_iidr, write_iidr),
	VGIC_REG(D_TYPER2, 4, 0, 4, NULL, write_typer2),
	VGIC_REG(D_STATUSR, 4, 0, 4, read_statusr, NULL),
	SPI_REG(D_IGROUPR, 1, 4, vgic_read_group, vgic_write_group),
	SPI_REG(D_ISENABLER, 1, 4, vgic_read_enable, vgic_write_senable),
	SPI_REG(D_ICENABLER, 1, 4, vgic_read_enable, vgic_write_cenable),
	SPI_REG_SLOW(D_ISPENDR, 1, 4, SLOW_READ, vgic_read_spend, vgic_write_spend),
	SPI_REG_SLOW(D_ICPENDR, 1, 4, SLOW_BOTH, vgic_read_cpend, vgic_write_cpend),
	SPI_REG_SLOW(D_ISACTIVER, 1, 4, SLOW_BOTH, vgic_read_active, vgic_write_sactive),
	SPI_REG_SLOW(D_ICACTIVER, 1, 4, SLOW_BOTH, vgic_read_active, vgic_write_cactive),
	SPI_REG(D_IPRIORITYR, 8, 4 | 1, vgic_read_prio, vgic_write_prio),
	SPI_REG(D_ITARGETSR, 8, 4 | 1, NULL, NULL),
	SPI_REG(D_ICFGR, 2, 4, vgic_read_cfg, vgic_write_cfg),
	SPI_REG(D_IGRPMODR, 1, 4, NULL, NULL),
	SPI_REG_SLOW(D_IROUTER, 64, 8 | 4, SLOW_WRITE, read_irouter, write_irouter),
	VGIC_REG(D_IDREGS, IDREGS_LEN, 0, 4, vgic_read_idregs, NULL),
};

const struct vgic_regs vgic_dist_regs = { dist_regs, ARRAY_SIZE(dist_regs) };

int vgic_dist_access(struct vgic *g, u32 off, u32 len, bool user, bool write, u64 *val)
{
	struct vgic_access a = { .g = g, .off = off, .len = len, .user = user };

	return vgic_reg_access(&a, &vgic_dist_regs, write, val);
}

bool vgic_dist_has(struct vgic *g, u32 offset)
{
	return vgic_reg_find(g, &vgic_dist_regs, offset, 4);
}

/* An offset without a register, or between registers, reads zero and ignores writes. */
int vgic_dist_uaccess(struct vgic *g, u32 offset, bool write, u32 *val)
{
	u64 v = *val;
	int err;

	if (vgic_word_access(g, NULL, offset, write, val))
		return 0;
	err = vgic_dist_access(g, offset, 4, true, write, &v);

	*val = v;
	return err;
}

void vgic_dist_reset(struct vgic *g)
{
	u32 b, n;

	/* GICD_ICFGR is UNKNOWN at reset; built-in KVM's SPIs start edge-triggered. */
	for (b = 1; b < VGIC_BANKS; b++) {
		vgic_bank_reset(&g->spi[b - 1]);
		atomic_set(&g->spi[b - 1].edge, ~0U);
	}
	for (n = 0; n < g->nr_spis; n++) {
		g->irouter[n] = 0;
		g->route[n] = g->nr_cpus ? 0 : VGIC_NO_CPU;
	}
	for (b = 1; g->nr_cpus && b < VGIC_BANKS; b++)
		atomic_set(&g->cpu[0]->target[b], ~0U);
}
