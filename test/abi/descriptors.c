// SPDX-License-Identifier: GPL-2.0
/* Every descriptor the ABI gives is closed on exec. */
#include <fcntl.h>

#include "lib.h"

static void closed_on_exec(int fd)
{
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

int main(void)
{
	int kvm = open_device();
	int vm = new_vm(kvm);

	closed_on_exec(vm);
	closed_on_exec(new_vcpu(vm, 0));
	closed_on_exec(new_gic(vm));
	return 0;
}
