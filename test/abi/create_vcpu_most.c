// SPDX-License-Identifier: GPL-2.0
/* As many vCPUs as KVM_CAP_MAX_VCPUS says, and not one more. */
#include <sys/resource.h>

#include "lib.h"

int main(void)
{
	struct rlimit files = { .rlim_cur = 4096, .rlim_max = 4096 };
	int kvm = open_device();
	int vm = new_vm(kvm);
	int most = GOOD(ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_MAX_VCPUS));
	int i;

	setrlimit(RLIMIT_NOFILE, &files);
	for (i = 0; i < most; i++)
		new_vcpu(vm, i);
	EXPECT(ask(vm, KVM_CREATE_VCPU, most), -EINVAL);
	EXPECT(ask(vm, KVM_CREATE_VCPU, 0), -EINVAL);
	return 0;
}
