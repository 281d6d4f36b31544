// SPDX-License-Identifier: GPL-2.0
/* KVM_GET_VCPU_MMAP_SIZE takes no argument and gives whole pages. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int size = GOOD(ask(kvm, KVM_GET_VCPU_MMAP_SIZE, 0));

	CHECK(size >= (int)sizeof(struct kvm_run));
	EXPECT(size % PAGE, 0);
	EXPECT(ask(kvm, KVM_GET_VCPU_MMAP_SIZE, 1), -EINVAL);
	return 0;
}
