// SPDX-License-Identifier: GPL-2.0
/*
 * What is prepared once: each CPU, and each vCPU.
 */
#include <linux/cpu.h>
#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "../host/compat.h"
#include "internal.h"

#define ICC_SRE_ENABLE		BIT(3)

/* MDCR_EL2 trap bits: debug, OS lock, ROM, PMU, SPE and trace belong to the host */
#define MDCR_TPMCR	BIT(5)
#define MDCR_TPM	BIT(6)
#define MDCR_TDA	BIT(9)
#define MDCR_TDOSA	BIT(10)
#define MDCR_TDRA	BIT(11)
#define MDCR_TPMS	BIT(14)
#define MDCR_TTRF	BIT(19)

static int hyp_hp_check;
static DEFINE_PER_CPU(int, hyp_maint_dev);

/* All it is for is to end the run of a guest; the exit silences its causes (gic.c). */
static irqreturn_t maint_handler(int irq, void *dev)
{
	return IRQ_HANDLED;
}

/*
 * Nothing here disturbs the host: ICC_SRE_EL2.Enable is about EL1. (What the
 * timers need is in timer/.)
 */
static void cpu_prepare(void *unused)
{
	write_sysreg_s(read_sysreg_s(SYS_ICC_SRE_EL2) & ~ICC_SRE_ENABLE, SYS_ICC_SRE_EL2);
	write_sysreg_s(0, SYS_ICH_HCR_EL2);
	isb();
}

static void cpu_release(void *unused)
{
	write_sysreg_s(read_sysreg_s(SYS_ICC_SRE_EL2) | ICC_SRE_ENABLE, SYS_ICC_SRE_EL2);
	isb();
}

/* A CPU that comes up must be like the others, or does not come up. */
static int hyp_cpu_check(unsigned int cpu)
{
	return host_caps_check_cpu();
}

static int hyp_cpu_starting(unsigned int cpu)
{
	cpu_prepare(NULL);
	hyp_vectors_prepare();
	enable_percpu_irq(host_caps.maint_irq, irq_get_trigger_type(host_caps.maint_irq));
	return 0;
}

static int hyp_cpu_dying(unsigned int cpu)
{
	disable_percpu_irq(host_caps.maint_irq);
	cpu_release(NULL);
	return 0;
}

/* A CPU that was powered down comes back with EL2's registers at reset. */
static int cpu_pm(struct notifier_block *nb, unsigned long cmd, void *unused)
{
	if (cmd == CPU_PM_EXIT || cmd == CPU_PM_ENTER_FAILED)
		cpu_prepare(NULL);
	return NOTIFY_OK;
}

static struct notifier_block hyp_pm = { .notifier_call = cpu_pm };

int hyp_init(void)
{
	int err;

	err = request_percpu_irq(host_caps.maint_irq, maint_handler, "tern-vgic", &hyp_maint_dev);
	if (err)
		return err;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "tern/hyp:online", hyp_cpu_check, NULL);
	if (err < 0)
		goto free_irq;
	hyp_hp_check = err;
	err = cpuhp_setup_state(COMPAT_CPUHP_HYP, "tern/hyp:starting", hyp_cpu_starting, hyp_cpu_dying);
	if (err < 0)
		goto remove_check;
	err = cpu_pm_register_notifier(&hyp_pm);
	if (!err)
		return 0;
	cpuhp_remove_state(COMPAT_CPUHP_HYP);
remove_check:
	cpuhp_remove_state(hyp_hp_check);
free_irq:
	free_percpu_irq(host_caps.maint_irq, &hyp_maint_dev);
	return err;
}

void hyp_fini(void)
{
	cpu_pm_unregister_notifier(&hyp_pm);
	cpuhp_remove_state(COMPAT_CPUHP_HYP);
	cpuhp_remove_state(hyp_hp_check);
	free_percpu_irq(host_caps.maint_irq, &hyp_maint_dev);
}

static u64 guest_hcr(void)
{
	u64 hcr = HCR_VM | HCR_SWIO | HCR_PTW | HCR_FMO | HCR_IMO | HCR_AMO | HCR_FB | HCR_BSU_IS |
		  HCR_TWI | HCR_TWE | HCR_TID3 | HCR_TSC | HCR_TIDCP | HCR_TACR | HCR_TSW | HCR_RW |
		  HCR_E2H | HCR_TLOR;

	if (host_caps.ras)
		hcr |= HCR_TEA | HCR_TERR;
	/* Without FWB the guest's first enabling of its caches is watched (mem/). */
	hcr |= host_caps.fwb ? HCR_FWB : HCR_TVM;
	if (host_caps.mismatched_cache)
		hcr |= HCR_TID2;
	return hcr;
}

void hyp_vcpu_init(struct hyp_vcpu *h)
{
	h->cpu = -1;
	h->leaf[HYP_LEAF_FP] = hyp_leaf_fp;
	h->hcr = guest_hcr();
	h->mdcr = MDCR_TPMCR | MDCR_TPM | MDCR_TDA | MDCR_TDOSA | MDCR_TDRA | MDCR_TPMS | MDCR_TTRF;
	/* Each entry starts with the FP registers trapped: they are the guest's once it uses them. */
	h->cptr = (read_sysreg(cpacr_el1) & ~(CPTR_FPEN | CPTR_ZEN | CPTR_SMEN)) | CPTR_TTA | CPTR_TAM;
	if (host_caps.dit)
		h->flags |= BIT(HYP_FLAG_DIT);
	if (host_caps.mte)
		h->flags |= BIT(HYP_FLAG_TCO);
	if (host_caps.pmu)
		h->flags |= BIT(HYP_FLAG_PMU);
	if (host_caps.sme)
		h->flags |= BIT(HYP_FLAG_SME);
	hyp_set_fast(h, false);
	hyp_debug_init(h);
}

/*
 * ESR_ELx of a read of (3, 0, 0, CRm 0-7, op2): EC 0x18, op0 [21:20],
 * op1 [16:14], CRn [13:10], CRm's top bit [4], direction [0] (Arm ARM,
 * ESR_ELx, ISS for a trapped MSR or MRS).
 */
#define ID_MATCH_MASK	0xfc31fc11ULL
#define ID_MATCH_VALUE	0x60300001ULL

void hyp_set_fast(struct hyp_vcpu *h, bool on)
{
	h->fast_id_match = on ? ID_MATCH_VALUE << 32 | ID_MATCH_MASK : ~0ULL;
}

void hyp_set_frame(struct hyp_vcpu *h, ipa_t base, u64 size)
{
	h->fast_frame[0] = base.ipa >> 8;	/* HPFAR_EL2.FIPA [43:4] is the address's bits 51:12 */
	h->fast_frame[1] = size >> 8;
}

void hyp_set_id(struct hyp_vcpu *h, unsigned int crm, unsigned int op2, u64 val)
{
	h->fast_id[hyp_id_slot(crm, op2)] = val;
}
