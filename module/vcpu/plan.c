// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of registers, looked up once. See plan.h.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/byteorder.h>
#include "../host/caps.h"
#include "plan.h"
#include "ref.h"

enum plan_kind {
	PLAN_U64,	/* copied */
	PLAN_U128,
	PLAN_U32,	/* 32 bits in a word */
	PLAN_PSTATE,	/* copied when KVM_SET_ONE_REG would take it */
	PLAN_OSLSR,	/* only the lock bit may differ from @fixed */
	PLAN_ID,	/* what the vCPU has, and nothing else */
	PLAN_ID_FREE,	/* ... read as zero, and writes ignored */
	PLAN_ID_VM,	/* ID_AA64PFR0_EL1: partly the VM's choice */
	PLAN_CONST,	/* @fixed, and nothing else */
	PLAN_FW,	/* the VM's; firmware answers */
	PLAN_TIMER_CTL,
	PLAN_TIMER_CNT,
};

#define OFF(member) offsetof(struct tern_vcpu, member)

static void place_core(struct plan_reg *r, const struct regid_core *c)
{
	r->kind = PLAN_U64;
	switch (c->kind) {
	case REGID_KIND_X:
		r->offset = OFF(hyp.x) + 8 * c->index;
		break;
	case REGID_KIND_SP:
		r->offset = OFF(hyp.sp_el0);
		break;
	case REGID_KIND_PC:
		r->offset = OFF(hyp.pc);
		break;
	case REGID_KIND_PSTATE:
		r->kind = PLAN_PSTATE;
		r->offset = OFF(hyp.pstate);
		break;
	case REGID_KIND_SYS:
		r->offset = OFF(hyp.reg) + 8 * c->index;
		break;
	case REGID_KIND_V:
		r->kind = PLAN_U128;
		r->offset = OFF(hyp.fp.v) + 16 * c->index;
		break;
	case REGID_KIND_FPSR:
		r->kind = PLAN_U32;
		r->offset = OFF(hyp.fp.fpsr);
		break;
	case REGID_KIND_FPCR:
		r->kind = PLAN_U32;
		r->offset = OFF(hyp.fp.fpcr);
		break;
	}
}

static void place_id(struct plan_reg *r, const struct sysreg_desc *d, enum plan_kind kind)
{
	r->kind = kind;
	r->offset = OFF(hyp.fast_id) + 8 * hyp_id_slot(SYSREG_CRM(d->enc), SYSREG_OP2(d->enc));
}

static void place_sys(struct plan_reg *r, const struct sysreg_desc *d, u64 now)
{
	switch (d->vis) {
	case SYSREG_VIS_INVAR:
		r->kind = PLAN_CONST;
		r->fixed = now;
		return;
	case SYSREG_VIS_ID32:
		place_id(r, d, host_caps.el0_32 ? PLAN_ID : PLAN_ID_FREE);
		return;
	case SYSREG_VIS_ID:
	case SYSREG_VIS_IDRAZ:
		place_id(r, d, PLAN_ID);
		return;
	case SYSREG_VIS_PFR0:
		place_id(r, d, PLAN_ID_VM);
		return;
	}
	r->kind = d->vis == SYSREG_VIS_OSLSR ? PLAN_OSLSR : PLAN_U64;
	r->fixed = d->val;
	r->offset = OFF(hyp.reg) + 8 * d->reg;
}

static void place_timer(struct plan_reg *r)
{
	if (r->id == KVM_REG_ARM_TIMER_CNT) {
		r->kind = PLAN_TIMER_CNT;
		return;
	}
	r->kind = r->id == KVM_REG_ARM_TIMER_CTL ? PLAN_TIMER_CTL : PLAN_U64;
	r->offset = r->kind == PLAN_U64 ? OFF(timer.one[TIMER_VIRT].cval) : OFF(timer.one[TIMER_VIRT].ctl);
}

