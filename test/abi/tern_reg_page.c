// SPDX-License-Identifier: GPL-2.0
/* The register page: what KVM_RUN leaves in it is what ONE_REG says, and what is marked dirty is written back. */
#include <stddef.h>

#include "../../uapi/tern.h"
#include "lib.h"

GUEST(add, "1:" REPORT "add x0, x0, #1\nb 1b");

static struct vm vm;

static int enable(uint64_t sets)
{
	struct kvm_enable_cap cap = { .cap = TERN_CAP_REG_PAGE, .args = { sets } };

	return ioctl(vm.vcpu[0].fd, KVM_ENABLE_CAP, &cap) ? -errno : 0;
}

int main(void)
{
	struct kvm_run *run;
	struct tern_reg_page *p;
	uint64_t pc;

	make_machine(&vm, 1);
	if (!vm_capability(&vm, TERN_CAP_REG_PAGE))
		skip("not tern");
	EXPECT(vm_capability(&vm, TERN_CAP_REG_PAGE), TERN_SYNC_ALL);
	run = vm.vcpu[0].run;
	p = (struct tern_reg_page *)&run->s;
	LOAD(&vm, add);
	EXPECT(next_report(&vm.vcpu[0]), 0);
	EXPECT(run->kvm_valid_regs, 0);
	EXPECT(enable(1ull << 40), -EINVAL);
	EXPECT(enable(TERN_SYNC_ALL), 0);
	EXPECT(next_report(&vm.vcpu[0]), 1);
	EXPECT(run->kvm_valid_regs, TERN_SYNC_ALL);
	CHECK(p->x[0] == 1 && p->x[9] == DOORBELL);
	CHECK(p->pending & TERN_PENDING_MMIO);
	CHECK(p->ipa == DOORBELL);
	GOOD(vcpu_get_pc(&vm.vcpu[0], &pc));
	CHECK(p->pc == pc);
	/* written after the step over the store: x0 is 40, and one is added */
	p->x[0] = 40;
	p->pc = pc + 4;
	run->kvm_dirty_regs = TERN_SYNC_CORE;
	EXPECT(next_report(&vm.vcpu[0]), 41);
	EXPECT(run->kvm_dirty_regs, 0);
	run->kvm_dirty_regs = TERN_SYNC_EXIT;
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINVAL);
	run->kvm_dirty_regs = TERN_SYNC_CORE;
	p->pstate = ~0ull;
	EXPECT(vcpu_run(&vm.vcpu[0]), -EINVAL);
	run->kvm_dirty_regs = 0;
	EXPECT(enable(0), 0);
	EXPECT(next_report(&vm.vcpu[0]), 42);
	return 0;
}
