// SPDX-License-Identifier: GPL-2.0
/*
 * A vCPU with SVE: vector lengths before KVM_ARM_VCPU_FINALIZE, registers after
 * it, and what is too early or too late (api.rst, KVM_ARM_VCPU_FINALIZE and
 * "SVE registers").
 */
#include "lib.h"

#define SVE_FEATURE	(1u << KVM_ARM_VCPU_SVE)
#define REG_V0		(KVM_REG_ARM64 | KVM_REG_SIZE_U128 | KVM_REG_ARM_CORE | \
			 KVM_REG_ARM_CORE_REG(fp_regs.vregs[0]))
#define REG_ZCR		ARM64_SYS_REG(3, 0, 1, 2, 0)
#define REG_PFR0	ARM64_SYS_REG(3, 0, 0, 4, 0)
#define VLS_WORDS	KVM_ARM64_SVE_VLS_WORDS

static int kvm, vm, vcpu;

static int reg(unsigned long request, uint64_t id, const void *at)
{
	struct kvm_one_reg one = { .id = id, .addr = (uintptr_t)at };

	return vm_ioctl(vcpu, request, &one);
}

static int get(uint64_t id, void *to)
{
	return reg(KVM_GET_ONE_REG, id, to);
}

static int set(uint64_t id, const void *from)
{
	return reg(KVM_SET_ONE_REG, id, from);
}

static int finalize(int feature)
{
	return vm_ioctl(vcpu, KVM_ARM_VCPU_FINALIZE, &feature);
}

static int list(void)
{
	static struct {
		struct kvm_reg_list list;
		uint64_t id[1024];
	} all;

	all.list.n = 1024;
	return vm_ioctl(vcpu, KVM_GET_REG_LIST, &all.list);
}

static unsigned int longest(const uint64_t *vls)
{
	return 64 - __builtin_clzll(vls[0]);
}

/* the largest vectors first, then as few as can be */
static void lengths(void)
{
	uint64_t vls[VLS_WORDS], bad[VLS_WORDS], now[VLS_WORDS];
	unsigned int i;

	EXPECT(get(KVM_REG_ARM64_SVE_VLS, vls), 0);
	CHECK(vls[0] & 1);
	for (i = 1; i < VLS_WORDS; i++)
		EXPECT(vls[i], 0);
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, vls), 0);

	memset(bad, 0, sizeof(bad));
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad), -EINVAL);
	memcpy(bad, vls, sizeof(bad));
	bad[7] = 1;
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad), -EINVAL);
	bad[7] = 0;
	bad[0] |= 1ull << longest(vls);
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad), -EINVAL);
	bad[0] = vls[0] & ~1ull;
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad), -EINVAL);
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad_pointer()), -EFAULT);
	EXPECT(get(KVM_REG_ARM64_SVE_VLS, now), 0);
	CHECK(!memcmp(now, vls, sizeof(now)));

	bad[0] = 1;
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad), 0);
	EXPECT(get(KVM_REG_ARM64_SVE_VLS, now), 0);
	EXPECT(now[0], 1);
	/* another KVM_ARM_VCPU_INIT forgets the choice */
	EXPECT(init_vcpu(vm, vcpu, SVE_FEATURE), 0);
	EXPECT(get(KVM_REG_ARM64_SVE_VLS, now), 0);
	CHECK(!memcmp(now, vls, sizeof(now)));
}

static void too_early(void)
{
	unsigned char z[256] = { 0 };
	struct kvm_run *run = map_run(kvm, vcpu);

	EXPECT(get(KVM_REG_ARM64_SVE_ZREG(0, 0), z), -EPERM);
	EXPECT(set(KVM_REG_ARM64_SVE_PREG(0, 0), z), -EPERM);
	EXPECT(set(KVM_REG_ARM64_SVE_FFR(0), bad_pointer()), -EPERM);
	EXPECT(list(), -EPERM);
	run->immediate_exit = 1;
	EXPECT(vm_ioctl(vcpu, KVM_RUN, NULL), -EPERM);
	EXPECT(finalize(KVM_ARM_VCPU_PTRAUTH_ADDRESS), -EINVAL);
}

static void too_late(void)
{
	uint64_t vls[VLS_WORDS];

	EXPECT(get(KVM_REG_ARM64_SVE_VLS, vls), 0);
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, vls), -EPERM);
	EXPECT(set(KVM_REG_ARM64_SVE_VLS, bad_pointer()), -EPERM);
	EXPECT(finalize(KVM_ARM_VCPU_SVE), -EPERM);
}