static int place(struct tern_vcpu *v, struct plan_reg *r)
{
	union vcpu_value now = { .q = 0 };
	struct vcpu_ref ref;
	int err = vcpu_ref_find(v, r->id, &ref);

	/* An id that is none to KVM is none that this VM has. */
	if (!err)
		err = vcpu_ref_get(v, &ref, &now);
	if (err)
		return -ENOENT;
	r->offset = 0;
	switch (ref.kind) {
	case VCPU_REF_CORE:
		place_core(r, &ref.core);
		break;
	case VCPU_REF_SYS:
		place_sys(r, ref.sys, now.x);
		break;
	case VCPU_REF_TIMER:
		place_timer(r);
		break;
	case VCPU_REF_FW:
		r->kind = PLAN_FW;
		break;
	case VCPU_REF_DEMUX:
		r->kind = PLAN_CONST;
		r->fixed = now.w;
		break;
	}
	return 0;
}

#define PLAN_PLACES (sizeof(struct tern_vcpu) / 4)

static_assert(sizeof(struct tern_vcpu) < U16_MAX);

/* A register with a place of its own is known by that, the few others by their ids. */
static bool twice(const struct vcpu_plan *p, const struct plan_reg *r, unsigned long *taken)
{
	u32 i;

	if (r->offset)
		return __test_and_set_bit(r->offset / 4, taken);
	for (i = p->nr_copied; i < p->nr; i++)
		if (p->reg[i].id == r->id)
			return true;
	return false;
}

/* Those that are copied come first: the first of the others makes room. */
static void add(struct vcpu_plan *p, const struct plan_reg *r)
{
	u32 i = p->nr++;

	if (r->kind <= PLAN_U32) {
		p->reg[i] = p->reg[p->nr_copied];
		i = p->nr_copied++;
	}
	p->reg[i] = *r;
	p->words += r->kind == PLAN_U128 ? 2 : 1;
}

static int fill(struct tern_vcpu *v, struct vcpu_plan *p, const __le64 *ids, u32 n, unsigned long *taken, u64 *failed)
{
	struct plan_reg r = {};
	u32 i;
	int err;

	for (i = 0; i < n; i++) {
		r.id = le64_to_cpu(ids[i]);
		r.at = p->words;
		err = place(v, &r);
		if (!err && twice(p, &r, taken))
			err = -EEXIST;
		if (err) {
			*failed = r.id;
			return err;
		}
		add(p, &r);
	}
	return 0;
}

struct vcpu_plan *plan_make(struct tern_vcpu *v, const __le64 *ids, u32 n, u64 *failed)
{
	struct vcpu_plan *p = kvmalloc(struct_size(p, reg, n), GFP_KERNEL);
	unsigned long *taken = bitmap_zalloc(PLAN_PLACES, GFP_KERNEL);
	int err = -ENOMEM;

	if (p && taken) {
		memset(p, 0, sizeof(*p));
		p->auth = v->hyp.ptrauth;
		err = fill(v, p, ids, n, taken, failed);
	}
	bitmap_free(taken);
	if (!err)
		return p;
	kvfree(p);
	return ERR_PTR(err);
}

static inline void *field(struct tern_vcpu *v, const struct plan_reg *r)
{
	return (void *)v + r->offset;
}

static void get_rest(struct tern_vcpu *v, const struct plan_reg *r, __le64 *to, u64 cnt)
{
	u64 val = 0;

	switch (r->kind) {
	case PLAN_CONST:
		val = r->fixed;
		break;
	case PLAN_FW:
		vcpu_fw->get_reg(v, r->id, &val);
		break;
	case PLAN_TIMER_CTL:
		timer_get_reg(&v->timer, r->id, &val);
		break;
	case PLAN_TIMER_CNT:
		val = cnt;
		break;
	default:
		val = *(u64 *)field(v, r);
	}
	*to = cpu_to_le64(val);
}

