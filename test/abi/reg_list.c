// SPDX-License-Identifier: GPL-2.0
/* KVM_GET_REG_LIST: E2BIG says how many; each listed register can be read. */
#include "lib.h"

static void check_readable(struct vm *vm, const struct kvm_reg_list *list)
{
	unsigned char value[256];
	uint64_t i;

	for (i = 0; i < list->n; i++) {
		int ret = vcpu_get(&vm->vcpu[0], list->reg[i], value);

		if (ret)
			printf("%#llx\n", (unsigned long long)list->reg[i]);
		EXPECT(ret, 0);
	}
}

int main(void)
{
	struct kvm_reg_list none = { .n = 0 }, *list;
	uint64_t count;
	struct vm vm;

	make_bare(&vm, 1);
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, &none), -E2BIG);
	count = none.n;
	CHECK(count > 100 && count < 1000);

	list = calloc(1, sizeof(*list) + (count + 1) * sizeof(uint64_t));
	CHECK(list);
	list->n = count - 1;
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, list), -E2BIG);
	EXPECT(list->n, count);
	EXPECT(list->reg[0], 0);
	list->n = count + 1;
	EXPECT(vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, list), 0);
	EXPECT(list->n, count);
	EXPECT(list->reg[count], 0);
	check_readable(&vm, list);
	return 0;
}
