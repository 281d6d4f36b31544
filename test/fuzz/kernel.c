// SPDX-License-Identifier: GPL-2.0
/* The module's parser, which TERN_SET_STATE believes (module/vcpu/image.h). */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "../../uapi/tern.h"
#include "vcpu/image.h"
#include "fuzz.h"

static struct image img;

static bool is_list(const struct image_part *p)
{
	return p->kind == TERN_SECTION_REG_LIST || p->kind == TERN_SECTION_GIC_LIST;
}

static void look_at_list(const struct image_part *p)
{
	fuzz_require(p->names == p->length / 8, "a list has as many names as it is long");
	fuzz_require(p->names <= IMAGE_MAX_NAMES, "a list is not too long");
	fuzz_require(image_find(&img, p->kind, p->index) == p, "a list comes once");
}

static u64 room(const struct image_part *list)
{
	const __le64 *name = list->data;
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < list->names; i++)
		bytes += list->kind == TERN_SECTION_GIC_LIST ? 8 : image_value_size(name[i]);
	return bytes;
}

static void look_at_values(const struct image_part *p)
{
	u32 kind = p->kind == TERN_SECTION_VCPU ? TERN_SECTION_REG_LIST : TERN_SECTION_GIC_LIST;
	size_t fixed = p->kind == TERN_SECTION_VCPU ? sizeof(struct tern_vcpu_values) : sizeof(struct tern_values);
	const struct image_part *list = image_find(&img, kind, *(const u32 *)p->data);

	fuzz_require(list != NULL, "values have a list");
	fuzz_require(p->length == fixed + room(list), "values are those of their list");
	fuzz_require(p->index < IMAGE_MAX_IDS, "ids are below the most there are");
	fuzz_require(image_find(&img, p->kind, p->index) == p, "a vCPU comes once");
}

static void look_at_its(const struct image_part *p)
{
	fuzz_require(p->length >= offsetof(struct tern_its, base), "an ITS's section has all but its address");
	fuzz_require(p->index < TERN_STATE_MAX_ITS, "there are not too many ITSes");
	fuzz_require(image_find(&img, p->kind, p->index) == p, "an ITS comes once");
}

static void look_at_record(const struct image_part *p)
{
	fuzz_require(p->length == sizeof(u64), "a record is an address");
	fuzz_require(p->index < IMAGE_MAX_IDS, "ids are below the most there are");
	fuzz_require(image_find(&img, p->kind, p->index) == p, "a record comes once");
}

int fuzz_kernel(const void *image, size_t size)
{
	const struct tern_image *top = image;
	u32 failed = 0, i;
	int err = image_check(&img, image, size, &failed);

	if (err) {
		fuzz_require(err < 0 && err > -4096, "an error is a negative errno");
		fuzz_require(failed == TERN_NO_INDEX || failed < top->nr_sections, "the section at fault is one");
		return err;
	}
	fuzz_require(img.nr <= IMAGE_MAX_SECTIONS, "sections have a place");
	for (i = 0; i < img.nr; i++) {
		fuzz_read(img.part[i].data, img.part[i].length);
		if (is_list(&img.part[i]))
			look_at_list(&img.part[i]);
		else if (img.part[i].kind == TERN_SECTION_ITS)
			look_at_its(&img.part[i]);
		else if (img.part[i].kind == TERN_SECTION_RECORD)
			look_at_record(&img.part[i]);
		else if (img.part[i].kind)
			look_at_values(&img.part[i]);
	}
	return 0;
}
