// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the id and value of every register of a fresh vCPU, in the order of
 * KVM_GET_REG_LIST, for each set of features. Fails when a register cannot be
 * read, or reads differently after its own value was written back.
 *
 * The output of two implementations on one host is the same but for lines of
 * counters; test/abi/reg_dump | sort is what one compares.
 */
#include <inttypes.h>
#include "lib.h"

union value {
	unsigned char byte[256];
	uint64_t word[2];
};

static size_t reg_size(uint64_t id)
{
	return 1UL << ((id & KVM_REG_SIZE_MASK) >> KVM_REG_SIZE_SHIFT);
}

static bool counts(uint64_t id)
{
	return id == KVM_REG_ARM_TIMER_CNT;
}

static struct kvm_reg_list *get_list(const struct vcpu *c)
{
	struct kvm_reg_list none = { .n = 0 }, *list;

	EXPECT(vm_ioctl(c->fd, KVM_GET_REG_LIST, &none), -E2BIG);
	list = calloc(1, sizeof(*list) + none.n * sizeof(uint64_t));
	CHECK(list);
	list->n = none.n;
	EXPECT(vm_ioctl(c->fd, KVM_GET_REG_LIST, list), 0);
	return list;
}

static void dump_one(const struct vcpu *c, uint64_t id)
{
	union value first = { .word = { 0 } }, again = { .word = { 0 } };
	char name[40];

	snprintf(name, sizeof(name), "%#018" PRIx64, id);
	EXPECT(vcpu_get(c, id, &first), 0);
	if (reg_size(id) > 8)
		printf("%s %016" PRIx64 "%016" PRIx64 "\n", name, first.word[1], first.word[0]);
	else
		printf("%s %016" PRIx64 "\n", name, counts(id) ? 0 : first.word[0]);

	EXPECT(vcpu_set(c, id, &first), 0);
	EXPECT(vcpu_get(c, id, &again), 0);
	if (!counts(id))
		CHECK(!memcmp(&first, &again, reg_size(id)));
}

static void dump(uint32_t features)
{
	struct kvm_reg_list *list;
	struct vm vm;
	uint64_t i;
	int id;

	GOOD(vm_init(&vm, device_path()));
	for (id = 0; id < 2; id++)
		GOOD(vm_add_vcpu(&vm, features));

	for (id = 0; id < 2; id++) {
		list = get_list(&vm.vcpu[id]);
		printf("features %#x vcpu %d: %llu registers\n", features, id,
		       (unsigned long long)list->n);
		for (i = 0; i < list->n; i++)
			dump_one(&vm.vcpu[id], list->reg[i]);
		free(list);
	}
	vm_fini(&vm);
}

int main(void)
{
	int kvm = open_device();

	dump(0);
	dump(VM_FEATURE(POWER_OFF));
	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PTRAUTH_ADDRESS) > 0)
		dump(VM_FEATURE(PTRAUTH_ADDRESS) | VM_FEATURE(PTRAUTH_GENERIC));
	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PMU_V3) > 0)
		dump(VM_FEATURE(PMU_V3));
	return 0;
}
