// SPDX-License-Identifier: GPL-2.0
/* Bursts of KVM_GET_ONE_REG and KVM_SET_ONE_REG of one vCPU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* Fewer in a row are not worth a list of all. */
#define BURST_LEAST	4
/* So many values given pay for the call that read all. */
#define BURST_WORTH	32

#define CORE_BEGIN(field)	(KVM_REG_ARM64 | KVM_REG_ARM_CORE |	\
				 KVM_REG_ARM_CORE_REG(field))
#define WITHOUT_SIZE(id)	((id) & ~KVM_REG_SIZE_MASK)

#define SYS(op0, op1, crn, crm, op2)	ARM64_SYS_REG(op0, op1, crn, crm, op2)
#define MPIDR_EL1	SYS(3, 0, 0, 0, 5)

/*
 * System registers that are nothing but storage to a client: any value does.
 * Arm ARM D17.
 */
static const uint64_t plain[] = {
	SYS(3, 0, 1, 0, 0),	/* SCTLR_EL1 */
	SYS(3, 0, 1, 0, 1),	/* ACTLR_EL1 */
	SYS(3, 0, 1, 0, 2),	/* CPACR_EL1 */
	SYS(3, 0, 2, 0, 0),	/* TTBR0_EL1 */
	SYS(3, 0, 2, 0, 1),	/* TTBR1_EL1 */
	SYS(3, 0, 2, 0, 2),	/* TCR_EL1 */
	SYS(3, 0, 2, 1, 0),	/* APIAKeyLo_EL1 and its like */
	SYS(3, 0, 2, 1, 1),
	SYS(3, 0, 2, 1, 2),
	SYS(3, 0, 2, 1, 3),
	SYS(3, 0, 2, 2, 0),
	SYS(3, 0, 2, 2, 1),
	SYS(3, 0, 2, 2, 2),
	SYS(3, 0, 2, 2, 3),
	SYS(3, 0, 2, 3, 0),
	SYS(3, 0, 2, 3, 1),
	SYS(3, 0, 5, 1, 0),	/* AFSR0_EL1 */
	SYS(3, 0, 5, 1, 1),	/* AFSR1_EL1 */
	SYS(3, 0, 5, 2, 0),	/* ESR_EL1 */
	SYS(3, 0, 6, 0, 0),	/* FAR_EL1 */
	SYS(3, 0, 7, 4, 0),	/* PAR_EL1 */
	SYS(3, 0, 10, 2, 0),	/* MAIR_EL1 */
	SYS(3, 0, 10, 3, 0),	/* AMAIR_EL1 */
	SYS(3, 0, 12, 0, 0),	/* VBAR_EL1 */
	SYS(3, 0, 12, 1, 1),	/* DISR_EL1 */
	SYS(3, 0, 13, 0, 1),	/* CONTEXTIDR_EL1 */
	SYS(3, 0, 13, 0, 4),	/* TPIDR_EL1 */
	SYS(3, 0, 14, 1, 0),	/* CNTKCTL_EL1 */
	SYS(3, 3, 13, 0, 2),	/* TPIDR_EL0 */
	SYS(3, 3, 13, 0, 3),	/* TPIDRRO_EL0 */
	SYS(2, 0, 0, 2, 0),	/* MDCCINT_EL1 */
	SYS(2, 0, 0, 2, 2),	/* MDSCR_EL1 */
};

static uint32_t encoding(uint64_t id)
{
	return id & 0xffff;
}

#define FIELD(enc, name)	(((enc) & KVM_REG_ARM64_SYSREG_##name##_MASK) \
				 >> KVM_REG_ARM64_SYSREG_##name##_SHIFT)

/* DBGBVRn_EL1, DBGBCRn_EL1, DBGWVRn_EL1, DBGWCRn_EL1 */
static bool is_debug_point(uint32_t enc)
{
	return FIELD(enc, OP0) == 2 && !FIELD(enc, OP1) && !FIELD(enc, CRN) &&
	       FIELD(enc, OP2) >= 4;
}

