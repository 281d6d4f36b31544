// SPDX-License-Identifier: GPL-2.0
/* A guest's write that matches signals its eventfd and does not exit. */
#include <sys/eventfd.h>

#include "lib.h"

#define PLACE		0x0b000000UL

/* eight writes, four of which some eventfd waits for */
GUEST(writer, "mov x1, #0x0b000000\n\tmov w2, #1\n\tmov w3, #2\n\t"
	      "str w2, [x1]\n\t"		/* matches */
	      "str w3, [x1]\n\t"		/* wrong data: exits */
	      "strh w2, [x1]\n\t"		/* wrong length: exits */
	      "str w3, [x1, #4]\n\t"		/* any data */
	      "ldr w2, [x1, #4]\n\t"		/* a read: exits */
	      "strb w3, [x1, #8]\n\t"		/* any length */
	      "str x3, [x1, #8]\n\t"		/* any length */
	      REPORT "b .");

static struct vm vm;

static int add(uint64_t addr, uint32_t len, uint32_t flags)
{
	int fd = GOOD(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	struct kvm_ioeventfd event = {
		.fd = fd, .addr = addr, .len = len, .flags = flags,
		.datamatch = 1,
	};

	EXPECT(vm_ioctl(vm.fd, KVM_IOEVENTFD, &event), 0);
	return fd;
}

static uint64_t count(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static void expect_access(uint64_t addr, uint32_t len, int is_write)
{
	expect_exit(&vm.vcpu[0], KVM_EXIT_MMIO);
	EXPECT(vm.vcpu[0].run->mmio.phys_addr, addr);
	EXPECT(vm.vcpu[0].run->mmio.len, len);
	EXPECT(vm.vcpu[0].run->mmio.is_write, is_write);
}

int main(void)
{
	int one, any, every;

	make_machine(&vm, 1);
	LOAD(&vm, writer);
	one = add(PLACE, 4, KVM_IOEVENTFD_FLAG_DATAMATCH);
	any = add(PLACE + 4, 4, 0);
	every = add(PLACE + 8, 0, 0);

	expect_access(PLACE, 4, 1);
	expect_access(PLACE, 2, 1);
	expect_access(PLACE + 4, 4, 0);
	next_report(&vm.vcpu[0]);
	EXPECT(count(one), 1);
	EXPECT(count(any), 1);
	EXPECT(count(every), 2);
	return 0;
}
