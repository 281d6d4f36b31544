// SPDX-License-Identifier: GPL-2.0
/* While a vCPU runs, the GIC's registers are not for userspace: EBUSY. */
#include <pthread.h>
#include <signal.h>

#include "lib.h"

GUEST(spin, REPORT "b .");

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

int main(void)
{
	struct sigaction action = { .sa_handler = ignore };
	pthread_t thread;
	uint32_t value;
	int ret = 0, tries;

	sigaction(SIGUSR1, &action, NULL);
	make_machine(&vm, 1);
	LOAD(&vm, spin);
	next_report(&vm.vcpu[0]);
	EXPECT(pthread_create(&thread, NULL, run, NULL), 0);
	for (tries = 0; tries < 5000 && !ret; tries++) {
		usleep(1000);
		ret = get_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0,
			       &value);
	}
	EXPECT(ret, -EBUSY);
	EXPECT(set_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0, &value),
	       -EBUSY);
	pthread_kill(thread, SIGUSR1);
	EXPECT(pthread_join(thread, NULL), 0);
	EXPECT(get_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0, &value), 0);
	return 0;
}
