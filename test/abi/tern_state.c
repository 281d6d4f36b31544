// SPDX-License-Identifier: GPL-2.0
/* TERN_GET_STATE and TERN_SET_STATE: an image goes into another VM and comes back the same; damaged ones change nothing. */
#include "../../uapi/tern.h"
#include "lib.h"

#define SIZE	(256 * 1024)
#define CPUS	3

static struct vm from, to;
static struct tern_state s;
static uint8_t image[SIZE], before[SIZE], after[SIZE], bad[SIZE] __attribute__((aligned(8)));

static int get(struct vm *vm, uint32_t what, void *at, uint64_t size)
{
	memset(&s, 0, sizeof(s));
	s.what = what;
	s.addr = (uintptr_t)at;
	s.size = size;
	return ioctl(vm->fd, TERN_GET_STATE, &s) ? -errno : 0;
}

static int set(struct vm *vm, const void *at, uint64_t size)
{
	memset(&s, 0, sizeof(s));
	s.addr = (uintptr_t)at;
	s.size = size;
	return ioctl(vm->fd, TERN_SET_STATE, &s) ? -errno : 0;
}

/* The virtual counter and what depends on it move on. */
static bool same(const uint8_t *a, const uint8_t *b, uint64_t size)
{
	uint64_t i, differ = 0;

	for (i = 0; i < size; i += 8)
		differ += memcmp(a + i, b + i, 8) != 0;
	return differ <= 3 * CPUS;	/* sum, CNT and CTL's ISTATUS of each vCPU */
}

static void unchanged(uint64_t size)
{
	EXPECT(get(&to, TERN_STATE_VM, after, SIZE), 0);
	CHECK(s.size == size && same(before, after, size));
}

static void mutations(uint64_t size)
{
	uint64_t at;

	for (at = 0; at < size; at += at < 2048 ? 13 : 1009) {
		memcpy(bad, image, size);
		bad[at] ^= 1 << at % 8;
		CHECK(set(&to, bad, size) < 0);
	}
	for (at = 0; at < size; at += 1013)
		CHECK(set(&to, image, at) == -EBADMSG);
	EXPECT(set(&to, image, size + 8), -EBADMSG);
	EXPECT(set(&to, image, ~0ull), -E2BIG);
	EXPECT(set(&to, bad_pointer(), size), -EFAULT);
	unchanged(size);
}

static void fill(struct vm *vm)
{
	uint32_t word = 0xf0;
	unsigned int i;
	uint64_t pmr = 0x50;

	for (i = 0; i < CPUS; i++) {
		GOOD(vcpu_set_x(&vm->vcpu[i], 5, 0x1234 + i));
		GOOD(vcpu_set_pc(&vm->vcpu[i], 0x40000000 + i));
	}
	EXPECT(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0x104, &word), 0);
	EXPECT(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0x304, &word), 0);
	EXPECT(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS, 2ull << 32 | 0xc230, &pmr), 0);
}

int main(void)
{
	uint64_t size, pc;

	make_machine(&from, CPUS);
	if (!vm_capability(&from, TERN_CAP_STATE))
		skip("not tern");
	make_machine(&to, CPUS);
	EXPECT(get(&from, TERN_STATE_VM, NULL, 0), -E2BIG);
	size = s.size;
	CHECK(size > 1000 && size < SIZE);
	EXPECT(get(&from, 0, image, SIZE), -EINVAL);
	EXPECT(get(&from, 1 << 5, image, SIZE), -EINVAL);
	fill(&from);
	EXPECT(get(&from, TERN_STATE_VM, image, SIZE), 0);
	CHECK(s.size == size);
	EXPECT(get(&to, TERN_STATE_VM, before, SIZE), 0);
	mutations(size);

	EXPECT(set(&to, image, size), 0);
	EXPECT(get(&to, TERN_STATE_VM, after, SIZE), 0);
	CHECK(same(image, after, size));
	GOOD(vcpu_get_pc(&to.vcpu[2], &pc));
	CHECK(pc == 0x40000002);
	/* one vCPU's, and a range that is empty */
	EXPECT(get(&from, TERN_STATE_VCPUS, image, SIZE), 0);
	s.first = CPUS;
	s.what = TERN_STATE_VCPUS;
	EXPECT(ioctl(from.fd, TERN_GET_STATE, &s) ? -errno : 0, -EINVAL);
	return 0;
}
