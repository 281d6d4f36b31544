// SPDX-License-Identifier: GPL-2.0
/*
 * Arrays for many registers and for the GIC's batch, made by chance: either all
 * is done, with the result of one call a register on a twin machine; or nothing
 * is, and the element that is named is one that its own call refuses.
 */
#include "state/chance.h"
#include "state/scribble.h"
#include "../../lib/gic.h"
#include "../../lib/lib.h"

#define VCPUS	2
#define MOST	48

static struct vm vm, twin;
static struct tern_vm *handle, *twin_handle;
static struct image start, before;
static struct kvm_reg_list *list;
static void *read_only;
static unsigned int accepted, refused, rounds = 400;

static struct {
	struct tern_regs head;
	struct kvm_one_reg reg[MOST];
} many;
static struct {
	struct tern_vgic_batch head;
	struct tern_vgic_reg reg[MOST];
} batch;
static uint64_t value[MOST][32];

static void equal(const struct image *a, const struct tern_vm *of)
{
	struct image now;

	save(of, &now);
	expect_same(a, &now);
	free(now.data);
}

/* Whoever lowered what cannot be raised begins anew. */
static void make(struct vm *machine, struct tern_vm **its_handle)
{
	if (*its_handle) {
		tern_vm_free(*its_handle);
		vm_fini(machine);
	}
	make_machine(machine, VCPUS);
	*its_handle = handle_of(machine);
	scribble(machine, 9);
}

static void put_back(struct vm *machine, struct tern_vm **its_handle)
{
	if (tern_restore(*its_handle, start.data, start.size, NULL)) {
		make(machine, its_handle);
		EXPECT(tern_restore(*its_handle, start.data, start.size, NULL),
		       0);
	}
}

static void both_back(void)
{
	put_back(&vm, &handle);
	put_back(&twin, &twin_handle);
}

/* Many registers */

static uint64_t any_id(void)
{
	uint64_t id = list->reg[chance_below(list->n)];

	switch (chance_below(48)) {
	case 0:
		return id ^ (chance() << KVM_REG_SIZE_SHIFT &
			     KVM_REG_SIZE_MASK);
	case 1:
		return id ^ 1ull << chance_below(64);
	case 2:
		return chance();
	default:
		return id;
	}
}

static uint64_t any_buffer(unsigned int i)
{
	switch (chance_below(48)) {
	case 0:
		return (uintptr_t)bad_pointer();
	case 1:
		return chance_below(2) ? 0 : chance();
	case 2:
		return (uintptr_t)read_only;
	default:
		return (uintptr_t)value[i];
	}
}

/* Half of them with the value that is there, which nothing refuses. */
static unsigned int any_regs(void)
{
	unsigned int n = 1 + chance_below(chance_below(2) ? 6 : MOST), i, j;

	for (i = 0; i < n; i++) {
		many.reg[i].id = i && !chance_below(8) ?
			many.reg[chance_below(i)].id : any_id();
		many.reg[i].addr = any_buffer(i);
		for (j = 0; j < 32; j++)
			value[i][j] = chance_word();
		if (chance_below(2))
			lib_get_reg(vm.vcpu[0].fd, many.reg[i].id, value[i]);
	}
	return n;
}

static int call_many(unsigned int n, bool write)
{
	int ret;

	many.head = (struct tern_regs){ .n = n, .error = 77, .failed = 77 };
	ret = vm_ioctl(vm.vcpu[0].fd, write ? TERN_SET_REGS : TERN_GET_REGS,
		       &many);
	EXPECT(many.head.error, ret);
	CHECK(ret ? many.head.failed < n : many.head.failed == TERN_NO_INDEX);
	return ret;
}

static int one_of_twin(const struct kvm_one_reg *reg, bool write)
{
	return vm_ioctl(twin.vcpu[0].fd, write ? KVM_SET_ONE_REG :
			KVM_GET_ONE_REG, reg);
}

/* An id that is none, or a value that cannot be read: found before the rest */
static bool is_hopeless(const struct kvm_one_reg *reg)
{
	char scrap[2048];
	struct kvm_one_reg get = { .id = reg->id, .addr = (uintptr_t)scrap };
	int ret = one_of_twin(&get, false);

	if (ret == -ENOENT || ret == -EINVAL)
		return true;
	return one_of_twin(reg, true) == -EFAULT;
}

static void wrong_element(unsigned int n, int ret)
{
	unsigned int i, failed = many.head.failed;

	CHECK(failed < n);
	if (is_hopeless(&many.reg[failed])) {
		EXPECT(one_of_twin(&many.reg[failed], true), ret);
		for (i = 0; i < failed; i++)
			CHECK(!is_hopeless(&many.reg[i]));
		return;
	}
	put_back(&twin, &twin_handle);
	for (i = 0; i < failed; i++)
		EXPECT(one_of_twin(&many.reg[i], true), 0);
	EXPECT(one_of_twin(&many.reg[failed], true), ret);
}

static void set_many(void)
{
	unsigned int n = any_regs(), i;
	struct image now;
	int ret;

	both_back();
	ret = call_many(n, true);
	if (ret) {
		refused++;
		equal(&before, handle);
		wrong_element(n, ret);
		return;
	}
	accepted++;
	for (i = 0; i < n; i++)
		EXPECT(one_of_twin(&many.reg[i], true), 0);
	save(handle, &now);
	equal(&now, twin_handle);
	free(now.data);
}

/* The GIC's batch */

static uint64_t affinity(void)
{
	return chance_below(32) ? (uint64_t)chance_below(VCPUS) << 32 :
		chance_below(8) << 32;
}

static const uint32_t groups[] = {
	GIC_DIST, GIC_DIST, GIC_REDIST, GIC_REDIST, GIC_SYSREGS, GIC_LEVEL,
};

