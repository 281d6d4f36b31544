// SPDX-License-Identifier: GPL-2.0
/* TERN_GET_REGS and TERN_SET_REGS: as one at a time, but all or none, and the element at fault is named. */
#include "../../uapi/tern.h"
#include "lib.h"

#define MAX 512

static struct vm vm;
static int vcpu;
static struct {
	uint64_t n;
	uint64_t id[MAX];
} list;
static struct {
	struct tern_regs h;
	struct kvm_one_reg reg[MAX];
} many;
static uint64_t value[MAX][4], again[MAX][4];

static int call(unsigned long request, unsigned int n)
{
	many.h.n = n;
	many.h.flags = 0;
	many.h.error = 77;
	many.h.failed = 77;
	return ioctl(vcpu, request, &many) ? -errno : 0;
}

static void aim(uint64_t (*at)[4])
{
	unsigned int i;

	for (i = 0; i < list.n; i++) {
		many.reg[i].id = list.id[i];
		many.reg[i].addr = (uintptr_t)at[i];
	}
}

static void check_failed(int err, unsigned int index)
{
	EXPECT(many.h.error, err);
	EXPECT(many.h.failed, index);
}

static uint64_t one(uint64_t id)
{
	uint64_t v = 0;

	GOOD(vcpu_get(&vm.vcpu[0], id, &v));
	return v;
}

#define X(n)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | (2 * (n)))
#define PSTATE	X(33)

/* x1 and x2 before and behind a register that is refused */
static void all_or_none(uint64_t id, uint64_t *bad, int err)
{
	uint64_t x1 = one(X(1)), x2 = one(X(2)), mine = ~x1;

	many.reg[0] = (struct kvm_one_reg){ X(1), (uintptr_t)&mine };
	many.reg[1] = (struct kvm_one_reg){ id, (uintptr_t)bad };
	many.reg[2] = (struct kvm_one_reg){ X(2), (uintptr_t)&mine };
	EXPECT(call(TERN_SET_REGS, 3), err);
	check_failed(err, 1);
	CHECK(one(X(1)) == x1);
	CHECK(one(X(2)) == x2);
}

static void bad_headers(void)
{
	EXPECT(call(TERN_GET_REGS, 0), 0);
	check_failed(0, TERN_NO_INDEX);
	EXPECT(call(TERN_SET_REGS, TERN_MAX_REGS + 1), -E2BIG);
	EXPECT(call(TERN_GET_REGS, ~0u), -E2BIG);
	check_failed(-E2BIG, TERN_NO_INDEX);
	many.h.n = 1;
	many.h.flags = 1;
	EXPECT(ioctl(vcpu, TERN_SET_REGS, &many) ? -errno : 0, -EINVAL);
	EXPECT(ioctl(vcpu, TERN_SET_REGS, bad_pointer()) ? -errno : 0, -EFAULT);
}

static void round_trip(void)
{
	unsigned int i;

	list.n = MAX;
	GOOD(ioctl(vcpu, KVM_GET_REG_LIST, &list));
	aim(value);
	EXPECT(call(TERN_GET_REGS, list.n), 0);
	check_failed(0, TERN_NO_INDEX);
	for (i = 0; i < list.n; i++) {
		memset(again[i], 0, sizeof(again[i]));
		GOOD(vcpu_get(&vm.vcpu[0], list.id[i], again[i]));
		if (list.id[i] == KVM_REG_ARM_TIMER_CNT || list.id[i] == KVM_REG_ARM_TIMER_CTL)
			continue;
		CHECK(!memcmp(value[i], again[i], sizeof(value[i])));
	}
	EXPECT(call(TERN_SET_REGS, list.n), 0);
	aim(again);
	EXPECT(call(TERN_GET_REGS, list.n), 0);
}

int main(void)
{
	uint64_t bad = ~0ull, cnt = 0;
	void *read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	make_machine(&vm, 1);
	vcpu = vm.vcpu[0].fd;
	if (!vm_capability(&vm, TERN_CAP_MANY))
		skip("not tern");
	EXPECT(vm_capability(&vm, TERN_CAP_MANY), TERN_MAX_REGS);
	bad_headers();
	round_trip();
	all_or_none(PSTATE, &bad, -EINVAL);
	all_or_none(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | 0xffff, &bad, -ENOENT);
	all_or_none(X(3), bad_pointer(), -EFAULT);
	/* the VM's registers are undone, too */
	many.reg[0] = (struct kvm_one_reg){ KVM_REG_ARM_STD_BMAP, (uintptr_t)&cnt };
	many.reg[1] = (struct kvm_one_reg){ PSTATE, (uintptr_t)&bad };
	EXPECT(call(TERN_SET_REGS, 2), -EINVAL);
	CHECK(one(KVM_REG_ARM_STD_BMAP) == 1);
	many.reg[0] = (struct kvm_one_reg){ X(1), (uintptr_t)read_only };
	EXPECT(call(TERN_GET_REGS, 1), -EFAULT);
	check_failed(-EFAULT, 0);
	EXPECT(call(TERN_SET_REGS, 1), 0);
	CHECK(one(X(1)) == 0);
	return 0;
}
