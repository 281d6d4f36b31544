// SPDX-License-Identifier: GPL-2.0
/*
 * An ITS that translates, and LPIs that pend, go with the image and the guest's
 * memory to another machine; what an ITS refuses leaves the rest as it was.
 */
#include "state/scribble.h"
#include "../../lib/lib.h"

#define GRP(name)	KVM_DEV_ARM_VGIC_GRP_##name
#define ITS_BASE	0x08080000UL
#define QUEUE		(RAM_BASE + 0x10000)
#define DEVICES		(RAM_BASE + 0x20000)
#define COLLECTIONS	(RAM_BASE + 0x30000)
#define PROPS		(RAM_BASE + 0x40000)
#define PENDING(cpu)	(RAM_BASE + 0x60000 + 0x10000UL * (cpu))
#define ITT		(RAM_BASE + 0x90000)
#define VALID		(1UL << 63)
#define LPI		8192UL
#define DEVICE		5UL
#define VCPUS		2

struct machine {
	struct vm vm;
	int its;
	uint64_t cwriter;
	struct tern_vm *handle;
};

static void make(struct machine *m)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_ARM_VGIC_ITS };
	uint64_t base = ITS_BASE;

	memset(m, 0, sizeof(*m));
	make_machine(&m->vm, VCPUS);
	GOOD(vm_ioctl(m->vm.fd, KVM_CREATE_DEVICE, &device));
	m->its = device.fd;
	GOOD(set_attr(m->its, GRP(ADDR), KVM_VGIC_ITS_ADDR_TYPE, &base));
	GOOD(set_attr(m->its, GRP(CTRL), KVM_DEV_ARM_VGIC_CTRL_INIT, NULL));
	m->handle = handle_of(&m->vm);
	EXPECT(tern_vm_add_its(m->handle, -1), -EINVAL);
	EXPECT(tern_vm_add_its(m->handle, m->its), 0);
}

static void unmake(struct machine *m)
{
	tern_vm_free(m->handle);
	close(m->its);
	vm_fini(&m->vm);
}

static void *host(const struct machine *m, uint64_t ipa)
{
	void *p = vm_host(&m->vm, ipa, 8);

	CHECK(p);
	return p;
}

static void set_reg(const struct machine *m, uint32_t offset, uint64_t value)
{
	EXPECT(set_attr(m->its, GRP(ITS_REGS), offset, &value), 0);
}

static uint64_t get_reg(const struct machine *m, uint32_t offset)
{
	uint64_t value = 0;

	EXPECT(get_attr(m->its, GRP(ITS_REGS), offset, &value), 0);
	return value;
}

static void set_redist(const struct machine *m, uint64_t cpu, uint32_t offset,
		       uint32_t value)
{
	EXPECT(set_attr(m->vm.gic, GRP(REDIST_REGS), cpu << 32 | offset,
			&value), 0);
}

static void command(struct machine *m, uint64_t w0, uint64_t w1, uint64_t w2)
{
	uint64_t *cmd = host(m, QUEUE + m->cwriter);

	cmd[0] = w0;
	cmd[1] = w1;
	cmd[2] = w2;
	m->cwriter += 32;
	set_reg(m, 0x88, m->cwriter);
}

/* DEVICE's events 0 to 3 are LPI + event on vCPU 0, event 4 is on vCPU 1. */
static void set_up(struct machine *m)
{
	uint64_t cpu, event;

	for (cpu = 0; cpu < VCPUS; cpu++) {
		set_redist(m, cpu, 0x70, PROPS | 15);
		set_redist(m, cpu, 0x78, PENDING(cpu));
		set_redist(m, cpu, 0, 1);
	}
	set_reg(m, 0x80, VALID | QUEUE | 15);
	set_reg(m, 0x100, VALID | DEVICES);
	set_reg(m, 0x108, VALID | COLLECTIONS);
	set_reg(m, 0, 1);
	for (cpu = 0; cpu < VCPUS; cpu++)
		command(m, 0x09, 0, VALID | cpu << 16 | cpu);
	command(m, 0x08 | DEVICE << 32, 3, VALID | ITT);
	for (event = 0; event < 5; event++)
		command(m, 0x0a | DEVICE << 32, (LPI + event) << 32 | event,
			event / 4);
}

