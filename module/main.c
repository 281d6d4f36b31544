// SPDX-License-Identifier: GPL-2.0
/*
 * tern: KVM for arm64 as a loadable module. The init ladder.
 */
#define pr_fmt(fmt) "tern: " fmt

#include <linux/module.h>
#include "abi/abi.h"
#include "abi/event.h"
#include "exit/exit.h"
#include "fw/fw.h"
#include "host/caps.h"
#include "host/predictor.h"
#include "host/sve.h"
#include "hyp/hyp.h"
#include "mem/mem.h"
#include "pmu/pmu.h"
#include "timer/timer.h"
#include "vcpu/ident.h"
#include "vcpu/plan.h"

static char *device = "kvm";
module_param(device, charp, 0444);
MODULE_PARM_DESC(device, "name of the device node in /dev (kvm)");

static char *mitigations = "auto";
module_param(mitigations, charp, 0444);
MODULE_PARM_DESC(mitigations, "of branch predictors at a guest's exit: auto, off, loop, clear, firmware (auto)");

static int __init tern_init(void)
{
	int err;

	err = host_caps_init();
	if (err)
		return err;
	err = host_sve_init();
	if (err)
		return err;
	err = predictor_init(mitigations);
	if (err)
		return err;
	err = exit_sysreg_init();
	if (err)
		return err;
	err = exit_tlbi_init();
	if (err)
		return err;
	vcpu_ident_init();
	pmu_init();
	vcpu_fw = &fw_ops;
	err = fw_init();
	if (err)
		return err;
	err = vcpu_place_init();
	if (err)
		return err;
	err = plan_init();
	if (err)
		return err;
	err = mem_global_init();
	if (err)
		goto fini_plan;
	err = hyp_init();
	if (err)
		goto fini_mem;
	err = timer_init();
	if (err)
		goto fini_hyp;
	err = vcpu_global_init();
	if (err)
		goto fini_timer;
	err = event_init();
	if (err)
		goto fini_vcpu;
	preempt_notifier_inc();
	err = abi_dev_init(device);
	if (err)
		goto fini_notifier;
	pr_info("ready: /dev/%s, %u-bit guest addresses, %u list registers\n", device,
		host_caps.ipa_bits, host_caps.nr_lr);
	return 0;

fini_notifier:
	if (err == -EBUSY)
		pr_err("/dev/%s is taken: choose another name with device=\n", device);
	preempt_notifier_dec();
	event_fini();
fini_vcpu:
	vcpu_global_fini();
fini_timer:
	timer_fini();
fini_hyp:
	hyp_fini();
fini_mem:
	mem_global_fini();
fini_plan:
	plan_fini();
	return err;
}

static void __exit tern_exit(void)
{
	abi_dev_fini();
	preempt_notifier_dec();
	event_fini();
	vcpu_global_fini();
	timer_fini();
	hyp_fini();
	mem_global_fini();
	plan_fini();
	rcu_barrier();
}

module_init(tern_init);
module_exit(tern_exit);

MODULE_DESCRIPTION("KVM for arm64");
MODULE_LICENSE("GPL");
