// SPDX-License-Identifier: GPL-2.0
#include "its_machine.h"

void its_make(struct its_machine *m)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_ARM_VGIC_ITS };
	uint64_t base = ITS_BASE;

	memset(m, 0, sizeof(*m));
	make_machine(&m->vm, ITS_VCPUS);
	GOOD(vm_ioctl(m->vm.fd, KVM_CREATE_DEVICE, &device));
	m->its = device.fd;
	GOOD(set_attr(m->its, GRP(ADDR), KVM_VGIC_ITS_ADDR_TYPE, &base));
	GOOD(set_attr(m->its, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT, NULL));
	m->handle = handle_of(&m->vm);
	EXPECT(tern_vm_add_its(m->handle, -1), -EINVAL);
	EXPECT(tern_vm_add_its(m->handle, m->its), 0);
}

void its_unmake(struct its_machine *m)
{
	tern_vm_free(m->handle);
	close(m->its);
	vm_fini(&m->vm);
}

void *its_host(const struct its_machine *m, uint64_t ipa)
{
	void *p = vm_host(&m->vm, ipa, 8);

	CHECK(p);
	return p;
}

void its_set_reg(const struct its_machine *m, uint32_t offset, uint64_t value)
{
	EXPECT(set_attr(m->its, GRP(ITS_REGS), offset, &value), 0);
}

uint64_t its_get_reg(const struct its_machine *m, uint32_t offset)
{
	uint64_t value = 0;

	EXPECT(get_attr(m->its, GRP(ITS_REGS), offset, &value), 0);
	return value;
}

void its_set_redist(const struct its_machine *m, uint64_t cpu, uint32_t offset,
		    uint32_t value)
{
	EXPECT(set_attr(m->vm.gic, GRP(REDIST_REGS), cpu << 32 | offset,
			&value), 0);
}

uint32_t its_get_redist(const struct its_machine *m, uint64_t cpu,
			uint32_t offset)
{
	uint32_t value = 0;

	EXPECT(get_attr(m->vm.gic, GRP(REDIST_REGS), cpu << 32 | offset,
			&value), 0);
	return value;
}

static void its_command(struct its_machine *m, uint64_t w0, uint64_t w1,
			uint64_t w2)
{
	uint64_t *cmd = its_host(m, QUEUE + m->cwriter);

	cmd[0] = w0;
	cmd[1] = w1;
	cmd[2] = w2;
	m->cwriter += 32;
	its_set_reg(m, 0x88, m->cwriter);
}

/* DEVICE's events 0 to 3 are LPI + event on vCPU 0, event 4 is on vCPU 1. */
void its_set_up(struct its_machine *m)
{
	uint64_t cpu, event;

	for (cpu = 0; cpu < ITS_VCPUS; cpu++) {
		its_set_redist(m, cpu, 0x70, PROPS | 15);
		its_set_redist(m, cpu, 0x78, PENDING(cpu));
		its_set_redist(m, cpu, 0, 1);
	}
	its_set_reg(m, 0x80, VALID | QUEUE | 15);
	its_set_reg(m, 0x100, VALID | DEVICES);
	its_set_reg(m, 0x108, VALID | COLLECTIONS);
	its_set_reg(m, 0, 1);
	for (cpu = 0; cpu < ITS_VCPUS; cpu++)
		its_command(m, 0x09, 0, VALID | cpu << 16 | cpu);
	its_command(m, 0x08 | DEVICE << 32, 3, VALID | ITT);
	for (event = 0; event < 5; event++)
		its_command(m, 0x0a | DEVICE << 32, (LPI + event) << 32 | event,
			event / 4);
}

int its_message(const struct its_machine *m, uint32_t event)
{
	struct kvm_msi msi = {
		.address_lo = ITS_BASE + 0x10040, .data = event,
		.devid = DEVICE, .flags = KVM_MSI_VALID_DEVID,
	};

	return vm_ioctl(m->vm.fd, KVM_SIGNAL_MSI, &msi);
}

bool its_pending(const struct its_machine *m, int cpu, uint32_t lpi)
{
	const uint8_t *table = its_host(m, PENDING(cpu));

	EXPECT(set_attr(m->vm.gic, GRP(CTRL),
			KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES, NULL), 0);
	return table[lpi / 8] >> lpi % 8 & 1;
}

void its_same_registers(const struct its_machine *a, const struct its_machine *b)
{
	static const uint32_t regs[] = { 0, 4, 0x80, 0x88, 0x90, 0x100, 0x108 };
	unsigned int i;

	for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		CHECK(its_get_reg(a, regs[i]) == its_get_reg(b, regs[i]));
}

void its_copy_memory(const struct its_machine *from, const struct its_machine *to)
{
	memcpy(its_host(to, RAM_BASE), its_host(from, RAM_BASE), RAM_SIZE);
}
