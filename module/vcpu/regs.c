// SPDX-License-Identifier: GPL-2.0
/*
 * ONE_REG: the registers of a vCPU as KVM's clients name them.
 *
 * KVM_GET_REG_LIST lists, in this order: core registers, firmware pseudo
 * registers, timer registers, invariant system registers, the other system
 * registers by encoding, cache sizes.
 */
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../arch/pstate.h"
#include "../arch/sysreg.h"
#include "../host/caps.h"
#include "ident.h"
#include "idreg.h"
#include "ref.h"
#include "regid.h"
#include "vcpu.h"
#include "vm.h"

const struct vcpu_fw_ops *vcpu_fw;

/* What a system register id may hold besides the encoding. */
#define SYS_ID_FIXED	(KVM_REG_ARCH_MASK | KVM_REG_SIZE_MASK | KVM_REG_ARM_COPROC_MASK)
#define SYS_ID_ENC	0xffffULL
#define SYS_ID(enc)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM64_SYSREG | (enc))

static_assert(SYS_ID_ENC == (KVM_REG_ARM64_SYSREG_OP0_MASK | KVM_REG_ARM64_SYSREG_OP1_MASK |
			     KVM_REG_ARM64_SYSREG_CRN_MASK | KVM_REG_ARM64_SYSREG_CRM_MASK |
			     KVM_REG_ARM64_SYSREG_OP2_MASK));
static_assert(KVM_REG_ARM64_SYSREG_OP0_SHIFT == 14 && KVM_REG_ARM64_SYSREG_OP1_SHIFT == 11 &&
	      KVM_REG_ARM64_SYSREG_CRN_SHIFT == 7 && KVM_REG_ARM64_SYSREG_CRM_SHIFT == 3 &&
	      KVM_REG_ARM64_SYSREG_OP2_SHIFT == 0);

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

static int core_decode(u64 id, struct regid_core *c)
{
	u64 off = id & ~(KVM_REG_ARCH_MASK | KVM_REG_SIZE_MASK | KVM_REG_ARM_CORE);

	core_layout_check();

	/* KVM's bound: a register that ends with the structure is out, too. */
	if (off >= REGID_WORDS || off + KVM_REG_SIZE(id) / 4 >= REGID_WORDS)
		return -ENOENT;
	if (vcpu_regid_core(off, c) || KVM_REG_SIZE(id) != c->size)
		return -EINVAL;
	return 0;
}

static void core_get(struct tern_vcpu *v, const struct regid_core *c, union vcpu_value *val)
{
	switch (c->kind) {
	case REGID_KIND_X:
		val->x = v->hyp.x[array_index_nospec(c->index, 31)];
		break;
	case REGID_KIND_SP:
		val->x = v->hyp.sp_el0;
		break;
	case REGID_KIND_PC:
		val->x = v->hyp.pc;
		break;
	case REGID_KIND_PSTATE:
		val->x = v->hyp.pstate;
		break;
	case REGID_KIND_SYS:
		val->x = vcpu_read_sys(v, c->index);
		break;
	case REGID_KIND_V:
		val->q = v->hyp.fp.v[array_index_nospec(c->index, 32)];
		break;
	case REGID_KIND_FPSR:
		val->w = v->hyp.fp.fpsr;
		break;
	case REGID_KIND_FPCR:
		val->w = v->hyp.fp.fpcr;
		break;
	}
}

static void core_put(struct tern_vcpu *v, const struct regid_core *c, const union vcpu_value *val)
{
	switch (c->kind) {
	case REGID_KIND_X:
		v->hyp.x[array_index_nospec(c->index, 31)] = val->x;
		break;
	case REGID_KIND_SP:
		v->hyp.sp_el0 = val->x;
		break;
	case REGID_KIND_PC:
		v->hyp.pc = val->x;
		break;
	case REGID_KIND_PSTATE:
		v->hyp.pstate = val->x;
		break;
	case REGID_KIND_SYS:
		vcpu_write_sys(v, c->index, val->x);
		break;
	case REGID_KIND_V:
		v->hyp.fp.v[array_index_nospec(c->index, 32)] = val->q;
		break;
	case REGID_KIND_FPSR:
		v->hyp.fp.fpsr = val->w;
		break;
	case REGID_KIND_FPCR:
		v->hyp.fp.fpcr = val->w;
		break;
	}
}

