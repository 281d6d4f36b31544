// SPDX-License-Identifier: GPL-2.0
/* A stopped vCPU sleeps in KVM_RUN until a signal; made runnable it runs. */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

static void ignore(int signal)
{
	(void)signal;
}

static void *interrupt(void *arg)
{
	usleep(300000);
	pthread_kill(*(pthread_t *)arg, SIGUSR1);
	return NULL;
}

int main(void)
{
	struct kvm_mp_state stopped = { .mp_state = KVM_MP_STATE_STOPPED };
	struct kvm_mp_state runnable = { .mp_state = KVM_MP_STATE_RUNNABLE };
	struct sigaction action = { .sa_handler = ignore };
	pthread_t self = pthread_self(), thread;
	struct vm vm;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	LOAD(&vm, idle);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	/* the store of the report completes first */
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_MP_STATE, &stopped), 0);
	EXPECT(pthread_create(&thread, NULL, interrupt, &self), 0);
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
	EXPECT(pthread_join(thread, NULL), 0);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_SET_MP_STATE, &runnable), 0);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	return 0;
}
