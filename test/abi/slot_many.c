// SPDX-License-Identifier: GPL-2.0
/* As many slots as KVM_CAP_NR_MEMSLOTS says, in any order, and all go. */
#include "lib.h"

int main(void)
{
	int vm = new_vm(open_device());
	void *host = pages(PAGE);
	uint32_t most = GOOD(ask(vm, KVM_CHECK_EXTENSION, KVM_CAP_NR_MEMSLOTS));
	uint32_t count = most < 2000 ? most : 2000;
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint64_t place = (uint64_t)i * 7919 % count;

		EXPECT(set_slot(vm, most - 1 - i, 0,
				RAM_BASE + 2 * place * PAGE, PAGE, host), 0);
	}
	for (i = 0; i < count; i++)
		EXPECT(set_slot(vm, most - 1 - i, 0, 0, 0, NULL), 0);
	EXPECT(set_slot(vm, 0, 0, RAM_BASE, count * PAGE, host), 0);
	return 0;
}
