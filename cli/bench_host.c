// SPDX-License-Identifier: GPL-2.0
/*
 * What is measured without a guest: floors under what a guest costs, and the
 * logging of writes for each page.
 */
#include <string.h>

#include "bench.h"
#include "vm.h"

/* Longer than a turn of the loop below, shorter than any interrupt. */
#define GAP_NS	150

static int null_ioctl(const char *device, struct bench_plan plan,
		      bench_sample_fn sample, void *arg)
{
	uint64_t i, start;
	struct vm vm;
	int ret;

	ret = vm_init(&vm, device);
	if (ret)
		return ret;
	for (; plan.batches; plan.batches--) {
		start = bench_counter();
		for (i = 0; i < plan.batch; i++)
			vm_ioctl(vm.kvm, KVM_GET_API_VERSION, NULL);
		sample(arg, bench_counter() - start);
	}
	vm_fini(&vm);
	return 0;
}

/* What tick_guest measures, in a process: gaps in its time, each a sample. */
static int tick_host(const char *device, struct bench_plan plan,
		     bench_sample_fn sample, void *arg)
{
	uint64_t gap = GAP_NS / bench_ns_per_tick();
	uint64_t last, now;

	(void)device;
	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(now));
	while (plan.batches) {
		last = now;
		asm volatile("mrs %0, cntvct_el0" : "=r"(now));
		if (now - last > gap) {
			sample(arg, now - last);
			plan.batches--;
			now = bench_counter();
		}
	}
	return 0;
}

static int dirty_fault(const char *device, struct bench_plan plan,
		       bench_sample_fn sample, void *arg)
{
	return bench_dirty(device, BENCH_DIRTY_FAULT, plan.batches, sample,
			   arg);
}

static int dirty_get(const char *device, struct bench_plan plan,
		     bench_sample_fn sample, void *arg)
{
	return bench_dirty(device, BENCH_DIRTY_GET, plan.batches, sample, arg);
}

static int dirty_clear(const char *device, struct bench_plan plan,
		       bench_sample_fn sample, void *arg)
{
	return bench_dirty(device, BENCH_DIRTY_CLEAR, plan.batches, sample,
			   arg);
}

const struct bench_host_row bench_host_rows[] = {
	{ "null_ioctl", "ioctl that does nothing (KVM_GET_API_VERSION)",
	  null_ioctl, 0 },
	{ "tick_host", "host's tick while a process computes", tick_host, 1 },
	{ "dirty_fault", "first write to a page since its log was read",
	  dirty_fault, BENCH_DIRTY_PAGES },
	{ "dirty_get", "KVM_GET_DIRTY_LOG, for each page written",
	  dirty_get, BENCH_DIRTY_PAGES },
	{ "dirty_clear", "KVM_CLEAR_DIRTY_LOG, for each page",
	  dirty_clear, BENCH_DIRTY_PAGES },
};

const unsigned int bench_nr_host_rows =
	sizeof(bench_host_rows) / sizeof(bench_host_rows[0]);

const struct bench_host_row *bench_host_row(const char *name)
{
	unsigned int row;

	for (row = 0; row < bench_nr_host_rows; row++)
		if (!strcmp(bench_host_rows[row].name, name))
			return &bench_host_rows[row];
	return NULL;
}
