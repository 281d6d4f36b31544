// SPDX-License-Identifier: GPL-2.0
/*
 * What a guest can learn of the CPU. All values are this host's, read once at
 * load; Linux has made sure that its CPUs agree (read_sanitised_ftr_reg()).
 */
#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <asm/cpufeature.h>
#include <asm/cputype.h>
#include <asm/sysreg.h>
#include "../host/caps.h"
#include "ident.h"
#include "idreg.h"
#include "vcpu.h"
#include "vm.h"

static struct {
	u64 midr;
	u64 revidr;
	u64 clidr;
	u64 aidr;
	u64 ctr;
	u8 csv2;	/* 1: not affected by Spectre variant 2 */
	u8 csv3;	/* 1: not affected by Meltdown */
} host;

/* Cores without ID_AA64PFR0_EL1.CSV3 that speculation cannot leak kernel memory from. */
static const u32 meltdown_safe[] = {
	MIDR_CAVIUM_THUNDERX2,
	MIDR_BRCM_VULCAN,
	MIDR_BRAHMA_B53,
	MIDR_CORTEX_A35,
	MIDR_CORTEX_A53,
	MIDR_CORTEX_A55,
	MIDR_CORTEX_A57,
	MIDR_CORTEX_A72,
	MIDR_CORTEX_A73,
	MIDR_HISI_TSV110,
	MIDR_NVIDIA_CARMEL,
	MIDR_QCOM_KRYO_2XX_GOLD,
	MIDR_QCOM_KRYO_2XX_SILVER,
	MIDR_QCOM_KRYO_3XX_SILVER,
	MIDR_QCOM_KRYO_4XX_SILVER,
};

/* On each CPU; @affected counts those that Meltdown affects. */
static void count_meltdown(void *affected)
{
	u32 model = read_cpuid_id() & MIDR_CPU_MODEL_MASK;
	unsigned int i;

	if (read_sysreg(id_aa64pfr0_el1) >> VCPU_PFR0_CSV3_SHIFT & 0xf)
		return;
	for (i = 0; i < ARRAY_SIZE(meltdown_safe); i++)
		if (model == meltdown_safe[i])
			return;
	atomic_inc(affected);
}

void vcpu_ident_init(void)
{
	atomic_t affected = ATOMIC_INIT(0);

	host.midr = read_sysreg(midr_el1);
	host.revidr = read_sysreg(revidr_el1);
	host.clidr = read_sysreg(clidr_el1);
	host.aidr = read_sysreg(aidr_el1);
	host.ctr = read_sanitised_ftr_reg(SYS_CTR_EL0);

	/* Linux sets this capability when hardware or firmware says "affected". */
	host.csv2 = !cpus_have_cap(ARM64_SPECTRE_V2);

	on_each_cpu(count_meltdown, &affected, 1);
	host.csv3 = !atomic_read(&affected);
}

void vcpu_ident_vm_init(struct tern_vm *vm)
{
	vm->pfr0_csv2 = host.csv2;
	vm->pfr0_csv3 = host.csv3;
}

u64 vcpu_ident_host(u32 enc)
{
	switch (enc) {
	case SYSREG_ENC(MIDR_EL1):
		return host.midr;
	case SYSREG_ENC(REVIDR_EL1):
		return host.revidr;
	case SYSREG_ENC(CLIDR_EL1):
		return host.clidr;
	case SYSREG_ENC(AIDR_EL1):
		return host.aidr;
	case SYSREG_ENC(CTR_EL0):
		return host.ctr;
	default:
		WARN_ON_ONCE(1);
		return 0;
	}
}

u64 vcpu_ident_value(const struct tern_vcpu *v, const struct sysreg_desc *d)
{
	const struct vcpu_id_env env = {
		.ptrauth = v->hyp.ptrauth,
		.pmu = v->pmu.present,
		.sve = v->hyp.sve.vq,
		.wfxt = host_caps.wfxt,
		.csv2 = READ_ONCE(v->vm->pfr0_csv2),
		.csv3 = READ_ONCE(v->vm->pfr0_csv3),
	};

	if (d->vis == SYSREG_VIS_IDRAZ || (d->vis == SYSREG_VIS_ID32 && !host_caps.el0_32))
		return 0;

	return vcpu_idreg_value(d->enc, read_sanitised_ftr_reg(sys_reg(SYSREG_OP0(d->enc),
								       SYSREG_OP1(d->enc),
								       SYSREG_CRN(d->enc),
								       SYSREG_CRM(d->enc),
								       SYSREG_OP2(d->enc))), &env);
}

static void publish(struct tern_vcpu *v, const struct sysreg_desc *d)
{
	hyp_set_id(&v->hyp, SYSREG_CRM(d->enc), SYSREG_OP2(d->enc), vcpu_ident_value(v, d));
}

void vcpu_ident_publish(struct tern_vcpu *v)
{
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++)
		if (sysreg_table[i].trap == SYSREG_TRAP_ID)
			publish(v, &sysreg_table[i]);
	hyp_set_fast(&v->hyp, true);
}

int vcpu_ident_set_pfr0(struct tern_vcpu *v, u64 val)
{
	const struct sysreg_desc *d = sysreg_find(SYSREG_ENC(ID_AA64PFR0_EL1));
	struct tern_vcpu *other;
	unsigned int i;

	/* Each vCPU of a VM that is restored brings it anew. */
	if (val == hyp_id(&v->hyp, SYSREG_CRM(d->enc), SYSREG_OP2(d->enc)))
		return 0;
	if (!vcpu_idreg_pfr0_ok(val, vcpu_ident_value(v, d), host.csv2, host.csv3))
		return -EINVAL;

	/* The fields are the VM's: every vCPU's vector answers with them from now on. */
	WRITE_ONCE(v->vm->pfr0_csv2, val >> VCPU_PFR0_CSV2_SHIFT & 0xf);
	WRITE_ONCE(v->vm->pfr0_csv3, val >> VCPU_PFR0_CSV3_SHIFT & 0xf);
	vm_for_each_vcpu(i, other, v->vm)
		publish(other, d);
	return 0;
}

bool vcpu_ident_has_cache(u32 sel)
{
	return vcpu_idreg_has_cache(host.clidr, sel);
}

u32 vcpu_ident_ccsidr(u32 sel)
{
	unsigned long flags;
	u64 old;
	u32 val;

	/* CSSELR_EL1 may be a loaded guest's: nobody may see it changed. */
	local_irq_save(flags);
	old = read_sysreg(csselr_el1);
	write_sysreg(sel, csselr_el1);
	isb();
	val = read_sysreg(ccsidr_el1);
	write_sysreg(old, csselr_el1);
	local_irq_restore(flags);
	return val;
}
