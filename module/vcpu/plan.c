// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of registers, looked up once. See plan.h.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/kvm.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <asm/byteorder.h>
#include "../host/caps.h"
#include "plan.h"
#include "ref.h"
#include "regid.h"
#include "sve.h"

/* What a write to the words of a run does */
enum {
	RUN_COPY,
	RUN_SAME,	/* they are that already, or it is refused */
	RUN_FREE,	/* nothing */
};

static int run_kind(const struct vcpu_place *p)
{
	switch (p->kind) {
	case PLACE_ID:
		return RUN_SAME;
	case PLACE_ID_FREE:
		return RUN_FREE;
	case PLACE_X:
	case PLACE_U64:
	case PLACE_DEBUG:
	case PLACE_AUTH:
	case PLACE_ZCR:
	case PLACE_PMU:
	case PLACE_V:
		return RUN_COPY;
	}
	return -1;
}

static void add_run(struct vcpu_plan *p, const struct vcpu_place *r, u16 kind)
{
	struct plan_run *last = p->nr_runs ? &p->run[p->nr_runs - 1] : NULL;

	if (last && last->kind == kind && last->at + last->words == p->words &&
	    last->offset + 8 * last->words == r->offset) {
		last->words += vcpu_place_words(r);
		return;
	}
	p->run[p->nr_runs++] = (struct plan_run){
		.offset = r->offset, .at = p->words, .words = vcpu_place_words(r), .kind = kind,
	};
}

static void add(struct vcpu_plan *p, const struct vcpu_place *r)
{
	int kind = run_kind(r);

	if (kind >= 0)
		add_run(p, r, kind);
	else
		p->one[p->nr_ones++] = (struct plan_one){ .place = r, .at = p->words };
	p->words += vcpu_place_words(r);
}

static int fill(const struct tern_vcpu *v, struct vcpu_plan *p, const __le64 *ids, u32 n, unsigned long *taken,
		u64 *failed)
{
	const struct vcpu_place *r;
	u32 i;

	for (i = 0; i < n; i++) {
		*failed = le64_to_cpu(ids[i]);
		r = vcpu_place_find(v, *failed);
		if (!r)
			return -ENOENT;
		if (__test_and_set_bit(r - vcpu_places, taken))
			return -EEXIST;
		add(p, r);
	}
	return 0;
}

/* No list has more registers than there are: one that comes twice is found before. */
static struct vcpu_plan *plan_alloc(u32 n)
{
	struct vcpu_plan *p;
	size_t each = sizeof(p->run[0]) + sizeof(p->one[0]);

	n = min_t(u32, n, PLACE_MAX);
	p = kvzalloc(sizeof(*p) + n * each, GFP_KERNEL);
	if (!p)
		return NULL;
	p->one = (void *)(p + 1);
	p->run = (void *)(p->one + n);
	return p;
}

struct vcpu_plan *plan_make(const struct tern_vcpu *v, const __le64 *ids, u32 n, u64 *failed)
{
	DECLARE_BITMAP(taken, PLACE_MAX);
	struct vcpu_plan *p = plan_alloc(n);
	int err;

	if (!p)
		return ERR_PTR(-ENOMEM);
	bitmap_zero(taken, PLACE_MAX);
	p->id = ids;
	p->nr_ids = n;
	err = fill(v, p, ids, n, taken, failed);
	if (!err)
		return p;
	kvfree(p);
	return ERR_PTR(err);
}

/* tern's own lists: [vcpu_place_set()] */
static struct vcpu_plan *own[PLACE_SETS];
static __le64 own_id[PLACE_SETS][PLACE_MAX];

void plan_free(const struct vcpu_plan *p)
{
	u32 set;

	for (set = 0; set < PLACE_SETS; set++)
		if (p == own[set])
			return;
	kvfree(p);
}

bool plan_is_for(const struct vcpu_plan *p, const __le64 *ids, u32 n)
{
	return n == p->nr_ids && !memcmp(ids, p->id, n * sizeof(*ids));
}

static int make_own(u32 set)
{
	struct vcpu_plan *p = plan_alloc(vcpu_nr_places);
	u32 i;

	if (!p)
		return -ENOMEM;
	for (i = 0; i < vcpu_nr_places; i++) {
		if (!vcpu_place_in(&vcpu_places[i], set))
			continue;
		own_id[set][p->nr_ids++] = cpu_to_le64(vcpu_places[i].id);
		add(p, &vcpu_places[i]);
	}
	p->id = own_id[set];
	own[set] = p;
	return 0;
}

const struct vcpu_plan *plan_own(const struct tern_vcpu *v)
{
	return own[vcpu_place_set(v)];
}

int plan_init(void)
{
	u32 set;
	int err = 0;

	for (set = 0; !err && set < PLACE_SETS; set++)
		err = make_own(set);
	if (err)
		plan_fini();
	return err;
}

void plan_fini(void)
{
	u32 set;

	for (set = 0; set < PLACE_SETS; set++)
		kvfree(own[set]);
}

#define RUN_LONG 12	/* words that memcpy() copies faster */

static inline void copy_out(__le64 *to, const u64 *q, u32 n)
{
	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && n >= RUN_LONG) {
		memcpy(to, q, 8 * n);
		return;
	}
	do {
		*to++ = cpu_to_le64(*q++);
	} while (--n);
}

