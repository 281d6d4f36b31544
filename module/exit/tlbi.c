// SPDX-License-Identifier: GPL-2.0
/*
 * Broadcast TLBI by guests that know nothing of tern, on CPUs with FEAT_EVT:
 * trapped, and turned into flushes of the CPUs that are in this VM's vCPUs,
 * others flushing when they come to one. It pays where a broadcast takes longer
 * than interrupting another CPU.
 */
#define pr_fmt(fmt) "tern: " fmt

#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include "../arch/esr.h"
#include "../host/caps.h"
#include "../vcpu/record.h"
#include "exit.h"

/* HCR_EL2 (Arm ARM D17.2): TLBI ...IS and ...OS trap */
#define HCR_TTLBIS	BIT_ULL(54)
#define HCR_TTLBOS	BIT_ULL(55)

#define EVT_TTLB	2	/* ID_AA64MMFR2_EL1.EVT: these two are there */

/* The system instructions of CRn 8 are TLB maintenance; EL1's have op1 0. */
#define TLBI_OP0	1
#define TLBI_CRN	8

enum when { WHEN_AUTO, WHEN_ON, WHEN_OFF, WHEN_WRONG };

static const char * const when_name[] = {
	[WHEN_AUTO] = "auto", [WHEN_ON] = "on", [WHEN_OFF] = "off",
};

/* Under the lock of the module's parameters; who makes vCPUs reads @trapping. */
static enum when when;
static bool trapping;
static bool loaded;

#define TRIES	16

static u64 ticks(void)
{
	isb();
	return read_sysreg(cntvct_el0);
}

/* An address that nothing is at: page 0 of the host's lower half is never mapped. */
static u64 broadcast_ticks(void)
{
	u64 least = ~0ULL, from;
	int i;

	for (i = 0; i < TRIES; i++) {
		from = ticks();
		asm volatile("dsb ishst; tlbi vae1is, xzr; dsb ish" ::: "memory");
		least = min(least, ticks() - from);
	}
	return least;
}

static void nothing(void *unused)
{
}

static u64 interrupt_ticks(unsigned int cpu)
{
	u64 least = ~0ULL, from;
	int i;

	for (i = 0; i < TRIES; i++) {
		from = ticks();
		smp_call_function_single(cpu, nothing, NULL, 1);
		least = min(least, ticks() - from);
	}
	return least;
}

static bool worth_while(void)
{
	unsigned int other;
	bool worth = false;

	cpus_read_lock();
	preempt_disable();
	other = cpumask_any_but(cpu_online_mask, smp_processor_id());
	if (other < nr_cpu_ids)
		worth = broadcast_ticks() > interrupt_ticks(other);
	preempt_enable();
	cpus_read_unlock();
	return worth;
}

static int decide(enum when w)
{
	bool able = host_caps.evt >= EVT_TTLB;

	if (w == WHEN_WRONG)
		return -EINVAL;
	if (w == WHEN_ON && !able) {
		pr_err("trap_tlbi=on: these CPUs cannot trap TLBI (no FEAT_EVT): use auto\n");
		return -EINVAL;
	}
	WRITE_ONCE(trapping, w == WHEN_ON || (w == WHEN_AUTO && able && worth_while()));
	when = w;
	return 0;
}

static int set_when(const char *text, const struct kernel_param *unused)
{
	int w = sysfs_match_string(when_name, text);

	if (w < 0) {
		pr_err("trap_tlbi=%.*s: it is on, off or auto\n", (int)strcspn(text, "\n"), text);
		w = WHEN_WRONG;
	}
	if (loaded)
		return decide(w);
	when = w;	/* What the CPUs can do is known later, and loading fails there. */
	return 0;
}

static int get_when(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%s\n", when < WHEN_WRONG ? when_name[when] : "");
}

static const struct kernel_param_ops when_ops = {
	.set = set_when,
	.get = get_when,
};
module_param_cb(trap_tlbi, &when_ops, NULL, 0644);
MODULE_PARM_DESC(trap_tlbi, "trap broadcast TLBI of guests made from now on (needs FEAT_EVT): on, off, or as measured (auto)");

int exit_tlbi_init(void)
{
	int err;

	kernel_param_lock(THIS_MODULE);
	err = decide(when);
	loaded = !err;
	kernel_param_unlock(THIS_MODULE);
	return err;
}

void exit_tlbi_vcpu(struct tern_vcpu *v)
{
	if (READ_ONCE(trapping))
		v->hyp.hcr |= HCR_TTLBIS | HCR_TTLBOS;
}

bool exit_is_tlbi(u64 esr)
{
	return ESR_SYS_OP0(esr) == TLBI_OP0 && ESR_SYS_CRN(esr) == TLBI_CRN && !ESR_SYS_OP1(esr);
}

/*
 * Whatever it names, all of stage 1 goes: nothing of it is more than the
 * guest may see go at any time. A barrier that follows has nothing to wait for.
 */
int exit_tlbi(struct tern_vcpu *v)
{
	DECLARE_BITMAP(all, VM_MAX_VCPUS);

	bitmap_zero(all, VM_MAX_VCPUS);
	bitmap_set(all, 0, vm_nr_vcpus(v->vm));
	vm_flush_vcpus(v->vm, all, v);
	vcpu_skip_insn(v);
	return EXIT_RESUME;
}