/* A vCPU in AArch32 user mode has 32-bit r0 to r14 and PC. */
void vcpu_narrow32(struct tern_vcpu *v)
{
	unsigned int i;

	if (!(v->hyp.pstate & SPSR_M32))
		return;
	for (i = 0; i < 15; i++)
		v->hyp.x[i] = (u32)v->hyp.x[i];
	v->hyp.pc = (u32)v->hyp.pc;
}

static int core_set(struct tern_vcpu *v, const struct regid_core *c, const union vcpu_value *val)
{
	if (c->kind == REGID_KIND_PSTATE && !vcpu_regid_pstate_ok(val->x, host_caps.el0_32))
		return -EINVAL;
	core_put(v, c, val);
	vcpu_narrow32(v);
	return 0;
}

static int core_list(u64 *ids)
{
	struct regid_core c;
	u32 off, n = 0;
	u64 id;

	for (off = 0; off < REGID_WORDS; off++) {
		if (vcpu_regid_core(off, &c))
			continue;
		id = KVM_REG_ARM64 | KVM_REG_ARM_CORE | off;
		id |= c.size == 4 ? KVM_REG_SIZE_U32 :
		      c.size == 8 ? KVM_REG_SIZE_U64 : KVM_REG_SIZE_U128;
		if (ids)
			ids[n] = id;
		n++;
	}
	return n;
}

/* System registers */

static bool sys_visible(const struct tern_vcpu *v, const struct sysreg_desc *d)
{
	switch (d->vis) {
	case SYSREG_VIS_HIDE:
	case SYSREG_VIS_CORE:
		return false;
	case SYSREG_VIS_AUTH:
		return v->hyp.ptrauth;
	default:
		return true;
	}
}

static const struct sysreg_desc *sys_decode(const struct tern_vcpu *v, u64 id)
{
	const struct sysreg_desc *d;

	if ((id & KVM_REG_ARM_COPROC_MASK) != KVM_REG_ARM64_SYSREG ||
	    (id & KVM_REG_SIZE_MASK) != KVM_REG_SIZE_U64 ||
	    (id & ~(SYS_ID_FIXED | SYS_ID_ENC)))
		return NULL;
	d = sysreg_find(id & SYS_ID_ENC);
	return d && sys_visible(v, d) ? d : NULL;
}

static u64 sys_get(struct tern_vcpu *v, const struct sysreg_desc *d)
{
	switch (d->vis) {
	case SYSREG_VIS_INVAR:
		return vcpu_ident_host(d->enc);
	case SYSREG_VIS_ID:
	case SYSREG_VIS_ID32:
	case SYSREG_VIS_IDRAZ:
	case SYSREG_VIS_PFR0:
		return hyp_id(&v->hyp, SYSREG_CRM(d->enc), SYSREG_OP2(d->enc));
	default:
		return vcpu_read_sys(v, d->reg);
	}
}

static int sys_set(struct tern_vcpu *v, const struct sysreg_desc *d, u64 val)
{
	switch (d->vis) {
	case SYSREG_VIS_INVAR:
	case SYSREG_VIS_ID:
	case SYSREG_VIS_IDRAZ:
		return val == sys_get(v, d) ? 0 : -EINVAL;
	case SYSREG_VIS_ID32:
		/* Without AArch32 these are UNKNOWN: read as zero, writes ignored. */
		return !host_caps.el0_32 || val == sys_get(v, d) ? 0 : -EINVAL;
	case SYSREG_VIS_PFR0:
		return vcpu_ident_set_pfr0(v, val);
	case SYSREG_VIS_OSLSR:
		if ((val ^ d->val) & ~SYSREG_OSLSR_OSLK)
			return -EINVAL;
		break;
	}
	vcpu_write_sys(v, d->reg, val);
	if (SYSREG_OP0(d->enc) == 2)	/* a debug register */
		hyp_debug_update(&v->hyp);
	return 0;
}

