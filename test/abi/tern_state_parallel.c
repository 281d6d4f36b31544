// SPDX-License-Identifier: GPL-2.0
/*
 * A TERN_GET_STATE that stands still while it copies to user space, at a page
 * that is not there, keeps no other from its work: not those of other vCPUs,
 * nor of the same, nor one register.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "../../uapi/tern.h"
#include "lib.h"

#define SIZE	(64 * 1024)

static struct vm vm;
static uint8_t *missing;

static int get(uint32_t first, void *at)
{
	struct tern_state s = {
		.what = TERN_STATE_VCPUS, .first = first, .count = 1,
		.addr = (uintptr_t)at, .size = SIZE,
	};

	return ioctl(vm.fd, TERN_GET_STATE, &s) ? -errno : 0;
}

static void *get_there(void *arg)
{
	EXPECT(get(0, missing), 0);
	return arg;
}

/* Memory at which whoever touches it waits */
static int wait_at(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0)
		skip("no userfaultfd");
	missing = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(missing != MAP_FAILED);
	area.range.start = (uintptr_t)missing;
	area.range.len = SIZE;
	GOOD(ioctl(fd, UFFDIO_API, &api));
	GOOD(ioctl(fd, UFFDIO_REGISTER, &area));
	return fd;
}

int main(void)
{
	static uint8_t image[SIZE];
	struct uffdio_range range = { .len = SIZE };
	struct pollfd waits = { .events = POLLIN };
	pthread_t thread;
	uint64_t pc;

	make_machine(&vm, 2);
	if (!vm_capability(&vm, TERN_CAP_STATE))
		skip("not tern");
	waits.fd = wait_at();
	EXPECT(pthread_create(&thread, NULL, get_there, NULL), 0);
	EXPECT(poll(&waits, 1, 10000), 1);
	EXPECT(get(1, image), 0);
	EXPECT(get(0, image), 0);
	GOOD(vcpu_get_pc(&vm.vcpu[0], &pc));
	range.start = (uintptr_t)missing;
	GOOD(ioctl(waits.fd, UFFDIO_UNREGISTER, &range));
	EXPECT(pthread_join(thread, NULL), 0);
	EXPECT(memcmp(missing, "TERNSTAT", 8), 0);
	return 0;
}
