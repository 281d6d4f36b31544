// SPDX-License-Identifier: GPL-2.0
/*
 * Without resampling nobody lets the line of a level-triggered interrupt fall
 * again: an event is a pulse, and the guest is not interrupted for ever.
 */
#include <sys/eventfd.h>

#include "lib.h"

static uint32_t lines(const struct vm *vm)
{
	uint32_t word = 0;

	EXPECT(get_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO,
			(uint64_t)VGIC_LEVEL_INFO_LINE_LEVEL <<
			KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT | 32, &word), 0);
	return word;
}

int main(void)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	struct kvm_irqfd irqfd = { .fd = event, .gsi = 3 };
	uint64_t count = 1;
	struct vm vm;
	int tries;

	make_machine(&vm, 1);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	EXPECT(write(event, &count, sizeof(count)), sizeof(count));
	/* the event may be taken by a worker */
	for (tries = 0; tries < 1000 && lines(&vm); tries++)
		usleep(1000);
	EXPECT(lines(&vm), 0);
	EXPECT(read(event, &count, sizeof(count)), -1);
	return 0;
}