void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, u64 cnt)
{
	const struct plan_reg *r;
	const u64 *q;

	for (r = p->reg; r < p->reg + p->nr_copied; r++) {
		q = field(v, r);
		if (likely(r->kind == PLAN_U64)) {
			to[r->at] = cpu_to_le64(*q);
		} else if (r->kind == PLAN_U32) {
			to[r->at] = cpu_to_le64(*(const u32 *)q);
		} else {
			to[r->at] = cpu_to_le64(q[0]);
			to[r->at + 1] = cpu_to_le64(q[1]);
		}
	}
	for (; r < p->reg + p->nr; r++)
		get_rest(v, r, to + r->at, cnt);
}

static bool acceptable(struct tern_vcpu *v, const struct plan_reg *r, u64 val)
{
	switch (r->kind) {
	case PLAN_PSTATE:
		return vcpu_regid_pstate_ok(val, host_caps.el0_32);
	case PLAN_OSLSR:
		return !((val ^ r->fixed) & ~SYSREG_OSLSR_OSLK);
	case PLAN_ID:
		return val == *(u64 *)field(v, r);
	case PLAN_CONST:
		return val == r->fixed;
	default:
		return true;
	}
}

int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed)
{
	const struct plan_reg *r;

	for (r = p->reg; r < p->reg + p->nr; r++) {
		if (r->kind == PLAN_U64 || r->kind == PLAN_U128)
			continue;
		if (r->kind == PLAN_U32 ? !(le64_to_cpu(from[r->at]) >> 32) :
					  acceptable(v, r, le64_to_cpu(from[r->at])))
			continue;
		*failed = r->id;
		return -EINVAL;
	}
	return 0;
}

/* As it is already: what most restores of these find. */
static int set_vm(struct tern_vcpu *v, const struct plan_reg *r, u64 val)
{
	union vcpu_value now = { .q = 0 }, want = { .x = val };
	struct vcpu_ref ref;
	int err = vcpu_ref_find(v, r->id, &ref);

	if (!err)
		err = vcpu_ref_get(v, &ref, &now);
	if (err || now.x == val)
		return err;
	return vcpu_ref_set(v, &ref, &want);
}

int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *cnt, bool *has_cnt, u64 *failed)
{
	const struct plan_reg *r;
	u64 val;
	int err;

	for (r = p->reg + p->nr_copied; r < p->reg + p->nr; r++) {
		val = le64_to_cpu(from[r->at]);
		if (r->kind == PLAN_TIMER_CNT) {
			*cnt = *has_cnt ? max(*cnt, val) : val;
			*has_cnt = true;
		}
		if (r->kind != PLAN_FW && r->kind != PLAN_ID_VM)
			continue;
		err = set_vm(v, r, val);
		if (err) {
			*failed = r->id;
			return err;
		}
	}
	return 0;
}

static void set_rest(struct tern_vcpu *v, const struct plan_reg *r, u64 val)
{
	switch (r->kind) {
	case PLAN_PSTATE:
	case PLAN_OSLSR:
		*(u64 *)field(v, r) = val;
		break;
	case PLAN_TIMER_CTL:
		timer_set_reg(&v->timer, r->id, val);
		break;
	}
}

void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from)
{
	const struct plan_reg *r;
	u64 *q;

	for (r = p->reg; r < p->reg + p->nr_copied; r++) {
		q = field(v, r);
		if (likely(r->kind == PLAN_U64)) {
			*q = le64_to_cpu(from[r->at]);
		} else if (r->kind == PLAN_U32) {
			*(u32 *)q = le64_to_cpu(from[r->at]);
		} else {
			q[0] = le64_to_cpu(from[r->at]);
			q[1] = le64_to_cpu(from[r->at + 1]);
		}
	}
	for (; r < p->reg + p->nr; r++)
		set_rest(v, r, le64_to_cpu(from[r->at]));
	vcpu_narrow32(v);
	hyp_debug_update(&v->hyp);
}
