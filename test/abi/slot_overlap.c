// SPDX-License-Identifier: GPL-2.0
/* Two slots may touch, not overlap: EEXIST, and nothing changes. */
#include "lib.h"

int main(void)
{
	int vm = new_vm(open_device());
	void *host = pages(64 * PAGE);
	uint64_t base = RAM_BASE;

	EXPECT(set_slot(vm, 0, 0, base, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 1, 0, base, 8 * PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 1, 0, base + 7 * PAGE, PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 1, 0, base - PAGE, 2 * PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 1, 0, base + 2 * PAGE, PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 1, 0, base - PAGE, 32 * PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 1, 0, base + 8 * PAGE, PAGE, host), 0);
	EXPECT(set_slot(vm, 2, 0, base - PAGE, PAGE, host), 0);
	/* moving onto another */
	EXPECT(set_slot(vm, 2, 0, base, PAGE, host), -EEXIST);
	EXPECT(set_slot(vm, 2, 0, base + 16 * PAGE, PAGE, host), 0);
	EXPECT(set_slot(vm, 3, 0, base - PAGE, PAGE, host), 0);
	/* moving by less than its size overlaps only itself */
	EXPECT(set_slot(vm, 4, 0, base + 32 * PAGE, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 4, 0, base + 34 * PAGE, 8 * PAGE, host), 0);
	EXPECT(set_slot(vm, 5, 0, base + 32 * PAGE, 2 * PAGE, host), 0);
	return 0;
}
