// SPDX-License-Identifier: GPL-2.0
/* KVM_IRQ_LINE: types, vCPUs and numbers. */
#include "lib.h"

#define IRQ(type, vcpu, number)						\
	((uint32_t)(KVM_ARM_IRQ_TYPE_##type) << KVM_ARM_IRQ_TYPE_SHIFT |	\
	 (uint32_t)(vcpu) << KVM_ARM_IRQ_VCPU_SHIFT | (number))

static int line(int vm, uint32_t irq)
{
	struct kvm_irq_level level = { .irq = irq, .level = 1 };
	int high = vm_ioctl(vm, KVM_IRQ_LINE, &level);

	level.level = 0;
	EXPECT(vm_ioctl(vm, KVM_IRQ_LINE, &level), high);
	return high;
}

static void without_gic(int kvm)
{
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);

	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(line(vm, IRQ(SPI, 0, 32)), -ENXIO);
	EXPECT(line(vm, IRQ(PPI, 0, 16)), -ENXIO);
	EXPECT(line(vm, IRQ(CPU, 1, 0)), -EINVAL);
	EXPECT(line(vm, IRQ(CPU, 0, 2)), -EINVAL);
	EXPECT(line(vm, IRQ(CPU, 0, KVM_ARM_IRQ_CPU_IRQ)), 0);
	EXPECT(line(vm, IRQ(CPU, 0, KVM_ARM_IRQ_CPU_FIQ)), 0);
	EXPECT(line(vm, 3u << KVM_ARM_IRQ_TYPE_SHIFT), -EINVAL);
}

static void with_gic(int vm)
{
	EXPECT(line(vm, IRQ(CPU, 0, KVM_ARM_IRQ_CPU_IRQ)), -ENXIO);
	EXPECT(line(vm, IRQ(PPI, 0, 15)), -EINVAL);
	EXPECT(line(vm, IRQ(PPI, 0, 32)), -EINVAL);
	EXPECT(line(vm, IRQ(PPI, 2, 16)), -EINVAL);
	EXPECT(line(vm, IRQ(PPI, 255, 16)), -EINVAL);
	EXPECT(line(vm, IRQ(PPI, 0, 16) | 1u << KVM_ARM_IRQ_VCPU2_SHIFT),
	       -EINVAL);
	EXPECT(line(vm, IRQ(PPI, 1, 16)), 0);
	EXPECT(line(vm, IRQ(SPI, 0, 31)), -EINVAL);
	EXPECT(line(vm, IRQ(SPI, 0, 0)), -EINVAL);
	EXPECT(line(vm, IRQ(SPI, 0, 96)), -EINVAL);
	EXPECT(line(vm, IRQ(SPI, 0, 0xffff)), -EINVAL);
	EXPECT(line(vm, IRQ(SPI, 0, 32)), 0);
	EXPECT(line(vm, IRQ(SPI, 0, 95)), 0);
	EXPECT(line(vm, 5u << KVM_ARM_IRQ_TYPE_SHIFT | 40), -EINVAL);
}

static void before_init(int kvm)
{
	int vm = new_vm(kvm);

	new_vcpu(vm, 0);
	new_gic(vm);
	EXPECT(line(vm, IRQ(SPI, 0, 32)), -EBUSY);
	EXPECT(line(vm, IRQ(PPI, 0, 16)), -EBUSY);
}

int main(void)
{
	struct vm vm;

	make_machine(&vm, 2);
	with_gic(vm.fd);
	without_gic(vm.kvm);
	before_init(vm.kvm);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQ_LINE, bad_pointer()), -EFAULT);
	return 0;
}
