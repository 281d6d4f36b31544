// SPDX-License-Identifier: GPL-2.0
/* KVM_CREATE_VM's argument is the IPA size: 0 (40 bits) or 32 to the limit. */
#include "lib.h"

static void accepts(int kvm, unsigned long type)
{
	close(GOOD(ask(kvm, KVM_CREATE_VM, type)));
}

int main(void)
{
	int kvm = open_device();
	unsigned int limit = ipa_limit(kvm), bits;

	CHECK(limit >= 32 && limit <= 52);
	EXPECT(ask(kvm, KVM_CREATE_VM, limit + 1), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 31), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 1), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 0xff), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 0x100), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 0x100 | 32), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, -1UL), -EINVAL);
	EXPECT(ask(kvm, KVM_CREATE_VM, 1UL << 32), -EINVAL);
	for (bits = 32; bits <= limit; bits++)
		accepts(kvm, bits);
	if (limit >= 40)
		accepts(kvm, 0);
	else
		EXPECT(ask(kvm, KVM_CREATE_VM, 0), -EINVAL);
	return 0;
}
