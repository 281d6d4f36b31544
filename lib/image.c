// SPDX-License-Identifier: GPL-2.0
/* The image format of tern-state(5): checked, walked, sealed. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib.h"

/* Each is looked for among all. */
#define SECTIONS_MAX	8192

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "an image is little-endian, and so are the hosts this is for"
#endif

/* Four bits at a time: all that a host without the instructions needs. */
static uint32_t crc_plain(uint32_t crc, const uint8_t *p, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
		0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
		0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};

	while (size--) {
		crc ^= *p++;
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return crc;
}

#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>

__attribute__((target("+crc")))
static uint32_t crc_instructions(uint32_t crc, const uint8_t *p, size_t size)
{
	uint64_t word;

	for (; size >= 8; size -= 8, p += 8) {
		memcpy(&word, p, 8);
		crc = __builtin_aarch64_crc32cx(crc, word);
	}
	while (size--)
		crc = __builtin_aarch64_crc32cb(crc, *p++);
	return crc;
}

uint32_t lib_crc32c(uint32_t crc, const void *data, size_t size)
{
	crc = ~crc;
	if (getauxval(AT_HWCAP) & HWCAP_CRC32)
		return ~crc_instructions(crc, data, size);
	return ~crc_plain(crc, data, size);
}
#else
uint32_t lib_crc32c(uint32_t crc, const void *data, size_t size)
{
	return ~crc_plain(~crc, data, size);
}
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

