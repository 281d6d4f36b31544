// SPDX-License-Identifier: GPL-2.0
/* An ioctl that is not there: EINVAL, and ENOTTY from a device. */
#include "lib.h"

#define UNKNOWN		_IO(KVMIO, 0xfe)
#define FOREIGN		_IO('T', 0x01)

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);
	int gic = new_gic(vm);

	EXPECT(ask(kvm, UNKNOWN, 0), -EINVAL);
	EXPECT(ask(kvm, FOREIGN, 0), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VCPU, 0), -EINVAL);
	EXPECT(ask(vm, UNKNOWN, 0), -EINVAL);
	EXPECT(ask(vm, FOREIGN, 0), -EINVAL);
	EXPECT(ask(vm, KVM_RUN, 0), -EINVAL);
	EXPECT(ask(vcpu, UNKNOWN, 0), -EINVAL);
	EXPECT(ask(vcpu, FOREIGN, 0), -EINVAL);
	EXPECT(ask(vcpu, KVM_CREATE_VCPU, 1), -EINVAL);
	EXPECT(ask(gic, UNKNOWN, 0), -ENOTTY);
	EXPECT(ask(gic, KVM_RUN, 0), -ENOTTY);
	return 0;
}
