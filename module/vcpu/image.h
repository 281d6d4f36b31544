/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State images as bytes: pure. What is in them is hostile until
 * image_check() has seen it. tern-state(5) is the format.
 */
#ifndef TERN_VCPU_IMAGE_H
#define TERN_VCPU_IMAGE_H

#include <linux/types.h>

#define IMAGE_MAX_IDS	512	/* vCPU ids are below */
#define IMAGE_MAX_LISTS	8	/* of each kind */
#define IMAGE_MAX_NAMES	8192	/* registers in a list */
#define IMAGE_MAX_SECTIONS 2048

/**
 * struct image_part - a section: what tern knows of it, and its payload
 * @names: of a list, how many
 */
struct image_part {
	const void *data;
	u32 length;
	u32 kind;
	u32 index;
	u32 names;
};

/**
 * struct image - an image that was found sound
 * @nr:    sections, those that may be skipped included
 * @part:  [@nr]; kind 0: to be skipped
 */
struct image {
	u32 nr;
	struct image_part part[IMAGE_MAX_SECTIONS];
};

/**
 * image_check() - look through @size bytes at @data, which is aligned to 8 bytes
 * @failed: the section at fault, or TERN_NO_INDEX
 * Afterwards every section's length fits its kind and its list, lists that are
 * referred to exist, and no list or vCPU comes twice.
 * Return: 0, -EBADMSG, -EPROTO, -EEXIST, -ENOENT, -E2BIG, -EINVAL.
 */
int image_check(struct image *img, const void *data, u64 size, u32 *failed);

/** image_find() - the section of @kind with @index, or NULL */
const struct image_part *image_find(const struct image *img, u32 kind, u32 index);

/** image_value_size() - bytes that register @id takes in an image, or 0 for a size that no register has */
u32 image_value_size(u64 id);

/** image_begin() / image_section() - write headers, sums left for later; image_sum() then fills them in */
void *image_begin(void *at, u32 nr_sections, u64 size);
void *image_section(void *at, u32 kind, u32 index, u64 length);
/** image_may_skip() - who does not know the section's kind may ignore it; before image_seal() */
void image_may_skip(void *section);
/** image_seal() - the sum of the section that begins at @section */
void image_seal(void *section);

#endif
