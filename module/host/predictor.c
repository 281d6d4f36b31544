// SPDX-License-Identifier: GPL-2.0
/*
 * Branch predictors and guests. The kernel's verdicts and its choice of vectors
 * are not exported, so each CPU is asked again for what the kernel asks it: is
 * it affected (the kernel's capabilities of this CPU, which modules may ask
 * for), what does it do in hardware, what is its type, what does the firmware
 * offer (Arm DEN0028, section 7).
 *
 * Nothing is needed here against
 *  - Spectre v4: exception entry sets PSTATE.SSBS to SCTLR_EL2.DSSBS, which is
 *    as the kernel runs (Arm ARM D17.2, SCTLR_EL2); firmware that is switched
 *    has been switched on at the system call, and stays so in the guest;
 *  - Spectre v3 (Meltdown): guests run in the EL1&0 regime, which holds no
 *    translation of the host's EL2&0 regime to speculate past (Arm ARM D8.1);
 *  - Spectre v3a: affected are Cortex-A57 and A72, which have no VHE.
 */
#define pr_fmt(fmt) "tern: " fmt

#include <linux/arm-smccc.h>
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include <asm/cputype.h>
#include <asm/sysreg.h>
#include "predictor.h"

/* Lowest bits of ID register fields (Arm ARM D17.2) */
#define ISAR2_CLRBHB	28
#define MMFR1_ECBHB	60

/* A loop for CPUs that need none: the one that most need */
#define LOOP_USUAL	32

/*
 * How many iterations overwrite the branch history (Arm's "Spectre-BHB"
 * whitepaper; CPUs without VHE are left out).
 */
static const struct {
	u32 model;
	u32 iterations;
} loops[] = {
	{ MIDR_CORTEX_X3,		132 },
	{ MIDR_NEOVERSE_V2,		132 },
	{ MIDR_CORTEX_A715,		38 },
	{ MIDR_CORTEX_A720,		38 },
	{ MIDR_CORTEX_A78,		32 },
	{ MIDR_CORTEX_A78AE,		32 },
	{ MIDR_CORTEX_A78C,		32 },
	{ MIDR_CORTEX_X1,		32 },
	{ MIDR_CORTEX_X1C,		32 },
	{ MIDR_CORTEX_A710,		32 },
	{ MIDR_CORTEX_X2,		32 },
	{ MIDR_NEOVERSE_N2,		32 },
	{ MIDR_NEOVERSE_V1,		32 },
	{ MIDR_HISI_TSV110,		32 },
	{ MIDR_CORTEX_A76,		24 },
	{ MIDR_CORTEX_A76AE,		24 },
	{ MIDR_CORTEX_A77,		24 },
	{ MIDR_NEOVERSE_N1,		24 },
	{ MIDR_QCOM_KRYO_4XX_GOLD,	24 },
	{ MIDR_HISI_HIP09,		24 },
	{ MIDR_AMPERE1,			11 },
};

static const char * const mode_names[] = {
	[PREDICTOR_NONE]	= "auto",
	[PREDICTOR_LOOP]	= "loop",
	[PREDICTOR_CLEAR]	= "clear",
	[PREDICTOR_FIRMWARE]	= "firmware",
};

/* What CPUs do that need nothing */
static u32 at_least;
static bool off;

bool predictor_off(void)
{
	return off;
}

static u32 loop_iterations(void)
{
	u32 model = read_cpuid_id() & MIDR_CPU_MODEL_MASK;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loops); i++)
		if (loops[i].model == model)
			return loops[i].iterations;
	return 0;
}

/* SMCCC_ARCH_FEATURES: 0 when this CPU needs the function, 1 when it does not, negative when there is none */
static int firmware_answer(u32 fn)
{
	struct arm_smccc_res res = { .a0 = SMCCC_RET_NOT_SUPPORTED };

	/* At EL2 an HVC would come back here. */
	if (arm_smccc_1_1_get_conduit() != SMCCC_CONDUIT_SMC)
		return SMCCC_RET_NOT_SUPPORTED;
	arm_smccc_1_1_invoke(ARM_SMCCC_ARCH_FEATURES_FUNC_ID, fn, &res);
	return res.a0;
}

