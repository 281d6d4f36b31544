// SPDX-License-Identifier: GPL-2.0
/* A vCPU's pages: shared with the kernel; SIGBUS beyond them. */
#include <setjmp.h>
#include <signal.h>

#include "lib.h"

static sigjmp_buf back;

static void caught(int signal)
{
	siglongjmp(back, signal);
}

static bool faults(const volatile char *address)
{
	if (sigsetjmp(back, 1))
		return true;
	(void)*address;
	return false;
}

int main(void)
{
	struct sigaction action = { .sa_handler = caught };
	int kvm = open_device();
	int vm = new_vm(kvm);
	int vcpu = new_vcpu(vm, 0);
	int size = GOOD(ask(kvm, KVM_GET_VCPU_MMAP_SIZE, 0));
	struct kvm_run *run, *again;
	char *beyond;

	sigaction(SIGBUS, &action, NULL);
	run = map_run(kvm, vcpu);
	again = map_run(kvm, vcpu);
	run->immediate_exit = 1;
	EXPECT(again->immediate_exit, 1);
	CHECK(!faults((char *)run));
	CHECK(!faults((char *)run + PAGE - 1));

	beyond = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
		      vcpu, 0);
	CHECK(beyond != MAP_FAILED);
	CHECK(!faults(beyond));
	CHECK(faults(beyond + size));
	CHECK(faults(beyond + 15 * PAGE));
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, kvm, 0) == MAP_FAILED);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, vm, 0) == MAP_FAILED);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, new_gic(vm), 0) ==
	      MAP_FAILED);

	/* the page lives as long as its mapping */
	close(vcpu);
	close(vm);
	close(kvm);
	run->immediate_exit = 2;
	EXPECT(again->immediate_exit, 2);
	return 0;
}
