// SPDX-License-Identifier: GPL-2.0
/*
 * Places of registers. See place.h.
 *
 * KVM_GET_REG_LIST lists, in this order: core registers, scalable vectors,
 * firmware pseudo registers, timer registers, invariant system registers, the other system
 * registers by encoding, cache sizes.
 */
#include <linux/errno.h>
#include <linux/kvm.h>
#include <linux/printk.h>
#include <linux/stddef.h>
#include <asm/kvm.h>
#include "../arch/sysreg.h"
#include "../host/caps.h"
#include "../host/sve.h"
#include "../hyp/sve.h"
#include "ident.h"
#include "idreg.h"
#include "place.h"
#include "regid.h"

const struct vcpu_fw_ops *vcpu_fw;

struct vcpu_place vcpu_places[PLACE_MAX + 1];
unsigned int vcpu_nr_places;
const struct vcpu_place *vcpu_place_slot[PLACE_SLOTS];

#define OFF(member) offsetof(struct tern_vcpu, member)

static_assert(sizeof(struct tern_vcpu) < U16_MAX);

/* Where an unexpected number of registers would show */
static bool full;

/* Which vCPUs have a register of this kind */
static void choose_sets(struct vcpu_place *p)
{
	switch (p->kind) {
	case PLACE_AUTH:
		p->asked = PLACE_SET_AUTH;
		break;
	case PLACE_PMU:
	case PLACE_PMU_FREE:
		p->asked = PLACE_SET_PMU;
		break;
	case PLACE_ZCR:
	case PLACE_SVE:
	case PLACE_SVE_VLS:
	case PLACE_V:
		p->asked = PLACE_SET_SVE;
		break;
	}
	p->wanted = p->kind == PLACE_V ? 0 : p->asked;
}

static struct vcpu_place *add(u64 id, enum vcpu_place_kind kind, size_t offset)
{
	static struct vcpu_place spare;
	struct vcpu_place *p = &vcpu_places[vcpu_nr_places];

	if (vcpu_nr_places == PLACE_MAX) {
		full = true;
		return &spare;
	}
	vcpu_nr_places++;
	p->id = id;
	p->kind = kind;
	p->offset = offset;
	p->size = KVM_REG_SIZE(id);
	choose_sets(p);
	return p;
}

/* Core registers */

/* BUILD_BUG_ON() and not static_assert(): sparse has no 16-byte alignment for __uint128_t. */
static void core_layout_check(void)
{
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(regs.regs[1]) != REGID_X0 + 2);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(regs.sp) != REGID_SP);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(regs.pc) != REGID_PC);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(regs.pstate) != REGID_PSTATE);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(sp_el1) != REGID_SP_EL1);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(elr_el1) != REGID_ELR_EL1);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(spsr[0]) != REGID_SPSR || KVM_NR_SPSR != 5);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(fp_regs.vregs[0]) != REGID_V0);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(fp_regs.fpsr) != REGID_FPSR);
	BUILD_BUG_ON(KVM_REG_ARM_CORE_REG(fp_regs.fpcr) != REGID_FPCR);
	BUILD_BUG_ON(sizeof(struct kvm_regs) != REGID_WORDS * 4);
}

static void add_core(u64 id, const struct regid_core *c)
{
	switch (c->kind) {
	case REGID_KIND_X:
		add(id, PLACE_X, OFF(hyp.x) + 8 * c->index);
		break;
	case REGID_KIND_SP:
		add(id, PLACE_X, OFF(hyp.sp_el0));
		break;
	case REGID_KIND_PC:
		add(id, PLACE_X, OFF(hyp.pc));
		break;
	case REGID_KIND_PSTATE:
		add(id, PLACE_PSTATE, OFF(hyp.pstate));
		break;
	case REGID_KIND_SYS:
		add(id, PLACE_U64, OFF(hyp.reg) + 8 * c->index);
		break;
	case REGID_KIND_V:
		add(id, PLACE_V, OFF(hyp.fp.v) + 16 * c->index);
		break;
	case REGID_KIND_FPSR:
		add(id, PLACE_U32, OFF(hyp.fp.fpsr));
		break;
	case REGID_KIND_FPCR:
		add(id, PLACE_U32, OFF(hyp.fp.fpcr));
		break;
	}
}

static void add_all_core(void)
{
	struct regid_core c;
	u32 off;
	u64 id;

	core_layout_check();
	for (off = 0; off < REGID_WORDS; off++) {
		if (vcpu_regid_core(off, &c))
			continue;
		id = KVM_REG_ARM64 | KVM_REG_ARM_CORE | off;
		id |= c.size == 4 ? KVM_REG_SIZE_U32 :
		      c.size == 8 ? KVM_REG_SIZE_U64 : KVM_REG_SIZE_U128;
		add_core(id, &c);
	}
}

/* Scalable vectors */

static void add_all_sve(void)
{
	unsigned int n;

	BUILD_BUG_ON(KVM_ARM64_SVE_NUM_ZREGS != SVE_NR_Z || KVM_ARM64_SVE_NUM_PREGS != SVE_NR_P);
	if (!host_sve.max_vq)
		return;
	add(KVM_REG_ARM64_SVE_VLS, PLACE_SVE_VLS, 0);
	for (n = 0; n < SVE_NR_Z; n++)
		add(KVM_REG_ARM64_SVE_ZREG(n, 0), PLACE_SVE, 0)->fixed = n;
	for (n = 0; n < SVE_NR_P; n++)
		add(KVM_REG_ARM64_SVE_PREG(n, 0), PLACE_SVE, 0)->fixed = SVE_NR_Z + n;
	add(KVM_REG_ARM64_SVE_FFR(0), PLACE_SVE, 0)->fixed = SVE_FFR;
}

