// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_CHECK_EXTENSION, on the device and on a VM: what every arm64 VMM relies
 * on is there, and an unknown number is 0, not an error.
 */
#include "lib.h"

static const struct {
	unsigned int cap;
	const char *name;
} required[] = {
#define CAP(name)	{ KVM_CAP_##name, #name }
	CAP(IRQCHIP), CAP(USER_MEMORY), CAP(DESTROY_MEMORY_REGION_WORKS),
	CAP(JOIN_MEMORY_REGIONS_WORKS), CAP(SYNC_MMU), CAP(READONLY_MEM),
	CAP(MP_STATE), CAP(ONE_REG), CAP(IOEVENTFD), CAP(IRQFD),
	CAP(IRQFD_RESAMPLE), CAP(IRQ_ROUTING), CAP(DEVICE_CTRL),
	CAP(CHECK_EXTENSION_VM), CAP(ENABLE_CAP_VM), CAP(IMMEDIATE_EXIT),
	CAP(ARM_PSCI), CAP(ARM_PSCI_0_2), CAP(VCPU_EVENTS),
	CAP(VCPU_ATTRIBUTES), CAP(ARM_IRQ_LINE_LAYOUT_2),
	CAP(ARM_NISV_TO_USER), CAP(ARM_INJECT_EXT_DABT),
	CAP(IOEVENTFD_ANY_LENGTH), CAP(SYSTEM_EVENT_DATA),
	CAP(MANUAL_DIRTY_LOG_PROTECT2), CAP(ARM_SYSTEM_SUSPEND),
	CAP(STEAL_TIME), CAP(HALT_POLL),
#undef CAP
};

static void check_counts(int fd)
{
	int recommended = ask(fd, KVM_CHECK_EXTENSION, KVM_CAP_NR_VCPUS);
	int most = ask(fd, KVM_CHECK_EXTENSION, KVM_CAP_MAX_VCPUS);

	CHECK(recommended >= 1);
	CHECK(most >= 8);
	EXPECT(ask(fd, KVM_CHECK_EXTENSION, KVM_CAP_MAX_VCPU_ID), most);
	CHECK(ask(fd, KVM_CHECK_EXTENSION, KVM_CAP_NR_MEMSLOTS) >= 32);
}

static void check_all(int fd)
{
	size_t i;

	for (i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		int got = ask(fd, KVM_CHECK_EXTENSION, required[i].cap);

		if (got >= 1)
			continue;
		printf("KVM_CAP_%s: %d\n", required[i].name, got);
		exit(1);
	}
	check_counts(fd);
	EXPECT(ask(fd, KVM_CHECK_EXTENSION, 0x7fffff), 0);
	EXPECT(ask(fd, KVM_CHECK_EXTENSION, -1UL), 0);
	EXPECT(ask(fd, KVM_CHECK_EXTENSION, 1UL << 40), 0);
}

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);

	check_all(kvm);
	check_all(vm);
	EXPECT(ask(kvm, KVM_CHECK_EXTENSION, KVM_CAP_MSI_DEVID), -EINVAL);
	EXPECT(ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_MSI_DEVID), 0);
	return 0;
}