static struct predictor_cure cure_of(enum predictor_kind kind, u32 arg)
{
	return (struct predictor_cure){ .kind = kind, .arg = arg };
}

static unsigned int field(u64 reg, unsigned int shift)
{
	return reg >> shift & 0xf;
}

/* Branch history injection; @cured: nothing needs to be done, or the cure is known */
static struct predictor_cure history_cure(bool *cured)
{
	u32 iterations = loop_iterations();

	*cured = true;
	if (!this_cpu_has_cap(ARM64_SPECTRE_BHB) ||
	    field(read_sysreg_s(SYS_ID_AA64MMFR1_EL1), MMFR1_ECBHB))
		return cure_of(PREDICTOR_NONE, 0);
	if (field(read_sysreg_s(SYS_ID_AA64ISAR2_EL1), ISAR2_CLRBHB))
		return cure_of(PREDICTOR_CLEAR, 0);
	if (iterations)
		return cure_of(PREDICTOR_LOOP, iterations);
	if (firmware_answer(ARM_SMCCC_ARCH_WORKAROUND_3) == SMCCC_RET_SUCCESS)
		return cure_of(PREDICTOR_FIRMWARE, ARM_SMCCC_ARCH_WORKAROUND_3);
	*cured = false;
	return cure_of(PREDICTOR_NONE, 0);
}

/*
 * Firmware that makes a CPU forget its branch targets makes it forget their
 * history as well, and workaround 3 includes workaround 1 (DEN0028).
 */
static struct predictor_cure needed_cure(void)
{
	bool cured;
	struct predictor_cure cure = history_cure(&cured);

	if (this_cpu_has_cap(ARM64_SPECTRE_V2) && cure.kind != PREDICTOR_FIRMWARE) {
		if (firmware_answer(ARM_SMCCC_ARCH_WORKAROUND_1) == SMCCC_RET_SUCCESS)
			return cure_of(PREDICTOR_FIRMWARE, ARM_SMCCC_ARCH_WORKAROUND_1);
		cured = false;
	}
	if (!cured)
		pr_warn_once("CPU %d may let guests steer its branch predictors, and no cure for it is known here: run guests that you trust\n",
			     smp_processor_id());
	return cure;
}

static u32 firmware_function(void)
{
	return firmware_answer(ARM_SMCCC_ARCH_WORKAROUND_3) >= 0 ?
	       ARM_SMCCC_ARCH_WORKAROUND_3 : ARM_SMCCC_ARCH_WORKAROUND_1;
}

struct predictor_cure predictor_cure(void)
{
	struct predictor_cure cure;

	if (off)
		return cure_of(PREDICTOR_NONE, 0);
	cure = needed_cure();
	if (cure.kind != PREDICTOR_NONE)
		return cure;
	switch (at_least) {
	case PREDICTOR_LOOP:
		return cure_of(PREDICTOR_LOOP, loop_iterations() ?: LOOP_USUAL);
	case PREDICTOR_FIRMWARE:
		return cure_of(PREDICTOR_FIRMWARE, firmware_function());
	default:
		return cure_of(at_least, 0);
	}
}

int predictor_init(const char *mode)
{
	int kind = match_string(mode_names, ARRAY_SIZE(mode_names), mode);

	/* The kernel's own "mitigations=off" goes for all of the host. */
	off = cpu_mitigations_off() || !strcmp(mode, "off");
	at_least = max(kind, 0);
	if (kind < 0 && strcmp(mode, "off")) {
		pr_err("mitigations=%s: it is auto, off, loop, clear or firmware\n", mode);
		return -EINVAL;
	}
	if (kind == PREDICTOR_FIRMWARE && arm_smccc_1_1_get_conduit() != SMCCC_CONDUIT_SMC) {
		pr_err("mitigations=firmware: this firmware has no SMCCC 1.1: use auto\n");
		return -ENODEV;
	}
	return 0;
}
