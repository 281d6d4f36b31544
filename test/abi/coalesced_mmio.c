// SPDX-License-Identifier: GPL-2.0
/*
 * Coalesced MMIO: writes wholly in a zone go to the ring without an exit, until
 * it is full; reads, and what is outside, exit. A spoilt ring harms nobody.
 */
#include "lib.h"

#define ZONE	0x0a000000UL
#define RING_MAX ((PAGE - sizeof(struct kvm_coalesced_mmio_ring)) / sizeof(struct kvm_coalesced_mmio))

/* x20: where to, x21: how often, x22: what; counts up */
GUEST(writes, "1: str x22, [x20]\n\tadd x22, x22, #1\n\tsubs x21, x21, #1\n\tb.ne 1b\n\tmov x0, x22\n\t" REPORT);
GUEST(bytes, "strb w22, [x20]\n\tldr w0, [x20]\n\t" REPORT);

static struct kvm_coalesced_mmio_ring *ring_of(const struct vm *vm)
{
	int page = ioctl(vm->kvm, KVM_CHECK_EXTENSION, KVM_CAP_COALESCED_MMIO);
	char *p;

	if (page <= 0)
		skip("no coalesced MMIO");
	EXPECT(vm->run_size, (size_t)(page + 1) * PAGE);
	p = mmap(NULL, vm->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, vm->vcpu[0].fd, 0);
	CHECK(p != MAP_FAILED);
	return (void *)(p + page * PAGE);
}

static int zone(const struct vm *vm, unsigned long request, uint64_t addr, uint32_t size, uint32_t pio)
{
	struct kvm_coalesced_mmio_zone z = { .addr = addr, .size = size, { .pio = pio } };

	return vm_ioctl(vm->fd, request, &z);
}

static void start(struct vm *vm, uint64_t addr, uint64_t times, uint64_t value)
{
	GOOD(vcpu_set_pc(&vm->vcpu[0], RAM_BASE));
	GOOD(vcpu_set_x(&vm->vcpu[0], 20, addr));
	GOOD(vcpu_set_x(&vm->vcpu[0], 21, times));
	GOOD(vcpu_set_x(&vm->vcpu[0], 22, value));
}

static void expect_mmio(struct vm *vm, uint64_t addr)
{
	expect_exit(&vm->vcpu[0], KVM_EXIT_MMIO);
	EXPECT(vm->vcpu[0].run->mmio.phys_addr, addr);
	finish_exit(&vm->vcpu[0]);
}

static void done(struct vm *vm, uint64_t value)
{
	EXPECT(next_report(&vm->vcpu[0]), value);
	finish_exit(&vm->vcpu[0]);
}

static void ring(struct vm *vm, struct kvm_coalesced_mmio_ring *r)
{
	uint64_t data;

	start(vm, ZONE + 8, 3, 100);
	done(vm, 103);
	EXPECT(r->first, 0);
	EXPECT(r->last, 3);
	EXPECT(r->coalesced_mmio[2].phys_addr, ZONE + 8);
	EXPECT(r->coalesced_mmio[2].len, 8);
	memcpy(&data, r->coalesced_mmio[2].data, 8);
	EXPECT(data, 102);
	/* at its end: not wholly inside; and before it */
	start(vm, ZONE + 0xff9, 1, 0);
	expect_mmio(vm, ZONE + 0xff9);
	start(vm, ZONE - 8, 1, 0);
	expect_mmio(vm, ZONE - 8);
	EXPECT(r->last, 3);
	/* full: one is always free, and built-in KVM finds it full after 85, by its arithmetic */
	r->first = 3;
	start(vm, ZONE, RING_MAX, 0);
	expect_mmio(vm, ZONE);
	CHECK(r->last == 2 || r->last == 3 + RING_MAX / 2);
	r->first = r->last = 0;
}

static void spoilt(struct vm *vm, struct kvm_coalesced_mmio_ring *r)
{
	static const uint32_t bad[] = { RING_MAX, RING_MAX + 1, 0x7fffffff, 0xffffffff };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		r->last = bad[i];
		start(vm, ZONE, 1, 0);
		expect_mmio(vm, ZONE);
		r->last = 0;
		r->first = bad[i];
		start(vm, ZONE, 1, 0);
		expect_exit(&vm->vcpu[0], KVM_EXIT_MMIO);
		finish_exit(&vm->vcpu[0]);
	}
	r->first = r->last = 0;
}

int main(void)
{
	struct kvm_coalesced_mmio_ring *r;
	struct vm vm;

	make_machine(&vm, 1);
	r = ring_of(&vm);
	CHECK(ioctl(vm.kvm, KVM_CHECK_EXTENSION, KVM_CAP_COALESCED_PIO) == 1);
	EXPECT(vm_ioctl(vm.fd, KVM_REGISTER_COALESCED_MMIO, bad_pointer()), -EFAULT);
	EXPECT(zone(&vm, KVM_REGISTER_COALESCED_MMIO, ZONE, PAGE, 2), -EINVAL);
	EXPECT(zone(&vm, KVM_UNREGISTER_COALESCED_MMIO, ZONE, PAGE, 2), -EINVAL);
	EXPECT(zone(&vm, KVM_UNREGISTER_COALESCED_MMIO, ZONE, PAGE, 0), 0);
	EXPECT(zone(&vm, KVM_REGISTER_COALESCED_MMIO, ZONE, PAGE, 1), 0);
	LOAD(&vm, writes);
	start(&vm, ZONE, 1, 0);
	expect_mmio(&vm, ZONE);		/* ports are not memory */
	EXPECT(zone(&vm, KVM_REGISTER_COALESCED_MMIO, ZONE, PAGE, 0), 0);
	ring(&vm, r);
	spoilt(&vm, r);

	LOAD(&vm, bytes);
	start(&vm, ZONE + 1, 0, 0x55);
	expect_mmio(&vm, ZONE + 1);	/* the read */
	EXPECT(r->last, 1);
	EXPECT(r->coalesced_mmio[0].len, 1);
	EXPECT(r->coalesced_mmio[0].data[0], 0x55);

	EXPECT(zone(&vm, KVM_UNREGISTER_COALESCED_MMIO, ZONE + 8, 8, 0), 0);
	LOAD(&vm, writes);
	start(&vm, ZONE, 1, 0);
	expect_mmio(&vm, ZONE);
	vm_fini(&vm);
	return 0;
}
