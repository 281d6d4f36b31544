// SPDX-License-Identifier: GPL-2.0
/* Slot numbers run to KVM_CAP_NR_MEMSLOTS - 1, in address space 0 alone. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);
	void *host = pages(PAGE);
	uint32_t most = GOOD(ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_NR_MEMSLOTS));

	EXPECT(set_slot(vm, most, 0, RAM_BASE, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 0xffff, 0, RAM_BASE, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 1u << 16, 0, RAM_BASE, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 1u << 31, 0, RAM_BASE, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, -1u, 0, RAM_BASE, PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, most - 1, 0, RAM_BASE, PAGE, host), 0);
	return 0;
}
