// SPDX-License-Identifier: GPL-2.0
#include "../guest.h"

GUEST_TEST_WITH("MMIO without a syndrome fails KVM_RUN with ENOSYS where NISV is not enabled",
		.vcpus = 1, .ends = GUEST_ENDS_ENOSYS);

void guest_main(void)
{
	asm volatile("ldp x9, x10, [%0]" : : "r"((uint64_t)GUEST_HOLE)
		     : "x9", "x10", "memory");
	guest_fail("LDP from nowhere came back", __LINE__, 1, 0);
}
