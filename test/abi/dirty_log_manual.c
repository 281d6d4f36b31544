// SPDX-License-Identifier: GPL-2.0
/* With manual protection, dirty bits stay until KVM_CLEAR_DIRTY_LOG. */
#include "lib.h"

#define EXTRA		0x80000000UL
#define COUNT		128

GUEST(writer, "mov x1, #0x80000000\n"
	      "1: add x4, x1, x2, lsl #12\n\tstr x2, [x4]\n\t" REPORT "b 1b");

static struct vm vm;
static uint64_t bits[COUNT / 64];

static void dirty(unsigned int page)
{
	GOOD(vcpu_set_x(&vm.vcpu[0], 2, page));
	next_report(&vm.vcpu[0]);
}

static void expect_log(uint64_t low, uint64_t high)
{
	struct kvm_dirty_log log = { .slot = 30, .dirty_bitmap = bits };

	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, &log), 0);
	EXPECT(bits[0], low);
	EXPECT(bits[1], high);
}

static void clear(uint64_t first, uint32_t count, uint64_t mask)
{
	uint64_t masks[2] = { mask, mask };
	struct kvm_clear_dirty_log log = {
		.slot = 30, .first_page = first, .num_pages = count,
		.dirty_bitmap = masks,
	};

	EXPECT(vm_ioctl(vm.fd, KVM_CLEAR_DIRTY_LOG, &log), 0);
}

int main(void)
{
	make_machine(&vm, 1);
	LOAD(&vm, writer);
	EXPECT(vm_enable(&vm, KVM_CAP_MANUAL_DIRTY_LOG_PROTECT2,
			 KVM_DIRTY_LOG_MANUAL_PROTECT_ENABLE), 0);
	EXPECT(set_slot(vm.fd, 30, KVM_MEM_LOG_DIRTY_PAGES, EXTRA,
			COUNT * PAGE, pages(COUNT * PAGE)), 0);
	dirty(3);
	dirty(70);
	expect_log(1UL << 3, 1UL << 6);
	expect_log(1UL << 3, 1UL << 6);
	clear(0, 64, 1UL << 4);
	expect_log(1UL << 3, 1UL << 6);
	clear(0, 64, -1UL);
	expect_log(0, 1UL << 6);
	dirty(3);
	expect_log(1UL << 3, 1UL << 6);
	clear(64, 64, 1UL << 6);
	expect_log(1UL << 3, 0);
	dirty(70);
	expect_log(1UL << 3, 1UL << 6);
	return 0;
}
