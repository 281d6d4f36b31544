// SPDX-License-Identifier: GPL-2.0
/* KVM_SET_SIGNAL_MASK: 8 bytes; in force during KVM_RUN and not outside. */
#include <pthread.h>
#include <signal.h>

#include "lib.h"

struct mask {
	struct kvm_signal_mask head;
	uint64_t set;
};

GUEST(spin, REPORT "b .");

static volatile int seen;

static void count(int signal)
{
	(void)signal;
	seen++;
}

static int set_mask(struct vm *vm, uint32_t len, uint64_t set)
{
	struct mask mask = { .head = { .len = len } };

	memcpy(mask.head.sigset, &set, sizeof(set));
	return vm_ioctl(vm->vcpu[0].fd, KVM_SET_SIGNAL_MASK, &mask);
}

static void *interrupt(void *arg)
{
	usleep(200000);
	pthread_kill(*(pthread_t *)arg, SIGUSR1);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = count };
	pthread_t self = pthread_self(), thread;
	sigset_t blocked;
	struct vm vm;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	LOAD(&vm, spin);
	EXPECT(set_mask(&vm, 4, 0), -EINVAL);
	EXPECT(set_mask(&vm, 16, 0), -EINVAL);
	EXPECT(set_mask(&vm, 0, 0), -EINVAL);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_SIGNAL_MASK, bad_pointer()),
	       -EFAULT);
	/* blocked outside, open inside */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	EXPECT(pthread_sigmask(SIG_BLOCK, &blocked, NULL), 0);
	EXPECT(set_mask(&vm, 8, 0), 0);
	next_report(&vm.vcpu[0]);
	EXPECT(pthread_create(&thread, NULL, interrupt, &self), 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
	EXPECT(pthread_join(thread, NULL), 0);
	/* interrupted, but not yet delivered: it is blocked again */
	EXPECT(seen, 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
	EXPECT(pthread_sigmask(SIG_UNBLOCK, &blocked, NULL), 0);
	EXPECT(seen, 1);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_SIGNAL_MASK, NULL), 0);
	return 0;
}
