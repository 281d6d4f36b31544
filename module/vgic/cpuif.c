// SPDX-License-Identifier: GPL-2.0
/*
 * The CPU interface as a client saves and restores it
 * (KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS): the guest's ICC registers out of
 * ICH_VMCR_EL2 and the active priorities. The guest itself never traps here.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "../arch/ich.h"
#include "../host/caps.h"
#include "vgic.h"
#include "words.h"

/* All are (3, 0, CRn, CRm, op2). */
#define ICC(crn, crm, op2)	SYSREG_ENCODE(3, 0, crn, crm, op2)
#define ICC_PMR		ICC(4, 6, 0)
#define ICC_BPR0	ICC(12, 8, 3)
#define ICC_AP0R0	ICC(12, 8, 4)
#define ICC_AP0R3	ICC(12, 8, 7)
#define ICC_AP1R0	ICC(12, 9, 0)
#define ICC_AP1R3	ICC(12, 9, 3)
#define ICC_BPR1	ICC(12, 12, 3)
#define ICC_CTLR	ICC(12, 12, 4)
#define ICC_SRE		ICC(12, 12, 5)
#define ICC_IGRPEN0	ICC(12, 12, 6)
#define ICC_IGRPEN1	ICC(12, 12, 7)

/* ICC_CTLR_EL1 */
#define CTLR_CBPR		BIT(0)
#define CTLR_EOIMODE		BIT(1)
#define CTLR_PRIBITS_SHIFT	8
#define CTLR_IDBITS_SHIFT	11
#define CTLR_SEIS_SHIFT		14
#define CTLR_A3V_SHIFT		15

static u32 *apr(struct vgic_cpu *c, u32 enc)
{
	if (enc >= ICC_AP0R0 && enc <= ICC_AP0R3)
		return &c->hw->ap0r[enc - ICC_AP0R0];
	if (enc >= ICC_AP1R0 && enc <= ICC_AP1R3)
		return &c->hw->ap1r[enc - ICC_AP1R0];
	return NULL;
}

/* One register of 32 preemption levels for 5 bits of priority, two for 6, four for 7. */
static u32 apr_count(const struct vgic_cpu *c)
{
	return c->pri_bits == 7 ? 4 : c->pri_bits == 6 ? 2 : 1;
}

static int access_apr(struct vgic_cpu *c, u32 enc, bool write, u64 *val)
{
	if ((enc & 3) >= apr_count(c))
		return -EINVAL;
	if (write)
		*apr(c, enc) = *val;
	else
		*val = *apr(c, enc);
	return 0;
}

static u64 get_ctlr(const struct vgic_cpu *c, u32 vmcr)
{
	return (vmcr & VMCR_CBPR ? CTLR_CBPR : 0) | (vmcr & VMCR_EOIM ? CTLR_EOIMODE : 0) |
	       (c->pri_bits - 1) << CTLR_PRIBITS_SHIFT | c->id_bits << CTLR_IDBITS_SHIFT |
	       host_caps.seis << CTLR_SEIS_SHIFT | host_caps.a3v << CTLR_A3V_SHIFT;
}

static u32 ctlr_pri_bits(u64 val)
{
	return (val >> CTLR_PRIBITS_SHIFT & 7) + 1;
}

static u32 ctlr_id_bits(u64 val)
{
	return val >> CTLR_IDBITS_SHIFT & 7;
}

/* A state that needs more than this host has is refused; one that needs less is honoured. */
bool vgic_icc_ctlr_ok(const struct vgic_cpu *c, u64 val)
{
	return ctlr_pri_bits(val) <= c->pri_bits && ctlr_id_bits(val) <= c->id_bits &&
	       (val >> CTLR_SEIS_SHIFT & 1) == host_caps.seis && (val >> CTLR_A3V_SHIFT & 1) == host_caps.a3v;
}

void vgic_icc_limit(struct vgic_cpu *c, u64 val)
{
	c->pri_bits = ctlr_pri_bits(val);
	c->id_bits = ctlr_id_bits(val);
}

static int set_ctlr(struct vgic_cpu *c, u32 *vmcr, u64 val)
{
	if (!vgic_icc_ctlr_ok(c, val))
		return -EINVAL;
	vgic_icc_limit(c, val);
	*vmcr &= ~(VMCR_CBPR | VMCR_EOIM);
	*vmcr |= (val & CTLR_CBPR ? VMCR_CBPR : 0) | (val & CTLR_EOIMODE ? VMCR_EOIM : 0);
	return 0;
}

static u32 get_field(u32 vmcr, u32 shift, u32 mask)
{
	return vmcr >> shift & mask;
}

static void set_field(u32 *vmcr, u32 shift, u32 mask, u64 val)
{
	*vmcr = (*vmcr & ~(mask << shift)) | (val & mask) << shift;
}

