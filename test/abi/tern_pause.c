// SPDX-License-Identifier: GPL-2.0
/* TERN_PAUSE takes vCPUs out of the guest while their threads stay in KVM_RUN; TERN_RESUME lets them go on. */
#include <pthread.h>
#include <signal.h>

#include "../../uapi/tern.h"
#include "lib.h"

GUEST(count, REPORT "1: add x5, x5, #1\nb 1b");

static struct vm vm;

static void ignore(int signal)
{
	(void)signal;
}

static void *run(void *arg)
{
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
	return arg;
}

#define X5	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | 10)

static uint64_t counted(void)
{
	uint64_t x = 0;

	GOOD(vcpu_get(&vm.vcpu[0], X5, &x));
	return x;
}

static int get_state(void)
{
	static uint8_t image[65536];
	struct tern_state s = { .what = TERN_STATE_VM, .addr = (uintptr_t)image, .size = sizeof(image) };

	return ioctl(vm.fd, TERN_GET_STATE, &s) ? -errno : 0;
}

int main(void)
{
	struct sigaction action = { .sa_handler = ignore };
	pthread_t thread;
	uint64_t x;
	int tries, ret = 0;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	if (!vm_capability(&vm, TERN_CAP_PAUSE))
		skip("not tern");
	LOAD(&vm, count);
	next_report(&vm.vcpu[0]);
	EXPECT(pthread_create(&thread, NULL, run, NULL), 0);
	for (tries = 0; tries < 5000 && ret != -EBUSY; tries++) {
		usleep(1000);
		ret = get_state();
	}
	EXPECT(ret, -EBUSY);
	EXPECT(ioctl(vm.fd, TERN_PAUSE, 0), 0);
	x = counted();
	EXPECT(get_state(), 0);
	usleep(20000);
	CHECK(counted() == x);
	EXPECT(ioctl(vm.fd, TERN_PAUSE, 0), 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EBUSY);
	EXPECT(ioctl(vm.fd, TERN_RESUME, 0), 0);
	usleep(50000);
	EXPECT(ioctl(vm.fd, TERN_PAUSE, 0), 0);
	CHECK(counted() > x);
	pthread_kill(thread, SIGUSR1);
	EXPECT(pthread_join(thread, NULL), 0);
	EXPECT(ioctl(vm.fd, TERN_RESUME, 0), 0);
	return 0;
}
