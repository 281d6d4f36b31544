// SPDX-License-Identifier: GPL-2.0
/*
 * The values of lists of registers, copied out and in by plans. See plan.h.
 */
#include <linux/kconfig.h>
#include <linux/kvm.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "../host/caps.h"
#include "plan.h"
#include "ref.h"
#include "regid.h"
#include "sve.h"

/* The end is looked up once: values may be anywhere, for all that the compiler knows. */
#define for_each_run(r, p, first, last) \
	for (const struct plan_run *r = (p)->run + ((first) ? (p)->run_end[(first) - 1] : 0), \
				   *r##_end = (p)->run + (p)->run_end[last]; r < r##_end; r++)
#define for_each_one(o, p, first, last) \
	for (const struct plan_one *o = (p)->one + ((first) ? (p)->one_end[(first) - 1] : 0), \
				   *o##_end = (p)->one + (p)->one_end[last]; o < o##_end; o++)

#define RUN_LONG 16	/* words that memcpy() copies faster */

static __always_inline void copy_out(__le64 *to, const u64 *q, u32 n)
{
	__le64 a, b, c, d;

	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && n >= RUN_LONG) {
		memcpy(to, q, 8 * n);
		return;
	}
	for (; n >= 4; n -= 4, q += 4, to += 4) {
		a = cpu_to_le64(q[0]);
		b = cpu_to_le64(q[1]);
		c = cpu_to_le64(q[2]);
		d = cpu_to_le64(q[3]);
		to[0] = a;
		to[1] = b;
		to[2] = c;
		to[3] = d;
	}
	while (n--)
		*to++ = cpu_to_le64(*q++);
}

static __always_inline void copy_in(u64 *q, const __le64 *from, u32 n)
{
	u64 a, b, c, d;

	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && n >= RUN_LONG) {
		memcpy(q, from, 8 * n);
		return;
	}
	for (; n >= 4; n -= 4, q += 4, from += 4) {
		a = le64_to_cpu(from[0]);
		b = le64_to_cpu(from[1]);
		c = le64_to_cpu(from[2]);
		d = le64_to_cpu(from[3]);
		q[0] = a;
		q[1] = b;
		q[2] = c;
		q[3] = d;
	}
	while (n--)
		*q++ = le64_to_cpu(*from++);
}

static inline u64 *words(struct tern_vcpu *v, const struct plan_run *r)
{
	return (void *)v + r->offset;
}

static inline const u64 *fixed(const struct vcpu_plan *p, const struct plan_run *r)
{
	return (const void *)p->fixed + r->offset;
}

/* What the vCPUs before had is not read again. */
static void get_vm(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, struct plan_vm *m)
{
	union vcpu_value val;
	u64 *now = m->val;

	if (m->plan != p || m->features != v->features) {
		m->plan = p;
		m->features = v->features;
		for_each_one(o, p, ONE_VM, ONE_VM) {
			val = (union vcpu_value){ .q = 0 };
			vcpu_ref_get(v, o->place, &val);
			*now++ = val.x;
		}
		now = m->val;
	}
	for_each_one(o, p, ONE_VM, ONE_VM)
		to[o->at] = cpu_to_le64(*now++);
}

static void get_other(struct tern_vcpu *v, const struct vcpu_place *r, __le64 *to, u64 cnt)
{
	union vcpu_value val = { .q = 0 };

	if (vcpu_place_is_sve(r)) {
		vcpu_sve_get(v, r, to);
		return;
	}
	if (r->id == KVM_REG_ARM_TIMER_CNT)
		val.x = cnt;
	else
		vcpu_ref_get(v, r, &val);
	*to = cpu_to_le64(val.x);
}

void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, struct plan_vm *m)
{
	pmu_settle(&v->pmu);
	for_each_run(r, p, 0, RUN_FREE)
		copy_out(to + r->at, words(v, r), r->words);
	for_each_run(r, p, RUN_FIXED, RUN_FIXED)
		copy_out(to + r->at, fixed(p, r), r->words);
	for_each_one(o, p, 0, ONE_WORD)
		to[o->at] = cpu_to_le64(*(const u64 *)vcpu_place_at(v, o->place));
	for_each_one(o, p, ONE_HALF, ONE_HALF)
		to[o->at] = cpu_to_le64(*(const u32 *)vcpu_place_at(v, o->place));
	get_vm(v, p, to, m);
	for_each_one(o, p, ONE_OTHER, ONE_OTHER)
		get_other(v, o->place, to + o->at, m->cnt);
}

/* Of registers that are no run */
static bool acceptable(const struct tern_vcpu *v, const struct vcpu_place *r, const __le64 *from)
{
	u64 val = le64_to_cpu(*from);

	switch (r->kind) {
	case PLACE_PSTATE:
		return vcpu_regid_pstate_ok(val, host_caps.el0_32);
	case PLACE_OSLSR:
		return !((val ^ r->fixed) & ~SYSREG_OSLSR_OSLK);
	case PLACE_U32:
		return !(val >> 32);
	case PLACE_SVE_VLS:
		return vcpu_sve_same(v, from);
	default:
		return true;
	}
}

