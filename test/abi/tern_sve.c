// SPDX-License-Identifier: GPL-2.0
/* Registers of SVE by TERN_GET_REGS, TERN_SET_REGS, and in images of state: all or none. */
#include "../../uapi/tern.h"
#include "lib.h"

#define SVE_FEATURE	(1u << KVM_ARM_VCPU_SVE)
#define ROOM		(1u << 20)
#define X0		(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE)
#define PSTATE		(X0 | 66)
#define Z(n)		KVM_REG_ARM64_SVE_ZREG(n, 0)
#define P(n)		KVM_REG_ARM64_SVE_PREG(n, 0)
#define FFR		KVM_REG_ARM64_SVE_FFR(0)
#define VLS		KVM_REG_ARM64_SVE_VLS

static int vm, vcpu[2];
static struct {
	struct tern_regs h;
	struct kvm_one_reg reg[8];
} many;
static unsigned char value[8][256], image[ROOM];

static int one(int fd, unsigned long request, uint64_t id, void *at)
{
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)at };

	return vm_ioctl(fd, request, &reg);
}

static int call(unsigned long request, unsigned int n)
{
	many.h.n = n;
	return ioctl(vcpu[0], request, &many) ? -errno : 0;
}

static void aim(unsigned int i, uint64_t id)
{
	many.reg[i] = (struct kvm_one_reg){ id, (uintptr_t)value[i] };
}

static void fill(unsigned int i, unsigned int seed)
{
	unsigned int k;

	for (k = 0; k < sizeof(value[i]); k++)
		value[i][k] = seed + 3 * k;
}

static void expect_z(int fd, uint64_t id, unsigned int seed)
{
	unsigned char now[256];
	unsigned int k;

	EXPECT(one(fd, KVM_GET_ONE_REG, id, now), 0);
	for (k = 0; k < 16; k++)
		EXPECT(now[k], (unsigned char)(seed + 3 * k));
}

static void many_registers(void)
{
	uint64_t bad = ~0ull;

	aim(0, Z(0));
	aim(1, Z(31));
	aim(2, P(3));
	fill(0, 1);
	fill(1, 2);
	fill(2, 3);
	EXPECT(call(TERN_SET_REGS, 3), 0);
	memset(value, 0, sizeof(value));
	EXPECT(call(TERN_GET_REGS, 3), 0);
	expect_z(vcpu[0], Z(0), 1);
	expect_z(vcpu[0], Z(31), 2);
	EXPECT(value[2][1], 6);

	/* refused after they were taken in: nothing changes */
	fill(0, 77);
	fill(1, 78);
	memcpy(value[2], &bad, sizeof(bad));
	aim(2, PSTATE);
	EXPECT(call(TERN_SET_REGS, 3), -EINVAL);
	EXPECT(many.h.failed, 2);
	expect_z(vcpu[0], Z(0), 1);
	expect_z(vcpu[0], Z(31), 2);

	/* lengths are fixed by now, and a buffer that is not there is at fault */
	aim(1, VLS);
	EXPECT(call(TERN_SET_REGS, 2), -EPERM);
	EXPECT(many.h.failed, 1);
	many.reg[1] = (struct kvm_one_reg){ Z(1), (uintptr_t)bad_pointer() };
	EXPECT(call(TERN_SET_REGS, 2), -EFAULT);
	EXPECT(many.h.failed, 1);
	EXPECT(call(TERN_GET_REGS, 2), -EFAULT);
	expect_z(vcpu[0], Z(0), 1);
}

static int state(unsigned long request, struct tern_state *s)
{
	return ioctl(vm, request, s) ? -errno : 0;
}

static void images(void)
{
	struct tern_state s = {
		.what = TERN_STATE_VCPUS, .size = ROOM, .addr = (uintptr_t)image,
	};

	fill(0, 9);
	EXPECT(one(vcpu[1], KVM_SET_ONE_REG, Z(7), value[0]), 0);
	fill(0, 10);
	EXPECT(one(vcpu[0], KVM_SET_ONE_REG, Z(7), value[0]), 0);
	EXPECT(state(TERN_GET_STATE, &s), 0);
	memset(value, 0, sizeof(value));
	EXPECT(one(vcpu[0], KVM_SET_ONE_REG, Z(7), value[0]), 0);
	EXPECT(one(vcpu[1], KVM_SET_ONE_REG, Z(7), value[0]), 0);
	s.what = 0;
	EXPECT(state(TERN_SET_STATE, &s), 0);
	expect_z(vcpu[0], Z(7), 10);
	expect_z(vcpu[1], Z(7), 9);
}

static int finalize(int fd, uint64_t lengths)
{
	uint64_t vls[KVM_ARM64_SVE_VLS_WORDS] = { 0 };
	int feature = KVM_ARM_VCPU_SVE;

	EXPECT(one(fd, KVM_GET_ONE_REG, VLS, vls), 0);
	vls[0] &= lengths;
	EXPECT(one(fd, KVM_SET_ONE_REG, VLS, vls), 0);
	return vm_ioctl(fd, KVM_ARM_VCPU_FINALIZE, &feature);
}

/* The image is of longer vectors than this VM's vCPUs have. */
static void other_lengths(int kvm)
{
	struct tern_state s = {
		.what = TERN_STATE_VCPUS, .size = ROOM, .addr = (uintptr_t)image,
	};
	unsigned int i;

	EXPECT(state(TERN_GET_STATE, &s), 0);
	vm = new_vm(kvm);
	for (i = 0; i < 2; i++) {
		vcpu[i] = new_vcpu(vm, i);
		EXPECT(init_vcpu(vm, vcpu[i], SVE_FEATURE), 0);
		s.what = 0;
		EXPECT(state(TERN_SET_STATE, &s), i ? -EPERM : -ENOENT);
	}
	EXPECT(finalize(vcpu[0], 1), 0);
	EXPECT(finalize(vcpu[1], 1), 0);
	EXPECT(state(TERN_SET_STATE, &s), -EINVAL);
	EXPECT(s.failed_id, VLS);
}

int main(void)
{
	int kvm = open_device();
	unsigned int i;

	if (ask(kvm, KVM_CHECK_EXTENSION, TERN_CAP_MANY) <= 0)
		skip("not tern");
	if (ask(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_SVE) != 1)
		skip("the host has no SVE");
	vm = new_vm(kvm);
	for (i = 0; i < 2; i++) {
		vcpu[i] = new_vcpu(vm, i);
		EXPECT(init_vcpu(vm, vcpu[i], SVE_FEATURE), 0);
		aim(0, Z(0));
		if (!i)
			EXPECT(call(TERN_SET_REGS, 1), -EPERM);
		EXPECT(finalize(vcpu[i], ~0ull), 0);
	}
	many_registers();
	images();
	other_lengths(kvm);
	return 0;
}