/* The firmware's and the timers' */

static void add_all_fw(void)
{
	u64 ids[16];
	unsigned int i, n = vcpu_fw->num_regs();

	if (n > ARRAY_SIZE(ids)) {
		full = true;
		return;
	}
	vcpu_fw->copy_indices(ids);
	for (i = 0; i < n; i++)
		add(ids[i], PLACE_FW, 0);
}

static void add_all_timer(void)
{
	unsigned int i;

	for (i = 0; i < TIMER_NUM_REGS; i++) {
		if (timer_reg_ids[i] == KVM_REG_ARM_TIMER_CVAL)
			add(timer_reg_ids[i], PLACE_U64, OFF(timer.one[TIMER_VIRT].cval));
		else
			add(timer_reg_ids[i], PLACE_TIMER, 0);
	}
}

/* System registers */

#define SYS_ID(enc)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM64_SYSREG | (enc))

static_assert(KVM_REG_ARM64_SYSREG_OP0_SHIFT == 14 && KVM_REG_ARM64_SYSREG_OP1_SHIFT == 11 &&
	      KVM_REG_ARM64_SYSREG_CRN_SHIFT == 7 && KVM_REG_ARM64_SYSREG_CRM_SHIFT == 3 &&
	      KVM_REG_ARM64_SYSREG_OP2_SHIFT == 0);

static void add_id(const struct sysreg_desc *d, enum vcpu_place_kind kind)
{
	add(SYS_ID(d->enc), kind,
	    OFF(hyp.fast_id) + 8 * hyp_id_slot(SYSREG_CRM(d->enc), SYSREG_OP2(d->enc)));
}

static void add_stored(const struct sysreg_desc *d)
{
	enum vcpu_place_kind kind = d->vis == SYSREG_VIS_OSLSR ? PLACE_OSLSR :
				    d->vis == SYSREG_VIS_AUTH ? PLACE_AUTH :
				    d->vis == SYSREG_VIS_SVE ? PLACE_ZCR :
				    SYSREG_OP0(d->enc) == 2 ? PLACE_DEBUG : PLACE_U64;

	add(SYS_ID(d->enc), kind, OFF(hyp.reg) + 8 * d->reg)->fixed = d->val;
}

static void add_sys(const struct sysreg_desc *d)
{
	switch (d->vis) {
	case SYSREG_VIS_HIDE:
	case SYSREG_VIS_CORE:
	case SYSREG_VIS_INVAR:
		break;
	case SYSREG_VIS_ID32:
		/* Without AArch32 these are UNKNOWN: read as zero, writes ignored. */
		add_id(d, host_caps.el0_32 ? PLACE_ID : PLACE_ID_FREE);
		break;
	case SYSREG_VIS_ID:
	case SYSREG_VIS_IDRAZ:
		add_id(d, PLACE_ID);
		break;
	case SYSREG_VIS_PMU:
		add(SYS_ID(d->enc), PLACE_PMU, OFF(hyp.reg) + 8 * d->reg);
		break;
	case SYSREG_VIS_PMUCLR:
		add(SYS_ID(d->enc), PLACE_PMU, OFF(hyp.reg) + 8 * pmu_partner(d->enc));
		break;
	case SYSREG_VIS_PMURAZ:
		add(SYS_ID(d->enc), PLACE_PMU_FREE, 0);
		break;
	case SYSREG_VIS_PFR0:
		add_id(d, PLACE_ID_VM);
		break;
	default:
		add_stored(d);
	}
}

static void add_all_sys(void)
{
	const struct sysreg_desc *d;

	for (d = sysreg_table; d < sysreg_table + sysreg_table_len; d++)
		if (d->vis == SYSREG_VIS_INVAR)
			add(SYS_ID(d->enc), PLACE_CONST, 0)->fixed = vcpu_ident_host(d->enc);
	for (d = sysreg_table; d < sysreg_table + sysreg_table_len; d++)
		add_sys(d);
}

/* Cache sizes: CCSIDR_EL1 for each value of CSSELR_EL1 */

#define DEMUX_ID	(KVM_REG_ARM64 | KVM_REG_SIZE_U32 | KVM_REG_ARM_DEMUX | \
			 KVM_REG_ARM_DEMUX_ID_CCSIDR)

static void add_all_caches(void)
{
	unsigned int i;

	for (i = 0; i < VCPU_NR_CACHES; i++)
		if (vcpu_ident_has_cache(i))
			add(DEMUX_ID | i, PLACE_CONST, 0)->fixed = vcpu_ident_ccsidr(i);
}

static void fill_slots(void)
{
	unsigned int i, slot;

	for (i = 0; i < vcpu_nr_places; i++) {
		slot = vcpu_place_hash(vcpu_places[i].id);
		while (vcpu_place_slot[slot])
			slot = (slot + 1) % PLACE_SLOTS;
		vcpu_place_slot[slot] = &vcpu_places[i];
	}
}

static_assert(PLACE_SLOTS > PLACE_MAX && PLACE_SLOTS == 1U << (32 - 21));

int vcpu_place_init(void)
{
	add_all_core();
	add_all_sve();
	add_all_fw();
	add_all_timer();
	add_all_sys();
	add_all_caches();
	if (full) {
		pr_err("tern: more registers than there is room for\n");
		return -EINVAL;
	}
	fill_slots();
	return 0;
}
