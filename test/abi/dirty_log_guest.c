// SPDX-License-Identifier: GPL-2.0
/* The dirty log holds exactly the pages the guest wrote since it was read. */
#include "lib.h"

#define EXTRA		0x80000000UL
#define COUNT		64

/* writes page x2, then x3, where they are set before each run */
GUEST(writer, "mov x1, #0x80000000\n"
	      "1: add x4, x1, x2, lsl #12\n\tstr x2, [x4]\n\t"
	      "add x4, x1, x3, lsl #12\n\tstr x3, [x4, #8]\n\t"
	      REPORT "b 1b");

static struct vm vm;

static uint64_t log_after(unsigned int one, unsigned int other)
{
	uint64_t bits = 0;
	struct kvm_dirty_log log = { .slot = 30, .dirty_bitmap = &bits };

	GOOD(vcpu_set_x(&vm.vcpu[0], 2, one));
	GOOD(vcpu_set_x(&vm.vcpu[0], 3, other));
	next_report(&vm.vcpu[0]);
	EXPECT(vm_ioctl(vm.fd, KVM_GET_DIRTY_LOG, &log), 0);
	return bits;
}

int main(void)
{
	void *host = pages(COUNT * PAGE);

	make_machine(&vm, 1);
	LOAD(&vm, writer);
	EXPECT(set_slot(vm.fd, 30, 0, EXTRA, COUNT * PAGE, host), 0);
	/* pages known to the guest before the log began */
	GOOD(vcpu_set_x(&vm.vcpu[0], 2, 5));
	GOOD(vcpu_set_x(&vm.vcpu[0], 3, 9));
	next_report(&vm.vcpu[0]);
	EXPECT(set_slot(vm.fd, 30, KVM_MEM_LOG_DIRTY_PAGES, EXTRA,
			COUNT * PAGE, host), 0);
	EXPECT(log_after(5, 17), 1UL << 5 | 1UL << 17);
	EXPECT(log_after(5, 5), 1UL << 5);
	EXPECT(log_after(63, 0), 1UL << 63 | 1UL);
	EXPECT(log_after(63, 9), 1UL << 63 | 1UL << 9);
	EXPECT(((uint64_t *)host)[63 * PAGE / 8], 63);
	return 0;
}
