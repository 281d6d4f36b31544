// SPDX-License-Identifier: GPL-2.0
/* A slot may move, change its dirty log, or go; nothing else of it changes. */
#include "lib.h"

int main(void)
{
	int vm = new_vm(open_device());
	char *host = pages(64 * PAGE);
	uint64_t base = RAM_BASE;

	EXPECT(set_slot(vm, 7, 0, base, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 7, 0, base, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 7, 0, base, 4 * PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 7, 0, base, 16 * PAGE, host), -EINVAL);
	EXPECT(set_slot(vm, 7, 0, base, 8 * PAGE, host + PAGE), -EINVAL);
	EXPECT(set_slot(vm, 7, KVM_MEM_READONLY, base, 8 * PAGE, host),
	       -EINVAL);
	EXPECT(set_slot(vm, 7, KVM_MEM_LOG_DIRTY_PAGES, base, 8 * PAGE, host),
	       0);
	EXPECT(set_slot(vm, 7, 0, base, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 7, 0, base + 8 * PAGE, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 8, 0, base, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 7, 0, 0, 0, NULL), 0);
	EXPECT(set_slot(vm, 7, 0, 0, 0, NULL), -EINVAL);
	EXPECT(set_slot(vm, 9, 0, base + 8 * PAGE, 8 * PAGE, host), 0);
	/* deleted, it may come back otherwise */
	EXPECT(set_slot(vm, 7, KVM_MEM_READONLY, base + 16 * PAGE, PAGE,
			host + PAGE), 0);
	return 0;
}