static inline void copy_in(u64 *q, const __le64 *from, u32 n)
{
	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && n >= RUN_LONG) {
		memcpy(q, from, 8 * n);
		return;
	}
	do {
		*q++ = le64_to_cpu(*from++);
	} while (--n);
}

static inline u64 *words(struct tern_vcpu *v, const struct plan_run *r)
{
	return (void *)v + r->offset;
}

static u64 get_one(struct tern_vcpu *v, const struct vcpu_place *r, u64 cnt)
{
	union vcpu_value val = { .q = 0 };

	if (r->id == KVM_REG_ARM_TIMER_CNT)
		return cnt;
	vcpu_ref_get(v, r, &val);
	return r->size == 4 ? val.w : val.x;
}

void plan_get(struct tern_vcpu *v, const struct vcpu_plan *p, __le64 *to, u64 cnt)
{
	const struct plan_run *r;
	const struct plan_one *o;

	pmu_settle(&v->pmu);
	for (r = p->run; r < p->run + p->nr_runs; r++)
		copy_out(to + r->at, words(v, r), r->words);
	for (o = p->one; o < p->one + p->nr_ones; o++) {
		if (vcpu_place_is_sve(o->place))
			vcpu_sve_get(v, o->place, to + o->at);
		else
			to[o->at] = cpu_to_le64(get_one(v, o->place, cnt));
	}
}

static bool acceptable(const struct tern_vcpu *v, const struct vcpu_place *r, const __le64 *from)
{
	u64 val = le64_to_cpu(*from);

	switch (r->kind) {
	case PLACE_PSTATE:
		return vcpu_regid_pstate_ok(val, host_caps.el0_32);
	case PLACE_OSLSR:
		return !((val ^ r->fixed) & ~SYSREG_OSLSR_OSLK);
	case PLACE_CONST:
		return val == r->fixed;
	case PLACE_U32:
		return !(val >> 32);
	case PLACE_SVE_VLS:
		return vcpu_sve_same(v, from);
	default:
		return true;
	}
}

/* Return: number of the first value of @r that the vCPU does not have, or its length */
static u32 first_other(struct tern_vcpu *v, const struct plan_run *r, const __le64 *from)
{
	const u64 *q = words(v, r);
	u32 i;

	if (IS_ENABLED(CONFIG_CPU_LITTLE_ENDIAN) && likely(!memcmp(from + r->at, q, 8 * r->words)))
		return r->words;
	for (i = 0; i < r->words && le64_to_cpu(from[r->at + i]) == q[i]; i++)
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

int plan_check(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *failed)
{
	const struct plan_run *r;
	const struct plan_one *o;
	u32 at = p->words, bad;

	for (r = p->run; r < p->run + p->nr_runs && at == p->words; r++) {
		if (r->kind != RUN_SAME)
			continue;
		bad = first_other(v, r, from);
		if (bad < r->words)
			at = r->at + bad;
	}
	for (o = p->one; o < p->one + p->nr_ones && o->at < at; o++)
		if (!acceptable(v, o->place, from + o->at))
			at = o->at;
	if (at == p->words)
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

int plan_set_vm(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from, u64 *cnt, bool *has_cnt, u64 *failed)
{
	const struct plan_one *o;
	u64 val;
	int err;

	for (o = p->one; o < p->one + p->nr_ones; o++) {
		val = le64_to_cpu(from[o->at]);
		if (o->place->id == KVM_REG_ARM_TIMER_CNT) {
			*cnt = *has_cnt ? max(*cnt, val) : val;
			*has_cnt = true;
		}
		if (o->place->kind != PLACE_FW && o->place->kind != PLACE_ID_VM)
			continue;
		err = set_vm(v, o->place, val);
		if (err) {
			*failed = o->place->id;
			return err;
		}
	}
	return 0;
}

static void set_one(struct tern_vcpu *v, const struct vcpu_place *r, const __le64 *from)
{
	u64 val = le64_to_cpu(*from);

	switch (r->kind) {
	case PLACE_PSTATE:
	case PLACE_OSLSR:
		*(u64 *)vcpu_place_at(v, r) = val;
		break;
	case PLACE_U32:
		*(u32 *)vcpu_place_at(v, r) = val;
		break;
	case PLACE_SVE:
		vcpu_sve_set(v, r, from);
		break;
	case PLACE_TIMER:
		/* The counter is the VM's, and set once for all vCPUs. */
		if (r->id != KVM_REG_ARM_TIMER_CNT)
			timer_set_reg(&v->timer, r->id, val);
		break;
	}
}

void plan_set(struct tern_vcpu *v, const struct vcpu_plan *p, const __le64 *from)
{
	const struct plan_run *r;
	const struct plan_one *o;

	pmu_settle(&v->pmu);
	for (r = p->run; r < p->run + p->nr_runs; r++)
		if (r->kind == RUN_COPY)
			copy_in(words(v, r), from + r->at, r->words);
	for (o = p->one; o < p->one + p->nr_ones; o++)
		set_one(v, o->place, from + o->at);
	vcpu_narrow32(v);
	hyp_debug_update(&v->hyp);
	pmu_changed(&v->pmu);
}