/* what is beyond the vCPU's vectors reads as zero, and is not kept */
static void one_register(uint64_t id, unsigned int size, unsigned int used)
{
	unsigned char value[256], now[256];
	unsigned int i;

	for (i = 0; i < size; i++)
		value[i] = i * 5 + id;
	EXPECT(set(id, value), 0);
	memset(now, 0x55, sizeof(now));
	EXPECT(get(id, now), 0);
	CHECK(!memcmp(now, value, used));
	for (i = used; i < size; i++)
		EXPECT(now[i], 0);
	for (; i < sizeof(now); i++)
		EXPECT(now[i], 0x55);
	EXPECT(set(id, bad_pointer()), -EFAULT);
	EXPECT(get(id, bad_pointer()), -EFAULT);
}

static void registers(unsigned int vq)
{
	unsigned int n;

	for (n = 0; n < 32; n++)
		one_register(KVM_REG_ARM64_SVE_ZREG(n, 0), 256, 16 * vq);
	for (n = 0; n < 16; n++)
		one_register(KVM_REG_ARM64_SVE_PREG(n, 0), 32, 2 * vq);
	one_register(KVM_REG_ARM64_SVE_FFR(0), 32, 2 * vq);
}

/* none of a second slice, none of the V registers, and ZCR_EL1 as any register */
static void other_names(void)
{
	unsigned char value[256];
	uint64_t zcr = 3, now = 0, pfr0 = 0;

	EXPECT(get(KVM_REG_ARM64_SVE_ZREG(0, 1), value), -ENOENT);
	EXPECT(get(KVM_REG_ARM64_SVE_PREG(15, 31), value), -ENOENT);
	EXPECT(get(KVM_REG_ARM64_SVE_ZREG(0, 0) ^ KVM_REG_SIZE_U2048 ^
		   KVM_REG_SIZE_U256, value), -EINVAL);
	EXPECT(get(REG_V0, value), -EINVAL);
	EXPECT(set(REG_V0, value), -EINVAL);
	EXPECT(set(REG_ZCR, &zcr), 0);
	EXPECT(get(REG_ZCR, &now), 0);
	EXPECT(now, 3);
	EXPECT(get(REG_PFR0, &pfr0), 0);
	EXPECT(pfr0 >> 32 & 0xf, 1);
}

/* KVM_ARM_VCPU_INIT once more resets them, and the lengths stay. */
static void reset(void)
{
	static const unsigned char zero[256];
	unsigned char now[256];
	uint64_t zcr = 1;

	EXPECT(init_vcpu(vm, vcpu, 0), -EINVAL);
	EXPECT(init_vcpu(vm, vcpu, SVE_FEATURE), 0);
	EXPECT(get(KVM_REG_ARM64_SVE_ZREG(31, 0), now), 0);
	CHECK(!memcmp(now, zero, sizeof(now)));
	EXPECT(get(KVM_REG_ARM64_SVE_FFR(0), now), 0);
	CHECK(!memcmp(now, zero, 32));
	EXPECT(get(REG_ZCR, &zcr), 0);
	EXPECT(zcr, 0);
}

/* with vectors of @vq * 128 bits, or as long as can be when it is 0 */
static void one_vcpu(unsigned int vq)
{
	uint64_t vls[VLS_WORDS];

	vm = new_vm(kvm);
	vcpu = new_vcpu(vm, 0);
	EXPECT(init_vcpu(vm, vcpu, SVE_FEATURE), 0);
	if (!vq)
		lengths();
	too_early();
	EXPECT(get(KVM_REG_ARM64_SVE_VLS, vls), 0);
	if (vq) {
		vls[0] &= ~0ull >> (64 - vq);
		EXPECT(set(KVM_REG_ARM64_SVE_VLS, vls), 0);
	}
	EXPECT(finalize(KVM_ARM_VCPU_SVE), 0);
	too_late();
	EXPECT(list(), 0);
	registers(longest(vls));
	other_names();
	reset();
}

/* a vCPU that did not ask for it */
static void without(void)
{
	unsigned char value[256] = { 0 };

	vm = new_vm(kvm);
	vcpu = new_vcpu(vm, 0);
	EXPECT(init_vcpu(vm, vcpu, 0), 0);
	EXPECT(get(KVM_REG_ARM64_SVE_VLS, value), -ENOENT);
	EXPECT(get(KVM_REG_ARM64_SVE_ZREG(0, 0), value), -ENOENT);
	EXPECT(get(REG_ZCR, value), -ENOENT);
	EXPECT(get(REG_V0, value), 0);
	EXPECT(finalize(KVM_ARM_VCPU_SVE), -EINVAL);
}

int main(void)
{
	kvm = open_device();
	without();
	if (ask(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_SVE) != 1)
		skip("the host has no SVE");
	one_vcpu(0);
	one_vcpu(1);
	one_vcpu(2);
	return 0;
}
