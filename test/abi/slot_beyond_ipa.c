// SPDX-License-Identifier: GPL-2.0
/* A slot beyond the VM's guest-physical address space: EFAULT. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();
	int vm = GOOD(ask(kvm, KVM_CREATE_VM, 32));
	void *host = pages(2 * PAGE);
	uint64_t end = 1UL << 32;

	EXPECT(set_slot(vm, 0, 0, end, PAGE, host), -EFAULT);
	EXPECT(set_slot(vm, 0, 0, end - PAGE, 2 * PAGE, host), -EFAULT);
	EXPECT(set_slot(vm, 0, 0, 1UL << 47, PAGE, host), -EFAULT);
	EXPECT(set_slot(vm, 0, 0, end - PAGE, PAGE, host), 0);
	/* nor may it move there */
	EXPECT(set_slot(vm, 0, 0, end, PAGE, host), -EFAULT);
	EXPECT(set_slot(vm, 1, 0, end - PAGE, PAGE, host), -EEXIST);
	return 0;
}
