// SPDX-License-Identifier: GPL-2.0
/* The image format of tern-state(5): checked, walked, sealed. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib.h"

/* tern-state(5): each is looked for among all, so there are not too many. */
#define SECTIONS_MAX	2048
#define NAMES_MAX	8192
#define LISTS_MAX	8

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "an image is little-endian, and so are the hosts this is for"
#endif

static uint32_t image_sum(const struct tern_image *image)
{
	struct tern_image copy = *image;

	copy.sum = 0;
	return lib_crc32c(0, &copy, sizeof(copy));
}

static uint32_t section_sum(const struct tern_section *head)
{
	struct tern_section copy = *head;

	copy.sum = 0;
	return lib_crc32c(lib_crc32c(0, &copy, sizeof(copy)), head + 1,
			  head->length);
}

void lib_section_seal(struct tern_section *head)
{
	head->sum = section_sum(head);
}

void lib_image_seal(struct tern_image *image)
{
	image->sum = image_sum(image);
}

/* Where the section behind this one begins, or would */
static const struct tern_section *next_head(const void *image,
					    const struct lib_section *section)
{
	const struct tern_image *top = image;

	if (!section->head)
		return (const struct tern_section *)(top + 1);
	return (const void *)((const char *)section->payload + section->length);
}

static bool is_last(const void *image, const struct lib_section *section)
{
	const struct tern_image *top = image;

	return (section->head ? section->number + 1 : 0) >= top->nr_sections;
}

int lib_section_next(const void *image, struct lib_section *section)
{
	if (is_last(image, section))
		return 0;
	section->number += section->head != NULL;
	section->head = next_head(image, section);
	section->payload = section->head + 1;
	section->length = section->head->length;
	section->kind = section->head->kind;
	section->index = section->head->index;
	return 1;
}

bool lib_section_find(const void *image, uint32_t kind, uint32_t index,
		      struct lib_section *section)
{
	memset(section, 0, sizeof(*section));
	while (lib_section_next(image, section))
		if (section->kind == kind && section->index == index)
			return true;
	return false;
}

/* What is known of an image while it is looked through. */
struct looking {
	const void *image;
	uint64_t left;			/* bytes behind the section looked at */
	uint32_t lists[2];		/* of registers, of the GIC's */
};

static bool is_list(uint32_t kind)
{
	return kind == TERN_SECTION_REG_LIST || kind == TERN_SECTION_GIC_LIST;
}

bool lib_has_values(uint32_t kind)
{
	return kind == TERN_SECTION_VCPU || kind == TERN_SECTION_GIC_DIST ||
	       kind == TERN_SECTION_GIC_CPU;
}

size_t lib_values_offset(uint32_t kind)
{
	return kind == TERN_SECTION_VCPU ? sizeof(struct tern_vcpu_values) :
		sizeof(struct tern_values);
}

size_t lib_reg_size(uint64_t id)
{
	return (size_t)1 << ((id & KVM_REG_SIZE_MASK) >> KVM_REG_SIZE_SHIFT);
}

size_t lib_reg_room(uint64_t id)
{
	return (lib_reg_size(id) + 7) & ~(size_t)7;
}

/* Its extent is looked at before anything is read there. */
static int check_extent(struct looking *at, const struct tern_section *head)
{
	if (at->left < sizeof(*head))
		return -EBADMSG;
	at->left -= sizeof(*head);
	if (head->length > at->left || head->length % 8)
		return -EBADMSG;
	at->left -= head->length;
	return section_sum(head) == head->sum ? 0 : -EBADMSG;
}

static int check_list(struct looking *at, const struct lib_section *section)
{
	bool gic = section->kind == TERN_SECTION_GIC_LIST;
	const uint64_t *id = section->payload;
	uint64_t i, n = section->length / 8;

	if (n > NAMES_MAX)
		return -E2BIG;
	for (i = 0; !gic && i < n; i++)
		if (lib_reg_size(id[i]) > LIB_REG_SIZE_MAX)
			return -EINVAL;
	return ++at->lists[gic] > LISTS_MAX ? -E2BIG : 0;
}

/* What an image says, it says once. */
static int check_twice(const void *image, const struct lib_section *section)
{
	struct lib_section first;

	if (!lib_section_find(image, section->kind, section->index, &first))
		return -EBADMSG;
	return first.number == section->number ? 0 : -EEXIST;
}

