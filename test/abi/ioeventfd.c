// SPDX-License-Identifier: GPL-2.0
/* KVM_IOEVENTFD: lengths, flags, descriptors, collisions, deassign. */
#include <sys/eventfd.h>

#include "lib.h"

#define MATCH		KVM_IOEVENTFD_FLAG_DATAMATCH
#define UNDO		KVM_IOEVENTFD_FLAG_DEASSIGN

static int vm;

static int io(int fd, uint64_t addr, uint32_t len, uint32_t flags,
	      uint64_t match)
{
	struct kvm_ioeventfd event = {
		.fd = fd, .addr = addr, .len = len, .flags = flags,
		.datamatch = match,
	};

	return vm_ioctl(vm, KVM_IOEVENTFD, &event);
}

static void check_arguments(int event)
{
	static const uint32_t bad[] = { 3, 5, 6, 7, 9, 16, 0x80000000 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		EXPECT(io(event, 0x1000, bad[i], 0, 0), -EINVAL);
	EXPECT(io(event, -4UL, 8, 0, 0), -EINVAL);
	EXPECT(io(event, 0x1000, 4, 1u << 8, 0), -EINVAL);
	EXPECT(io(event, 0x1000, 4, 1u << 31, 0), -EINVAL);
	EXPECT(io(event, 0x1000, 0, MATCH, 1), -EINVAL);
	EXPECT(io(-1, 0x1000, 4, 0, 0), -EBADF);
	EXPECT(io(vm, 0x1000, 4, 0, 0), -EINVAL);
	EXPECT(io(-1, 0x1000, 4, UNDO, 0), -EBADF);
	EXPECT(io(event, 0x1000, 4, UNDO, 0), -ENOENT);
}

int main(void)
{
	int event = GOOD(eventfd(0, EFD_CLOEXEC));
	int other = GOOD(eventfd(0, EFD_CLOEXEC));

	vm = new_vm(open_device());
	check_arguments(event);
	EXPECT(io(event, 0x1000, 4, MATCH, 1), 0);
	EXPECT(io(event, 0x1000, 4, MATCH, 1), -EEXIST);
	EXPECT(io(other, 0x1000, 4, MATCH, 1), -EEXIST);
	EXPECT(io(other, 0x1000, 4, 0, 0), -EEXIST);
	EXPECT(io(other, 0x1000, 0, 0, 0), -EEXIST);
	EXPECT(io(other, 0x1000, 4, MATCH, 2), 0);
	EXPECT(io(other, 0x1000, 2, 0, 0), 0);
	EXPECT(io(other, 0x1004, 4, 0, 0), 0);

	EXPECT(io(other, 0x1000, 4, MATCH | UNDO, 1), -ENOENT);
	EXPECT(io(event, 0x1000, 4, UNDO, 0), -ENOENT);
	EXPECT(io(event, 0x1000, 8, MATCH | UNDO, 1), -ENOENT);
	EXPECT(io(event, 0x1000, 4, MATCH | UNDO, 1), 0);
	EXPECT(io(event, 0x1000, 4, MATCH | UNDO, 1), -ENOENT);

	EXPECT(io(event, 0x2000, 0, 0, 0), 0);
	EXPECT(io(event, 0x2000, 1, 0, 0), -EEXIST);
	EXPECT(io(event, 0x2000, 0, UNDO, 0), 0);
	EXPECT(io(event, 0x2000, 8, 0, 0), 0);
	return 0;
}
