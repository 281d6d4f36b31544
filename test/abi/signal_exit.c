// SPDX-License-Identifier: GPL-2.0
/* A signal ends KVM_RUN of a guest that spins: EINTR, exit reason INTR. */
#include <pthread.h>
#include <signal.h>

#include "lib.h"

GUEST(spin, REPORT "b .");

static volatile int seen;

static void count(int signal)
{
	(void)signal;
	seen++;
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
	struct vm vm;
	int i;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	LOAD(&vm, spin);
	next_report(&vm.vcpu[0]);
	for (i = 1; i <= 3; i++) {
		EXPECT(pthread_create(&thread, NULL, interrupt, &self), 0);
		EXPECT(vcpu_run(&vm.vcpu[0]), -EINTR);
		EXPECT(vm.vcpu[0].run->exit_reason, KVM_EXIT_INTR);
		EXPECT(seen, i);
		EXPECT(pthread_join(thread, NULL), 0);
	}
	return 0;
}
