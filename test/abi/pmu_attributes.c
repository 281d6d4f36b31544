// SPDX-License-Identifier: GPL-2.0
/* KVM_ARM_VCPU_PMU_V3_CTRL: what is wanted in which order, and each errno. */
#include "lib.h"

#define PMU KVM_ARM_VCPU_PMU_V3_CTRL

static int set(const struct vcpu *c, uint64_t attr, const void *value)
{
	return set_attr(c->fd, PMU, attr, value);
}

static int set_irq(const struct vcpu *c, int irq)
{
	return set(c, KVM_ARM_VCPU_PMU_V3_IRQ, &irq);
}

static void make(struct vm *vm, unsigned int vcpus, bool gic)
{
	unsigned int i;

	GOOD(vm_init(vm, device_path()));
	GOOD(vm_add_memory(vm, RAM_BASE, RAM_SIZE, 0));
	for (i = 0; i < vcpus; i++)
		GOOD(vm_add_vcpu(vm, VM_FEATURE(PMU_V3)));
	if (gic)
		GOOD(vm_add_vgic(vm, DIST_BASE, REDIST_BASE, 96));
}

static void presence(void)
{
	struct vm vm;
	int fd, value;
	uint64_t a;

	make(&vm, 1, true);
	fd = vm.vcpu[0].fd;
	for (a = KVM_ARM_VCPU_PMU_V3_IRQ; a <= KVM_ARM_VCPU_PMU_V3_SET_PMU; a++)
		EXPECT(has_attr(fd, PMU, a), 0);
	EXPECT(has_attr(fd, PMU, 4), -ENXIO);
	EXPECT(set_attr(fd, PMU, 4, &value), -ENXIO);
	EXPECT(get_attr(fd, PMU, KVM_ARM_VCPU_PMU_V3_INIT, &value), -ENXIO);
	EXPECT(get_attr(fd, PMU, KVM_ARM_VCPU_PMU_V3_IRQ, &value), -ENXIO);
	vm_fini(&vm);
}

static void interrupts(void)
{
	struct vm vm;
	struct vcpu *c = vm.vcpu;
	int irq = 0;

	make(&vm, 3, true);
	EXPECT(vcpu_run(&c[0]), -EINVAL);	/* the feature without INIT */
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_IRQ, bad_pointer()), -EFAULT);
	EXPECT(set_irq(&c[0], 15), -EINVAL);
	EXPECT(set_irq(&c[0], 1020), -EINVAL);
	EXPECT(set_irq(&c[0], -1), -EINVAL);
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), -ENXIO);
	EXPECT(set_irq(&c[0], 23), 0);
	EXPECT(set_irq(&c[0], 23), -EBUSY);
	EXPECT(set_irq(&c[1], 24), -EINVAL);	/* a PPI is the same for all */
	EXPECT(set_irq(&c[1], 40), 0);
	EXPECT(set_irq(&c[2], 40), -EINVAL);	/* and an SPI is one vCPU's */
	EXPECT(set_irq(&c[2], 23), -EINVAL);
	EXPECT(set_irq(&c[2], 200), 0);
	EXPECT(get_attr(c[0].fd, PMU, KVM_ARM_VCPU_PMU_V3_IRQ, &irq), 0);
	EXPECT(irq, 23);
	EXPECT(get_attr(c[0].fd, PMU, KVM_ARM_VCPU_PMU_V3_IRQ, bad_pointer()), -EFAULT);
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), -EBUSY);
	EXPECT(set_irq(&c[0], 23), -EBUSY);
	EXPECT(set(&c[1], KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
	EXPECT(set(&c[2], KVM_ARM_VCPU_PMU_V3_INIT, NULL), -EINVAL);	/* the GIC has 96 */
	vm_fini(&vm);
}

/* The GIC has to be there before the PMU; without one there is no interrupt. */
static void order(void)
{
	struct vm vm;
	int irq = 23;

	make(&vm, 1, false);
	EXPECT(set_irq(&vm.vcpu[0], 23), -EINVAL);
	EXPECT(get_attr(vm.vcpu[0].fd, PMU, KVM_ARM_VCPU_PMU_V3_IRQ, &irq), -EINVAL);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
	vm_fini(&vm);

	make(&vm, 1, false);
	GOOD(new_gic(vm.fd));
	EXPECT(set_irq(&vm.vcpu[0], 23), 0);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), -ENODEV);
	vm_fini(&vm);
}

static int filter(const struct vcpu *c, unsigned int base, unsigned int n, unsigned int action)
{
	struct kvm_pmu_event_filter f = { .base_event = base, .nevents = n, .action = action };

	return set(c, KVM_ARM_VCPU_PMU_V3_FILTER, &f);
}

static void filters(void)
{
	struct vm vm;
	struct vcpu *c = vm.vcpu;

	make(&vm, 2, true);
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_FILTER, bad_pointer()), -EFAULT);
	EXPECT(filter(&c[0], 0, 1, 2), -EINVAL);
	EXPECT(filter(&c[0], 0xffff, 2, KVM_PMU_EVENT_ALLOW), -EINVAL);
	EXPECT(filter(&c[0], 0xffff, 0xffff, KVM_PMU_EVENT_DENY), -EINVAL);
	EXPECT(filter(&c[0], 0, 0, KVM_PMU_EVENT_DENY), 0);
	EXPECT(filter(&c[0], 0x11, 1, KVM_PMU_EVENT_DENY), 0);
	EXPECT(filter(&c[1], 0x11, 1, KVM_PMU_EVENT_ALLOW), 0);
	EXPECT(set_irq(&c[0], 23), 0);
	EXPECT(set(&c[0], KVM_ARM_VCPU_PMU_V3_INIT, NULL), 0);
	EXPECT(filter(&c[0], 0x11, 1, KVM_PMU_EVENT_DENY), -EBUSY);
	vm_fini(&vm);
}

/* perf's number of the first CPU's PMU, or -1 */
static int pmu_number(void)
{
	static const char *const names[] = { "armv8_pmuv3_0", "armv8_pmuv3" };
	char path[80];
	int number = -1;
	size_t i;
	FILE *f;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && number < 0; i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", names[i]);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%d", &number) != 1)
			number = -1;
		fclose(f);
	}
	return number;
}

static void picked(void)
{
	int none = 0x7fffff, tracepoints = 2, minus = -1, number = pmu_number();
	struct vm vm;

	make(&vm, 1, true);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_SET_PMU, bad_pointer()), -EFAULT);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_SET_PMU, &none), -ENXIO);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_SET_PMU, &tracepoints), -ENXIO);
	EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_SET_PMU, &minus), -ENXIO);
	EXPECT(filter(&vm.vcpu[0], 0x11, 1, KVM_PMU_EVENT_DENY), 0);
	if (number >= 0)
		EXPECT(set(&vm.vcpu[0], KVM_ARM_VCPU_PMU_V3_SET_PMU, &number), 0);
	vm_fini(&vm);
}

int main(void)
{
	int kvm = open_device();

	if (ioctl(kvm, KVM_CHECK_EXTENSION, KVM_CAP_ARM_PMU_V3) <= 0)
		skip("this host has no PMU that perf drives");
	presence();
	interrupts();
	order();
	filters();
	picked();
	return 0;
}
