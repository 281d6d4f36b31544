// SPDX-License-Identifier: GPL-2.0
/* ioctls of the ABI on descriptors that are something else, or closed. */
#include <fcntl.h>
#include <sys/eventfd.h>

#include "lib.h"

int main(void)
{
	int null = GOOD(open("/dev/null", O_RDWR));
	int event = GOOD(eventfd(0, 0));
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);

	EXPECT(ask(null, KVM_CREATE_VM, 0), -ENOTTY);
	EXPECT(ask(event, KVM_RUN, 0), -ENOTTY);
	EXPECT(ask(vcpu, KVM_CREATE_VM, 0), -EINVAL);
	EXPECT(ask(kvm, KVM_RUN, 0), -EINVAL);
	EXPECT(ask(vm, KVM_ARM_VCPU_INIT, 0), -EINVAL);
	CHECK(read(kvm, &event, 1) < 0);
	CHECK(write(vm, &event, 1) < 0);
	close(vcpu);
	EXPECT(ask(vcpu, KVM_RUN, 0), -EBADF);
	/* the id stays taken as long as the VM lives */
	EXPECT(ask(vm, KVM_CREATE_VCPU, 0), -EEXIST);
	return 0;
}