int lib_section_next(const void *image, struct lib_section *section)
{
	const struct tern_image *top = image;
	const char *next;

	if (!section->head) {
		next = (const char *)(top + 1);
		section->number = 0;
	} else {
		next = (const char *)section->payload + section->length;
		section->number++;
	}
	if (section->number >= top->nr_sections)
		return 0;
	section->head = (const struct tern_section *)next;
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

/* The extents and sums of all sections, so that they can be walked. */
static int check_sections(const struct tern_image *top, size_t size)
{
	const char *at = (const char *)(top + 1);
	const struct tern_section *head;
	uint32_t i;

	size -= sizeof(*top);
	for (i = 0; i < top->nr_sections; i++) {
		head = (const struct tern_section *)at;
		if (size < sizeof(*head))
			return -EBADMSG;
		size -= sizeof(*head);
		if (head->length > size || head->length % 8)
			return -EBADMSG;
		if (section_sum(head) != head->sum)
			return -EBADMSG;
		size -= head->length;
		at += sizeof(*head) + head->length;
	}
	return size ? -EBADMSG : 0;
}

static bool is_list(uint32_t kind)
{
	return kind == TERN_SECTION_REG_LIST || kind == TERN_SECTION_GIC_LIST;
}

static bool has_values(uint32_t kind)
{
	return kind == TERN_SECTION_VCPU || kind == TERN_SECTION_GIC_DIST ||
	       kind == TERN_SECTION_GIC_CPU;
}

static size_t values_offset(uint32_t kind)
{
	return kind == TERN_SECTION_VCPU ? sizeof(struct tern_vcpu_values) :
		sizeof(struct tern_values);
}

/* Registers wider than KVM's own widest would overflow what is added up. */
#define REG_SIZE_MAX	256u

static int list_room(const struct lib_section *list, bool gic, uint64_t *room)
{
	const uint64_t *id = list->payload;
	uint64_t i;

	*room = 0;
	for (i = 0; i < list->length / 8; i++) {
		if (gic) {
			*room += 8;
			continue;
		}
		if (lib_reg_size(id[i]) > REG_SIZE_MAX)
			return -EBADMSG;
		*room += lib_reg_room(id[i]);
	}
	return 0;
}

static int check_values(const void *image, const struct lib_section *section)
{
	bool gic = section->kind != TERN_SECTION_VCPU;
	const struct tern_values *values = section->payload;
	size_t offset = values_offset(section->kind);
	struct lib_section list;
	uint64_t room;
	int ret;

	if (section->length < offset)
		return -EBADMSG;
	if (!lib_section_find(image, gic ? TERN_SECTION_GIC_LIST :
			      TERN_SECTION_REG_LIST, values->list, &list))
		return -EBADMSG;
	ret = list_room(&list, gic, &room);
	if (ret)
		return ret;
	return room == section->length - offset ? 0 : -EBADMSG;
}

/* What an image says, it says once. */
static int check_twice(const void *image, const struct lib_section *section)
{
	struct lib_section first;

	if (!lib_section_find(image, section->kind, section->index, &first))
		return -EBADMSG;
	return first.number == section->number ? 0 : -EEXIST;
}

static int check_section(const void *image, const struct lib_section *section)
{
	int ret = 0;

	if (section->head->flags & ~TERN_SECTION_MAY_SKIP)
		return -EBADMSG;
	if (is_list(section->kind) || has_values(section->kind))
		ret = check_twice(image, section);
	else if (!(section->head->flags & TERN_SECTION_MAY_SKIP))
		ret = -EPROTO;
	if (!ret && has_values(section->kind))
		ret = check_values(image, section);
	return ret;
}

int tern_image_check(const void *image, size_t size)
{
	const struct tern_image *top = image;
	struct lib_section section = { 0 };
	int ret;

	if (size < sizeof(*top) || (uintptr_t)image % 8 ||
	    memcmp(top->magic, TERN_STATE_MAGIC, sizeof(top->magic)))
		return -EBADMSG;
	if (top->version > TERN_STATE_VERSION)
		return -EPROTO;
	if (top->nr_sections > SECTIONS_MAX)
		return -E2BIG;
	if (top->size != size || top->sum != image_sum(top))
		return -EBADMSG;
	ret = check_sections(top, size);
	while (!ret && lib_section_next(image, &section))
		ret = check_section(image, &section);
	return ret;
}

void lib_section_values(const void *image, const struct lib_section *section,
			struct lib_values *values)
{
	const struct tern_values *head = section->payload;
	struct lib_section list;

	values->gic = section->kind != TERN_SECTION_VCPU;
	lib_section_find(image, values->gic ? TERN_SECTION_GIC_LIST :
			 TERN_SECTION_REG_LIST, head->list, &list);
	values->n = list.length / 8;
	values->id = list.payload;
	values->first = (const char *)section->payload +
		values_offset(section->kind);
}

/* position: numbers of the section, and of the next value in it */
static bool section_at(const void *image, uint64_t number,
		       struct lib_section *section)
{
	memset(section, 0, sizeof(*section));
	while (lib_section_next(image, section))
		if (section->number >= number && has_values(section->kind))
			return true;
	return false;
}

static void fill_value(struct tern_value *value, struct lib_section *section,
		       const struct lib_values *values)
{
	uint64_t i = value->position[1];
	const char *next = value->value;

	if (!i)
		next = values->first;
	else
		next += values->gic ? 8 : lib_reg_room(values->id[i - 1]);
	value->id = values->id[i];
	value->size = values->gic ? 8 : lib_reg_size(value->id);
	value->value = next;
	value->vcpu = section->kind == TERN_SECTION_GIC_DIST ? TERN_NO_VCPU :
		section->index;
	value->position[0] = section->number;
	value->position[1] = i + 1;
}

int tern_image_next(const void *image, size_t size, struct tern_value *value)
{
	struct lib_section section;
	struct lib_values values;
	int ret;

	if (!value->value) {
		ret = tern_image_check(image, size);
		if (ret)
			return ret;
		value->position[0] = 0;
		value->position[1] = 0;
	}
	while (section_at(image, value->position[0], &section)) {
		lib_section_values(image, &section, &values);
		if (value->position[1] < values.n) {
			fill_value(value, &section, &values);
			return 1;
		}
		value->position[0] = section.number + 1;
		value->position[1] = 0;
	}
	return 0;
}
