// SPDX-License-Identifier: GPL-2.0
/*
 * For tests in an emulated machine, whose firmware answers unknown SMCs with
 * "not supported" but does not claim SMCCC 1.1: from when this is loaded until
 * it is unloaded, the kernel tells modules that SMCs follow SMCCC 1.1.
 */
#include <linux/arm-smccc.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static int answer(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, SMCCC_CONDUIT_SMC);
	return 0;
}

static struct kretprobe probe = {
	.kp.symbol_name = "arm_smccc_1_1_get_conduit",
	.handler = answer,
	.maxactive = 64,
};

static int __init smccc11_init(void)
{
	return register_kretprobe(&probe);
}

static void __exit smccc11_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(smccc11_init);
module_exit(smccc11_exit);

MODULE_DESCRIPTION("SMCs that follow SMCCC 1.1, for tests");
MODULE_LICENSE("GPL");
