// SPDX-License-Identifier: GPL-2.0
/*
 * A vCPU's registers after reset, and KVM_ARM_VCPU_INIT.
 */
#include <linux/kvm.h>
#include <linux/string.h>
#include <asm/cputype.h>
#include <asm/kvm_arm.h>
#include <asm/sysreg.h>
#include "../arch/pstate.h"
#include "../arch/sysreg.h"
#include "../host/caps.h"
#include "../host/sve.h"
#include "feature.h"
#include "ident.h"
#include "idreg.h"
#include "sve.h"
#include "vcpu.h"
#include "vm.h"

static_assert(KVM_ARM_VCPU_POWER_OFF == FEATURE_POWER_OFF &&
	      KVM_ARM_VCPU_EL1_32BIT == FEATURE_EL1_32BIT &&
	      KVM_ARM_VCPU_PSCI_0_2 == FEATURE_PSCI_0_2 &&
	      KVM_ARM_VCPU_PMU_V3 == FEATURE_PMU_V3 &&
	      KVM_ARM_VCPU_SVE == FEATURE_SVE &&
	      KVM_ARM_VCPU_PTRAUTH_ADDRESS == FEATURE_PTRAUTH_ADDRESS &&
	      KVM_ARM_VCPU_PTRAUTH_GENERIC == FEATURE_PTRAUTH_GENERIC);
static_assert(ARRAY_SIZE(((struct kvm_vcpu_init *)0)->features) == VCPU_FEATURE_WORDS);

u32 vcpu_preferred_target(void)
{
	switch (read_cpuid_id() & MIDR_CPU_MODEL_MASK) {
	case MIDR_CPU_MODEL(ARM_CPU_IMP_ARM, ARM_CPU_PART_AEM_V8):
		return KVM_ARM_TARGET_AEM_V8;
	case MIDR_CPU_MODEL(ARM_CPU_IMP_ARM, ARM_CPU_PART_FOUNDATION):
		return KVM_ARM_TARGET_FOUNDATION_V8;
	case MIDR_CPU_MODEL(ARM_CPU_IMP_ARM, ARM_CPU_PART_CORTEX_A53):
		return KVM_ARM_TARGET_CORTEX_A53;
	case MIDR_CPU_MODEL(ARM_CPU_IMP_ARM, ARM_CPU_PART_CORTEX_A57):
		return KVM_ARM_TARGET_CORTEX_A57;
	case MIDR_CPU_MODEL(ARM_CPU_IMP_APM, APM_CPU_PART_XGENE):
		return KVM_ARM_TARGET_XGENE_POTENZA;
	default:
		return KVM_ARM_TARGET_GENERIC_V8;
	}
}

/* Implementation defined registers start as this host has them. */
static u64 reset_host(enum sysreg_id r)
{
	return r == REG_ACTLR_EL1 ? read_sysreg(actlr_el1) : read_sysreg(amair_el1);
}

static u64 reset_host_pmu(const struct sysreg_desc *d)
{
	return d->reset == SYSREG_RESET_PMCR ? pmu_host_pmcr() : d->val & pmu_host_mask();
}

static void reset_sysregs(struct tern_vcpu *v)
{
	const struct sysreg_desc *d;
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++) {
		d = &sysreg_table[i];
		switch (d->reset) {
		case SYSREG_RESET_VAL:
			v->hyp.reg[d->reg] = d->val;
			break;
		case SYSREG_RESET_HOST:
			v->hyp.reg[d->reg] = reset_host(d->reg);
			break;
		case SYSREG_RESET_PMU:
		case SYSREG_RESET_PMCR:
			v->hyp.reg[d->reg] = reset_host_pmu(d);
			break;
		case SYSREG_RESET_MPIDR:
			v->hyp.reg[d->reg] = vcpu_mpidr(v->id);
			break;
		}
	}
}