/* With a common binary point BPR1 reads as BPR0 + 1 and ignores writes (ICC_BPR1_EL1). */
static u64 get_bpr1(u32 vmcr)
{
	if (vmcr & VMCR_CBPR)
		return min(get_field(vmcr, VMCR_BPR0_SHIFT, VMCR_BPR_MASK) + 1, VMCR_BPR_MASK);
	return get_field(vmcr, VMCR_BPR1_SHIFT, VMCR_BPR_MASK);
}

static int get_icc(struct vgic_cpu *c, u32 enc, u32 vmcr, u64 *val)
{
	switch (enc) {
	case ICC_PMR:
		*val = get_field(vmcr, VMCR_PMR_SHIFT, VMCR_PMR_MASK);
		return 0;
	case ICC_BPR0:
		*val = get_field(vmcr, VMCR_BPR0_SHIFT, VMCR_BPR_MASK);
		return 0;
	case ICC_BPR1:
		*val = get_bpr1(vmcr);
		return 0;
	case ICC_CTLR:
		*val = get_ctlr(c, vmcr);
		return 0;
	case ICC_SRE:
		*val = VGIC_ICC_SRE;
		return 0;
	case ICC_IGRPEN0:
		*val = !!(vmcr & VMCR_ENG0);
		return 0;
	case ICC_IGRPEN1:
		*val = !!(vmcr & VMCR_ENG1);
		return 0;
	}
	return -ENOENT;
}

static int set_icc(struct vgic_cpu *c, u32 enc, u32 *vmcr, u64 val)
{
	switch (enc) {
	case ICC_PMR:
		set_field(vmcr, VMCR_PMR_SHIFT, VMCR_PMR_MASK, val);
		return 0;
	case ICC_BPR0:
		set_field(vmcr, VMCR_BPR0_SHIFT, VMCR_BPR_MASK, val);
		return 0;
	case ICC_BPR1:
		if (!(*vmcr & VMCR_CBPR))
			set_field(vmcr, VMCR_BPR1_SHIFT, VMCR_BPR_MASK, val);
		return 0;
	case ICC_CTLR:
		return set_ctlr(c, vmcr, val);
	case ICC_SRE:
		return val & 1 ? 0 : -EINVAL;
	case ICC_IGRPEN0:
		set_field(vmcr, __ffs(VMCR_ENG0), 1, val);
		return 0;
	case ICC_IGRPEN1:
		set_field(vmcr, __ffs(VMCR_ENG1), 1, val);
		return 0;
	}
	return -ENOENT;
}

bool vgic_icc_has(u32 enc)
{
	switch (enc) {
	case ICC_PMR:
	case ICC_BPR0:
	case ICC_AP0R0 ... ICC_AP0R3:
	case ICC_AP1R0 ... ICC_AP1R3:
	case ICC_BPR1:
	case ICC_CTLR:
	case ICC_SRE:
	case ICC_IGRPEN0:
	case ICC_IGRPEN1:
		return true;
	}
	return false;
}

static struct vgic_spot field(u32 shift, u32 mask)
{
	return (struct vgic_spot){
		.kind = SPOT_HW, .at = offsetof(struct hyp_gic, vmcr), .shift = shift, .mask = mask,
	};
}

/* What all vCPUs have, and what reads as one field whatever the others are */
struct vgic_spot vgic_icc_spot(u32 enc)
{
	switch (enc) {
	case ICC_PMR:
		return field(VMCR_PMR_SHIFT, VMCR_PMR_MASK);
	case ICC_BPR0:
		return field(VMCR_BPR0_SHIFT, VMCR_BPR_MASK);
	case ICC_IGRPEN0:
		return field(__ffs(VMCR_ENG0), 1);
	case ICC_IGRPEN1:
		return field(__ffs(VMCR_ENG1), 1);
	case ICC_AP0R0:
		return (struct vgic_spot){ .kind = SPOT_HW, .at = offsetof(struct hyp_gic, ap0r), .mask = ~0U };
	case ICC_AP1R0:
		return (struct vgic_spot){ .kind = SPOT_HW, .at = offsetof(struct hyp_gic, ap1r), .mask = ~0U };
	case ICC_SRE:
		return (struct vgic_spot){ .kind = SPOT_FIXED, .mask = VGIC_ICC_SRE };
	}
	return (struct vgic_spot){ .kind = SPOT_NONE };
}

int vgic_icc_uaccess(struct vgic_cpu *c, u32 enc, bool write, u64 *val)
{
	u32 vmcr = c->hw->vmcr;
	int err;

	if (apr(c, enc))
		return access_apr(c, enc, write, val);
	if (!write)
		return get_icc(c, enc, vmcr, val);
	err = set_icc(c, enc, &vmcr, *val);
	if (!err && enc != ICC_SRE)
		c->hw->vmcr = vmcr | VMCR_FIQEN;
	return err;
}
