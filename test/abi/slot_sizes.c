// SPDX-License-Identifier: GPL-2.0
/* KVM_SET_USER_MEMORY_REGION: pages on all three sides, and no wrapping. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	char *host = pages(16 * PAGE);

	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE - 1, host), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE + 1, host), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE + 1, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE + 512, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE, host + 1), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE, host + 2048), -EINVAL);
	/* guest-physical wraps */
	EXPECT(set_slot(vm, 0, 0, -PAGE, 2 * PAGE, host), -EINVAL);
	/* host-virtual wraps, or is the kernel's */
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, 2 * PAGE, (void *)-PAGE), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE, (void *)(1UL << 63)),
	       -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, -PAGE, host), -EINVAL);
	/* more pages than a slot can count */
	EXPECT(set_slot(vm, 0, 0, 0, 1UL << 43, NULL), -EINVAL);
	/* nothing to delete */
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, 0, host), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, 0, 0, NULL), -EINVAL);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, PAGE, host), 0);
	return 0;
}
