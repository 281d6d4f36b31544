// SPDX-License-Identifier: GPL-2.0
/* The values of an image that was checked. */
#include <string.h>

#include "lib.h"

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
		lib_values_offset(section->kind);
}

/* position: numbers of the section, and of the next value in it */
static bool section_at(const void *image, uint64_t number,
		       struct lib_section *section)
{
	memset(section, 0, sizeof(*section));
	while (lib_section_next(image, section))
		if (section->number >= number && lib_has_values(section->kind))
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
