// SPDX-License-Identifier: GPL-2.0
/* KVM_GET_API_VERSION is 12 for ever, and takes no argument. */
#include "lib.h"

int main(void)
{
	int kvm = open_device();

	EXPECT(ask(kvm, KVM_GET_API_VERSION, 0), 12);
	EXPECT(ask(kvm, KVM_GET_API_VERSION, 1), -EINVAL);
	return 0;
}
