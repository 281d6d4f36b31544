// SPDX-License-Identifier: GPL-2.0
/*
 * Configuring the virtual GIC: addresses, regions, sizes, in any order, with
 * the errors KVM documents.
 */
#include <stdlib.h>
#include "fake.h"

#define G (&vm->g)

struct vm {
	struct vgic g;
	u32 nr;
	struct vgic_cpu c[32];
	struct hyp_vcpu hyp[32];
	struct kick kick[32];
};

static int add_cpu(struct vm *vm)
{
	u32 i = vm->nr;
	int err;

	vm->hyp[i].reg[REG_MPIDR_EL1] = 0x80000000 | (i & 15) | i >> 4 << 8;
	err = vgic_cpu_init(&vm->c[i], G, i, i + 100, &vm->kick[i], &vm->hyp[i].gic, &vm->hyp[i]);
	vm->nr += !err;
	return err;
}

static struct vm *new_vm(u32 cpus)
{
	struct vm *vm = aligned_alloc(64, sizeof(*vm));

	assert_non_null(vm);
	memset(vm, 0, sizeof(*vm));
	vgic_vm_init(G, 40);
	assert_int_equal(vgic_create(G), 0);
	while (cpus--)
		assert_int_equal(add_cpu(vm), 0);
	return vm;
}

static void free_vm(struct vm *vm)
{
	while (vm->nr)
		vgic_cpu_fini(&vm->c[--vm->nr]);
	assert_int_equal(vm->g.nr_cpus, 0);
	vgic_vm_fini(G);
	free(vm);
}

static void create_once(void **state)
{
	struct vm *vm = new_vm(0);

	assert_int_equal(vgic_create(G), -EEXIST);
	free_vm(vm);
}

static void number_of_interrupts(void **state)
{
	static const u32 bad[] = { 0, 1, 32, 63, 65, 100, 1023, 1024, 1056, ~0U };
	struct vm *vm = new_vm(1);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(vgic_set_nr_irqs(G, bad[i]), -EINVAL);
	assert_int_equal(vgic_set_nr_irqs(G, 992), 0);
	assert_int_equal(vgic_set_nr_irqs(G, 64), -EBUSY);
	assert_int_equal(vgic_init(G), 0);
	assert_true(vgic_valid_spi(G, 991));
	assert_false(vgic_valid_spi(G, 992));
	assert_int_equal(vgic_set_irq(G, NULL, 991, true), 0);
	assert_int_equal(vgic_set_irq(G, NULL, 992, true), -EINVAL);
	free_vm(vm);

	vm = new_vm(1);
	assert_int_equal(vgic_set_irq(G, NULL, 40, true), -EBUSY);
	assert_int_equal(vgic_init(G), 0);
	assert_int_equal(vgic_init(G), 0);
	assert_int_equal(vgic_set_nr_irqs(G, 64), -EBUSY);
	assert_int_equal(vm->g.nr_spis, 256 - 32);
	assert_int_equal(add_cpu(vm), -EBUSY);
	free_vm(vm);
}

static void distributor_address(void **state)
{
	struct vm *vm = new_vm(1);

	assert_int_equal(vgic_set_dist(G, 0x08001000), -EINVAL);
	assert_int_equal(vgic_set_dist(G, 1ULL << 40), -E2BIG);
	assert_int_equal(vgic_set_dist(G, ~0xffffULL), -EINVAL);
	assert_int_equal(vgic_set_dist(G, (1ULL << 40) - 0x10000), 0);
	assert_int_equal(vgic_set_dist(G, 0x08000000), -EEXIST);
	free_vm(vm);
}

