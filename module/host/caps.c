// SPDX-License-Identifier: GPL-2.0
/*
 * Probing: may tern run here, and with what.
 */
#define pr_fmt(fmt) "tern: " fmt

#include <linux/acpi.h>
#include <linux/errno.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/of.h>
#include <linux/of_irq.h>
#include <linux/smp.h>
#include <asm/arch_timer.h>
#include <asm/cputype.h>
#include <asm/sysreg.h>
#include <asm/virt.h>
#include "caps.h"
#include "compat.h"

struct host_caps host_caps;

/* The field of ID register @reg whose lowest bit is @shift, safe on every CPU of the system. */
static unsigned int feature(u32 reg, unsigned int shift)
{
	return read_sanitised_ftr_reg(reg) >> shift & 0xf;
}

/* Lowest bits of ID register fields (Arm ARM D17.2) */
enum {
	PFR0_EL0 = 0, PFR0_RAS = 28, PFR0_DIT = 48, PFR0_GIC = 24,
	PFR1_SSBS = 4, PFR1_MTE = 8, PFR1_SME = 24,
	ISAR0_TLB = 56,
	ISAR1_APA = 4, ISAR1_API = 8,
	ISAR2_WFXT = 0, ISAR2_APA3 = 12,
	DFR0_PMUVER = 8,
	MMFR0_PARANGE = 0, MMFR0_TGRAN4 = 28, MMFR0_TGRAN4_2 = 40, MMFR0_FGT = 56,
	MMFR1_VMIDBITS = 4, MMFR1_PAN = 20, MMFR1_XNX = 28, MMFR1_HAFDBS = 0,
	MMFR2_FWB = 40, MMFR2_EVT = 56,
	CTR_IDC = 28, CTR_DIC = 29,
};

/* ICH_VTR_EL2 */
#define VTR_LISTREGS(v)	((v) & 0x1f)
#define VTR_A3V(v)	((v) >> 21 & 1)
#define VTR_SEIS(v)	((v) >> 22 & 1)
#define VTR_PREBITS(v)	((v) >> 26 & 7)
#define VTR_PRIBITS(v)	((v) >> 29 & 7)

static int probe_mode(void)
{
	if (is_kernel_in_hyp_mode())
		return 0;
	pr_err("the kernel does not run at EL2 (VHE): use a CPU with VHE (Armv8.1), turn virtualization on in the firmware or nested virtualization in the hypervisor below, and boot with kvm-arm.mode=none\n");
	return -ENODEV;
}

static unsigned int pa_bits(unsigned int parange)
{
	static const u8 bits[] = { 32, 36, 40, 42, 44, 48 };

	return bits[min_t(unsigned int, parange, ARRAY_SIZE(bits) - 1)];
}

static int probe_memory(void)
{
	unsigned int tgran4_2 = feature(SYS_ID_AA64MMFR0_EL1, MMFR0_TGRAN4_2);
	unsigned int tgran4 = feature(SYS_ID_AA64MMFR0_EL1, MMFR0_TGRAN4);
	u64 ctr = read_sanitised_ftr_reg(SYS_CTR_EL0);

	if (PAGE_SIZE != SZ_4K) {
		pr_err("this kernel's pages are %lu KiB: boot a kernel with 4 KiB pages\n", PAGE_SIZE / SZ_1K);
		return -ENODEV;
	}
	if (tgran4_2 == 1 || (tgran4_2 == 0 && tgran4 == 0xf)) {
		pr_err("this CPU has no 4 KiB stage-2 granule: no cure\n");
		return -ENODEV;
	}
	host_caps.ipa_bits = pa_bits(feature(SYS_ID_AA64MMFR0_EL1, MMFR0_PARANGE));
	host_caps.vmid_bits = feature(SYS_ID_AA64MMFR1_EL1, MMFR1_VMIDBITS) == 2 ? 16 : 8;
	host_caps.xnx = feature(SYS_ID_AA64MMFR1_EL1, MMFR1_XNX);
	host_caps.hafdbs = feature(SYS_ID_AA64MMFR1_EL1, MMFR1_HAFDBS);
	host_caps.fwb = feature(SYS_ID_AA64MMFR2_EL1, MMFR2_FWB);
	host_caps.tlb_range = feature(SYS_ID_AA64ISAR0_EL1, ISAR0_TLB) >= 2;
	host_caps.idc = ctr >> CTR_IDC & 1;
	host_caps.dic = ctr >> CTR_DIC & 1;
	return 0;
}

