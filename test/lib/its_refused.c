// SPDX-License-Identifier: GPL-2.0
/*
 * Sections of ITSes that lie, and ITSes that are in use: refused, with the
 * register at fault where one is and the kernel looks at the image, and
 * everything is as it was.
 */
#include <stddef.h>

#include "state/its_machine.h"
#include "../../lib/lib.h"

#define FIELD(name)	offsetof(struct tern_its, name)
#define SECTION		(sizeof(struct tern_section) + sizeof(struct tern_its))

static struct its_machine from;
static struct image good;

/* A copy, with room for a section more */
static struct tern_image *copy(void)
{
	struct tern_image *image = malloc(good.size + SECTION);

	CHECK(image);
	memcpy(image, good.data, good.size);
	return image;
}

static struct tern_section *section_of(void *image)
{
	struct lib_section section;

	CHECK(lib_section_find(image, TERN_SECTION_ITS, 0, &section));
	return (struct tern_section *)section.head;
}

/* A new machine refuses it by @method, and is as before. */
static void refused(const struct tern_image *image, enum tern_method method,
		    int want, uint64_t id)
{
	struct tern_failure failure;
	struct image before, after;
	struct its_machine to, same;
	int ret;

	its_make(&to);
	its_make(&same);
	its_copy_memory(&from, &to);
	scribble(&to.vm, 3);
	EXPECT(tern_vm_limit(to.handle, method), 0);
	save(to.handle, &before);
	ret = tern_restore(to.handle, image, image->size, &failure);
	if (ret != want)
		fprintf(stderr, "method %d: id %llx\n", method,
			(unsigned long long)failure.id);
	EXPECT(ret, want);
	EXPECT(failure.error, want);
	if (method == TERN_METHOD_ALL)
		EXPECT(failure.id, id);
	save(to.handle, &after);
	expect_same(&before, &after);
	its_same_registers(&to, &same);
	free(before.data);
	free(after.data);
	its_unmake(&same);
	its_unmake(&to);
}

static void by_all_methods(const struct tern_image *image, int want)
{
	enum tern_method method;

	for (method = TERN_METHOD_ONE; method <= tern_vm_method(from.handle);
	     method++)
		refused(image, method, want, 0);
}

static void truncated(void)
{
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image);

	head->length = FIELD(base) - 8;
	lib_section_seal(head);
	image->size -= sizeof(struct tern_its) - head->length;
	lib_image_seal(image);
	by_all_methods(image, -EBADMSG);
	free(image);
}

static void numbers(void)
{
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image);

	head->index = TERN_STATE_MAX_ITS;
	lib_section_seal(head);
	by_all_methods(image, -E2BIG);
	head->index = 0;
	head->flags = 0;
	lib_section_seal(head);
	by_all_methods(image, -EINVAL);
	free(image);
}

/* Twice the same number, then twice the same frame */
static void twice(void)
{
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image), *more;

	more = (struct tern_section *)((char *)image + good.size);
	memcpy(more, head, SECTION);
	image->size += SECTION;
	image->nr_sections++;
	lib_image_seal(image);
	by_all_methods(image, -EEXIST);
	more->index = 1;
	lib_section_seal(more);
	by_all_methods(image, -EEXIST);
	free(image);
}

static void nowhere(void)
{
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image);

	((struct tern_its *)(head + 1))->base += 0x20000;
	lib_section_seal(head);
	by_all_methods(image, -ENODEV);
	free(image);
}

/* The kernel looks before it writes anything, and names the register. */
static void registers(void)
{
	static const struct {
		size_t field;
		uint32_t reg;
		uint64_t flip;
	} bad[] = {
		{ FIELD(iidr), 0x04, 0xf000 },
		{ FIELD(cwriter), 0x88, 1UL << 40 },
		{ FIELD(cwriter), 0x88, 0x8 },
		{ FIELD(creadr), 0x90, 0xff000 },
		{ FIELD(baser), 0x100, 1UL << 48 },
		{ FIELD(baser) + 8, 0x108, 1UL << 62 },
		{ FIELD(baser) + 16, 0x110, VALID },
		{ FIELD(cbaser), 0x00, VALID },
	};
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image);
	unsigned int i;
	uint64_t *word;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		word = (uint64_t *)((char *)(head + 1) +
				    (bad[i].field & ~7ul));
		*word ^= bad[i].flip << bad[i].field % 8 * 8;
		lib_section_seal(head);
		refused(image, TERN_METHOD_ALL, -EINVAL,
			(uint64_t)GRP(ITS_REGS) << 32 | bad[i].reg);
		*word ^= bad[i].flip << bad[i].field % 8 * 8;
	}
	free(image);
}

/* Tables where no memory is, and one that ends far behind it */
static void tables(void)
{
	struct tern_image *image = copy();
	struct tern_section *head = section_of(image);
	struct tern_its *its = (struct tern_its *)(head + 1);
	uint64_t good_baser = its->baser[0];

	its->baser[0] = (good_baser & ~0xfffffffff000ul) | 0x7000000000ul;
	lib_section_seal(head);
	refused(image, TERN_METHOD_ALL, -EFAULT, 0);
	/* nothing in it is valid, so all is looked at */
	its->baser[0] = ((good_baser & ~0xfffffffff000ul) |
			 (RAM_BASE + RAM_SIZE - 0x10000)) | 0xff;
	lib_section_seal(head);
	refused(image, TERN_METHOD_ALL, -EFAULT, 0);
	free(image);
}

/* What it maps now could not be put back. */
static void in_use(void)
{
	struct tern_failure failure;
	struct its_machine to;
	uint32_t event;

	its_make(&to);
	its_set_up(&to);
	EXPECT(tern_restore(to.handle, good.data, good.size, &failure), -EBUSY);
	EXPECT(failure.id, 0);
	EXPECT(failure.vcpu, TERN_NO_VCPU);
	for (event = 0; event < 5; event++)
		EXPECT(its_message(&to, event), 1);
	CHECK(its_pending(&to, 0, LPI + 3));
	EXPECT(set_attr(to.its, GRP(CTRL), KVM_DEV_ARM_ITS_CTRL_RESET, NULL), 0);
	its_copy_memory(&from, &to);
	EXPECT(tern_restore(to.handle, good.data, good.size, &failure), 0);
	CHECK(!its_pending(&to, 0, LPI + 3));
	its_unmake(&to);
}

/* Who has told of no ITS sees to it himself. */
static void passed_over(void)
{
	struct its_machine to;
	struct tern_vm *handle;

	its_make(&to);
	handle = handle_of(&to.vm);
	EXPECT(tern_restore(handle, good.data, good.size, NULL), 0);
	EXPECT(its_get_reg(&to, 0) & 1, 0);
	tern_vm_free(handle);
	its_unmake(&to);
}

int main(void)
{
	its_make(&from);
	its_set_up(&from);
	save(from.handle, &good);
	truncated();
	numbers();
	twice();
	nowhere();
	passed_over();
	if (tern_vm_method(from.handle) == TERN_METHOD_ALL) {
		registers();
		tables();
		in_use();
	}
	free(good.data);
	its_unmake(&from);
	return 0;
}
