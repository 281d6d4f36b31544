// SPDX-License-Identifier: GPL-2.0
/* A write to an irqfd makes its SPI pending, also one from before. */
#include <sys/eventfd.h>

#include "lib.h"

/* GICD_ISPENDR1, which a level interrupt reads as long as its line is up */
#define ISPENDR1	0x204

static uint32_t pending(const struct vm *vm)
{
	uint32_t word = 0;

	EXPECT(get_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, ISPENDR1,
			&word), 0);
	return word;
}

/* GICD_ICFGR2: SPIs 32 to 47, all edge-triggered so that an event latches */
static void make_edges(const struct vm *vm)
{
	uint32_t edges = 0xaaaaaaaa;

	EXPECT(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0xc08,
			&edges), 0);
}

static void signal_event(int event)
{
	uint64_t one = 1;

	EXPECT(write(event, &one, sizeof(one)), sizeof(one));
}

/* What was signalled before arrives by a worker. */
static void wait_pending(const struct vm *vm, uint32_t mask)
{
	int tries;

	for (tries = 0; tries < 1000 && !(pending(vm) & mask); tries++)
		usleep(1000);
	CHECK(pending(vm) & mask);
}

int main(void)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC));
	struct kvm_irqfd irqfd = { .fd = event, .gsi = 3 };
	struct vm vm;

	make_machine(&vm, 1);
	make_edges(&vm);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	EXPECT(pending(&vm), 0);
	signal_event(event);
	wait_pending(&vm, 1u << 3);

	irqfd.fd = GOOD(eventfd(1, EFD_CLOEXEC));
	irqfd.gsi = 4;
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	wait_pending(&vm, 1u << 4);

	irqfd.flags = KVM_IRQFD_FLAG_DEASSIGN;
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	/* closing the other first is no trouble */
	close(event);
	return 0;
}