static int sys_list_some(const struct tern_vcpu *v, bool invariant, u64 *ids)
{
	const struct sysreg_desc *d;
	unsigned int i, n = 0;

	for (i = 0; i < sysreg_table_len; i++) {
		d = &sysreg_table[i];
		if (!sys_visible(v, d) || (d->vis == SYSREG_VIS_INVAR) != invariant)
			continue;
		if (ids)
			ids[n] = SYS_ID(d->enc);
		n++;
	}
	return n;
}

/* Cache sizes: CCSIDR_EL1 for each value of CSSELR_EL1 */

#define DEMUX_ID	(KVM_REG_ARM64 | KVM_REG_SIZE_U32 | KVM_REG_ARM_DEMUX | \
			 KVM_REG_ARM_DEMUX_ID_CCSIDR)

static int demux_decode(u64 id, u32 *sel)
{
	if ((id & ~(u64)KVM_REG_ARM_DEMUX_VAL_MASK) != DEMUX_ID)
		return -ENOENT;
	*sel = id & KVM_REG_ARM_DEMUX_VAL_MASK;
	return vcpu_ident_has_cache(*sel) ? 0 : -ENOENT;
}

static int demux_list(u64 *ids)
{
	unsigned int i, n = 0;

	for (i = 0; i < VCPU_NR_CACHES; i++) {
		if (!vcpu_ident_has_cache(i))
			continue;
		if (ids)
			ids[n] = DEMUX_ID | i;
		n++;
	}
	return n;
}

/* Timer registers */

static bool is_timer_reg(u64 id)
{
	unsigned int i;

	for (i = 0; i < TIMER_NUM_REGS; i++)
		if (timer_reg_ids[i] == id)
			return true;
	return false;
}

static int timer_list(u64 *ids)
{
	if (ids)
		memcpy(ids, timer_reg_ids, sizeof(timer_reg_ids));
	return TIMER_NUM_REGS;
}

static int fw_list(struct tern_vcpu *v, u64 *ids)
{
	if (ids)
		vcpu_fw->copy_indices(v, ids);
	return vcpu_fw->num_regs(v);
}

/*
 * The scalable vector registers of a vCPU that has none: ids that would be
 * theirs do not exist, the rest is no id at all.
 */
static int sve_absent(u64 id)
{
	if (id == KVM_REG_ARM64_SVE_VLS ||
	    (id >= KVM_REG_ARM64_SVE_ZREG(0, 0) &&
	     id <= KVM_REG_ARM64_SVE_ZREG(KVM_ARM64_SVE_NUM_ZREGS - 1,
					  KVM_ARM64_SVE_MAX_SLICES - 1)) ||
	    (id >= KVM_REG_ARM64_SVE_PREG(0, 0) &&
	     id <= KVM_REG_ARM64_SVE_FFR(KVM_ARM64_SVE_MAX_SLICES - 1)))
		return -ENOENT;
	return -EINVAL;
}

/* Only the low half of an id is ours, but for the size and the architecture. */
static bool id_is_arm64(u64 id)
{
	return (id & ~KVM_REG_SIZE_MASK) >> 32 == KVM_REG_ARM64 >> 32;
}

/* The firmware's own look-up compares the whole id; only a size that would not fit is found here. */
static int fw_find(struct vcpu_ref *r)
{
	r->kind = VCPU_REF_FW;
	if ((r->id & KVM_REG_SIZE_MASK) == KVM_REG_SIZE_U64)
		return 0;
	return -ENOENT;
}

int vcpu_ref_find(struct tern_vcpu *v, u64 id, struct vcpu_ref *r)
{
	if (!id_is_arm64(id))
		return -EINVAL;
	r->id = id;
	r->size = KVM_REG_SIZE(id);

	switch (id & KVM_REG_ARM_COPROC_MASK) {
	case KVM_REG_ARM_CORE:
		r->kind = VCPU_REF_CORE;
		return core_decode(id, &r->core);
	case KVM_REG_ARM64_SVE:
		return sve_absent(id);
	case KVM_REG_ARM_DEMUX:
		r->kind = VCPU_REF_DEMUX;
		return demux_decode(id, &r->cache);
	case KVM_REG_ARM_FW:
	case KVM_REG_ARM_FW_FEAT_BMAP:
		return fw_find(r);
	}
	if (is_timer_reg(id)) {
		r->kind = VCPU_REF_TIMER;
		return 0;
	}
	r->kind = VCPU_REF_SYS;
	r->sys = sys_decode(v, id);
	return r->sys ? 0 : -ENOENT;
}

