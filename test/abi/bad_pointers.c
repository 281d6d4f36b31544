// SPDX-License-Identifier: GPL-2.0
/* Arguments that cannot be read: EFAULT, from every ioctl that has one. */
#include "lib.h"

int main(void)
{
	uint64_t psci = KVM_REG_ARM_PSCI_VERSION;
	struct kvm_one_reg reg = { .id = psci };
	struct kvm_reg_list *list;
	void *bad = bad_pointer();
	struct vm vm;
	int vcpu;

	make_machine(&vm, 1);
	vcpu = vm.vcpu[0].fd;
	EXPECT(vm_ioctl(vm.fd, KVM_SET_USER_MEMORY_REGION, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_CLEAR_DIRTY_LOG, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQ_LINE, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_IOEVENTFD, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_ENABLE_CAP, bad), -EFAULT);
	EXPECT(vm_ioctl(vm.fd, KVM_CREATE_DEVICE, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_INIT, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_SET_ONE_REG, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_GET_REG_LIST, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_GET_VCPU_EVENTS, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_SET_VCPU_EVENTS, bad), -EFAULT);
	if (vm_capability(&vm, KVM_CAP_SET_GUEST_DEBUG))
		EXPECT(vm_ioctl(vcpu, KVM_SET_GUEST_DEBUG, bad), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, bad), -EFAULT);

	/* and what the argument points to */
	reg.addr = (uintptr_t)bad;
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_SET_ONE_REG, &reg), -EFAULT);
	reg.id = ARM64_SYS_REG(3, 0, 1, 0, 0);
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg), -EFAULT);
	EXPECT(vm_ioctl(vcpu, KVM_SET_ONE_REG, &reg), -EFAULT);
	reg.addr = 1UL << 63;
	EXPECT(vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg), -EFAULT);

	/* a list whose head can be written and whose rest cannot */
	list = pages(2 * PAGE);
	EXPECT(mprotect((char *)list + PAGE, PAGE, PROT_NONE), 0);
	list = (void *)((char *)list + PAGE - sizeof(uint64_t));
	list->n = 1000;
	EXPECT(vm_ioctl(vcpu, KVM_GET_REG_LIST, list), -EFAULT);
	return 0;
}
