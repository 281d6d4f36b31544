// SPDX-License-Identifier: GPL-2.0
/* A resampling irqfd holds its line up until the guest deactivates the SPI. */
#include <sys/eventfd.h>

#include "lib.h"

#define GSI		3
#define SPI		(32 + GSI)
#define GICD_CTLR	0x000
#define GICD_ISENABLER1	0x104
#define GICD_ICFGR2	0xc08

/* reports each interrupt it acknowledges, and 0 once it has deactivated it */
GUEST(acknowledger, "mov x1, #0xff\n\tmsr S3_0_C4_C6_0, x1\n\t"	/* ICC_PMR_EL1 */
	      "mov x1, #1\n\tmsr S3_0_C12_C12_7, x1\n\tisb\n"	/* ICC_IGRPEN1_EL1 */
	      "1:\tmrs x0, S3_0_C12_C12_0\n\tdsb sy\n\t"	/* ICC_IAR1_EL1 */
	      "cmp x0, #1023\n\tb.eq 1b\n\t"
	      REPORT
	      "msr S3_0_C12_C12_1, x0\n\tisb\n\tmov x0, #0\n\t"	/* ICC_EOIR1_EL1 */
	      REPORT "b 1b");

static struct vm vm;

static void set_gicd(uint32_t offset, uint32_t value)
{
	EXPECT(set_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_DIST_REGS, offset, &value),
	       0);
}

static bool line_up(void)
{
	uint32_t word = 0;

	EXPECT(get_attr(vm.gic, KVM_DEV_ARM_VGIC_GRP_LEVEL_INFO,
			(uint64_t)VGIC_LEVEL_INFO_LINE_LEVEL <<
			KVM_DEV_ARM_VGIC_LINE_LEVEL_INFO_SHIFT | 32, &word), 0);
	return word >> GSI & 1;
}

static int event(void)
{
	return GOOD(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

static void signal_event(int fd)
{
	uint64_t one = 1;

	EXPECT(write(fd, &one, sizeof(one)), sizeof(one));
}

static uint64_t count(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

static void one_interrupt(int trigger, int resample, int other)
{
	signal_event(trigger);
	CHECK(line_up());
	EXPECT(next_report(&vm.vcpu[0]), SPI);
	CHECK(line_up());
	EXPECT(count(resample), 0);

	/* every device on the line is asked */
	EXPECT(next_report(&vm.vcpu[0]), 0);
	CHECK(!line_up());
	EXPECT(count(resample), 1);
	EXPECT(count(other), 1);
}

int main(void)
{
	int trigger = event(), resample = event();
	int trigger2 = event(), resample2 = event();
	struct kvm_irqfd irqfd = {
		.fd = trigger, .gsi = GSI, .resamplefd = resample,
		.flags = KVM_IRQFD_FLAG_RESAMPLE,
	};

	make_machine(&vm, 1);
	LOAD(&vm, acknowledger);
	set_gicd(GICD_CTLR, 2);
	set_gicd(GICD_ICFGR2, 0);	/* level-sensitive; built-in KVM starts with edges */
	set_gicd(GICD_ISENABLER1, 1u << GSI);

	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	irqfd.fd = trigger2;
	irqfd.resamplefd = resample2;
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	one_interrupt(trigger, resample, resample2);
	one_interrupt(trigger2, resample2, resample);

	/* a device that goes does not take the line down with another on it ... */
	irqfd.flags = KVM_IRQFD_FLAG_DEASSIGN;
	signal_event(trigger);
	CHECK(line_up());
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	CHECK(line_up());
	/* ... and the last one does */
	irqfd.fd = trigger;
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	CHECK(!line_up());
	return 0;
}
