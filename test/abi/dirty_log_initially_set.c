// SPDX-License-Identifier: GPL-2.0
/* With KVM_DIRTY_LOG_INITIALLY_SET a new log begins all dirty. */
#include "lib.h"

#define COUNT		100

int main(void)
{
	uint64_t bits[2] = { 0 }, both = KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE |
					 KVM_DIRTY_LOG_INITIALLY_SET;
	struct kvm_dirty_log log = { .slot = 1, .dirty_bitmap = bits };
	struct vm vm;

	make_bare(&vm, 1);
	EXPECT(vm_capability(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2), both);
	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2, both), 0);
	EXPECT(set_slot(vm.fd, 1, KVM_MEM_LOG_DIRTY_PAGES, 0x80000000,
			COUNT * PAGE, pages(COUNT * PAGE)), 0);
	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, &log), 0);
	EXPECT(bits[0], -1UL);
	EXPECT(bits[1], (1UL << (COUNT - 64)) - 1);
	return 0;
}
