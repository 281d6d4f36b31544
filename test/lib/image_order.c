// SPDX-License-Identifier: GPL-2.0
/*
 * The order of sections, and of registers in a list, is no matter: timers,
 * MPIDR and redistributors come out the same whichever comes first. And images
 * from elsewhere: an older kernel's with fewer registers is right as far as it
 * goes; of a newer one's, or of a host with more features, the first register
 * that cannot be honoured is named, and nothing changes.
 */
#include "state/chance.h"
#include "state/scribble.h"
#include "../../lib/lib.h"

#define VCPUS		3
#define ORDERS		12
#define SECTIONS_MAX	32
#define NAMES_MAX	2048

#define UNKNOWN_REG	ARM64_SYS_REG(3, 7, 15, 15, 7)
#define REG_ISAR0	ARM64_SYS_REG(3, 0, 0, 6, 0)
#define REG_MMFR1	ARM64_SYS_REG(3, 0, 0, 7, 1)

static struct image good;
static enum tern_method method, most;
static uint8_t *image;
static struct tern_section *section[SECTIONS_MAX];
static unsigned int nr_sections;

static struct tern_section *section_of(uint32_t kind, uint32_t index)
{
	unsigned int i;

	for (i = 0; i < nr_sections; i++)
		if (section[i]->kind == kind && section[i]->index == index)
			return section[i];
	CHECK(!"the image has it");
	return NULL;
}

static void seal_top(uint64_t size)
{
	struct tern_image *top = (struct tern_image *)image;

	top->size = size;
	lib_image_seal(top);
}

static void take(void)
{
	struct lib_section next = { 0 };

	memcpy(image, good.data, good.size);
	nr_sections = 0;
	while (lib_section_next(image, &next)) {
		CHECK(nr_sections < SECTIONS_MAX);
		section[nr_sections++] = (struct tern_section *)next.head;
	}
}

static bool has_list(const struct tern_section *values, const struct tern_section *list)
{
	bool gic = values->kind == TERN_SECTION_GIC_DIST || values->kind == TERN_SECTION_GIC_CPU;

	if (values->kind != TERN_SECTION_VCPU && !gic)
		return false;
	return list->kind == (gic ? TERN_SECTION_GIC_LIST : TERN_SECTION_REG_LIST) &&
	       *(uint32_t *)(values + 1) == list->index;
}

static size_t room(const struct tern_section *list, uint64_t name)
{
	return list->kind == TERN_SECTION_GIC_LIST ? 8 : lib_reg_room(name);
}

/* @order: of the names there were, which come; fewer make the list shorter */
static void arrange_values(struct tern_section *values, const struct tern_section *list, const uint64_t *name,
			   uint64_t all, const uint32_t *order, uint64_t n)
{
	size_t at[NAMES_MAX + 1], first = lib_values_offset(values->kind), fill = first;
	uint8_t *base = (uint8_t *)(values + 1), *old = malloc(values->length);
	uint64_t i;

	CHECK(old);
	memcpy(old, base, values->length);
	for (i = 0, at[0] = first; i < all; i++)
		at[i + 1] = at[i] + room(list, name[i]);
	for (i = 0; i < n; i++) {
		memcpy(base + fill, old + at[order[i]], at[order[i] + 1] - at[order[i]]);
		fill += at[order[i] + 1] - at[order[i]];
	}
	CHECK(fill <= values->length);
	values->length = fill;
	lib_section_seal(values);
	free(old);
}

static void arrange(struct tern_section *list, const uint32_t *order, uint64_t n)
{
	uint64_t *name = (uint64_t *)(list + 1), all = list->length / 8, old[NAMES_MAX], i;

	CHECK(all <= NAMES_MAX);
	memcpy(old, name, list->length);
	for (i = 0; i < nr_sections; i++)
		if (has_list(section[i], list))
			arrange_values(section[i], list, old, all, order, n);
	for (i = 0; i < n; i++)
		name[i] = old[order[i]];
	list->length = 8 * n;
	lib_section_seal(list);
}

static void shuffle(uint32_t *order, uint32_t n)
{
	uint32_t i, other, keep;

	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n; i > 1; i--) {
		other = chance_below(i);
		keep = order[i - 1];
		order[i - 1] = order[other];
		order[other] = keep;
	}
}

/* Sections as they are now, one behind the other in this order. Return: the image's size */
static uint64_t pack(const uint32_t *order)
{
	uint8_t *packed = malloc(good.size);
	uint64_t fill = sizeof(struct tern_image), whole;
	unsigned int i;

	CHECK(packed);
	memcpy(packed, image, fill);
	for (i = 0; i < nr_sections; i++) {
		whole = sizeof(struct tern_section) + section[order[i]]->length;
		memcpy(packed + fill, section[order[i]], whole);
		fill += whole;
	}
	memcpy(image, packed, fill);
	free(packed);
	seal_top(fill);
	return fill;
}

static uint64_t pack_as_they_are(void)
{
	uint32_t order[SECTIONS_MAX], i;

	for (i = 0; i < nr_sections; i++)
		order[i] = i;
	return pack(order);
}