static void probe_cpu(void)
{
	unsigned int pmuver = feature(SYS_ID_AA64DFR0_EL1, DFR0_PMUVER);

	host_caps.ptrauth = feature(SYS_ID_AA64ISAR1_EL1, ISAR1_APA) ||
			    feature(SYS_ID_AA64ISAR1_EL1, ISAR1_API) ||
			    feature(SYS_ID_AA64ISAR2_EL1, ISAR2_APA3);
	host_caps.ptrauth = host_caps.ptrauth && compat_has_ptrauth();
	host_caps.wfxt = feature(SYS_ID_AA64ISAR2_EL1, ISAR2_WFXT) == 2;
	host_caps.evt = read_sysreg_s(SYS_ID_AA64MMFR2_EL1) >> MMFR2_EVT & 0xf;
	host_caps.ssbs = feature(SYS_ID_AA64PFR1_EL1, PFR1_SSBS);
	host_caps.mte = feature(SYS_ID_AA64PFR1_EL1, PFR1_MTE) >= 2;
	host_caps.dit = feature(SYS_ID_AA64PFR0_EL1, PFR0_DIT);
	host_caps.pan = feature(SYS_ID_AA64MMFR1_EL1, MMFR1_PAN);
	host_caps.ras = compat_has_ras();
	host_caps.el0_32 = feature(SYS_ID_AA64PFR0_EL1, PFR0_EL0) == 2;
	host_caps.pmu = pmuver && pmuver != 0xf;
	/* Not in the kernel's own view when it does not support SME, but in the CPU */
	host_caps.sme = (read_sysreg_s(SYS_ID_AA64PFR1_EL1) >> PFR1_SME & 0xf) &&
			(read_sysreg_s(SYS_ID_AA64MMFR0_EL1) >> MMFR0_FGT & 0xf);
	host_caps.mismatched_cache = compat_has_mismatched_cache();
	host_caps.cntfrq = arch_timer_get_cntfrq();
}

static int irq_to_intid(int irq)
{
	struct irq_data *d = irq_get_irq_data(irq);

	return d ? d->hwirq : 0;
}

static const struct of_device_id gic_ids[] = {
	{ .compatible = "arm,gic-v3" },
	{}
};

static const struct of_device_id timer_ids[] = {
	{ .compatible = "arm,armv8-timer" },
	{}
};

/* Timer interrupts without names come in the order secure, non-secure, virtual, hypervisor. */
static int timer_irq_dt(struct device_node *np, const char *name, int index)
{
	if (of_property_count_strings(np, "interrupt-names") > 0)
		index = of_property_match_string(np, "interrupt-names", name);
	return index < 0 ? 0 : irq_of_parse_and_map(np, index);
}

static void probe_irqs_dt(void)
{
	struct device_node *np = of_find_matching_node(NULL, timer_ids);

	if (np) {
		host_caps.ptimer_irq = timer_irq_dt(np, "phys", 1);
		host_caps.vtimer_irq = timer_irq_dt(np, "virt", 2);
		of_node_put(np);
	}
	np = of_find_matching_node(NULL, gic_ids);
	if (np) {
		host_caps.maint_irq = irq_of_parse_and_map(np, 0);
		of_node_put(np);
	}
}

#ifdef CONFIG_ACPI
static int gsi_to_irq(u32 gsi, bool edge, bool low)
{
	int irq = gsi ? acpi_register_gsi(NULL, gsi, edge ? ACPI_EDGE_SENSITIVE : ACPI_LEVEL_SENSITIVE,
					  low ? ACPI_ACTIVE_LOW : ACPI_ACTIVE_HIGH) : 0;

	return max(irq, 0);
}

static void probe_timer_acpi(void)
{
	struct acpi_table_header *h;
	struct acpi_table_gtdt *t;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_GTDT, 0, &h)))
		return;
	t = (struct acpi_table_gtdt *)h;
	host_caps.vtimer_irq = gsi_to_irq(t->virtual_timer_interrupt,
					  t->virtual_timer_flags & ACPI_GTDT_INTERRUPT_MODE,
					  t->virtual_timer_flags & ACPI_GTDT_INTERRUPT_POLARITY);
	host_caps.ptimer_irq = gsi_to_irq(t->non_secure_el1_interrupt,
					  t->non_secure_el1_flags & ACPI_GTDT_INTERRUPT_MODE,
					  t->non_secure_el1_flags & ACPI_GTDT_INTERRUPT_POLARITY);
	acpi_put_table(h);
}

