// SPDX-License-Identifier: GPL-2.0
/*
 * Messages through an ITS, by KVM_SIGNAL_MSI and by irqfd, and its tables
 * saved and restored. The client plays the guest's part: it writes commands
 * to memory and registers, and finds what is pending in the pending tables.
 */
#include <sys/eventfd.h>

#include "lib.h"

#define GRP(name)	KVM_DEV_ARM_VGIC_GRP_##name
#define ITS_BASE	0x08080000UL
#define ITS_DOORBELL	(ITS_BASE + 0x10040)

#define QUEUE		(RAM_BASE + 0x10000)
#define DEVICES		(RAM_BASE + 0x20000)
#define COLLECTIONS	(RAM_BASE + 0x30000)
#define PROPS		(RAM_BASE + 0x40000)
#define PENDING(cpu)	(RAM_BASE + 0x60000 + 0x10000UL * (cpu))
#define ITT		(RAM_BASE + 0x90000)

#define VALID		(1UL << 63)
#define LPI		8192UL
#define DEVICE		5UL

static struct vm vm;
static int its;
static uint64_t cwriter;

static uint64_t *word(uint64_t ipa)
{
	uint64_t *p = vm_host(&vm, ipa, sizeof(*p));

	CHECK(p);
	return p;
}

static void set_reg(uint32_t offset, uint64_t value)
{
	EXPECT(set_attr(its, GRP(ITS_REGS), offset, &value), 0);
}

static uint64_t get_reg(uint32_t offset)
{
	uint64_t value = 0;

	EXPECT(get_attr(its, GRP(ITS_REGS), offset, &value), 0);
	return value;
}

static void set_redist(uint64_t cpu, uint32_t offset, uint32_t value)
{
	EXPECT(set_attr(vm.gic, GRP(REDIST_REGS), cpu << 32 | offset, &value), 0);
}

static void command(uint64_t w0, uint64_t w1, uint64_t w2)
{
	uint64_t *cmd = word(QUEUE + cwriter);

	cmd[0] = w0;
	cmd[1] = w1;
	cmd[2] = w2;
	cwriter += 32;
	set_reg(0x88, cwriter);
	CHECK(get_reg(0x90) == cwriter);
}

/* The property table also says which LPIs there are. */
static void set_tables(uint64_t cpu)
{
	set_redist(cpu, 0x70, PROPS | 15);
	set_redist(cpu, 0x74, PROPS >> 32);
	set_redist(cpu, 0x78, PENDING(cpu));
	set_redist(cpu, 0x7c, PENDING(cpu) >> 32);
}

static void enable_lpis(uint64_t cpu)
{
	uint32_t on = 0;

	set_redist(cpu, 0, 1);
	EXPECT(get_attr(vm.gic, GRP(REDIST_REGS), cpu << 32, &on), 0);
	CHECK(on & 1);
}

static void enable_its(void)
{
	set_reg(0x80, VALID | QUEUE | 15);
	set_reg(0x100, VALID | DEVICES);
	set_reg(0x108, VALID | COLLECTIONS);
	set_reg(0, 1);
	CHECK(get_reg(0) & 1);
}

/* DEVICE's events 0 to 3 are LPI + event on vCPU 0, event 4 is on vCPU 1 */
static void map(void)
{
	uint64_t cpu, event;

	for (cpu = 0; cpu < 2; cpu++)
		command(0x09, 0, VALID | cpu << 16 | cpu);
	command(0x08 | DEVICE << 32, 3, VALID | ITT);
	for (event = 0; event < 5; event++)
		command(0x0a | DEVICE << 32, (LPI + event) << 32 | event, event / 4);
}

static int message(uint32_t device, uint32_t event)
{
	struct kvm_msi msi = {
		.address_lo = ITS_DOORBELL, .data = event,
		.devid = device, .flags = KVM_MSI_VALID_DEVID,
	};

	return vm_ioctl(vm.fd, KVM_SIGNAL_MSI, &msi);
}

static bool pending(int cpu, uint32_t lpi)
{
	uint8_t *table = vm_host(&vm, PENDING(cpu), 0x2000);

	CHECK(table);
	EXPECT(set_attr(vm.gic, GRP(CTRL), KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES, NULL), 0);
	return table[lpi / 8] >> lpi % 8 & 1;
}

