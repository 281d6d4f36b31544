// SPDX-License-Identifier: GPL-2.0
/*
 * Breakpoints, watchpoints and single steps: the guest's own, or those its
 * client asked for.
 *
 * MDSCR_EL1 and the breakpoint registers have no second copy for EL1. They
 * change hands around an entry, and only when the guest or the host has
 * something armed: MDSCR_EL1.SS, KDE or MDE.
 */
#include <linux/compiler.h>
#include <asm/sysreg.h>
#include "internal.h"

#define DBG_LIST(X) \
	X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) \
	X(7) X(6) X(5) X(4) X(3) X(2) X(1) X(0)

#define SYS_DBGBVR(n)	sys_reg(2, 0, 0, n, 4)
#define SYS_DBGBCR(n)	sys_reg(2, 0, 0, n, 5)
#define SYS_DBGWVR(n)	sys_reg(2, 0, 0, n, 6)
#define SYS_DBGWCR(n)	sys_reg(2, 0, 0, n, 7)

static void save_points(struct kvm_guest_debug_arch *d, unsigned int brps, unsigned int wrps)
{
	switch (brps) {
#define SAVE_B(n)						\
	case (n) + 1:						\
		d->dbg_bvr[n] = read_sysreg_s(SYS_DBGBVR(n));	\
		d->dbg_bcr[n] = read_sysreg_s(SYS_DBGBCR(n));	\
		fallthrough;
	DBG_LIST(SAVE_B)
	default:
		break;
	}
	switch (wrps) {
#define SAVE_W(n)						\
	case (n) + 1:						\
		d->dbg_wvr[n] = read_sysreg_s(SYS_DBGWVR(n));	\
		d->dbg_wcr[n] = read_sysreg_s(SYS_DBGWCR(n));	\
		fallthrough;
	DBG_LIST(SAVE_W)
	default:
		break;
	}
}

static void load_points(const struct kvm_guest_debug_arch *d, unsigned int brps, unsigned int wrps)
{
	switch (brps) {
#define LOAD_B(n)						\
	case (n) + 1:						\
		write_sysreg_s(d->dbg_bvr[n], SYS_DBGBVR(n));	\
		write_sysreg_s(d->dbg_bcr[n], SYS_DBGBCR(n));	\
		fallthrough;
	DBG_LIST(LOAD_B)
	default:
		break;
	}
	switch (wrps) {
#define LOAD_W(n)						\
	case (n) + 1:						\
		write_sysreg_s(d->dbg_wvr[n], SYS_DBGWVR(n));	\
		write_sysreg_s(d->dbg_wcr[n], SYS_DBGWCR(n));	\
		fallthrough;
	DBG_LIST(LOAD_W)
	default:
		break;
	}
}

#define GUEST_POINT(n)					\
	d->dbg_bvr[n] = h->reg[REG_DBGBVR##n##_EL1];	\
	d->dbg_bcr[n] = h->reg[REG_DBGBCR##n##_EL1];	\
	d->dbg_wvr[n] = h->reg[REG_DBGWVR##n##_EL1];	\
	d->dbg_wcr[n] = h->reg[REG_DBGWCR##n##_EL1];

static void guest_points(const struct hyp_vcpu *h, struct kvm_guest_debug_arch *d)
{
	DBG_LIST(GUEST_POINT)
}

/* The client's points when it has some, else the guest's. */
static void swap_points(const struct hyp_vcpu *h, struct hyp_debug *d)
{
	save_points(&d->host, d->brps, d->wrps);
	if (d->points) {
		load_points(d->points, d->brps, d->wrps);
	} else {
		guest_points(h, &d->guest);
		load_points(&d->guest, d->brps, d->wrps);
	}
	d->swapped = true;
}

void hyp_debug_enter(struct hyp_vcpu *h, u64 host_mdscr)
{
	struct hyp_debug *d = &h->debug;

	d->host_mdscr = host_mdscr;
	d->live = true;
	if (d->mdscr & MDSCR_MDE)
		swap_points(h, d);
	write_sysreg(d->mdscr, mdscr_el1);
}

void hyp_debug_exit(struct hyp_vcpu *h)
{
	struct hyp_debug *d = &h->debug;

	d->live = false;
	write_sysreg(d->host_mdscr, mdscr_el1);
	if (!d->swapped)
		return;
	load_points(&d->host, d->brps, d->wrps);
	d->swapped = false;
}

void hyp_debug_init(struct hyp_vcpu *h)
{
	u64 dfr0 = read_sysreg_s(SYS_ID_AA64DFR0_EL1);

	/* Arm ARM, ID_AA64DFR0_EL1.BRPs and WRPs: one less than there are */
	h->debug.brps = (dfr0 >> 12 & 0xf) + 1;
	h->debug.wrps = (dfr0 >> 20 & 0xf) + 1;
}
