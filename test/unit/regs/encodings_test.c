// SPDX-License-Identifier: GPL-2.0
/*
 * The encodings of sysreg.def against an independent source: what binutils'
 * assembler makes of "mrs x0, NAME" (bits 20:5 of the instruction).
 */
#include "check.h"
#include "arch/sysreg.h"

static const struct {
	const char *name;
	u16 enc;
} known[] = {
	{ "DBGBVR0_EL1", 0x8004 }, { "DBGBCR0_EL1", 0x8005 }, { "DBGWVR0_EL1", 0x8006 },
	{ "DBGWCR0_EL1", 0x8007 }, { "DBGBVR1_EL1", 0x800c }, { "DBGBCR1_EL1", 0x800d },
	{ "DBGWVR1_EL1", 0x800e }, { "DBGWCR1_EL1", 0x800f }, { "MDCCINT_EL1", 0x8010 },
	{ "MDSCR_EL1", 0x8012 }, { "DBGBVR2_EL1", 0x8014 }, { "DBGBCR2_EL1", 0x8015 },
	{ "DBGWVR2_EL1", 0x8016 }, { "DBGWCR2_EL1", 0x8017 }, { "DBGBVR3_EL1", 0x801c },
	{ "DBGBCR3_EL1", 0x801d }, { "DBGWVR3_EL1", 0x801e }, { "DBGWCR3_EL1", 0x801f },
	{ "DBGBVR4_EL1", 0x8024 }, { "DBGBCR4_EL1", 0x8025 }, { "DBGWVR4_EL1", 0x8026 },
	{ "DBGWCR4_EL1", 0x8027 }, { "DBGBVR5_EL1", 0x802c }, { "DBGBCR5_EL1", 0x802d },
	{ "DBGWVR5_EL1", 0x802e }, { "DBGWCR5_EL1", 0x802f }, { "DBGBVR6_EL1", 0x8034 },
	{ "DBGBCR6_EL1", 0x8035 }, { "DBGWVR6_EL1", 0x8036 }, { "DBGWCR6_EL1", 0x8037 },
	{ "DBGBVR7_EL1", 0x803c }, { "DBGBCR7_EL1", 0x803d }, { "DBGWVR7_EL1", 0x803e },
	{ "DBGWCR7_EL1", 0x803f }, { "DBGBVR8_EL1", 0x8044 }, { "DBGBCR8_EL1", 0x8045 },
	{ "DBGWVR8_EL1", 0x8046 }, { "DBGWCR8_EL1", 0x8047 }, { "DBGBVR9_EL1", 0x804c },
	{ "DBGBCR9_EL1", 0x804d }, { "DBGWVR9_EL1", 0x804e }, { "DBGWCR9_EL1", 0x804f },
	{ "DBGBVR10_EL1", 0x8054 }, { "DBGBCR10_EL1", 0x8055 }, { "DBGWVR10_EL1", 0x8056 },
	{ "DBGWCR10_EL1", 0x8057 }, { "DBGBVR11_EL1", 0x805c }, { "DBGBCR11_EL1", 0x805d },
	{ "DBGWVR11_EL1", 0x805e }, { "DBGWCR11_EL1", 0x805f }, { "DBGBVR12_EL1", 0x8064 },
	{ "DBGBCR12_EL1", 0x8065 }, { "DBGWVR12_EL1", 0x8066 }, { "DBGWCR12_EL1", 0x8067 },
	{ "DBGBVR13_EL1", 0x806c }, { "DBGBCR13_EL1", 0x806d }, { "DBGWVR13_EL1", 0x806e },
	{ "DBGWCR13_EL1", 0x806f }, { "DBGBVR14_EL1", 0x8074 }, { "DBGBCR14_EL1", 0x8075 },
	{ "DBGWVR14_EL1", 0x8076 }, { "DBGWCR14_EL1", 0x8077 }, { "DBGBVR15_EL1", 0x807c },
	{ "DBGBCR15_EL1", 0x807d }, { "DBGWVR15_EL1", 0x807e }, { "DBGWCR15_EL1", 0x807f },
	{ "MDRAR_EL1", 0x8080 }, { "OSLAR_EL1", 0x8084 }, { "OSLSR_EL1", 0x808c },
	{ "OSDLR_EL1", 0x809c }, { "DBGPRCR_EL1", 0x80a4 }, { "DBGCLAIMSET_EL1", 0x83c6 },
	{ "DBGCLAIMCLR_EL1", 0x83ce }, { "DBGAUTHSTATUS_EL1", 0x83f6 },
	{ "MDCCSR_EL0", 0x9808 }, { "DBGDTR_EL0", 0x9820 }, { "DBGDTRTX_EL0", 0x9828 },
	{ "DBGVCR32_EL2", 0xa038 }, { "MIDR_EL1", 0xc000 }, { "MPIDR_EL1", 0xc005 },
	{ "REVIDR_EL1", 0xc006 }, { "ID_PFR0_EL1", 0xc008 }, { "ID_PFR1_EL1", 0xc009 },
	{ "ID_DFR0_EL1", 0xc00a }, { "ID_AFR0_EL1", 0xc00b }, { "ID_MMFR0_EL1", 0xc00c },
	{ "ID_MMFR1_EL1", 0xc00d }, { "ID_MMFR2_EL1", 0xc00e }, { "ID_MMFR3_EL1", 0xc00f },
	{ "ID_ISAR0_EL1", 0xc010 }, { "ID_ISAR1_EL1", 0xc011 }, { "ID_ISAR2_EL1", 0xc012 },
	{ "ID_ISAR3_EL1", 0xc013 }, { "ID_ISAR4_EL1", 0xc014 }, { "ID_ISAR5_EL1", 0xc015 },
	{ "ID_MMFR4_EL1", 0xc016 }, { "ID_ISAR6_EL1", 0xc017 }, { "MVFR0_EL1", 0xc018 },
	{ "MVFR1_EL1", 0xc019 }, { "MVFR2_EL1", 0xc01a }, { "ID_PFR2_EL1", 0xc01c },
	{ "ID_DFR1_EL1", 0xc01d }, { "ID_MMFR5_EL1", 0xc01e }, { "ID_AA64PFR0_EL1", 0xc020 },
	{ "ID_AA64PFR1_EL1", 0xc021 }, { "ID_AA64ZFR0_EL1", 0xc024 },
	{ "ID_AA64SMFR0_EL1", 0xc025 }, { "ID_AA64DFR0_EL1", 0xc028 },
	{ "ID_AA64DFR1_EL1", 0xc029 }, { "ID_AA64AFR0_EL1", 0xc02c },
	{ "ID_AA64AFR1_EL1", 0xc02d }, { "ID_AA64ISAR0_EL1", 0xc030 },
	{ "ID_AA64ISAR1_EL1", 0xc031 }, { "ID_AA64ISAR2_EL1", 0xc032 },
	{ "ID_AA64MMFR0_EL1", 0xc038 }, { "ID_AA64MMFR1_EL1", 0xc039 },
	{ "ID_AA64MMFR2_EL1", 0xc03a }, { "SCTLR_EL1", 0xc080 }, { "ACTLR_EL1", 0xc081 },
	{ "CPACR_EL1", 0xc082 }, { "RGSR_EL1", 0xc085 }, { "GCR_EL1", 0xc086 },
	{ "ZCR_EL1", 0xc090 }, { "TRFCR_EL1", 0xc091 }, { "SMPRI_EL1", 0xc094 },
	{ "SMCR_EL1", 0xc096 }, { "TTBR0_EL1", 0xc100 }, { "TTBR1_EL1", 0xc101 },
	{ "TCR_EL1", 0xc102 }, { "APIAKEYLO_EL1", 0xc108 }, { "APIAKEYHI_EL1", 0xc109 },
	{ "APIBKEYLO_EL1", 0xc10a }, { "APIBKEYHI_EL1", 0xc10b }, { "APDAKEYLO_EL1", 0xc110 },
	{ "APDAKEYHI_EL1", 0xc111 }, { "APDBKEYLO_EL1", 0xc112 }, { "APDBKEYHI_EL1", 0xc113 },
	{ "APGAKEYLO_EL1", 0xc118 }, { "APGAKEYHI_EL1", 0xc119 }, { "SPSR_EL1", 0xc200 },
	{ "ELR_EL1", 0xc201 }, { "AFSR0_EL1", 0xc288 }, { "AFSR1_EL1", 0xc289 },
	{ "ESR_EL1", 0xc290 }, { "ERRIDR_EL1", 0xc298 }, { "ERRSELR_EL1", 0xc299 },
	{ "ERXFR_EL1", 0xc2a0 }, { "ERXCTLR_EL1", 0xc2a1 }, { "ERXSTATUS_EL1", 0xc2a2 },
	{ "ERXADDR_EL1", 0xc2a3 }, { "ERXMISC0_EL1", 0xc2a8 }, { "ERXMISC1_EL1", 0xc2a9 },
	{ "TFSR_EL1", 0xc2b0 }, { "TFSRE0_EL1", 0xc2b1 }, { "FAR_EL1", 0xc300 },
	{ "PAR_EL1", 0xc3a0 }, { "PMSCR_EL1", 0xc4c8 }, { "PMSICR_EL1", 0xc4ca },
	{ "PMSIRR_EL1", 0xc4cb }, { "PMSFCR_EL1", 0xc4cc }, { "PMSEVFR_EL1", 0xc4cd },
	{ "PMSLATFR_EL1", 0xc4ce }, { "PMSIDR_EL1", 0xc4cf }, { "PMBLIMITR_EL1", 0xc4d0 },
	{ "PMBPTR_EL1", 0xc4d1 }, { "PMBSR_EL1", 0xc4d3 }, { "PMINTENSET_EL1", 0xc4f1 },
	{ "PMINTENCLR_EL1", 0xc4f2 }, { "PMMIR_EL1", 0xc4f6 }, { "MAIR_EL1", 0xc510 },
	{ "AMAIR_EL1", 0xc518 }, { "LORSA_EL1", 0xc520 }, { "LOREA_EL1", 0xc521 },
	{ "LORN_EL1", 0xc522 }, { "LORC_EL1", 0xc523 }, { "LORID_EL1", 0xc527 },
	{ "VBAR_EL1", 0xc600 }, { "DISR_EL1", 0xc609 }, { "ICC_IAR0_EL1", 0xc640 },
	{ "ICC_EOIR0_EL1", 0xc641 }, { "ICC_HPPIR0_EL1", 0xc642 }, { "ICC_DIR_EL1", 0xc659 },
	{ "ICC_RPR_EL1", 0xc65b }, { "ICC_SGI1R_EL1", 0xc65d }, { "ICC_ASGI1R_EL1", 0xc65e },
	{ "ICC_SGI0R_EL1", 0xc65f }, { "ICC_IAR1_EL1", 0xc660 }, { "ICC_EOIR1_EL1", 0xc661 },
	{ "ICC_HPPIR1_EL1", 0xc662 }, { "ICC_SRE_EL1", 0xc665 }, { "CONTEXTIDR_EL1", 0xc681 },
	{ "TPIDR_EL1", 0xc684 }, { "SCXTNUM_EL1", 0xc687 }, { "CNTKCTL_EL1", 0xc708 },
	{ "CCSIDR_EL1", 0xc800 }, { "CLIDR_EL1", 0xc801 }, { "SMIDR_EL1", 0xc806 },
	{ "AIDR_EL1", 0xc807 }, { "CSSELR_EL1", 0xd000 }, { "CTR_EL0", 0xd801 },
	{ "SVCR", 0xda12 }, { "PMCR_EL0", 0xdce0 }, { "PMCNTENSET_EL0", 0xdce1 },
	{ "PMCNTENCLR_EL0", 0xdce2 }, { "PMOVSCLR_EL0", 0xdce3 }, { "PMSWINC_EL0", 0xdce4 },
	{ "PMSELR_EL0", 0xdce5 }, { "PMCEID0_EL0", 0xdce6 }, { "PMCEID1_EL0", 0xdce7 },
	{ "PMCCNTR_EL0", 0xdce8 }, { "PMXEVTYPER_EL0", 0xdce9 }, { "PMXEVCNTR_EL0", 0xdcea },
	{ "PMUSERENR_EL0", 0xdcf0 }, { "PMOVSSET_EL0", 0xdcf3 }, { "TPIDR_EL0", 0xde82 },
	{ "TPIDRRO_EL0", 0xde83 }, { "TPIDR2_EL0", 0xde85 }, { "SCXTNUM_EL0", 0xde87 },
	{ "AMCR_EL0", 0xde90 }, { "AMCFGR_EL0", 0xde91 }, { "AMCGCR_EL0", 0xde92 },
	{ "AMUSERENR_EL0", 0xde93 }, { "AMCNTENCLR0_EL0", 0xde94 },
	{ "AMCNTENSET0_EL0", 0xde95 }, { "AMCNTENCLR1_EL0", 0xde98 },
	{ "AMCNTENSET1_EL0", 0xde99 }, { "CNTP_TVAL_EL0", 0xdf10 }, { "CNTP_CTL_EL0", 0xdf11 },
	{ "CNTP_CVAL_EL0", 0xdf12 }, { "PMCCFILTR_EL0", 0xdf7f }, { "DACR32_EL2", 0xe180 },
	{ "SP_EL1", 0xe208 }, { "SPSR_IRQ", 0xe218 }, { "SPSR_ABT", 0xe219 },
	{ "SPSR_UND", 0xe21a }, { "SPSR_FIQ", 0xe21b }, { "IFSR32_EL2", 0xe281 },
	{ "FPEXC32_EL2", 0xe298 },
	{ "PMEVCNTR0_EL0", 0xdf40 }, { "PMEVCNTR1_EL0", 0xdf41 },
	{ "PMEVCNTR2_EL0", 0xdf42 }, { "PMEVCNTR3_EL0", 0xdf43 },
	{ "PMEVCNTR4_EL0", 0xdf44 }, { "PMEVCNTR5_EL0", 0xdf45 },
	{ "PMEVCNTR6_EL0", 0xdf46 }, { "PMEVCNTR7_EL0", 0xdf47 },
	{ "PMEVCNTR8_EL0", 0xdf48 }, { "PMEVCNTR9_EL0", 0xdf49 },
	{ "PMEVCNTR10_EL0", 0xdf4a }, { "PMEVCNTR11_EL0", 0xdf4b },
	{ "PMEVCNTR12_EL0", 0xdf4c }, { "PMEVCNTR13_EL0", 0xdf4d },
	{ "PMEVCNTR14_EL0", 0xdf4e }, { "PMEVCNTR15_EL0", 0xdf4f },
	{ "PMEVCNTR16_EL0", 0xdf50 }, { "PMEVCNTR17_EL0", 0xdf51 },
	{ "PMEVCNTR18_EL0", 0xdf52 }, { "PMEVCNTR19_EL0", 0xdf53 },
	{ "PMEVCNTR20_EL0", 0xdf54 }, { "PMEVCNTR21_EL0", 0xdf55 },
	{ "PMEVCNTR22_EL0", 0xdf56 }, { "PMEVCNTR23_EL0", 0xdf57 },
	{ "PMEVCNTR24_EL0", 0xdf58 }, { "PMEVCNTR25_EL0", 0xdf59 },
	{ "PMEVCNTR26_EL0", 0xdf5a }, { "PMEVCNTR27_EL0", 0xdf5b },
	{ "PMEVCNTR28_EL0", 0xdf5c }, { "PMEVCNTR29_EL0", 0xdf5d },
	{ "PMEVCNTR30_EL0", 0xdf5e }, { "PMEVTYPER0_EL0", 0xdf60 },
	{ "PMEVTYPER1_EL0", 0xdf61 }, { "PMEVTYPER2_EL0", 0xdf62 },
	{ "PMEVTYPER3_EL0", 0xdf63 }, { "PMEVTYPER4_EL0", 0xdf64 },
	{ "PMEVTYPER5_EL0", 0xdf65 }, { "PMEVTYPER6_EL0", 0xdf66 },
	{ "PMEVTYPER7_EL0", 0xdf67 }, { "PMEVTYPER8_EL0", 0xdf68 },
	{ "PMEVTYPER9_EL0", 0xdf69 }, { "PMEVTYPER10_EL0", 0xdf6a },
	{ "PMEVTYPER11_EL0", 0xdf6b }, { "PMEVTYPER12_EL0", 0xdf6c },
	{ "PMEVTYPER13_EL0", 0xdf6d }, { "PMEVTYPER14_EL0", 0xdf6e },
	{ "PMEVTYPER15_EL0", 0xdf6f }, { "PMEVTYPER16_EL0", 0xdf70 },
	{ "PMEVTYPER17_EL0", 0xdf71 }, { "PMEVTYPER18_EL0", 0xdf72 },
	{ "PMEVTYPER19_EL0", 0xdf73 }, { "PMEVTYPER20_EL0", 0xdf74 },
	{ "PMEVTYPER21_EL0", 0xdf75 }, { "PMEVTYPER22_EL0", 0xdf76 },
	{ "PMEVTYPER23_EL0", 0xdf77 }, { "PMEVTYPER24_EL0", 0xdf78 },
	{ "PMEVTYPER25_EL0", 0xdf79 }, { "PMEVTYPER26_EL0", 0xdf7a },
	{ "PMEVTYPER27_EL0", 0xdf7b }, { "PMEVTYPER28_EL0", 0xdf7c },
	{ "PMEVTYPER29_EL0", 0xdf7d }, { "PMEVTYPER30_EL0", 0xdf7e },
};

static const struct sysreg_desc *by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++)
		if (!strcmp(sysreg_table[i].name, name))
			return &sysreg_table[i];
	return NULL;
}

static bool is_known(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name))
			return true;
	return false;
}

static void as_the_assembler_has_them(void **state)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		const struct sysreg_desc *d = by_name(known[i].name);

		assert_non_null(d);
		if (d->enc != known[i].enc)
			fail_msg("%s is %#x, not %#x", d->name, known[i].enc, d->enc);
	}
}

/* Whatever has a value in the image was looked up above. */
static void all_stored_are_known(void **state)
{
	unsigned int i;

	for (i = 0; i < sysreg_table_len; i++)
		if (sysreg_table[i].reg != SYSREG_NO_STORE && !is_known(sysreg_table[i].name))
			fail_msg("%s is in no list", sysreg_table[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_assembler_has_them),
		cmocka_unit_test(all_stored_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