static void check_messages(void)
{
	EXPECT(message(DEVICE, 0), 1);
	EXPECT(message(DEVICE, 4), 1);
	EXPECT(message(DEVICE, 5), 0);
	EXPECT(message(DEVICE + 1, 0), 0);
	EXPECT(message(-1u, -1u), 0);
	CHECK(pending(0, LPI) && pending(1, LPI + 4));
	CHECK(!pending(0, LPI + 4) && !pending(0, LPI + 1));
	command(0x04 | DEVICE << 32, 0, 0);		/* CLEAR */
	CHECK(!pending(0, LPI));
	command(0x03 | DEVICE << 32, 1, 0);		/* INT */
	CHECK(pending(0, LPI + 1));
	command(0x01 | DEVICE << 32, 1, 1);		/* MOVI */
	CHECK(pending(1, LPI + 1));
	command(0x0f | DEVICE << 32, 3, 0);		/* DISCARD */
	EXPECT(message(DEVICE, 3), 0);
}

static void check_irqfd(void)
{
	struct kvm_irqfd irqfd = { .fd = GOOD(eventfd(0, EFD_CLOEXEC)), .gsi = 200 };
	struct {
		struct kvm_irq_routing head;
		struct kvm_irq_routing_entry entry;
	} table = {
		.head = { .nr = 1 },
		.entry = {
			.gsi = 200, .type = KVM_IRQ_ROUTING_MSI, .flags = KVM_MSI_VALID_DEVID,
			.u.msi = { .address_lo = ITS_DOORBELL, .data = 2, .devid = DEVICE },
		},
	};
	uint64_t one = 1;
	int tries;

	EXPECT(vm_ioctl(vm.fd, KVM_SET_GSI_ROUTING, &table), 0);
	EXPECT(vm_ioctl(vm.fd, KVM_IRQFD, &irqfd), 0);
	CHECK(!pending(0, LPI + 2));
	EXPECT(write(irqfd.fd, &one, sizeof(one)), sizeof(one));
	for (tries = 0; tries < 1000 && !pending(0, LPI + 2); tries++)
		usleep(1000);
	CHECK(pending(0, LPI + 2));
	table.entry.flags = 2;
	EXPECT(vm_ioctl(vm.fd, KVM_SET_GSI_ROUTING, &table), -EINVAL);
}

/* Words of revision 0 (Documentation/virt/kvm/devices/arm-vgic-its.rst) */
static void check_save(void)
{
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_SAVE_TABLES, NULL), 0);
	CHECK(*word(DEVICES + 8 * DEVICE) == (VALID | ITT >> 8 << 5 | 3));
	CHECK(*word(ITT) == (1UL << 48 | LPI << 16));
	CHECK(*word(ITT + 8) == (1UL << 48 | (LPI + 1) << 16 | 1));
	CHECK(*word(ITT + 16) == (2UL << 48 | (LPI + 2) << 16));
	CHECK(*word(ITT + 32) == ((LPI + 4) << 16 | 1));
}

static void check_restore(void)
{
	uint64_t cbaser = get_reg(0x80), device = get_reg(0x100), collection = get_reg(0x108), first = *word(ITT);

	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_CTRL_RESET, NULL), 0);
	EXPECT(message(DEVICE, 0), -EBUSY);
	set_reg(0x80, cbaser);
	set_reg(0x90, cwriter);
	set_reg(0x88, cwriter);
	set_reg(0x100, device);
	set_reg(0x108, collection);
	*word(ITT) = 1UL << 48 | 1UL << 16;		/* no LPI */
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_RESTORE_TABLES, NULL), -EINVAL);
	*word(ITT) = first;
	EXPECT(set_attr(its, GRP(CTRL), KVM_DEV_ARM_ITS_RESTORE_TABLES, NULL), 0);
	set_reg(0, 1);
	EXPECT(message(DEVICE, 0), 1);
	EXPECT(message(DEVICE, 3), 0);
	CHECK(pending(0, LPI) && pending(1, LPI + 4));
}

int main(void)
{
	struct kvm_create_device create = { .type = KVM_DEV_TYPE_ARM_VGIC_ITS };
	uint64_t base = ITS_BASE;

	make_machine(&vm, 2);
	EXPECT(vm_ioctl(vm.fd, KVM_CREATE_DEVICE, &create), 0);
	its = create.fd;
	EXPECT(set_attr(its, GRP(ADDR), KVM_VGIC_ITS_ADDR_TYPE, &base), 0);
	set_tables(0);
	set_tables(1);
	enable_its();
	map();
	EXPECT(message(DEVICE, 0), -EBUSY);		/* LPIs are off */
	enable_lpis(0);
	enable_lpis(1);
	check_messages();
	check_irqfd();
	check_save();
	check_restore();
	return 0;
}
