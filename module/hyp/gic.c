// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual CPU interface: the only file that touches ICH registers.
 *
 * ICH_HCR_EL2.En stays set from load to unload, with every unused list
 * register invalid, so that an entry with nothing in flight has nothing to
 * write. Virtual interrupts cannot reach the host meanwhile: they are
 * delivered only while HCR_EL2.TGE is clear.
 */
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "internal.h"
#include "run.h"

#define ICH_HCR_EN_BIT	BIT(0)

#define GIC_LR_LIST(X) \
	X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) \
	X(7) X(6) X(5) X(4) X(3) X(2) X(1) X(0)

/* ICH_LR<n>_EL2 is (3, 4, 12, 12 + n / 8, n % 8) */
#define GIC_LR(n)	sys_reg(3, 4, 12, 12 + ((n) >> 3), (n) & 7)
#define GIC_AP0R(n)	sys_reg(3, 4, 12, 8, n)
#define GIC_AP1R(n)	sys_reg(3, 4, 12, 9, n)

u64 hyp_gic_peek(u32 n)
{
	switch (n) {
#define GIC_PEEK(i)				\
	case (i):				\
		return read_sysreg_s(GIC_LR(i));
	GIC_LR_LIST(GIC_PEEK)
	default:
		return 0;
	}
}

void hyp_gic_poke(struct hyp_gic *g, u32 n, u64 lr)
{
	switch (n) {
#define GIC_POKE(i)				\
	case (i):				\
		write_sysreg_s(lr, GIC_LR(i));	\
		break;
	GIC_LR_LIST(GIC_POKE)
	}
	g->lr[n] = lr;
	if (g->nr_used <= n)
		g->nr_used = n + 1;
	if (g->hw_used <= n)
		g->hw_used = n + 1;
}

/* Write the first @used list registers, and invalidate those that were in use beyond. */
static void write_lrs(struct hyp_gic *g)
{
	const u32 used = g->nr_used;
	u32 n = max(used, g->hw_used);

	switch (n) {
#define GIC_WRITE(i)							\
	case (i) + 1:							\
		write_sysreg_s((i) < used ? g->lr[i] : 0, GIC_LR(i));	\
		fallthrough;
	GIC_LR_LIST(GIC_WRITE)
	case 0:
		break;
	}
	g->hw_used = used;
	if (g->hcr != g->hw_hcr) {
		write_sysreg_s(g->hcr | ICH_HCR_EN_BIT, SYS_ICH_HCR_EL2);
		g->hw_hcr = g->hcr;
	}
}

void hyp_gic_in(struct hyp_vcpu *h)
{
	write_lrs(&h->gic);
}

/* An invalid list register with EOI set keeps the maintenance interrupt asserted. */
#define GIC_LR_EOI_DONE(lr)	(((lr) & (GENMASK_ULL(63, 61) | BIT_ULL(41))) == BIT_ULL(41))

/* Read back what is in use, and silence every cause of a maintenance interrupt: the host runs next. */
void hyp_gic_out(struct hyp_vcpu *h)
{
	struct hyp_gic *g = &h->gic;

	switch (g->hw_used) {
#define GIC_READ(i)						\
	case (i) + 1:						\
		g->lr[i] = read_sysreg_s(GIC_LR(i));		\
		if (unlikely(GIC_LR_EOI_DONE(g->lr[i])))	\
			write_sysreg_s(0, GIC_LR(i));		\
		fallthrough;
	GIC_LR_LIST(GIC_READ)
	case 0:
		break;
	}
	if (g->hw_hcr) {
		g->hcr = read_sysreg_s(SYS_ICH_HCR_EL2) & ~ICH_HCR_EN_BIT;
		write_sysreg_s(ICH_HCR_EN_BIT, SYS_ICH_HCR_EL2);
		g->hw_hcr = 0;
	}
}

static void gic_write_apr(const struct hyp_gic *g)
{
	switch (host_caps.nr_apr) {
	case 4:
		write_sysreg_s(g->ap0r[3], GIC_AP0R(3));
		write_sysreg_s(g->ap1r[3], GIC_AP1R(3));
		write_sysreg_s(g->ap0r[2], GIC_AP0R(2));
		write_sysreg_s(g->ap1r[2], GIC_AP1R(2));
		fallthrough;
	case 2:
		write_sysreg_s(g->ap0r[1], GIC_AP0R(1));
		write_sysreg_s(g->ap1r[1], GIC_AP1R(1));
		fallthrough;
	default:
		write_sysreg_s(g->ap0r[0], GIC_AP0R(0));
		write_sysreg_s(g->ap1r[0], GIC_AP1R(0));
	}
}

static void gic_read_apr(struct hyp_gic *g)
{
	switch (host_caps.nr_apr) {
	case 4:
		g->ap0r[3] = read_sysreg_s(GIC_AP0R(3));
		g->ap1r[3] = read_sysreg_s(GIC_AP1R(3));
		g->ap0r[2] = read_sysreg_s(GIC_AP0R(2));
		g->ap1r[2] = read_sysreg_s(GIC_AP1R(2));
		fallthrough;
	case 2:
		g->ap0r[1] = read_sysreg_s(GIC_AP0R(1));
		g->ap1r[1] = read_sysreg_s(GIC_AP1R(1));
		fallthrough;
	default:
		g->ap0r[0] = read_sysreg_s(GIC_AP0R(0));
		g->ap1r[0] = read_sysreg_s(GIC_AP1R(0));
	}
}

void hyp_gic_load(struct hyp_gic *g)
{
	write_sysreg_s(g->vmcr, SYS_ICH_VMCR_EL2);
	gic_write_apr(g);
	write_sysreg_s(g->hcr | ICH_HCR_EN_BIT, SYS_ICH_HCR_EL2);
	g->hw_hcr = g->hcr;
	g->hw_used = 0;
}

void hyp_gic_unload(struct hyp_gic *g)
{
	u32 used = g->nr_used;

	if (g->hw_used) {
		g->nr_used = 0;
		write_lrs(g);
		g->nr_used = used;
	}
	write_sysreg_s(0, SYS_ICH_HCR_EL2);
	g->vmcr = read_sysreg_s(SYS_ICH_VMCR_EL2);
	gic_read_apr(g);
}

u32 hyp_gic_vmcr(const struct hyp_vcpu *h)
{
	return h->cpu >= 0 ? read_sysreg_s(SYS_ICH_VMCR_EL2) : h->gic.vmcr;
}

void hyp_gic_set_vmcr(struct hyp_vcpu *h, u32 vmcr)
{
	h->gic.vmcr = vmcr;
	if (h->cpu >= 0)
		write_sysreg_s(vmcr, SYS_ICH_VMCR_EL2);
}
