// SPDX-License-Identifier: GPL-2.0
/* A VM belongs to the process that made it: EIO to any other. */
#include <sys/wait.h>

#include "lib.h"

GUEST(idle, "1: " REPORT "b 1b");

static void child(const struct vm *vm)
{
	uint64_t value = 0;

	EXPECT(ask(vm->fd, KVM_CHECK_EXTENSION, KVM_CAP_IRQCHIP), -EIO);
	EXPECT(ask(vm->fd, KVM_CREATE_VCPU, 5), -EIO);
	EXPECT(set_slot(vm->fd, 9, 0, 0x90000000, PAGE, pages(PAGE)), -EIO);
	EXPECT(ask(vm->vcpu[0].fd, KVM_RUN, 0), -EIO);
	EXPECT(vcpu_get(&vm->vcpu[0], KVM_REG_ARM_PSCI_VERSION, &value), -EIO);
	EXPECT(has_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_NR_IRQS, 0), -EIO);
	/* the device itself belongs to nobody */
	EXPECT(ask(vm->kvm, KVM_GET_API_VERSION, 0), 12);
	close(new_vm(vm->kvm));
}

int main(void)
{
	int status = 0;
	struct vm vm;
	pid_t pid;

	make_machine(&vm, 1);
	LOAD(&vm, idle);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		child(&vm);
		_exit(0);
	}
	EXPECT(waitpid(pid, &status, 0), pid);
	EXPECT(status, 0);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	return 0;
}
