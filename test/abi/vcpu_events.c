// SPDX-License-Identifier: GPL-2.0
/* KVM_GET/SET_VCPU_EVENTS: padding must be zero, a syndrome 25 bits. */
#include "lib.h"

int main(void)
{
	struct kvm_vcpu_events events, zero = { 0 };
	struct vm vm;
	int fd;

	make_bare(&vm, 1);
	fd = vm.vcpu[0].fd;
	memset(&events, 0xff, sizeof(events));
	EXPECT(vm_ioctl(fd, KVM_GET_VCPU_EVENTS, &events), 0);
	EXPECT(events.exception.serror_pending, 0);
	EXPECT(events.exception.ext_dabt_pending, 0);
	EXPECT(events.exception.serror_esr, 0);
	EXPECT(events.exception.serror_has_esr,
	       vm_capability(&vm, KVM_CAP_ARM_INJECT_SERROR_ESR));
	EXPECT(vm_ioctl(fd, KVM_SET_VCPU_EVENTS, &events), 0);

	events = zero;
	events.reserved[0] = 1;
	EXPECT(vm_ioctl(fd, KVM_SET_VCPU_EVENTS, &events), -EINVAL);
	events = zero;
	events.exception.pad[4] = 1;
	EXPECT(vm_ioctl(fd, KVM_SET_VCPU_EVENTS, &events), -EINVAL);
	events = zero;
	events.exception.serror_pending = 1;
	events.exception.serror_has_esr = 1;
	events.exception.serror_esr = 1UL << 32;
	EXPECT(vm_ioctl(fd, KVM_SET_VCPU_EVENTS, &events), -EINVAL);

	events = zero;
	events.exception.serror_pending = 1;
	EXPECT(vm_ioctl(fd, KVM_SET_VCPU_EVENTS, &events), 0);
	EXPECT(vm_ioctl(fd, KVM_GET_VCPU_EVENTS, &events), 0);
	EXPECT(events.exception.serror_pending, 1);
	return 0;
}
