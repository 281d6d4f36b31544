// SPDX-License-Identifier: GPL-2.0
/*
 * tern's own calls: which vCPUs run, flushes of other vCPUs' TLBs that wait for
 * no vCPU that does not run, and yielding to one of them. Found as KVM's vendor services are, by owner
 * 6's UID and a call that tells the features.
 */
#include <linux/bits.h>
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include "../vcpu/record.h"
#include "../vcpu/yield.h"
#include "internal.h"
#include "pvabi.h"

#define FLUSH_BITS	(TERN_PV_FLUSH_WHAT | TERN_PV_FLUSH_LEAF | TERN_PV_FLUSH_STAGE2 | TERN_PV_FLUSH_EVERY)
#define FLUSH_FIRST(x)	((x) >> 32)
#define PAGES_MAX	BIT_ULL(52)	/* 64 bits of address */

static int features(struct tern_vcpu *v)
{
	static_assert(FW_PVTLB_FEATURES ==
		      (TERN_PV_HAS_RECORD | TERN_PV_HAS_FLUSH | TERN_PV_HAS_YIELD));

	return fw_answer(v, FW_PVTLB_FEATURES, TERN_PV_UID0, TERN_PV_UID1, 0);
}

static int record(struct tern_vcpu *v)
{
	if (vcpu_record_set(v, fw_arg(v, 1)))
		return fw_answer1(v, (u64)TERN_PV_INVALID);
	return fw_answer(v, 0, v->index, 0, 0);
}

/* What the call is about must be something, though the whole of it is flushed. */
static bool flush_makes_sense(struct tern_vcpu *v, u64 how)
{
	u64 va = vcpu_get_reg(v, 3), pages = vcpu_get_reg(v, 4), asid = vcpu_get_reg(v, 5);
	u64 what = how & TERN_PV_FLUSH_WHAT;

	if ((u32)how & ~FLUSH_BITS || what > TERN_PV_FLUSH_RANGE)
		return false;
	if (what != TERN_PV_FLUSH_VM && asid >> 16)
		return false;
	if (what != TERN_PV_FLUSH_RANGE)
		return !(how & TERN_PV_FLUSH_LEAF);
	/* Not around the end: the last byte is not below the first. */
	return pages && pages <= PAGES_MAX && va + (pages << 12) - 1 >= va;
}

/* The vCPUs meant, as a bit map. Return: false when there is one that is not there */
static bool flush_whom(struct tern_vcpu *v, u64 how, unsigned long *which)
{
	u32 n = vm_nr_vcpus(v->vm);
	u64 mask = vcpu_get_reg(v, 2), first = FLUSH_FIRST(how);

	bitmap_zero(which, VM_MAX_VCPUS);
	if (how & TERN_PV_FLUSH_EVERY) {
		bitmap_set(which, 0, n);
		return !mask && !first;
	}
	if (first % 64 || first >= VM_MAX_VCPUS)
		return false;
	which[first / 64] = mask;
	return find_next_bit(which, VM_MAX_VCPUS, n) >= VM_MAX_VCPUS;
}

static int flush(struct tern_vcpu *v)
{
	DECLARE_BITMAP(which, VM_MAX_VCPUS);
	u64 how = vcpu_get_reg(v, 1);

	if (!flush_makes_sense(v, how) || !flush_whom(v, how, which))
		return fw_answer1(v, (u64)TERN_PV_INVALID);
	if (how & TERN_PV_FLUSH_STAGE2)
		mem_flush_later(&v->vm->mem);
	vm_flush_vcpus(v->vm, which, v);
	return fw_answer1(v, 0);
}

static int yield_to_one(struct tern_vcpu *v)
{
	u64 n = fw_arg(v, 1);

	if (n >= vm_nr_vcpus(v->vm))
		return fw_answer1(v, (u64)TERN_PV_INVALID);
	fw_answer1(v, 0);
	if (n != v->index)
		vcpu_yield_to(v->vm->vcpu[array_index_nospec(n, VM_MAX_VCPUS)]);
	return FW_RESUME;
}

int fw_pvtlb_call(struct tern_vcpu *v, u32 fn)
{
	switch (fn) {
	case TERN_PV_FEATURES:
		return features(v);
	case TERN_PV_RECORD:
		return record(v);
	case TERN_PV_YIELD:
		return yield_to_one(v);
	default:
		return flush(v);
	}
}
