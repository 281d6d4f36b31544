// SPDX-License-Identifier: GPL-2.0
/* ID registers can be written with what they hold, and nothing else. */
#include "lib.h"

#define MIDR		ARM64_SYS_REG(3, 0, 0, 0, 0)
#define MPIDR		ARM64_SYS_REG(3, 0, 0, 0, 5)
#define ID_PFR0		ARM64_SYS_REG(3, 0, 0, 4, 0)
#define ID_PFR1		ARM64_SYS_REG(3, 0, 0, 4, 1)
#define ID_DFR0		ARM64_SYS_REG(3, 0, 0, 5, 0)
#define ID_ISAR0	ARM64_SYS_REG(3, 0, 0, 6, 0)
#define ID_MMFR0	ARM64_SYS_REG(3, 0, 0, 7, 0)

static struct vm vm;

static void only_itself(uint64_t id)
{
	uint64_t value = 0, other, after = 0;

	EXPECT(vcpu_get(&vm.vcpu[0], id, &value), 0);
	EXPECT(vcpu_set(&vm.vcpu[0], id, &value), 0);
	other = value ^ 1;
	EXPECT(vcpu_set(&vm.vcpu[0], id, &other), -EINVAL);
	EXPECT(vcpu_get(&vm.vcpu[0], id, &after), 0);
	EXPECT(after, value);
}

static void check_mpidr(void)
{
	uint64_t value = 0;

	EXPECT(vcpu_get(&vm.vcpu[0], MPIDR, &value), 0);
	EXPECT(value, 1UL << 31);
	EXPECT(vcpu_get(&vm.vcpu[1], MPIDR, &value), 0);
	EXPECT(value, 1UL << 31 | 1);
}

int main(void)
{
	make_bare(&vm, 2);
	only_itself(MIDR);
	only_itself(ID_PFR0);
	only_itself(ID_PFR1);
	only_itself(ID_DFR0);
	only_itself(ID_ISAR0);
	only_itself(ID_MMFR0);
	check_mpidr();
	return 0;
}