static void reset_core(struct tern_vcpu *v)
{
	memset(v->hyp.x, 0, sizeof(v->hyp.x));
	memset(&v->hyp.fp, 0, sizeof(v->hyp.fp));
	v->hyp.pc = 0;
	v->hyp.sp_el0 = 0;
	v->hyp.pstate = SPSR_EL1h | SPSR_DAIF;
	v->hyp.vsesr = 0;
	v->step_pending = false;
	v->mmio_len = 0;	/* its instruction is no longer the next */
	vcpu_record_drop(v);		/* the memory may be another system's by now */

	/* No SError waits, and the guest's caches are off again: see when it turns them on. */
	hyp_set_vse(&v->hyp, false);
	if (!host_caps.fwb)
		v->hyp.hcr |= HCR_TVM;
}

/* All registers to their reset values, in memory: @v is not loaded. */
static void reset_regs(struct tern_vcpu *v)
{
	pmu_stop(&v->pmu);
	reset_core(v);
	reset_sysregs(v);
	hyp_debug_update(&v->hyp);
	timer_cpu_reset(&v->timer);
	vgic_cpu_reset(&v->vgic);
}

/* PSCI CPU_ON: entry point, argument and byte order come from the caller (PSCI 5.6). */
static void take_boot(struct tern_vcpu *v)
{
	struct vcpu_boot boot;

	spin_lock(&v->power_lock);
	boot = v->boot;
	spin_unlock(&v->power_lock);

	v->hyp.pc = boot.pc;
	v->hyp.x[0] = boot.context_id;
	if (boot.big_endian)
		v->hyp.reg[REG_SCTLR_EL1] |= SCTLR_EE;
}

void vcpu_reset(struct tern_vcpu *v)
{
	reset_regs(v);
	take_boot(v);
}

/* A CPU_ON that came first is not lost: it decides where the vCPU starts. */
static void reset_for_init(struct tern_vcpu *v)
{
	if (kick_test_clear(&v->kick, VCPU_REQ_RESET))
		vcpu_reset(v);
	else
		reset_regs(v);
}

static void set_power(struct tern_vcpu *v)
{
	bool off = VCPU_FEATURE(v, KVM_ARM_VCPU_POWER_OFF);

	spin_lock(&v->power_lock);
	WRITE_ONCE(v->mp_state, off ? KVM_MP_STATE_STOPPED : KVM_MP_STATE_RUNNABLE);
	set_bit(VCPU_REQ_PAUSE, &v->kick.requests);
	spin_unlock(&v->power_lock);
}

/* EL1_32BIT is answered as by a host without it. */
static u64 features_offered(void)
{
	return BIT_ULL(FEATURE_POWER_OFF) | BIT_ULL(FEATURE_PSCI_0_2) |
	       (pmu_supported() ? BIT_ULL(FEATURE_PMU_V3) : 0) |
	       (host_sve.max_vq ? BIT_ULL(FEATURE_SVE) : 0) |
	       (host_caps.ptrauth ? VCPU_FEATURE_PTRAUTH : 0);
}

int vcpu_init_features(struct tern_vcpu *v, const struct kvm_vcpu_init *init)
{
	u64 features;
	int ret;

	if (init->target != vcpu_preferred_target())
		return -EINVAL;
	ret = vcpu_feature_parse(init->features, v->initialized, v->features, features_offered(), &features);
	if (ret)
		return ret;

	v->features = features;
	v->hyp.ptrauth = VCPU_FEATURE(v, KVM_ARM_VCPU_PTRAUTH_ADDRESS);
	vcpu_sve_init(v, VCPU_FEATURE(v, KVM_ARM_VCPU_SVE));
	v->pmu.present = VCPU_FEATURE(v, KVM_ARM_VCPU_PMU_V3);
	reset_for_init(v);
	vcpu_ident_publish(v);
	vcpu_fw->vcpu_init(v);
	v->initialized = true;

	/* A VM that is rebooted starts with its MMU off: memory must look the same to it then. */
	if (v->has_run)
		mem_unmap_all(&v->vm->mem);

	set_power(v);
	return 0;
}
