// SPDX-License-Identifier: GPL-2.0
#include "scribble.h"

#define IRQS	96

/* FPCR: all of it is the guest's */
#define FPCR_RMODE	(3u << 22)

/* CNTV_CTL_EL0 */
#define CTL_ENABLE	1
#define CTL_IMASK	2

static uint64_t random_state;

/* Knuth's MMIX generator: the upper half is good enough. */
static uint64_t next(void)
{
	random_state = random_state * 6364136223846793005ull +
		1442695040888963407ull;
	return random_state >> 32 | random_state << 32;
}

static const uint64_t takes_any[] = {
	ARM64_SYS_REG(3, 0, 2, 0, 0),	/* TTBR0_EL1 */
	ARM64_SYS_REG(3, 0, 2, 0, 1),
	ARM64_SYS_REG(3, 0, 5, 2, 0),	/* ESR_EL1 */
	ARM64_SYS_REG(3, 0, 6, 0, 0),	/* FAR_EL1 */
	ARM64_SYS_REG(3, 0, 10, 2, 0),	/* MAIR_EL1 */
	ARM64_SYS_REG(3, 0, 12, 0, 0),	/* VBAR_EL1 */
	ARM64_SYS_REG(3, 0, 13, 0, 1),	/* CONTEXTIDR_EL1 */
	ARM64_SYS_REG(3, 0, 13, 0, 4),	/* TPIDR_EL1 */
	ARM64_SYS_REG(3, 3, 13, 0, 2),	/* TPIDR_EL0 */
	ARM64_SYS_REG(3, 3, 13, 0, 3),	/* TPIDRRO_EL0 */
	ARM64_SYS_REG(2, 0, 0, 0, 4),	/* DBGBVR0_EL1 */
	KVM_REG_ARM_TIMER_CVAL,
};

static void scribble_vcpu(const struct vcpu *vcpu)
{
	uint64_t v[2];
	unsigned int i;

	for (i = 0; i < 31; i++)
		GOOD(vcpu_set_x(vcpu, i, next()));
	GOOD(vcpu_set_pc(vcpu, next() & ~3ull));
	for (i = 0; i < sizeof(takes_any) / sizeof(takes_any[0]); i++) {
		v[0] = next();
		GOOD(vcpu_set(vcpu, takes_any[i], v));
	}
	v[0] = next() & FPCR_RMODE;
	GOOD(vcpu_set(vcpu, KVM_REG_ARM64 | KVM_REG_SIZE_U32 | KVM_REG_ARM_CORE |
		KVM_REG_ARM_CORE_REG(fp_regs.fpcr), v));
	/* Masked, so that no line rises and changes the GIC's state */
	v[0] = CTL_IMASK | (next() & CTL_ENABLE);
	GOOD(vcpu_set(vcpu, KVM_REG_ARM_TIMER_CTL, v));
	for (i = 0; i < 32; i++) {
		v[0] = next();
		v[1] = next();
		GOOD(vcpu_set(vcpu, (KVM_REG_ARM64 | KVM_REG_SIZE_U128 |
			KVM_REG_ARM_CORE |
			KVM_REG_ARM_CORE_REG(fp_regs.vregs[0])) + 4 * i, v));
	}
}

static void gic_word(const struct vm *vm, uint32_t group, uint64_t attr,
		     uint32_t mask)
{
	uint32_t word = next() & mask;

	GOOD(set_attr(vm->gic, group, attr, &word));
}

static uint64_t affinity(const struct vcpu *vcpu)
{
	uint64_t mpidr;

	GOOD(vcpu_get(vcpu, ARM64_SYS_REG(3, 0, 0, 0, 5), &mpidr));
	return (mpidr & 0xffffff) << 32;
}

/* Enables, pending, active, priorities, configuration, at frame's offset */
static void scribble_interrupts(const struct vm *vm, uint32_t group,
				uint64_t frame, unsigned int first,
				unsigned int end)
{
	unsigned int i;

	for (i = first; i < end; i += 32) {
		gic_word(vm, group, frame + 0x100 + i / 8, ~0u);
		gic_word(vm, group, frame + 0x200 + i / 8, ~0u);
		gic_word(vm, group, frame + 0x300 + i / 8, ~0u);
	}
	for (i = first; i < end; i += 4)
		gic_word(vm, group, frame + 0x400 + i, 0xf8f8f8f8);
	for (i = first < 16 ? 16 : first; i < end; i += 16)
		gic_word(vm, group, frame + 0xc00 + i / 4, 0xaaaaaaaa);
}