/* Every CPU's entry names the same maintenance PPI; the first is taken. */
static void probe_gic_acpi(void)
{
	struct acpi_subtable_header *sub;
	struct acpi_madt_generic_interrupt *gicc;
	struct acpi_table_header *h;
	void *p, *end;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &h)))
		return;
	end = (void *)h + h->length;
	for (p = (struct acpi_table_madt *)h + 1; p + sizeof(*sub) <= end; p += sub->length) {
		sub = p;
		if (sub->length < sizeof(*sub))
			break;
		if (sub->type != ACPI_MADT_TYPE_GENERIC_INTERRUPT)
			continue;
		gicc = p;
		host_caps.maint_irq = gsi_to_irq(gicc->vgic_interrupt,
						 gicc->flags & ACPI_MADT_VGIC_IRQ_MODE, false);
		break;
	}
	acpi_put_table(h);
}

static void probe_irqs_acpi(void)
{
	probe_timer_acpi();
	probe_gic_acpi();
}
#else
static void probe_irqs_acpi(void)
{
}
#endif

/*
 * A built-in KVM that is on owns the virtual timer's interrupt, and EL2 with
 * it: two hypervisors would overwrite each other's registers.
 */
static int probe_irqs(void)
{
	if (acpi_disabled)
		probe_irqs_dt();
	else
		probe_irqs_acpi();
	if (!host_caps.vtimer_irq || !host_caps.ptimer_irq || !host_caps.maint_irq) {
		pr_err("the firmware describes no %s interrupt: update the device tree or the ACPI tables\n",
		       !host_caps.maint_irq ? "GICv3 maintenance" : "EL1 timer");
		return -ENODEV;
	}
	if (irq_has_action(host_caps.vtimer_irq)) {
		pr_err("built-in KVM is active: boot with kvm-arm.mode=none\n");
		return -EBUSY;
	}
	host_caps.vtimer_ppi = irq_to_intid(host_caps.vtimer_irq);
	host_caps.ptimer_ppi = irq_to_intid(host_caps.ptimer_irq);
	return 0;
}

static bool has_gicv3_node(void)
{
	struct device_node *np;

	if (!acpi_disabled)
		return true;
	np = of_find_matching_node(NULL, gic_ids);
	of_node_put(np);
	return np;
}

static int probe_gic(void)
{
	u64 vtr;

	if (!feature(SYS_ID_AA64PFR0_EL1, PFR0_GIC) || !has_gicv3_node() ||
	    !(read_sysreg_s(SYS_ICC_SRE_EL2) & 1)) {
		pr_err("no GICv3: tern needs a GICv3 or later with its system registers enabled (in an emulated machine: gic-version=3)\n");
		return -ENODEV;
	}
	vtr = read_sysreg_s(SYS_ICH_VTR_EL2);
	host_caps.nr_lr = VTR_LISTREGS(vtr) + 1;
	host_caps.pre_bits = VTR_PREBITS(vtr) + 1;
	host_caps.pri_bits = VTR_PRIBITS(vtr) + 1;
	host_caps.nr_apr = 1 << (host_caps.pre_bits > 5 ? host_caps.pre_bits - 5 : 0);
	host_caps.a3v = VTR_A3V(vtr);
	host_caps.seis = VTR_SEIS(vtr);
	host_caps.vtr = vtr;
	return 0;
}

int host_caps_check_cpu(void)
{
	u64 parange = read_sysreg_s(SYS_ID_AA64MMFR0_EL1) & 0xf;

	if (!is_kernel_in_hyp_mode() || read_sysreg_s(SYS_ICH_VTR_EL2) != host_caps.vtr ||
	    pa_bits(parange) < host_caps.ipa_bits) {
		pr_err("CPU %d differs from the others in its GIC interface or address size: keep it offline\n",
		       smp_processor_id());
		return -EINVAL;
	}
	return 0;
}

static void check_one(void *failed)
{
	if (host_caps_check_cpu())
		atomic_inc(failed);
}

int host_caps_init(void)
{
	atomic_t differ = ATOMIC_INIT(0);
	int err = probe_mode();

	err = err ?: probe_memory();
	err = err ?: probe_gic();
	err = err ?: probe_irqs();
	if (err)
		return err;
	probe_cpu();
	on_each_cpu(check_one, &differ, 1);
	return atomic_read(&differ) ? -ENODEV : 0;
}
