// SPDX-License-Identifier: GPL-2.0
/*
 * Which vectors a CPU has while it runs a guest: CPUs differ in what they must
 * do at an exit before they take a branch. So do the host's, which stand
 * whenever the CPU is in the kernel, in whatever task.
 */
#include <linux/percpu.h>
#include <linux/sizes.h>
#include "../host/predictor.h"
#include "internal.h"

/**
 * struct vectors - of one CPU, set before it runs a guest and then constant
 * @table: VBAR_EL2
 * @cure:  struct predictor_cure.arg, for the vectors
 * @host:  the host's VBAR_EL2
 */
struct vectors {
	const char *table;
	u64 cure;
	u64 host;
};

static DEFINE_PER_CPU(struct vectors, vectors);

void hyp_vectors_prepare(void)
{
	struct predictor_cure cure = predictor_cure();
	struct vectors *v = this_cpu_ptr(&vectors);

	v->table = hyp_vectors + cure.kind * SZ_2K;
	v->cure = cure.arg;
	v->host = read_sysreg(vbar_el1);
	__this_cpu_write(hyp_host_vbar, v->host);
}

void hyp_vectors_load(struct hyp_vcpu *h)
{
	const struct vectors *v = this_cpu_ptr(&vectors);

	h->vectors = v->table;
	h->cure = v->cure;
	h->host.vbar = v->host;
}