static void scribble_gic(const struct vm *vm)
{
	uint64_t route, aff, pmr;
	unsigned int i;

	for (i = 0; i < vm->nr_vcpus; i++) {
		aff = affinity(&vm->vcpu[i]);
		scribble_interrupts(vm, KVM_DEV_ARM_VGIC_GRP_REDIST_REGS,
				    aff | 0x10000, 0, 32);
		pmr = next() & 0xf8;
		GOOD(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_CPU_SYSREGS,
			      aff | 0xc230, &pmr));
	}
	scribble_interrupts(vm, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, 0, 32, IRQS);
	for (i = 32; i < IRQS; i++) {
		route = affinity(&vm->vcpu[next() % vm->nr_vcpus]) >> 32;
		GOOD(set_attr(vm->gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS,
			      0x6000 + 8 * i, &route));
	}
	for (i = 32; i < IRQS; i += 32)
		gic_word(vm, KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO, i, ~0u);
}

void scribble(struct vm *vm, unsigned int seed)
{
	struct kvm_mp_state stopped = { .mp_state = KVM_MP_STATE_STOPPED };
	unsigned int i;

	random_state = seed;
	for (i = 0; i < vm->nr_vcpus; i++)
		scribble_vcpu(&vm->vcpu[i]);
	if (vm->nr_vcpus > 1)
		GOOD(vm_ioctl(vm->vcpu[1].fd, KVM_SET_MP_STATE, &stopped));
	scribble_gic(vm);
}

struct tern_vm *handle_of(const struct vm *vm)
{
	struct tern_vm *handle;
	unsigned int i;

	GOOD(tern_vm_new(&handle, vm->fd));
	for (i = 0; i < vm->nr_vcpus; i++)
		GOOD(tern_vm_add_vcpu(handle, vm->vcpu[i].id, vm->vcpu[i].fd));
	GOOD(tern_vm_set_gic(handle, vm->gic));
	return handle;
}

void save(const struct tern_vm *handle, struct image *image)
{
	image->size = GOOD(tern_save_vm(handle, NULL, 0));
	image->data = malloc(image->size);
	CHECK(image->data);
	EXPECT(tern_save_vm(handle, image->data, image->size), image->size);
	EXPECT(tern_image_check(image->data, image->size), 0);
}

static bool is_gic(uint64_t id)
{
	return !(id & KVM_REG_ARCH_MASK);
}

static bool look_up(const struct image *image, const struct tern_value *want,
		    struct tern_value *found)
{
	memset(found, 0, sizeof(*found));
	while (GOOD(tern_image_next(image->data, image->size, found)))
		if (found->vcpu == want->vcpu && found->id == want->id)
			return true;
	return false;
}

/*
 * GICR_PROPBASER that was never written is 0, but a 0 that is written gets a
 * cacheability that KVM implements.
 */
static bool may_differ(const struct tern_value *x)
{
	const uint64_t propbaser =
		(uint64_t)KVM_DEV_ARM_VGIC_GRP_REDIST_REGS << 32 | 0x70;

	return x->id == KVM_REG_ARM_TIMER_CNT ||
	       (x->id == propbaser && !*(const uint64_t *)x->value);
}

void expect_same(const struct image *a, const struct image *b)
{
	struct tern_value x = { 0 }, y = { 0 };
	unsigned int n = 0;

	while (GOOD(tern_image_next(a->data, a->size, &x))) {
		/* Mostly both are in one order. */
		if (tern_image_next(b->data, b->size, &y) != 1 ||
		    y.vcpu != x.vcpu || y.id != x.id) {
			if (!look_up(b, &x, &y)) {
				CHECK(is_gic(x.id));
				CHECK(!*(const uint64_t *)x.value);
				continue;
			}
		}
		n++;
		if (may_differ(&x))
			continue;
		if (x.size == y.size && !memcmp(x.value, y.value, x.size))
			continue;
		fprintf(stderr, "vcpu %u id %llx: %llx became %llx\n", x.vcpu,
			(unsigned long long)x.id,
			*(unsigned long long *)x.value,
			*(unsigned long long *)y.value);
		exit(1);
	}
	CHECK(n > 400);
}
