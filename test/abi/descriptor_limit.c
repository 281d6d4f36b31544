// SPDX-License-Identifier: GPL-2.0
/* Out of descriptors: EMFILE, and what was begun is undone. */
#include <sys/resource.h>

#include "lib.h"

static void limit(rlim_t files)
{
	struct rlimit limit = { .rlim_cur = files, .rlim_max = 1024 };

	EXPECT(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

int main(void)
{
	struct kvm_create_device gic = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	int kvm = open_device();
	int vm = new_vm(kvm);
	int i;

	for (i = 0; i < 50; i++) {
		limit(vm + 1);
		EXPECT(ask(kvm, KVM_CREATE_VM, 0), -EMFILE);
		EXPECT(ask(vm, KVM_CREATE_VCPU, 0), -EMFILE);
	}
	limit(1024);
	/* the id was not taken */
	new_vcpu(vm, 0);
	EXPECT(vm_ioctl(vm, KVM_CREATE_DEVICE, &gic), 0);
	return 0;
}
