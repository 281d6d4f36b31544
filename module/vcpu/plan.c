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
#include <linux/sort.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "plan.h"

/* Return: enum plan_run_kind, or -1: it is one by itself */
static int run_kind(const struct vcpu_place *p)
{
	switch (p->kind) {
	case PLACE_ID:
		return RUN_SAME;
	case PLACE_ID_FREE:
		return RUN_FREE;
	case PLACE_CONST:
		return RUN_FIXED;
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

static enum plan_one_kind one_kind(const struct vcpu_place *p)
{
	switch (p->kind) {
	case PLACE_PSTATE:
	case PLACE_OSLSR:
		return ONE_WORD;
	case PLACE_U32:
		return ONE_HALF;
	case PLACE_FW:
	case PLACE_ID_VM:
		return ONE_VM;
	}
	return ONE_OTHER;
}

/* Until all are there the ends are the numbers of all of them. */
static void add_run(struct vcpu_plan *p, const struct vcpu_place *r, u16 kind, u32 offset)
{
	u16 *n = &p->run_end[RUN_KINDS - 1];
	struct plan_run *last = *n ? &p->run[*n - 1] : NULL;

	if (last && last->kind == kind && last->at + last->words == p->words &&
	    last->offset + 8 * last->words == offset) {
		last->words += vcpu_place_words(r);
		return;
	}
	p->run[(*n)++] = (struct plan_run){
		.offset = offset, .at = p->words, .words = vcpu_place_words(r), .kind = kind,
	};
}

static void add(struct vcpu_plan *p, const struct vcpu_place *r)
{
	int kind = run_kind(r);

	if (kind == RUN_FIXED) {
		add_run(p, r, kind, 8 * p->nr_fixed);
		p->fixed[p->nr_fixed++] = r->size == 4 ? (u32)r->fixed : r->fixed;
	} else if (kind >= 0) {
		add_run(p, r, kind, r->offset);
	} else {
		p->one[p->one_end[ONE_KINDS - 1]++] = (struct plan_one){
			.place = r, .at = p->words, .kind = one_kind(r),
		};
	}
	p->words += vcpu_place_words(r);
}

static int by_kind_run(const void *a, const void *b)
{
	const struct plan_run *x = a, *y = b;

	return x->kind != y->kind ? x->kind - y->kind : x->at - y->at;
}

static int by_kind_one(const void *a, const void *b)
{
	const struct plan_one *x = a, *y = b;

	return x->kind != y->kind ? x->kind - y->kind : x->at - y->at;
}

/* All registers have been added. */
static void arrange(struct vcpu_plan *p)
{
	u32 i, k, runs = p->run_end[RUN_KINDS - 1], ones = p->one_end[ONE_KINDS - 1];

	sort(p->run, runs, sizeof(p->run[0]), by_kind_run, NULL);
	sort(p->one, ones, sizeof(p->one[0]), by_kind_one, NULL);
	for (k = 0, i = 0; k < RUN_KINDS; k++) {
		while (i < runs && p->run[i].kind == k)
			i++;
		p->run_end[k] = i;
	}
	for (k = 0, i = 0; k < ONE_KINDS; k++) {
		while (i < ones && p->one[i].kind == k)
			i++;
		p->one_end[k] = i;
	}
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
	size_t each = sizeof(p->run[0]) + sizeof(p->one[0]) + sizeof(p->fixed[0]);

	n = min_t(u32, n, PLACE_MAX);
	p = kvzalloc(sizeof(*p) + n * each, GFP_KERNEL);
	if (!p)
		return NULL;
	p->one = (void *)(p + 1);
	p->fixed = (void *)(p->one + n);
	p->run = (void *)(p->fixed + n);
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
	if (err) {
		kvfree(p);
		return ERR_PTR(err);
	}
	arrange(p);
	return p;
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
	arrange(p);
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
