// SPDX-License-Identifier: GPL-2.0
/* Initialised without a number of interrupts, a GIC has 256. */
#include "lib.h"

int main(void)
{
	uint32_t count = 0;
	int vm = new_vm(open_device());
	int gic;

	new_vcpu(vm, 0);
	gic = new_gic(vm);
	EXPECT(set_attr(gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
			KVM_DEV_ARM_VGIC_CTRL_INIT, NULL), 0);
	EXPECT(set_attr(gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
			KVM_DEV_ARM_VGIC_CTRL_INIT, NULL), 0);
	EXPECT(get_attr(gic, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0, &count), 0);
	EXPECT(count, 256);
	count = 128;
	EXPECT(set_attr(gic, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0, &count), -EBUSY);
	return 0;
}