static int message(const struct machine *m, uint32_t event)
{
	struct kvm_msi msi = {
		.address_lo = ITS_BASE + 0x10040, .data = event,
		.devid = DEVICE, .flags = KVM_MSI_VALID_DEVID,
	};

	return vm_ioctl(m->vm.fd, KVM_SIGNAL_MSI, &msi);
}

static bool pending(const struct machine *m, int cpu, uint32_t lpi)
{
	const uint8_t *table = host(m, PENDING(cpu));

	EXPECT(set_attr(m->vm.gic, GRP(CTRL),
			KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES, NULL), 0);
	return table[lpi / 8] >> lpi % 8 & 1;
}

static void same_registers(const struct machine *a, const struct machine *b)
{
	static const uint32_t regs[] = { 0, 4, 0x80, 0x88, 0x90, 0x100, 0x108 };
	unsigned int i;

	for (i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		CHECK(get_reg(a, regs[i]) == get_reg(b, regs[i]));
}

static void copy_memory(const struct machine *from, const struct machine *to)
{
	memcpy(host(to, RAM_BASE), host(from, RAM_BASE), RAM_SIZE);
}

/* A revision that is none, in the section of the ITS */
static void refused(const struct image *image, enum tern_method method)
{
	struct image before, after;
	struct lib_section section;
	struct tern_failure failure;
	struct tern_its *its;
	struct machine m;

	make(&m);
	scribble(&m.vm, 3);
	EXPECT(tern_vm_limit(m.handle, method), 0);
	save(m.handle, &before);
	CHECK(lib_section_find(image->data, TERN_SECTION_ITS, 0, &section));
	its = (struct tern_its *)section.payload;
	its->iidr ^= 0xff000;
	lib_section_seal((struct tern_section *)section.head);
	CHECK(tern_restore(m.handle, image->data, image->size, &failure) < 0);
	CHECK(failure.error < 0);
	its->iidr ^= 0xff000;
	lib_section_seal((struct tern_section *)section.head);
	save(m.handle, &after);
	expect_same(&before, &after);
	free(before.data);
	free(after.data);
	unmake(&m);
}

static void restored(const struct machine *from, const struct image *image,
		     enum tern_method method)
{
	struct tern_failure failure;
	struct machine to;
	uint32_t event;
	int ret;

	make(&to);
	copy_memory(from, &to);
	EXPECT(tern_vm_limit(to.handle, method), 0);
	ret = tern_restore(to.handle, image->data, image->size, &failure);
	if (ret)
		fprintf(stderr, "method %d: vcpu %d id %llx: %d\n", method,
			(int)failure.vcpu, (unsigned long long)failure.id, ret);
	EXPECT(ret, 0);
	same_registers(from, &to);
	CHECK(pending(&to, 0, LPI + 2) && pending(&to, 1, LPI + 4));
	CHECK(!pending(&to, 0, LPI) && !pending(&to, 1, LPI));
	for (event = 0; event < 5; event++)
		EXPECT(message(&to, event), 1);
	EXPECT(message(&to, 5), 0);
	CHECK(pending(&to, 0, LPI));
	unmake(&to);
}

int main(void)
{
	enum tern_method most, save_method, method;
	struct machine from;
	struct image image;

	make(&from);
	set_up(&from);
	EXPECT(message(&from, 2), 1);
	EXPECT(message(&from, 4), 1);
	most = tern_vm_method(from.handle);
	EXPECT(tern_save(from.handle, TERN_SAVE_ITS, 0, 0, NULL, 0),
	       sizeof(struct tern_image) + sizeof(struct tern_section) +
	       sizeof(struct tern_its));
	for (save_method = TERN_METHOD_ONE; save_method <= most;
	     save_method++) {
		EXPECT(tern_vm_limit(from.handle, save_method), 0);
		save(from.handle, &image);
		EXPECT(tern_save_vm(from.handle, image.data, image.size - 1),
		       -E2BIG);
		for (method = TERN_METHOD_ONE; method <= most; method++) {
			restored(&from, &image, method);
			refused(&image, method);
		}
		free(image.data);
	}
	unmake(&from);
	return 0;
}