static bool is_plain_core(uint64_t id)
{
	uint64_t core = WITHOUT_SIZE(id);

	return core != CORE_BEGIN(regs.pstate) &&
	       core >= CORE_BEGIN(regs.regs[0]) &&
	       core <= CORE_BEGIN(fp_regs.fpcr);
}

/* Takes any value. The id is in the vCPU's list, so its size is right. */
static bool is_plain(uint64_t id)
{
	size_t i;

	switch (id & KVM_REG_ARM_COPROC_MASK) {
	case KVM_REG_ARM_CORE:
		return is_plain_core(id);
	case KVM_REG_ARM64_SYSREG:
		if (is_debug_point(encoding(id)))
			return true;
		for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
			if (plain[i] == id)
				return true;
		return false;
	default:
		return false;
	}
}

/*
 * Says what the CPU is, so that only the value it has is accepted, and nothing
 * done: CRn 0 of op1 0, 1 and 3 (Arm ARM D17.1), and CCSIDR_EL1 of each cache.
 */
static bool is_identity(uint64_t id)
{
	uint32_t enc = encoding(id);

	if ((id & KVM_REG_ARM_COPROC_MASK) == KVM_REG_ARM_DEMUX)
		return true;
	return (id & KVM_REG_ARM_COPROC_MASK) == KVM_REG_ARM64_SYSREG &&
	       id != MPIDR_EL1 && FIELD(enc, OP0) == 3 && !FIELD(enc, CRN) &&
	       (FIELD(enc, OP1) == 0 || FIELD(enc, OP1) == 1 ||
		FIELD(enc, OP1) == 3);
}

/* Goes on while the vCPU stands still. */
static bool changes_with_time(uint64_t id)
{
	return id == KVM_REG_ARM_TIMER_CNT || id == KVM_REG_ARM_TIMER_CTL ||
	       id == KVM_REG_ARM_PTIMER_CNT || id == KVM_REG_ARM_PTIMER_CTL;
}

/*
 * Writing it changes this vCPU's registers alone, and none that identifies it.
 * Attributes of the GIC name vCPUs by MPIDR_EL1.
 */
static bool changes_no_other(uint64_t id)
{
	switch (id & KVM_REG_ARM_COPROC_MASK) {
	case KVM_REG_ARM_CORE:
	case KVM_REG_ARM_DEMUX:
		return true;
	case KVM_REG_ARM64_SYSREG:
		return id != MPIDR_EL1;
	default:
		return false;
	}
}

/* Setting up */

