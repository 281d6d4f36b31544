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
#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#include "internal.h"
#include "run.h"

/* MDCR_EL2.TDE: debug exceptions go to EL2, which makes TDA, TDOSA and TDRA act too */
#define MDCR_TDE	BIT(8)

/* The guest's to set. The rest of MDSCR_EL1 mirrors an external debugger's state. */
#define MDSCR_GUEST	(MDSCR_ARMED | MDSCR_TDCC)

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
	h->debug_live = true;
	d->live = true;
	if (d->mdscr & MDSCR_MDE)
		swap_points(h, d);
	write_sysreg(d->mdscr, mdscr_el1);
	/* An exception return copies SPSR_ELx.SS as MDSCR_EL1 was synchronised (Arm ARM D2.12) */
	isb();
}

void hyp_debug_exit(struct hyp_vcpu *h)
{
	struct hyp_debug *d = &h->debug;

	d->live = false;
	h->debug_live = d->mdscr & MDSCR_ARMED;
	write_sysreg(d->host_mdscr, mdscr_el1);
	if (!d->swapped)
		return;
	load_points(&d->host, d->brps, d->wrps);
	d->swapped = false;
}

/* Arm ARM, ID_AA64DFR0_EL1.BRPs and WRPs: one less than there are */
unsigned int hyp_debug_breakpoints(void)
{
	return (read_sanitised_ftr_reg(SYS_ID_AA64DFR0_EL1) >> 12 & 0xf) + 1;
}

unsigned int hyp_debug_watchpoints(void)
{
	return (read_sanitised_ftr_reg(SYS_ID_AA64DFR0_EL1) >> 20 & 0xf) + 1;
}

/*
 * The guest's OS lock is an image: locked, it keeps the guest from breakpoints,
 * watchpoints and steps of its own (Arm ARM D2.4), but not the client.
 */
void hyp_debug_update(struct hyp_vcpu *h)
{
	struct hyp_debug *d = &h->debug;
	u64 mdscr = h->reg[REG_MDSCR_EL1] & MDSCR_GUEST;

	if (h->reg[REG_OSLSR_EL1] & SYSREG_OSLSR_OSLK)
		mdscr &= ~(MDSCR_SS | MDSCR_MDE);
	d->mdscr = (mdscr & ~d->clear) | d->set;
	h->debug_live = d->live || d->mdscr & MDSCR_ARMED;
}

/*
 * All debug exceptions are the client's while it debugs. The guest's own steps
 * would be taken for the client's: it has none meanwhile.
 */
void hyp_debug_client(struct hyp_vcpu *h, u32 control, const struct kvm_guest_debug_arch *points)
{
	struct hyp_debug *d = &h->debug;

	d->clear = control ? MDSCR_SS : 0;
	d->set = control & KVM_GUESTDBG_SINGLESTEP ? MDSCR_SS : 0;
	d->points = NULL;
	h->mdcr &= ~(u64)MDCR_TDE;
	if (control)
		h->mdcr |= MDCR_TDE;
	if (control & KVM_GUESTDBG_USE_HW) {
		d->set |= MDSCR_MDE;
		d->points = points;
	}
	hyp_debug_update(h);
}

void hyp_debug_init(struct hyp_vcpu *h)
{
	h->debug.brps = hyp_debug_breakpoints();
	h->debug.wrps = hyp_debug_watchpoints();
}