static void old_redistributor_region(void **state)
{
	struct vgic_region r;
	struct vm *vm = new_vm(4);

	assert_int_equal(vgic_get_region(G, 0, &r), -ENOENT);
	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x080a1000, 0), -EINVAL);
	assert_int_equal(vgic_add_region(G, 0, (1ULL << 40) - 0x60000, 0), -E2BIG);
	assert_int_equal(vgic_add_region(G, 0, ~0xffffULL, 0), -EINVAL);
	assert_int_equal(vgic_add_region(G, 0, 0x07f90000, 0), -EINVAL);	/* over the distributor */
	assert_int_equal(vgic_add_region(G, 0, 0x080a0000, 0), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x09000000, 0), -EEXIST);
	assert_int_equal(vgic_add_region(G, 0, 0x09000000, 4), -EINVAL);
	assert_int_equal(vgic_add_region(G, 1, 0x09000000, 4), -EINVAL);
	assert_int_equal(vgic_get_region(G, 0, &r), 0);
	assert_int_equal(r.base, 0x080a0000);
	free_vm(vm);
}

static void redistributor_regions(void **state)
{
	struct vm *vm = new_vm(0);
	struct vgic_region r;

	assert_int_equal(vgic_add_region(G, 1, 0x08100000, 1), -EINVAL);
	assert_int_equal(vgic_add_region(G, 0, 0x08100000, 2), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x09000000, 2), -EINVAL);
	assert_int_equal(vgic_add_region(G, 2, 0x09000000, 2), -EINVAL);
	assert_int_equal(vgic_add_region(G, 1, 0x08120000, 2), -EINVAL);	/* overlap */
	assert_int_equal(vgic_add_region(G, 1, 0x08140000, 1), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x0a000000, 0), -EINVAL);
	assert_int_equal(vgic_add_region(G, 2, 0x09000000, 1), 0);
	assert_int_equal(vgic_add_region(G, 3, (1ULL << 40) - 0x20000, 2), -E2BIG);
	shim_alloc_left = 0;
	assert_int_equal(vgic_add_region(G, 3, 0x0a000000, 1), -ENOMEM);
	shim_alloc_left = -1;
	assert_int_equal(vgic_get_region(G, 2, &r), 0);
	assert_int_equal(r.count, 1);
	assert_int_equal(vgic_get_region(G, 3, &r), -ENOENT);
	free_vm(vm);
}

/* A region over the distributor is found out when it gets its first vCPU, whichever comes last. */
static void overlap_with_distributor(void **state)
{
	struct vm *vm = new_vm(0);

	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x08000000, 2), 0);
	assert_int_equal(add_cpu(vm), -EINVAL);
	free_vm(vm);

	vm = new_vm(1);
	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x08000000, 2), -EINVAL);
	assert_int_equal(vm->g.nr_regions, 0);
	assert_int_equal(vgic_add_region(G, 0, 0x08100000, 2), 0);
	free_vm(vm);

	vm = new_vm(1);
	assert_int_equal(vgic_add_region(G, 0, 0x08000000, 2), 0);
	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_init(G), 0);
	assert_int_equal(vgic_map_resources(G), -EINVAL);
	free_vm(vm);
}

static void first_run(void **state)
{
	struct vm *vm = new_vm(3);

	assert_int_equal(vgic_map_resources(G), -ENXIO);
	assert_int_equal(vgic_add_region(G, 0, 0x08100000, 2), 0);
	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_map_resources(G), -ENXIO);	/* the third vCPU has no place */
	assert_int_equal(vgic_add_region(G, 1, 0x09000000, 2), 0);
	assert_int_equal(vgic_map_resources(G), -EBUSY);
	assert_int_equal(vgic_init(G), 0);
	assert_int_equal(vgic_map_resources(G), 0);
	assert_int_equal(vgic_map_resources(G), 0);
	assert_int_equal(vgic_add_region(G, 2, 0x0a000000, 2), -EBUSY);
	free_vm(vm);
}

static u64 typer(struct vm *vm, u32 cpu)
{
	u32 lo, hi;

	assert_int_equal(vgic_redist_uaccess(&vm->c[cpu], R_TYPER, false, &lo), 0);
	assert_int_equal(vgic_redist_uaccess(&vm->c[cpu], R_TYPER + 4, false, &hi), 0);
	return lo | (u64)hi << 32;
}

static void check_typer(struct vm *vm, u32 cpu, bool last)
{
	u64 val = (u64)((cpu & 15) | cpu >> 4 << 8) << 32 | (cpu + 100) << 8 | (last ? R_TYPER_LAST : 0);

	assert_int_equal(typer(vm, cpu), val);
}

