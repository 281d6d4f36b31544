// SPDX-License-Identifier: GPL-2.0
/* Flags are LOG_DIRTY_PAGES and READONLY; any other is EINVAL. */
#include "lib.h"

int main(void)
{
	int vm = new_vm(open_device());
	void *host = pages(PAGE);
	unsigned int bit;

	for (bit = 2; bit < 32; bit++)
		EXPECT(set_slot(vm, 0, 1u << bit, RAM_BASE, PAGE, host),
		       -EINVAL);
	EXPECT(set_slot(vm, 0, KVM_MEM_READONLY | KVM_MEM_LOG_DIRTY_PAGES,
			RAM_BASE, PAGE, host), 0);
	return 0;
}
