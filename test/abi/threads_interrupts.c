// SPDX-License-Identifier: GPL-2.0
/* Interrupt lines, routes and irqfds change while their target runs. */
#include <pthread.h>
#include <sys/eventfd.h>

#include "lib.h"

#define TURNS		2000

GUEST(idle, "1: " REPORT "b 1b");

static struct vm vm;
static volatile bool over;

static void *run(void *arg)
{
	while (!over)
		next_report(arg);
	return NULL;
}

static void *wire(void *arg)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC));
	uint64_t one = 1;
	int i;

	for (i = 0; i < TURNS; i++) {
		struct kvm_irqfd irqfd = { .fd = event, .gsi = i % 60 };

		EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
		EXPECT(write(event, &one, sizeof(one)), sizeof(one));
		irqfd.flags = KVM_IRQFD_FLAG_DEASSIGN;
		EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
		if (i % 100 == 0) {
			close(event);
			event = GOOD(eventfd(0, EFD_CLOEXEC));
		}
	}
	return arg;
}

static void *toggle(void *arg)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		EXPECT(vm_irq_line(&vm, 32 + i % 64, i & 1), 0);
		EXPECT(vm_ppi_line(&vm, i % 2, 16 + i % 10, i & 1), 0);
	}
	return arg;
}

static void *route(void *arg)
{
	struct {
		struct kvm_irq_routing head;
		struct kvm_irq_routing_entry entry;
	} table = { .head = { .nr = 1 } };
	int i;

	table.entry.type = KVM_IRQ_ROUTING_IRQCHIP;
	for (i = 0; i < 100; i++) {
		table.entry.gsi = i % 60;
		table.entry.u.irqchip.pin = i % 64;
		EXPECT(vm_ioctl(vm.fd, KVM_SET_GSI_ROUTING, &table), 0);
	}
	return arg;
}

int main(void)
{
	void *(*const work[])(void *) = { run, run, wire, toggle, route };
	pthread_t thread[5];
	int i;

	make_machine(&vm, 2);
	LOAD(&vm, idle);
	for (i = 0; i < 5; i++)
		EXPECT(pthread_create(&thread[i], NULL, work[i],
				      &vm.vcpu[i & 1]), 0);
	for (i = 2; i < 5; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	over = true;
	for (i = 0; i < 2; i++)
		EXPECT(pthread_join(thread[i], NULL), 0);
	return 0;
}
