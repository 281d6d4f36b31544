// SPDX-License-Identifier: GPL-2.0
/*
 * What the host does about speculation vulnerabilities, as guests are told.
 *
 * The kernel's verdicts are not exported to modules. Its CPU capabilities say
 * which of them the CPUs are affected by, and its answers in
 * /sys/devices/system/cpu/vulnerabilities (a documented ABI) whether it
 * mitigates them. The attributes are asked directly: no mount is needed.
 */
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/kernfs.h>
#include <linux/string.h>
#include <asm/cpufeature.h>
#include "../host/compat.h"
#include "../host/predictor.h"
#include "internal.h"

static enum fw_mitigation spectre_v2;
static enum fw_mitigation spectre_v4;
static enum fw_mitigation spectre_bhb;

enum fw_mitigation fw_spectre_v2(void)
{
	return spectre_v2;
}

enum fw_mitigation fw_spectre_v4(void)
{
	return spectre_v4;
}

enum fw_mitigation fw_spectre_bhb(void)
{
	return spectre_bhb;
}

static void show_attr(struct device *dev, struct kernfs_node *kn, char *page)
{
	struct attribute *a = kn->priv;
	struct device_attribute *da = container_of(a, struct device_attribute, attr);

	if (da->show && da->show(dev, da, page) > 0)
		return;
	page[0] = '\0';
}

/* The kernel's answer for @name in @page, empty when there is none */
static void vulnerability(const char *name, char *page)
{
	struct device *dev = compat_cpu_root();
	struct kernfs_node *dir, *kn;

	page[0] = '\0';
	if (!dev)
		return;
	dir = kernfs_find_and_get(dev->kobj.sd, "vulnerabilities");
	if (dir) {
		kn = kernfs_find_and_get(dir, name);
		if (kn)
			show_attr(dev, kn, page);
		kernfs_put(kn);
	}
	kernfs_put(dir);
	compat_cpu_root_put(dev);
}

/*
 * One line answers for Spectre v2 and for branch history injection: "Not
 * affected", "Vulnerable", "Mitigation: WHAT[, BHB|, but not BHB]", or
 * "Vulnerable: Unprivileged eBPF enabled", which speaks of the host's own
 * users and means that both are otherwise mitigated.
 */
static void judge_v2_and_bhb(const char *text)
{
	bool ebpf = strstr(text, "eBPF");
	bool mitigated = str_has_prefix(text, "Mitigation") || ebpf;

	spectre_v2 = mitigated ? FW_MITIGATED : FW_VULNERABLE;
	if (!cpus_have_cap(ARM64_SPECTRE_V2))
		spectre_v2 = FW_UNAFFECTED;

	mitigated = ebpf || (strstr(text, "BHB") && !strstr(text, "not BHB"));
	spectre_bhb = mitigated ? FW_MITIGATED : FW_VULNERABLE;
	if (!cpus_have_cap(ARM64_SPECTRE_BHB))
		spectre_bhb = FW_UNAFFECTED;
}

static void judge_v4(const char *text)
{
	spectre_v4 = FW_VULNERABLE;
	if (str_has_prefix(text, "Not affected"))
		spectre_v4 = FW_UNAFFECTED;
	else if (str_has_prefix(text, "Mitigation"))
		spectre_v4 = FW_MITIGATED;
}

/* With tern's mitigations off, a CPU that needs one lacks it. */
static void judge_off(enum fw_mitigation *m)
{
	if (*m == FW_MITIGATED)
		*m = FW_VULNERABLE;
}

void fw_mitigation_init(void)
{
	char *page = (char *)__get_free_page(GFP_KERNEL);

	/* Without memory, or without the kernel's answer, a guest is promised nothing. */
	if (page) {
		vulnerability("spectre_v2", page);
		judge_v2_and_bhb(page);
		vulnerability("spec_store_bypass", page);
		judge_v4(page);
		free_page((unsigned long)page);
	}
	if (predictor_off()) {
		judge_off(&spectre_v2);
		judge_off(&spectre_bhb);
	}
}
