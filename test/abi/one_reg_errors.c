// SPDX-License-Identifier: GPL-2.0
/* KVM_GET_ONE_REG and KVM_SET_ONE_REG refuse ids that name no register. */
#include "lib.h"

#define CORE(field)							\
	(KVM_REG_ARM64 | KVM_REG_ARM_CORE | KVM_REG_ARM_CORE_REG(field))

static int vcpu;

static void both(uint64_t id, int want)
{
	uint64_t value[4] = { 0 };
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)value };
	int got = vm_ioctl(vcpu, KVM_GET_ONE_REG, &reg);

	if (got != want)
		printf("reading %#llx\n", (unsigned long long)id);
	EXPECT(got, want);
	got = vm_ioctl(vcpu, KVM_SET_ONE_REG, &reg);
	if (got != want)
		printf("writing %#llx\n", (unsigned long long)id);
	EXPECT(got, want);
}

int main(void)
{
	uint64_t u32 = KVM_REG_SIZE_U32, u64 = KVM_REG_SIZE_U64;
	int kvm = open_device();
	int vm = new_vm(kvm);

	vcpu = new_vcpu(vm, 0);
	EXPECT(init_vcpu(vm, vcpu, 0), 0);

	/* not an arm64 register */
	both(0, -EINVAL);
	both(KVM_REG_X86 | u64, -EINVAL);
	both(KVM_REG_ARM | u64 | KVM_REG_ARM_CORE, -EINVAL);
	both(KVM_REG_ARM64 | u64 | KVM_REG_ARM_CORE | 1ULL << 40, -EINVAL);

	/* core registers: wrong size, between two, past the end */
	both(CORE(regs.regs[0]) | u32, -EINVAL);
	both(CORE(regs.regs[0]) | KVM_REG_SIZE_U128, -EINVAL);
	both((CORE(regs.regs[0]) | u64) + 1, -EINVAL);
	both(CORE(fp_regs.vregs[0]) | u64, -EINVAL);
	both(CORE(fp_regs.fpsr) | u64, -EINVAL);
	both(KVM_REG_ARM64 | u64 | KVM_REG_ARM_CORE | 0xffff, -ENOENT);

	/* system registers: none there, and the wrong size */
	both(ARM64_SYS_REG(3, 7, 15, 15, 7), -ENOENT);
	both((ARM64_SYS_REG(3, 0, 1, 0, 0) & ~KVM_REG_SIZE_MASK) | u32,
	     -ENOENT);

	/* cache size registers: a cache that does not exist */
	both(KVM_REG_ARM64 | u32 | KVM_REG_ARM_DEMUX | 0xff, -ENOENT);
	both(KVM_REG_ARM64 | u64 | KVM_REG_ARM_DEMUX, -ENOENT);
	both(KVM_REG_ARM64 | u32 | KVM_REG_ARM_DEMUX | 0x100, -ENOENT);

	/* firmware and SVE */
	both(KVM_REG_ARM_FW_REG(0xffff), -ENOENT);
	both(KVM_REG_ARM_FW_FEAT_BMAP_REG(0xffff), -ENOENT);
	both(KVM_REG_ARM64_SVE_VLS, -ENOENT);
	return 0;
}
