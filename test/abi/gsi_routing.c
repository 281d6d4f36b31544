// SPDX-License-Identifier: GPL-2.0
/* KVM_SET_GSI_ROUTING: bounds, flags, types, one route an interrupt. */
#include "lib.h"

#define MOST		4096

static int vm;

static int route(uint32_t flags, uint32_t entry_flags, uint32_t gsi,
		 uint32_t type, uint32_t chip, uint32_t pin)
{
	struct {
		struct kvm_irq_routing head;
		struct kvm_irq_routing_entry entry;
	} table = {
		.head = { .nr = 1, .flags = flags },
		.entry = {
			.gsi = gsi, .type = type, .flags = entry_flags,
			.u.irqchip = { .irqchip = chip, .pin = pin },
		},
	};

	return vm_ioctl(vm, KVM_SET_GSI_ROUTING, &table);
}

static int route_twice(void)
{
	struct {
		struct kvm_irq_routing head;
		struct kvm_irq_routing_entry entry[2];
	} table = { .head = { .nr = 2 } };
	int i;

	for (i = 0; i < 2; i++) {
		table.entry[i].gsi = 7;
		table.entry[i].type = KVM_IRQ_ROUTING_IRQCHIP;
		table.entry[i].u.irqchip.pin = i;
	}
	return vm_ioctl(vm, KVM_SET_GSI_ROUTING, &table);
}

int main(void)
{
	uint32_t irqchip = KVM_IRQ_ROUTING_IRQCHIP;
	struct kvm_irq_routing none = { .nr = 0 };
	struct vm machine;

	make_machine(&machine, 1);
	vm = machine.fd;
	EXPECT(ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_IRQ_ROUTING), MOST);
	EXPECT(route(0, 0, 0, irqchip, 0, 0), 0);
	EXPECT(route(1, 0, 0, irqchip, 0, 0), -EINVAL);
	EXPECT(route(0, 1, 0, irqchip, 0, 0), -EINVAL);
	EXPECT(route(0, 0, MOST, irqchip, 0, 0), -EINVAL);
	EXPECT(route(0, 0, MOST - 1, irqchip, 0, 0), 0);
	EXPECT(route(0, 0, 0, irqchip, 1, 0), -EINVAL);
	EXPECT(route(0, 0, 0, irqchip, 0, 1020 - 32), -EINVAL);
	EXPECT(route(0, 0, 0, 77, 0, 0), -EINVAL);
	EXPECT(route_twice(), -EINVAL);
	EXPECT(vm_ioctl(vm, KVM_SET_GSI_ROUTING, &none), 0);
	none.nr = MOST + 1;
	EXPECT(vm_ioctl(vm, KVM_SET_GSI_ROUTING, &none), -EINVAL);
	none.nr = -1u;
	EXPECT(vm_ioctl(vm, KVM_SET_GSI_ROUTING, &none), -EINVAL);
	EXPECT(vm_ioctl(vm, KVM_SET_GSI_ROUTING, bad_pointer()), -EFAULT);
	return 0;
}
