// SPDX-License-Identifier: GPL-2.0
/* KVM_GET_DIRTY_LOG and KVM_CLEAR_DIRTY_LOG: which slot, which pages. */
#include "lib.h"

#define SLOT		3
#define COUNT		128

static int vm;
static uint64_t bits[COUNT / 64];

static int get(uint32_t slot)
{
	struct kvm_dirty_log log = { .slot = slot, .dirty_bitmap = bits };

	return vm_ioctl(vm, KVM_GET_DIRTY_LOG, &log);
}

static int clear(uint32_t slot, uint64_t first, uint32_t count)
{
	struct kvm_clear_dirty_log log = {
		.slot = slot, .first_page = first, .num_pages = count,
		.dirty_bitmap = bits,
	};

	return vm_ioctl(vm, KVM_CLEAR_DIRTY_LOG, &log);
}

static void check_clear(void)
{
	EXPECT(clear(4, 0, 64), -ENOENT);
	EXPECT(clear(1u << 16, 0, 64), -EINVAL);
	EXPECT(clear(0x7fff, 0, 64), -EINVAL);
	EXPECT(clear(SLOT, 1, 64), -EINVAL);
	EXPECT(clear(SLOT, 0, 63), -EINVAL);
	EXPECT(clear(SLOT, 0, COUNT + 1), -EINVAL);
	EXPECT(clear(SLOT, COUNT + 64, 0), -EINVAL);
	EXPECT(clear(SLOT, 1UL << 63, 64), -EINVAL);
	EXPECT(clear(SLOT, -64UL, 64), -EINVAL);
	EXPECT(clear(SLOT, 64, -1u), -EINVAL);
	EXPECT(clear(SLOT, 0, 64), 0);
	EXPECT(clear(SLOT, 64, 64), 0);
	EXPECT(clear(SLOT, 0, COUNT), 0);
}

int main(void)
{
	struct kvm_dirty_log bad = { .slot = SLOT };
	void *host = pages(COUNT * PAGE);

	vm = new_vm(open_device());
	EXPECT(get(SLOT), -ENOENT);
	EXPECT(get(1u << 16), -EINVAL);
	EXPECT(get(0x7fff), -EINVAL);
	EXPECT(set_slot(vm, SLOT, 0, RAM_BASE, COUNT * PAGE, host), 0);
	EXPECT(get(SLOT), -ENOENT);
	EXPECT(clear(SLOT, 0, 64), -ENOENT);
	EXPECT(set_slot(vm, SLOT, KVM_MEM_LOG_DIRTY_PAGES, RAM_BASE,
			COUNT * PAGE, host), 0);
	bits[0] = bits[1] = -1UL;
	EXPECT(get(SLOT), 0);
	EXPECT(bits[0] | bits[1], 0);
	bad.dirty_bitmap = bad_pointer();
	EXPECT(vm_ioctl(vm, KVM_GET_DIRTY_LOG, &bad), -EFAULT);
	check_clear();
	EXPECT(set_slot(vm, SLOT, 0, RAM_BASE, COUNT * PAGE, host), 0);
	EXPECT(get(SLOT), -ENOENT);
	return 0;
}
