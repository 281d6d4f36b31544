// SPDX-License-Identifier: GPL-2.0
/*
 * What it costs to log a guest's writes: the fault of the first write to a
 * page since its log was read, and reading the log and protecting its pages
 * again, for each page that was written.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "bench.h"
#include "vm.h"

#define CODE_BASE	0x40000000ull
#define CODE_SIZE	0x10000ull
#define DATA_BASE	0x80000000ull
#define DOORBELL	0x09000000ull
#define PAGE_SIZE	4096ull
#define PAGES		BENCH_DIRTY_PAGES
#define SLOT		1	/* the second that is added */

/* Writes to x1 pages from x0 on; stores how long it took at x9, and again. */
extern const char dirty_writer[], dirty_writer_end[];
asm(".pushsection .rodata.dirty_writer,\"a\"\n"
    ".globl dirty_writer, dirty_writer_end\n"
    ".balign 8\n"
    "dirty_writer:\n"
    "0:	mov	x2, x0\n"
    "	mov	x3, x1\n"
    "	isb\n"
    "	mrs	x4, cntvct_el0\n"
    "1:	str	x3, [x2]\n"
    "	add	x2, x2, #4096\n"
    "	subs	x3, x3, #1\n"
    "	b.ne	1b\n"
    "	isb\n"
    "	mrs	x5, cntvct_el0\n"
    "	sub	x5, x5, x4\n"
    "	str	x5, [x9]\n"
    "	b	0b\n"
    "dirty_writer_end:\n"
    ".popsection\n");

struct logged {
	struct vm vm;
	uint64_t log[PAGES / 64];
};

static int start_writer(struct logged *l)
{
	static const uint64_t x[][2] = {
		{ 0, DATA_BASE }, { 1, PAGES }, { 9, DOORBELL },
	};
	const struct vcpu *vcpu = &l->vm.vcpu[0];
	unsigned int i;
	int ret;

	ret = vm_write(&l->vm, CODE_BASE, dirty_writer,
		       dirty_writer_end - dirty_writer);
	for (i = 0; !ret && i < sizeof(x) / sizeof(x[0]); i++)
		ret = vcpu_set_x(vcpu, x[i][0], x[i][1]);
	return ret ? ret : vcpu_set_pc(vcpu, CODE_BASE);
}

/* @manual: with KVM_CLEAR_DIRTY_LOG. To be freed whether it succeeds or not. */
static int logged_init(struct logged *l, const char *device, bool manual)
{
	int ret;

	memset(l, 0, sizeof(*l));
	ret = vm_init(&l->vm, device);
	if (!ret && manual)
		ret = vm_enable(&l->vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2,
				KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE);
	if (!ret)
		ret = vm_add_memory(&l->vm, CODE_BASE, CODE_SIZE, 0);
	if (!ret)
		ret = vm_add_memory(&l->vm, DATA_BASE, PAGES * PAGE_SIZE,
				    KVM_MEM_LOG_DIRTY_PAGES);
	if (!ret)
		ret = vm_add_vcpu(&l->vm, 0);
	return ret ? ret : start_writer(l);
}

/* The guest writes to each page once: how long that took by its counter */
static int write_all(struct logged *l, uint64_t *ticks)
{
	struct kvm_run *run = l->vm.vcpu[0].run;
	int reason = vcpu_run(&l->vm.vcpu[0]);

	if (reason < 0)
		return reason;
	if (reason != KVM_EXIT_MMIO || run->mmio.phys_addr != DOORBELL)
		return -EIO;
	memcpy(ticks, run->mmio.data, sizeof(*ticks));
	return 0;
}

/* Every page was written, or what was measured is something else. */
static int get_log(struct logged *l, uint64_t *ticks)
{
	struct kvm_dirty_log log = { .slot = SLOT, .dirty_bitmap = l->log };
	uint64_t start = bench_counter();
	unsigned int i;
	int ret;

	ret = vm_ioctl(l->vm.fd, KVM_GET_DIRTY_LOG, &log);
	*ticks = bench_counter() - start;
	for (i = 0; !ret && i < PAGES / 64; i++)
		if (l->log[i] != UINT64_MAX)
			ret = -EIO;
	return ret;
}

static int clear_log(struct logged *l, uint64_t *ticks)
{
	struct kvm_clear_dirty_log log = {
		.slot = SLOT, .num_pages = PAGES, .dirty_bitmap = l->log,
	};
	uint64_t start = bench_counter();
	int ret = vm_ioctl(l->vm.fd, KVM_CLEAR_DIRTY_LOG, &log);

	*ticks = bench_counter() - start;
	return ret;
}

/* What a round of writing, reading and clearing took */
struct round {
	uint64_t fault, get, clear;
};

static int one_round(struct logged *l, bool manual, struct round *r)
{
	int ret = write_all(l, &r->fault);

	if (!ret)
		ret = get_log(l, &r->get);
	if (!ret && manual)
		ret = clear_log(l, &r->clear);
	return ret;
}

static uint64_t field(const struct round *r, enum bench_dirty what)
{
	switch (what) {
	case BENCH_DIRTY_FAULT:
		return r->fault;
	case BENCH_DIRTY_GET:
		return r->get;
	default:
		return r->clear;
	}
}

int bench_dirty(const char *device, enum bench_dirty what, uint64_t batches,
		void (*sample)(void *arg, uint64_t ticks), void *arg)
{
	bool manual = what == BENCH_DIRTY_CLEAR;
	static struct logged l;
	struct round r = { 0 };
	int ret;

	ret = logged_init(&l, device, manual);
	/* At first the pages are not there at all. */
	if (!ret)
		ret = one_round(&l, manual, &r);
	while (!ret && batches--) {
		ret = one_round(&l, manual, &r);
		if (!ret)
			sample(arg, field(&r, what));
	}
	vm_fini(&l.vm);
	return ret;
}