static uint64_t any_attr(uint32_t group)
{
	static const uint16_t icc[] = {
		ICC_PMR, ICC_BPR0, ICC_BPR1, ICC_CTLR, ICC_SRE, ICC_IGRPEN0,
		ICC_IGRPEN1, ICC_AP0R(0), ICC_AP1R(0), ICC_AP1R(2),
	};

	switch (group) {
	case GIC_DIST:
		return 4 * chance_below(chance_below(4) ? 0x400 : 0x4000);
	case GIC_REDIST:
		return affinity() | (chance_below(4) ?
				     GICR_SGI + 4 * chance_below(0x308) :
				     4 * chance_below(0x4000));
	case GIC_SYSREGS:
		return affinity() | (chance_below(8) ?
				     icc[chance_below(10)] : chance() & 0xffff);
	default:
		return affinity() | (chance_below(8) ?
				     32 * chance_below(3) : chance() & 0xfff);
	}
}

static struct tern_vgic_reg any_gic_reg(void)
{
	struct tern_vgic_reg reg = { .group = groups[chance_below(6)] };

	reg.attr = any_attr(reg.group);
	reg.val = chance_word();
	if (reg.group != GIC_SYSREGS && chance_below(64))
		reg.val = (uint32_t)reg.val;
	if (!chance_below(128))
		reg.reserved = chance();
	if (!chance_below(128))
		reg.group = chance_below(16);
	return reg;
}

/* 0, or why the twin refuses it: to be read, or to be written */
static int one_of_twin_gic(const struct tern_vgic_reg *reg, bool write)
{
	uint64_t wide = reg->val;
	struct kvm_device_attr attr = {
		.group = reg->group, .attr = reg->attr,
		.addr = (uintptr_t)&wide,
	};

	return vm_ioctl(twin.gic, write ? KVM_SET_DEVICE_ATTR :
			KVM_GET_DEVICE_ATTR, &attr);
}

static bool is_malformed(const struct tern_vgic_reg *reg)
{
	bool wide = reg->group == GIC_SYSREGS;

	return reg->reserved || (!wide && reg->val >> 32) ||
	       (!wide && reg->group != GIC_DIST && reg->group != GIC_REDIST &&
		reg->group != GIC_LEVEL);
}

static void wrong_gic_element(unsigned int n, int ret)
{
	const struct tern_vgic_reg *reg;
	unsigned int i;

	CHECK(batch.head.failed < n);
	reg = &batch.reg[batch.head.failed];
	if (is_malformed(reg)) {
		EXPECT(ret, -EINVAL);
		return;
	}
	for (i = 0; i < n; i++)
		CHECK(!is_malformed(&batch.reg[i]));
	if (one_of_twin_gic(reg, false) == ret)
		return;
	for (i = 0; i < batch.head.failed; i++)
		EXPECT(one_of_twin_gic(&batch.reg[i], true), 0);
	EXPECT(one_of_twin_gic(reg, true), ret);
}

static void set_batch(void)
{
	unsigned int n = 1 + chance_below(chance_below(2) ? 6 : MOST), i;
	struct image now;
	int ret;

	both_back();
	batch.head = (struct tern_vgic_batch){ .n = n, .failed = 77 };
	for (i = 0; i < n; i++) {
		batch.reg[i] = any_gic_reg();
		/* mostly what can be read: else few batches get far */
		while (chance_below(32) &&
		       (is_malformed(&batch.reg[i]) ||
			one_of_twin_gic(&batch.reg[i], false)))
			batch.reg[i] = any_gic_reg();
	}
	ret = set_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, &batch);
	EXPECT(batch.head.error, ret);
	if (ret) {
		refused++;
		equal(&before, handle);
		wrong_gic_element(n, ret);
		return;
	}
	accepted++;
	EXPECT(batch.head.failed, TERN_NO_INDEX);
	for (i = 0; i < n; i++)
		EXPECT(one_of_twin_gic(&batch.reg[i], true), 0);
	save(handle, &now);
	equal(&now, twin_handle);
	free(now.data);
}

/* Reading changes nothing, whatever is asked for. */
static void get_both(void)
{
	unsigned int n = any_regs(), i;

	both_back();
	call_many(n, false);
	batch.head = (struct tern_vgic_batch){ .n = n, .failed = 77 };
	for (i = 0; i < n; i++)
		batch.reg[i] = any_gic_reg();
	get_attr(vm.gic, TERN_DEV_VGIC_GRP_BATCH, 0, &batch);
	equal(&before, handle);
}

static void get_list(void)
{
	struct kvm_reg_list probe = { .n = 0 };

	vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, &probe);
	list = calloc(1, sizeof(*list) + 8 * probe.n);
	CHECK(list);
	list->n = probe.n;
	GOOD(vm_ioctl(vm.vcpu[0].fd, KVM_GET_REG_LIST, list));
}

int main(int argc, char **argv)
{
	unsigned int i;

	make(&vm, &handle);
	if (!vm_capability(&vm, TERN_CAP_MANY))
		skip("not tern");
	make(&twin, &twin_handle);
	chance_begin(argc, argv, &rounds);
	read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	CHECK(read_only != MAP_FAILED);
	get_list();
	save(handle, &start);
	both_back();
	save(handle, &before);
	for (i = 0; i < rounds; i++) {
		set_many();
		if (i == rounds - 1)
			printf("many: %u accepted, %u refused\n", accepted,
			       refused);
	}
	for (i = 0; i < rounds; i++) {
		set_batch();
		if (i % 8 == 0)
			get_both();
	}
	printf("and batches: %u accepted, %u refused\n", accepted, refused);
	CHECK(accepted > rounds / 16 && refused > rounds / 16);
	return 0;
}