static bool is_list(const struct tern_section *s)
{
	return s->kind == TERN_SECTION_REG_LIST || s->kind == TERN_SECTION_GIC_LIST;
}

static void any_order(struct tern_vm *handle)
{
	uint32_t order[NAMES_MAX];
	struct tern_failure failure;
	struct image now;
	uint64_t size;
	unsigned int i;
	int ret;

	take();
	for (i = 0; i < nr_sections; i++) {
		if (!is_list(section[i]))
			continue;
		shuffle(order, section[i]->length / 8);
		arrange(section[i], order, section[i]->length / 8);
	}
	shuffle(order, nr_sections);
	size = pack(order);
	ret = tern_restore(handle, image, size, &failure);
	if (ret)
		fprintf(stderr, "method %d: vcpu %d id %llx: %d\n", method, (int)failure.vcpu,
			(unsigned long long)failure.id, ret);
	EXPECT(ret, 0);
	save(handle, &now);
	expect_same(&good, &now);
	free(now.data);
}

/* An older kernel's: every third register is one that it did not know. */
static void fewer_registers(struct tern_vm *handle, struct vm *vm)
{
	struct tern_section *list;
	uint32_t order[NAMES_MAX], n = 0, i;
	struct tern_failure failure;
	uint64_t x1 = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | 2, mark = 0x5eed, now = 0;

	take();
	list = section_of(TERN_SECTION_REG_LIST, *(uint32_t *)(section_of(TERN_SECTION_VCPU, 0) + 1));
	for (i = 0; i < list->length / 8; i++)
		if (i % 3 != 1)
			order[n++] = i;
	CHECK(((uint64_t *)(list + 1))[1] == x1);	/* x0, x1, ... */
	arrange(list, order, n);
	EXPECT(vcpu_set(&vm->vcpu[0], x1, &mark), 0);
	EXPECT(tern_restore(handle, image, pack_as_they_are(), &failure), 0);
	EXPECT(vcpu_get(&vm->vcpu[0], x1, &now), 0);
	EXPECT(now, mark);
}

/* Return: where the value of @name is in the first vCPU's section */
static uint64_t *value_of(uint64_t name)
{
	struct tern_section *values = section_of(TERN_SECTION_VCPU, 0), *list;
	uint8_t *at = (uint8_t *)(values + 1) + lib_values_offset(TERN_SECTION_VCPU);
	uint64_t *id, i;

	list = section_of(TERN_SECTION_REG_LIST, *(uint32_t *)(values + 1));
	id = (uint64_t *)(list + 1);
	for (i = 0; id[i] != name; at += room(list, id[i++]))
		CHECK(i < list->length / 8);
	return (uint64_t *)at;
}

static void refused(struct tern_vm *handle, int err, uint64_t id)
{
	struct tern_failure failure;
	struct image before, now;

	save(handle, &before);
	EXPECT(tern_restore(handle, image, pack_as_they_are(), &failure), err);
	EXPECT(failure.error, err);
	EXPECT(failure.vcpu, 0);
	CHECK(failure.id == id);
	save(handle, &now);
	expect_same(&before, &now);
	free(before.data);
	free(now.data);
}

/* A host with more: two ID registers say so, and the first of them is named; then a register that is not here. */
static void more_features(struct tern_vm *handle)
{
	struct tern_section *list;
	uint64_t *name;

	take();
	*value_of(REG_MMFR1) ^= 0xf;
	*value_of(REG_ISAR0) ^= 0xf0;
	lib_section_seal(section_of(TERN_SECTION_VCPU, 0));
	refused(handle, -EINVAL, REG_ISAR0);

	take();
	list = section_of(TERN_SECTION_REG_LIST, *(uint32_t *)(section_of(TERN_SECTION_VCPU, 0) + 1));
	name = (uint64_t *)(list + 1);
	name[4] = UNKNOWN_REG;	/* both of 64 bits, as x4 and x6 are */
	name[6] = UNKNOWN_REG ^ 1;
	lib_section_seal(list);
	refused(handle, -ENOENT, UNKNOWN_REG);
}

static void with_method(void)
{
	struct tern_vm *handle;
	unsigned int i;
	struct vm vm;

	for (i = 0; i < ORDERS; i++) {
		make_machine(&vm, VCPUS);
		scribble(&vm, 30 + i);
		handle = handle_of(&vm);
		EXPECT(tern_vm_limit(handle, method), 0);
		any_order(handle);
		if (i == 0)
			fewer_registers(handle, &vm);
		if (i == 1)
			more_features(handle);
		tern_vm_free(handle);
		vm_fini(&vm);
	}
}

int main(int argc, char **argv)
{
	struct tern_vm *handle;
	unsigned int unused = 0;
	struct vm vm;

	chance_begin(argc, argv, &unused);
	make_machine(&vm, VCPUS);
	scribble(&vm, 5);
	handle = handle_of(&vm);
	most = tern_vm_method(handle);
	save(handle, &good);
	tern_vm_free(handle);
	vm_fini(&vm);
	image = malloc(good.size);
	CHECK(image);
	for (method = TERN_METHOD_ONE; method <= most; method++)
		with_method();
	return 0;
}