static int by_id(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void preload_regs_fini(struct preload_regs *regs)
{
	free(regs->id);
	free(regs->offset);
	free(regs->state);
	free(regs->values);
	free(regs->queue);
	free(regs->queue_values);
	memset(regs, 0, sizeof(*regs));
}

/* Only what a call for many can hold, and a value of it can be kept. */
static bool is_served(uint64_t id)
{
	return lib_reg_size(id) <= 16 && !changes_with_time(id);
}

static int take_list(struct preload_regs *regs, struct lib_list *list)
{
	uint32_t i, n = 0;

	for (i = 0; i < list->n; i++)
		if (is_served(list->id[i]))
			list->id[n++] = list->id[i];
	qsort(list->id, n, sizeof(*list->id), by_id);
	regs->id = list->id;
	regs->n = n;
	list->id = NULL;
	regs->room = 2 * n;
	regs->offset = calloc(n + 1, sizeof(*regs->offset));
	regs->state = calloc(n + 1, sizeof(*regs->state));
	regs->values = calloc(n + 1, 16);
	regs->queue = calloc(regs->room + 1, sizeof(*regs->queue));
	regs->queue_values = calloc(regs->room + 1,
				    sizeof(*regs->queue_values));
	if (!regs->offset || !regs->state || !regs->values || !regs->queue ||
	    !regs->queue_values || !n || n > TERN_MAX_REGS)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		regs->offset[i] = 16 * i;
	return 0;
}

static bool set_up(struct preload_fd *f)
{
	struct preload_regs *regs = &f->regs;
	struct lib_list list = { 0 };

	if (regs->n || regs->failed)
		return regs->n;
	if (lib_list_regs(&list, f->fd) || take_list(regs, &list)) {
		struct preload_pace pace = regs->pace;

		preload_regs_fini(regs);
		regs->pace = pace;
		regs->failed = true;
	}
	lib_list_fini(&list);
	return regs->n;
}

static bool find(struct preload_regs *regs, uint64_t id, uint32_t *at)
{
	uint64_t *found;

	if (regs->hint < regs->n && regs->id[regs->hint] == id) {
		*at = regs->hint;
	} else {
		found = bsearch(&id, regs->id, regs->n, sizeof(id), by_id);
		if (!found)
			return false;
		*at = found - regs->id;
	}
	regs->hint = *at + 1;
	return true;
}

/* Reading ahead */

void preload_regs_forget(struct preload_regs *regs)
{
	if (regs->n)
		memset(regs->state, 0, regs->n);
	regs->pace.gets = 0;
	regs->pace.sets = 0;
}

static void read_all(struct preload_fd *f)
{
	struct preload_regs *regs = &f->regs;
	struct kvm_one_reg *reg = malloc(regs->n * sizeof(*reg));
	uint32_t i, failed;
	int ret;

	if (!reg)
		return;
	for (i = 0; i < regs->n; i++)
		reg[i] = (struct kvm_one_reg){
			.id = regs->id[i],
			.addr = (uintptr_t)regs->values + regs->offset[i],
		};
	ret = lib_regs(f->fd, true, false, reg, regs->n, &failed);
	free(reg);
	if (ret == -EINVAL || ret == -ENOENT)
		regs->failed = true;
	if (ret)
		return;
	atomic_fetch_add(&preload_counts.batches, 1);
	regs->fresh = true;
	for (i = 0; i < regs->n; i++)
		regs->state[i] = PRELOAD_FRESH |
			(is_identity(regs->id[i]) ? PRELOAD_KNOWN : 0);
}

static bool give(struct preload_regs *regs, uint32_t at,
		 const struct kvm_one_reg *one)
{
	if (!(regs->state[at] & PRELOAD_FRESH))
		return false;
	regs->state[at] &= ~PRELOAD_FRESH;
	regs->pace.given++;
	memcpy((void *)(uintptr_t)one->addr, regs->values + regs->offset[at],
	       lib_reg_size(one->id));
	atomic_fetch_add(&preload_counts.given, 1);
	return true;
}

enum preload_way preload_get_reg(struct preload_fd *f,
				 const struct kvm_one_reg *one, int *ret)
{
	struct preload_regs *regs = &f->regs;
	uint32_t at;

	*ret = preload_regs_flush(f);
	if (*ret)
		return PRELOAD_DONE;
	if (regs->failed || !preload_proven(&f->proof, one->addr,
					    lib_reg_size(one->id), true))
		return PRELOAD_PASS;
	if (regs->n && find(regs, one->id, &at) && give(regs, at, one))
		return PRELOAD_DONE;
	if (!preload_pace_get(&regs->pace, BURST_LEAST) || !set_up(f) ||
	    !find(regs, one->id, &at) || !preload_activate(f))
		return PRELOAD_PASS;
	preload_pace_read(&regs->pace, BURST_WORTH, BURST_LEAST);
	read_all(f);
	return give(regs, at, one) ? PRELOAD_DONE : PRELOAD_PASS;
}

/* Gathering */

/* What was gathered cannot fail; should it, the rest is done all the same. */
static int replay(struct preload_fd *f)
{
	struct preload_regs *regs = &f->regs;
	uint32_t i, failed;
	int ret = 0, err;

	for (i = 0; i < regs->queued; i++) {
		err = lib_regs(f->fd, false, true, &regs->queue[i], 1, &failed);
		if (!ret)
			ret = err;
	}
	atomic_fetch_add(&preload_counts.replayed, regs->queued);
	return ret;
}

int preload_regs_flush(struct preload_fd *f)
{
	struct preload_regs *regs = &f->regs;
	uint32_t failed;
	int ret;

	if (!regs->queued)
		return 0;
	ret = lib_regs(f->fd, true, true, regs->queue, regs->queued, &failed);
	atomic_fetch_add(&preload_counts.batches, 1);
	if (ret) {
		ret = replay(f);
		regs->failed = true;
	}
	regs->queued = 0;
	f->vm->queues--;
	return ret;
}

static bool is_same(const struct preload_regs *regs, uint32_t at,
		    const struct kvm_one_reg *one)
{
	return (regs->state[at] & PRELOAD_KNOWN) &&
	       !memcmp((const void *)(uintptr_t)one->addr,
		       regs->values + regs->offset[at], lib_reg_size(one->id));
}

/* It is no more what was read ahead; what identifies the CPU stays. */
static void no_longer_fresh(struct preload_regs *regs)
{
	uint32_t i;

	for (i = 0; regs->fresh && i < regs->n; i++)
		regs->state[i] &= ~PRELOAD_FRESH;
	regs->fresh = false;
}

static void queue(struct preload_fd *f, const struct kvm_one_reg *one)
{
	struct preload_regs *regs = &f->regs;
	uint32_t i = regs->queued++;

	if (!i)
		f->vm->queues++;
	memcpy(regs->queue_values[i], (const void *)(uintptr_t)one->addr,
	       lib_reg_size(one->id));
	regs->queue[i] = (struct kvm_one_reg){
		.id = one->id, .addr = (uintptr_t)regs->queue_values[i],
	};
	atomic_fetch_add(&preload_counts.gathered, 1);
}

/* One of a burst that is under way, or begins now */
static bool in_burst(struct preload_fd *f, uint64_t id, uint32_t *at)
{
	struct preload_regs *regs = &f->regs;
	bool first = !regs->queued;

	if (!preload_pace_set(&regs->pace, BURST_LEAST) || regs->failed ||
	    !set_up(f) || !find(regs, id, at))
		return false;
	return !first || preload_activate(f);
}

/* The burst's first look at what identifies the CPU reads it. */
static bool know(struct preload_fd *f, uint32_t at)
{
	struct preload_regs *regs = &f->regs;

	if (!(regs->state[at] & PRELOAD_KNOWN) && !regs->queued)
		read_all(f);
	no_longer_fresh(regs);
	return regs->state[at] & PRELOAD_KNOWN;
}

/* True when that was all there is to do, or *ret says what went wrong. */
static bool gather(struct preload_fd *f, uint32_t at,
		   const struct kvm_one_reg *one, int *ret)
{
	struct preload_regs *regs = &f->regs;

	if (is_plain(one->id)) {
		if (regs->queued == regs->room)
			*ret = preload_regs_flush(f);
		if (!*ret)
			queue(f, one);
		return true;
	}
	if (!is_identity(one->id))
		return false;
	if (!(regs->state[at] & PRELOAD_KNOWN))
		*ret = preload_regs_flush(f);
	if (*ret)
		return true;
	if (!know(f, at) || !is_same(regs, at, one))
		return false;
	atomic_fetch_add(&preload_counts.dropped, 1);
	return true;
}

enum preload_way preload_set_reg(struct preload_fd *f,
				 const struct kvm_one_reg *one, int *ret)
{
	struct preload_regs *regs = &f->regs;
	uint32_t at;

	*ret = 0;
	if (regs->pace.gets || !regs->pace.sets)
		no_longer_fresh(regs);
	if (preload_proven(&f->proof, one->addr, lib_reg_size(one->id),
			   false) && in_burst(f, one->id, &at) &&
	    gather(f, at, one, ret))
		return PRELOAD_DONE;
	*ret = preload_regs_flush(f);
	if (*ret)
		return PRELOAD_DONE;
	no_longer_fresh(regs);
	return changes_no_other(one->id) ? PRELOAD_CHANGE_SELF : PRELOAD_CHANGE;
}
