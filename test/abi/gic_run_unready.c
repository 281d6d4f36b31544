// SPDX-License-Identifier: GPL-2.0
/*
 * The first KVM_RUN maps the GIC: without addresses ENXIO, not initialised
 * EBUSY, overlapping EINVAL. The VM is of no use then: EIO from there on.
 */
#include "lib.h"

#define ADDR		KVM_DEV_ARM_VGIC_GRP_ADDR

static int kvm, vm, vcpu, gic;

static void fresh(void)
{
	vm = new_vm(kvm);
	vcpu = new_vcpu(vm, 0);
	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	gic = new_gic(vm);
}

static int place(uint64_t type, uint64_t addr)
{
	return set_attr(gic, ADDR, type, &addr);
}

static int initialise(void)
{
	return set_attr(gic, KVM_DEV_ARM_VGIC_GRP_CTRL,
			KVM_DEV_ARM_VGIC_CTRL_INIT, NULL);
}

static void fails_with(int error)
{
	EXPECT(ask(vcpu, KVM_RUN, 0), error);
	EXPECT(ask(vcpu, KVM_RUN, 0), -EIO);
	EXPECT(ask(vm, KVM_CHECK_EXTENSION, 0), -EIO);
	EXPECT(has_attr(gic, ADDR, KVM_VGIC_V3_ADDR_TYPE_DIST), -EIO);
}

int main(void)
{
	kvm = open_device();

	fresh();
	fails_with(-ENXIO);

	fresh();
	EXPECT(initialise(), 0);
	fails_with(-ENXIO);

	fresh();
	EXPECT(place(KVM_VGIC_V3_ADDR_TYPE_REDIST, REDIST_BASE), 0);
	EXPECT(initialise(), 0);
	fails_with(-ENXIO);

	fresh();
	EXPECT(place(KVM_VGIC_V3_ADDR_TYPE_REDIST, REDIST_BASE), 0);
	EXPECT(place(KVM_VGIC_V3_ADDR_TYPE_DIST, DIST_BASE), 0);
	fails_with(-EBUSY);

	fresh();
	EXPECT(place(KVM_VGIC_V3_ADDR_TYPE_REDIST, REDIST_BASE), 0);
	EXPECT(place(KVM_VGIC_V3_ADDR_TYPE_DIST, REDIST_BASE + 0x10000), 0);
	EXPECT(initialise(), 0);
	fails_with(-EINVAL);
	return 0;
}