/* Return: number of the first of @n values that is not in @q, or @n */
static u32 first_other(const u64 *q, const __le64 *from, u32 n)
{
	u32 i;

	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && likely(!memcmp(from, q, 8 * n)))
		return n;
	for (i = 0; i < n && le64_to_cpu(from[i]) == q[i]; i++)
		;
	return i;
}

/* The register whose value is at word @at */
static u64 id_at(const struct vcpu_plan *p, const struct tern_vcpu *v, u32 at)
{
	u32 i, word = 0;

	for (i = 0; i < p->nr_ids && word < at; i++)
		word += vcpu_place_words(vcpu_place_find(v, le64_to_cpu(p->id[i])));
	return le64_to_cpu(p->id[i]);
}

/* The first of several is told. */
int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed)
{
	u32 at = p->words, same;

	for_each_run(r, p, RUN_SAME, RUN_SAME) {
		same = first_other(words(v, r), from + r->at, r->words);
		if (unlikely(same < r->words))
			at = min(at, r->at + same);
	}
	for_each_run(r, p, RUN_FIXED, RUN_FIXED) {
		same = first_other(fixed(p, r), from + r->at, r->words);
		if (unlikely(same < r->words))
			at = min(at, r->at + same);
	}
	for_each_one(o, p, 0, ONE_HALF)
		if (unlikely(!acceptable(v, o->place, from + o->at)))
			at = min_t(u32, at, o->at);
	for_each_one(o, p, ONE_OTHER, ONE_OTHER)
		if (unlikely(!acceptable(v, o->place, from + o->at)))
			at = min_t(u32, at, o->at);
	if (likely(at == p->words))
		return 0;
	*failed = id_at(p, v, at);
	return -EINVAL;
}

/* As it is already: what most restores of these find. */
static int set_vm(struct tern_vcpu *v, const struct vcpu_place *r, u64 val)
{
	union vcpu_value now = { .q = 0 }, want = { .x = val };
	int err = vcpu_ref_get(v, r, &now);

	if (err || now.x == val)
		return err;
	return vcpu_ref_set(v, r, &want);
}

/* The vCPU before had all of these, and they are the VM's by now. */
static bool had_all(const struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, const struct plan_vm *m)
{
	const u64 *had = m->val;

	if (m->plan != p || m->features != v->features)
		return false;
	for_each_one(o, p, ONE_VM, ONE_VM)
		if (le64_to_cpu(from[o->at]) != *had++)
			return false;
	return true;
}

static int set_all_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, struct plan_vm *m,
		      u64 *failed)
{
	u64 *had = m->val;
	int err;

	m->plan = p;
	m->features = v->features;
	for_each_one(o, p, ONE_VM, ONE_VM) {
		*had = le64_to_cpu(from[o->at]);
		err = set_vm(v, o->place, *had++);
		if (err) {
			*failed = o->place->id;
			return err;
		}
	}
	return 0;
}

int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, struct plan_vm *m, u64 *failed)
{
	u64 val;

	for_each_one(o, p, ONE_OTHER, ONE_OTHER) {
		if (o->place->id != KVM_REG_ARM_TIMER_CNT)
			continue;
		val = le64_to_cpu(from[o->at]);
		m->cnt = m->has_cnt ? max(m->cnt, val) : val;
		m->has_cnt = true;
	}
	return likely(had_all(v, p, from, m)) ? 0 : set_all_vm(v, p, from, m, failed);
}

static void set_other(struct tern_vcpu *v, const struct vcpu_place *r, const __le64 *from)
{
	switch (r->kind) {
	case PLACE_SVE:
		vcpu_sve_set(v, r, from);
		break;
	case PLACE_TIMER:
		/* The counter is the VM's, and set once for all vCPUs. */
		if (r->id != KVM_REG_ARM_TIMER_CNT)
			timer_set_reg(&v->timer, r->id, le64_to_cpu(*from));
		break;
	}
}

void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from)
{
	pmu_settle(&v->pmu);
	for_each_run(r, p, 0, RUN_COPY)
		copy_in(words(v, r), from + r->at, r->words);
	for_each_one(o, p, 0, ONE_WORD)
		*(u64 *)vcpu_place_at(v, o->place) = le64_to_cpu(from[o->at]);
	for_each_one(o, p, ONE_HALF, ONE_HALF)
		*(u32 *)vcpu_place_at(v, o->place) = le64_to_cpu(from[o->at]);
	for_each_one(o, p, ONE_OTHER, ONE_OTHER)
		set_other(v, o->place, from + o->at);
	vcpu_narrow32(v);
	hyp_debug_update(&v->hyp);
	pmu_changed(&v->pmu);
}