/* Only tern has use for it; elsewhere it is passed over as its flag says. */
static int check_record(struct looking *at, const struct lib_section *section)
{
	if (!section->head->flags)
		return -EINVAL;
	if (section->length != sizeof(uint64_t))
		return -EBADMSG;
	return check_twice(at->image, section);
}

static int check_its(struct looking *at, const struct lib_section *section)
{
	if (!section->head->flags)
		return -EINVAL;
	if (section->length < offsetof(struct tern_its, base))
		return -EBADMSG;
	if (section->index >= TERN_STATE_MAX_ITS)
		return -E2BIG;
	return check_twice(at->image, section);
}

static int check_section(struct looking *at, const struct lib_section *section)
{
	int ret;

	if (section->head->flags & ~TERN_SECTION_MAY_SKIP)
		return -EINVAL;
	if (section->kind == TERN_SECTION_RECORD)
		return check_record(at, section);
	if (section->kind == TERN_SECTION_ITS)
		return check_its(at, section);
	if (!is_list(section->kind) && !lib_has_values(section->kind))
		return section->head->flags ? 0 : -EPROTO;
	ret = check_twice(at->image, section);
	if (!ret && is_list(section->kind))
		ret = check_list(at, section);
	if (!ret && section->kind == TERN_SECTION_GIC_DIST && section->index)
		ret = -EINVAL;
	return ret;
}

static int check_vcpu_fields(const struct tern_vcpu_values *v)
{
	static const uint8_t zero[sizeof(v->reserved)];

	if (v->serror_pending > 1 || v->serror_has_esr > 1 ||
	    v->has_ptimer > 1 || memcmp(v->reserved, zero, sizeof(zero)) ||
	    (!v->serror_has_esr && v->serror_esr))
		return -EINVAL;
	return 0;
}

static uint64_t list_room(const struct lib_section *list)
{
	const uint64_t *id = list->payload;
	uint64_t i, room = 0;

	if (list->kind == TERN_SECTION_GIC_LIST)
		return list->length;
	for (i = 0; i < list->length / 8; i++)
		room += lib_reg_room(id[i]);
	return room;
}

/* A section of values has just those that its list names. */
static int check_values(const void *image, const struct lib_section *section)
{
	bool gic = section->kind != TERN_SECTION_VCPU;
	const struct tern_values *values = section->payload;
	size_t offset = lib_values_offset(section->kind);
	struct lib_section list;
	int ret = 0;

	if (section->length < offset)
		return -EBADMSG;
	if (!gic)
		ret = check_vcpu_fields(section->payload);
	else if (values->reserved)
		ret = -EINVAL;
	if (ret)
		return ret;
	if (!lib_section_find(image, gic ? TERN_SECTION_GIC_LIST :
			      TERN_SECTION_REG_LIST, values->list, &list))
		return -ENOENT;
	return list_room(&list) == section->length - offset ? 0 : -EBADMSG;
}

static int check_header(const struct tern_image *top, size_t size)
{
	if (size < sizeof(*top) || (uintptr_t)top % 8 ||
	    memcmp(top->magic, TERN_STATE_MAGIC, sizeof(top->magic)))
		return -EBADMSG;
	if (top->version != TERN_STATE_VERSION)
		return -EPROTO;
	if (top->size != size || top->reserved || top->sum != image_sum(top))
		return -EBADMSG;
	return top->nr_sections > SECTIONS_MAX ? -E2BIG : 0;
}

/*
 * Sections are walked by lengths that were looked at just before: the walk
 * stops at the first that is wrong, and lib_section_find() meets itself.
 */
static int check_sections(struct looking *at)
{
	struct lib_section section = { 0 };
	int ret = 0;

	while (!ret && !is_last(at->image, &section)) {
		ret = check_extent(at, next_head(at->image, &section));
		if (!ret && lib_section_next(at->image, &section))
			ret = check_section(at, &section);
	}
	return !ret && at->left ? -EBADMSG : ret;
}

int tern_image_check(const void *image, size_t size)
{
	struct looking at = { .image = image };
	struct lib_section section = { 0 };
	int ret = check_header(image, size);

	at.left = size - sizeof(struct tern_image);
	if (!ret)
		ret = check_sections(&at);
	while (!ret && lib_section_next(image, &section))
		if (lib_has_values(section.kind))
			ret = check_values(image, &section);
	return ret;
}