int vcpu_ref_get(struct tern_vcpu *v, const struct vcpu_ref *r, union vcpu_value *val)
{
	switch (r->kind) {
	case VCPU_REF_CORE:
		core_get(v, &r->core, val);
		return 0;
	case VCPU_REF_DEMUX:
		val->w = vcpu_ident_ccsidr(r->cache);
		return 0;
	case VCPU_REF_TIMER:
		return timer_get_reg(&v->timer, r->id, &val->x);
	case VCPU_REF_FW:
		return vcpu_fw->get_reg(v, r->id, &val->x);
	default:
		val->x = sys_get(v, r->sys);
		return 0;
	}
}

int vcpu_ref_set(struct tern_vcpu *v, const struct vcpu_ref *r, const union vcpu_value *val)
{
	switch (r->kind) {
	case VCPU_REF_CORE:
		return core_set(v, &r->core, val);
	case VCPU_REF_DEMUX:
		return val->w == vcpu_ident_ccsidr(r->cache) ? 0 : -EINVAL;
	case VCPU_REF_TIMER:
		return timer_set_reg(&v->timer, r->id, val->x);
	case VCPU_REF_FW:
		return vcpu_fw->set_reg(v, r->id, val->x);
	default:
		return sys_set(v, r->sys, val->x);
	}
}

int vcpu_value_out(const struct kvm_one_reg *reg, const union vcpu_value *val, unsigned int size)
{
	void __user *to = u64_to_user_ptr(reg->addr);

	if (likely(size == sizeof(u64)))
		return put_user(val->x, (u64 __user *)to);
	return copy_to_user(to, val, size) ? -EFAULT : 0;
}

int vcpu_value_in(const struct kvm_one_reg *reg, union vcpu_value *val, unsigned int size)
{
	const void __user *from = u64_to_user_ptr(reg->addr);

	val->q = 0;
	if (likely(size == sizeof(u64)))
		return get_user(val->x, (const u64 __user *)from);
	return copy_from_user(val, from, size) ? -EFAULT : 0;
}

int vcpu_get_one_reg(struct tern_vcpu *v, const struct kvm_one_reg *reg)
{
	union vcpu_value val = { .q = 0 };
	struct vcpu_ref r;
	int ret;

	ret = vcpu_ref_find(v, reg->id, &r);
	if (!ret)
		ret = vcpu_ref_get(v, &r, &val);
	return ret ?: vcpu_value_out(reg, &val, r.size);
}

int vcpu_set_one_reg(struct tern_vcpu *v, const struct kvm_one_reg *reg)
{
	union vcpu_value val;
	struct vcpu_ref r;
	int ret;

	ret = vcpu_ref_find(v, reg->id, &r);
	if (!ret)
		ret = vcpu_value_in(reg, &val, r.size);
	return ret ?: vcpu_ref_set(v, &r, &val);
}

unsigned int vcpu_reg_ids(struct tern_vcpu *v, u64 *ids)
{
	unsigned int n;

	n = core_list(ids);
	n += fw_list(v, ids ? ids + n : NULL);
	n += timer_list(ids ? ids + n : NULL);
	n += sys_list_some(v, true, ids ? ids + n : NULL);
	n += sys_list_some(v, false, ids ? ids + n : NULL);
	n += demux_list(ids ? ids + n : NULL);
	return n;
}

static int list_out(struct tern_vcpu *v, u64 __user *to, u64 n)
{
	u64 *ids = kvmalloc_array(n, sizeof(*ids), GFP_KERNEL);
	int ret = 0;

	if (!ids)
		return -ENOMEM;
	vcpu_reg_ids(v, ids);
	if (copy_to_user(to, ids, n * sizeof(*ids)))
		ret = -EFAULT;
	kvfree(ids);
	return ret;
}

int vcpu_reg_list(struct tern_vcpu *v, struct kvm_reg_list __user *list)
{
	u64 room, n;

	if (get_user(room, &list->n))
		return -EFAULT;
	n = vcpu_reg_ids(v, NULL);
	if (put_user(n, &list->n))
		return -EFAULT;
	return room < n ? -E2BIG : list_out(v, list->reg, n);
}