static void who_is_last(void **state)
{
	struct vm *vm = new_vm(5);

	check_typer(vm, 0, false);	/* nowhere */
	assert_int_equal(vgic_add_region(G, 0, 0x08100000, 2), 0);
	check_typer(vm, 0, false);
	check_typer(vm, 1, true);
	check_typer(vm, 2, false);
	assert_int_equal(vgic_add_region(G, 1, 0x08140000, 1), 0);	/* right behind */
	check_typer(vm, 1, false);
	check_typer(vm, 2, true);
	assert_int_equal(vgic_add_region(G, 2, 0x09000000, 5), 0);
	check_typer(vm, 2, true);
	check_typer(vm, 3, false);
	check_typer(vm, 4, true);	/* three places stay empty */
	free_vm(vm);

	vm = new_vm(20);
	assert_int_equal(vgic_add_region(G, 0, 0x08100000, 0), 0);
	check_typer(vm, 18, false);
	check_typer(vm, 19, true);
	free_vm(vm);
}

static int probe(struct vm *vm, u64 ipa)
{
	u64 val;

	return vgic_mmio(&vm->c[0], to_ipa(ipa), 4, false, &val);
}

static u64 mpidr_at(struct vm *vm, u64 ipa)
{
	u64 val;

	assert_int_equal(vgic_mmio(&vm->c[0], to_ipa(ipa + R_TYPER), 8, false, &val), 0);
	return val >> 32;
}

static void where_things_are(void **state)
{
	struct vm *vm = new_vm(4);

	assert_int_equal(vgic_set_dist(G, 0x08000000), 0);
	assert_int_equal(vgic_add_region(G, 0, 0x09000000, 3), 0);
	assert_int_equal(vgic_add_region(G, 1, 0x08100000, 4), 0);
	assert_int_equal(vgic_init(G), 0);
	assert_int_equal(probe(vm, 0x08000000), -ENXIO);	/* not before the first run */
	assert_int_equal(vgic_map_resources(G), 0);

	assert_int_equal(probe(vm, 0x07fffffc), -ENXIO);
	assert_int_equal(probe(vm, 0x08000000), 0);
	assert_int_equal(probe(vm, 0x0800fffc), 0);
	assert_int_equal(probe(vm, 0x08010000), -ENXIO);
	assert_int_equal(mpidr_at(vm, 0x09000000), 0);
	assert_int_equal(mpidr_at(vm, 0x09040000), 2);
	assert_int_equal(mpidr_at(vm, 0x08100000), 3);
	assert_int_equal(probe(vm, 0x09060000), -ENXIO);
	assert_int_equal(probe(vm, 0x08120000), -ENXIO);	/* a place without a vCPU */
	assert_int_equal(probe(vm, 0), -ENXIO);
	assert_int_equal(probe(vm, ~3ULL), -ENXIO);
	free_vm(vm);
}

static void by_affinity(void **state)
{
	struct vm *vm = new_vm(20);

	assert_ptr_equal(vgic_cpu_by_mpidr(G, 0x103), &vm->c[19]);
	assert_null(vgic_cpu_by_mpidr(G, 0x104));
	assert_null(vgic_cpu_by_mpidr(G, 0x10));
	assert_null(vgic_cpu_by_mpidr(G, 1ULL << 32));
	vm->hyp[7].reg[REG_MPIDR_EL1] = 0x80000000 | 5ULL << 32 | 0x040302;
	assert_ptr_equal(vgic_cpu_by_mpidr(G, 5ULL << 32 | 0x040302), &vm->c[7]);
	assert_null(vgic_cpu_by_mpidr(G, 7));
	free_vm(vm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(create_once),
		cmocka_unit_test(number_of_interrupts),
		cmocka_unit_test(distributor_address),
		cmocka_unit_test(old_redistributor_region),
		cmocka_unit_test(redistributor_regions),
		cmocka_unit_test(overlap_with_distributor),
		cmocka_unit_test(first_run),
		cmocka_unit_test(who_is_last),
		cmocka_unit_test(where_things_are),
		cmocka_unit_test(by_affinity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
