// SPDX-License-Identifier: GPL-2.0
/*
 * Damaged and lying images are refused, with the register at fault where one
 * is, and leave the VM as it was.
 */
#include "state/scribble.h"
#include "../../lib/lib.h"

static struct vm vm;
static struct tern_vm *handle;
static struct image good, before;

static void unchanged(void)
{
	struct image after;

	save(handle, &after);
	expect_same(&before, &after);
	free(after.data);
}

static void refused(void *image, size_t size, int want)
{
	struct tern_failure failure;
	int ret = tern_restore(handle, image, size, &failure);

	if (ret != want)
		fprintf(stderr, "wanted %d: got %d, id %llx\n", want, ret,
			(unsigned long long)failure.id);
	EXPECT(ret, want);
	EXPECT(failure.error, want);
}

static void *copy(void)
{
	void *p = malloc(good.size);

	CHECK(p);
	memcpy(p, good.data, good.size);
	return p;
}

static void flipped_bits(void)
{
	uint8_t *image = copy();
	size_t bit, step = good.size / 50;
	int ret;

	for (bit = 0; bit < 8 * good.size; bit += bit < 512 ? 1 : step * 8 + 1) {
		image[bit / 8] ^= 1 << bit % 8;
		ret = tern_restore(handle, image, good.size, NULL);
		CHECK(ret == -EBADMSG || ret == -EPROTO || ret == -E2BIG);
		image[bit / 8] ^= 1 << bit % 8;
	}
	free(image);
}

static void truncated(void)
{
	uint8_t *image = copy();
	size_t size;

	for (size = 0; size < good.size; size += size < 128 ? 1 : 997)
		refused(image, size, -EBADMSG);
	free(image);
}

static struct tern_section *section_of(void *image, uint32_t kind,
				       uint32_t index)
{
	struct lib_section section;

	CHECK(lib_section_find(image, kind, index, &section));
	return (struct tern_section *)section.head;
}

/* The vCPU's sections name one that is there already, or is not at all. */
static void other_vcpus(void)
{
	void *image = copy();
	struct tern_section *head = section_of(image, TERN_SECTION_VCPU, 1);

	head->index = 0;
	lib_section_seal(head);
	refused(image, good.size, -EEXIST);
	head->index = 9;
	lib_section_seal(head);
	refused(image, good.size, -ENOENT);
	free(image);
}

static void lying_lists(void)
{
	void *image = copy();
	struct tern_section *head = section_of(image, TERN_SECTION_REG_LIST, 0);
	uint64_t *id = (uint64_t *)(head + 1), old = id[1];

	id[1] = id[0];
	lib_section_seal(head);
	refused(image, good.size, -EEXIST);
	id[1] = old ^ (KVM_REG_SIZE_U64 ^ KVM_REG_SIZE_U128);
	lib_section_seal(head);
	refused(image, good.size, -EBADMSG);
	id[1] = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | 0x7fff0000;
	lib_section_seal(head);
	refused(image, good.size, -ENOENT);
	id[1] = old;
	head->kind = 99;
	lib_section_seal(head);
	CHECK(tern_restore(handle, image, good.size, NULL) < 0);
	free(image);
}

static void huge_length(void)
{
	void *image = copy();
	struct tern_section *head = section_of(image, TERN_SECTION_VCPU, 0);

	head->length = ~7ull;
	refused(image, good.size, -EBADMSG);
	free(image);
}

static void newer_version(void)
{
	struct tern_image *image = copy();

	image->version = TERN_STATE_VERSION + 1;
	lib_image_seal(image);
	refused(image, good.size, -EPROTO);
	free(image);
}

/* What another host is: named, by its id */
static void another_host(void)
{
	const uint64_t midr = ARM64_SYS_REG(3, 0, 0, 0, 0);
	void *image = copy();
	struct tern_section *head = section_of(image, TERN_SECTION_VCPU, 1);
	struct tern_value value = { 0 };
	struct tern_failure failure;

	do {
		EXPECT(tern_image_next(image, good.size, &value), 1);
	} while (value.vcpu != 1 || value.id != midr);
	*(uint64_t *)value.value ^= 1;
	lib_section_seal(head);
	EXPECT(tern_restore(handle, image, good.size, &failure), -EINVAL);
	EXPECT(failure.vcpu, 1);
	CHECK(failure.id == midr);
	free(image);
}

int main(void)
{
	enum tern_method most, method;

	make_machine(&vm, 2);
	scribble(&vm, 5);
	handle = handle_of(&vm);
	save(handle, &good);
	scribble(&vm, 6);
	save(handle, &before);
	most = tern_vm_method(handle);
	for (method = TERN_METHOD_ONE; method <= most; method++) {
		EXPECT(tern_vm_limit(handle, method), 0);
		flipped_bits();
		truncated();
		other_vcpus();
		lying_lists();
		huge_length();
		newer_version();
		unchanged();
		another_host();
		unchanged();
	}
	return 0;
}
