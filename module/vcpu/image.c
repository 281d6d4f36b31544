// SPDX-License-Identifier: GPL-2.0
/*
 * State images as bytes. See image.h.
 */
#include <linux/crc32.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "../../uapi/tern.h"
#include "image.h"

static u32 sum_of(u32 sum, const void *data, size_t n)
{
	return __crc32c_le(sum, data, n);
}

/* Of a header whose last word is its sum, and of what follows it */
static u32 header_sum(const void *header, size_t size, const void *payload, size_t n)
{
	static const u32 zero;
	u32 sum = sum_of(~0U, header, size - sizeof(zero));

	sum = sum_of(sum, &zero, sizeof(zero));
	return ~sum_of(sum, payload, n);
}

u32 image_value_size(u64 id)
{
	switch (id & KVM_REG_SIZE_MASK) {
	case KVM_REG_SIZE_U8:
	case KVM_REG_SIZE_U16:
	case KVM_REG_SIZE_U32:
	case KVM_REG_SIZE_U64:
		return 8;
	case KVM_REG_SIZE_U128:
	case KVM_REG_SIZE_U256:
	case KVM_REG_SIZE_U512:
	case KVM_REG_SIZE_U1024:
	case KVM_REG_SIZE_U2048:
		return 1U << ((id & KVM_REG_SIZE_MASK) >> KVM_REG_SIZE_SHIFT);
	}
	return 0;
}

static int check_header(const struct tern_image *h, u64 size)
{
	if (size < sizeof(*h) || memcmp(h->magic, TERN_STATE_MAGIC, sizeof(h->magic)))
		return -EBADMSG;
	if (le32_to_cpu(h->version) != TERN_STATE_VERSION)
		return -EPROTO;
	if (le64_to_cpu(h->size) != size || h->reserved ||
	    le32_to_cpu(h->sum) != header_sum(h, sizeof(*h), NULL, 0))
		return -EBADMSG;
	return le32_to_cpu(h->nr_sections) > IMAGE_MAX_SECTIONS ? -E2BIG : 0;
}

static int check_kind(struct image_part *p, u32 flags)
{
	bool optional = p->kind == TERN_SECTION_ITS || p->kind == TERN_SECTION_RECORD;

	if (flags & ~TERN_SECTION_MAY_SKIP || (optional && !flags))
		return -EINVAL;
	if (optional || (p->kind >= TERN_SECTION_REG_LIST && p->kind <= TERN_SECTION_GIC_CPU))
		return 0;
	p->kind = 0;
	return flags & TERN_SECTION_MAY_SKIP ? 0 : -EPROTO;
}

/* The next section of @left bytes at @at. Return: its size, or a negative errno */
static s64 take_section(struct image_part *p, const void *at, u64 left)
{
	const struct tern_section *s = at;
	u64 length;
	int err;

	if (left < sizeof(*s))
		return -EBADMSG;
	length = le64_to_cpu(s->length);
	if (length > left - sizeof(*s) || length % 8)
		return -EBADMSG;
	if (le32_to_cpu(s->sum) != header_sum(s, sizeof(*s), s + 1, length))
		return -EBADMSG;
	p->data = s + 1;
	p->length = length;
	p->kind = le32_to_cpu(s->kind);
	p->index = le32_to_cpu(s->index);
	p->names = 0;
	err = check_kind(p, le32_to_cpu(s->flags));
	return err ?: (s64)(sizeof(*s) + length);
}

static bool is_list(const struct image_part *p)
{
	return p->kind == TERN_SECTION_REG_LIST || p->kind == TERN_SECTION_GIC_LIST;
}

/* Values that a list names */
static bool has_values(const struct image_part *p)
{
	return p->kind && p->kind != TERN_SECTION_ITS && !is_list(p);
}

static int check_list(struct image_part *p)
{
	const __le64 *name = p->data;
	u32 i, n = p->length / 8;

	if (n > IMAGE_MAX_NAMES)
		return -E2BIG;
	for (i = 0; p->kind == TERN_SECTION_REG_LIST && i < n; i++)
		if (!image_value_size(le64_to_cpu(name[i])))
			return -EINVAL;
	p->names = n;
	return 0;
}

const struct image_part *image_find(const struct image *img, u32 kind, u32 index)
{
	u32 i;

	for (i = 0; i < img->nr; i++)
		if (img->part[i].kind == kind && img->part[i].index == index)
			return &img->part[i];
	return NULL;
}

/*
 * What has been seen: ids of vCPUs with registers, a GIC part and a record,
 * ITSes, and lists with the bytes that their values take.
 */
struct seen {
	u8 vcpu[3][IMAGE_MAX_IDS / 8];
	bool dist;
	u32 its;
	u32 nr_lists[2];
	u32 list[2][IMAGE_MAX_LISTS];
	u32 bytes[2][IMAGE_MAX_LISTS];
};

static u32 list_bytes(const struct image_part *p)
{
	const __le64 *name = p->data;
	u32 i, n = 0;

	if (p->kind == TERN_SECTION_GIC_LIST)
		return 8 * p->names;
	for (i = 0; i < p->names; i++)
		n += image_value_size(le64_to_cpu(name[i]));
	return n;
}

/* Of lists there are few. */
static int see_list(struct seen *seen, const struct image_part *p)
{
	u32 i, gic = p->kind == TERN_SECTION_GIC_LIST;

	for (i = 0; i < seen->nr_lists[gic]; i++)
		if (seen->list[gic][i] == p->index)
			return -EEXIST;
	if (i == IMAGE_MAX_LISTS)
		return -E2BIG;
	seen->list[gic][i] = p->index;
	seen->bytes[gic][i] = list_bytes(p);
	seen->nr_lists[gic]++;
	return 0;
}

static int see_vcpu(struct seen *seen, const struct image_part *p)
{
	u32 what = p->kind == TERN_SECTION_VCPU ? 0 : p->kind == TERN_SECTION_GIC_CPU ? 1 : 2;
	u8 *byte, bit = 1U << p->index % 8;

	if (p->index >= IMAGE_MAX_IDS)
		return -ENOENT;
	byte = &seen->vcpu[what][p->index / 8];
	if (*byte & bit)
		return -EEXIST;
	*byte |= bit;
	return 0;
}

static int see_its(struct seen *seen, const struct image_part *p)
{
	if (p->index >= TERN_STATE_MAX_ITS)
		return -E2BIG;
	if (seen->its & 1U << p->index)
		return -EEXIST;
	seen->its |= 1U << p->index;
	return 0;
}

static int see(struct seen *seen, struct image_part *p)
{
	int err;

	switch (p->kind) {
	case 0:
		return 0;
	case TERN_SECTION_ITS:
		return p->length < offsetof(struct tern_its, base) ? -EBADMSG : see_its(seen, p);
	case TERN_SECTION_REG_LIST:
	case TERN_SECTION_GIC_LIST:
		err = check_list(p);
		return err ?: see_list(seen, p);
	case TERN_SECTION_GIC_DIST:
		err = seen->dist ? -EEXIST : p->index ? -EINVAL : 0;
		seen->dist = true;
		return err;
	default:
		return see_vcpu(seen, p);
	}
}

static int check_fixed(const struct image_part *p)
{
	const struct tern_vcpu_values *v = p->data;
	const struct tern_values *o = p->data;

	if (p->kind != TERN_SECTION_VCPU)
		return p->length < sizeof(*o) ? -EBADMSG : o->reserved ? -EINVAL : 0;
	if (p->length < sizeof(*v))
		return -EBADMSG;
	if (v->serror_pending > 1 || v->serror_has_esr > 1 || v->has_ptimer > 1 ||
	    v->reserved[0] | v->reserved[1] | v->reserved[2] | v->reserved[3] | v->reserved[4] ||
	    (!v->serror_has_esr && v->serror_esr))
		return -EINVAL;
	return 0;
}

/* A section of values has as many as its list has names. */
static int check_values(const struct seen *seen, const struct image_part *p)
{
	u32 gic = p->kind != TERN_SECTION_VCPU, fixed = gic ? sizeof(struct tern_values) : sizeof(struct tern_vcpu_values);
	u32 i, list;
	int err;

	if (p->kind == TERN_SECTION_RECORD)
		return p->length == 8 ? 0 : -EBADMSG;
	err = check_fixed(p);
	if (err)
		return err;
	list = le32_to_cpu(*(const __le32 *)p->data);
	for (i = 0; i < seen->nr_lists[gic]; i++)
		if (seen->list[gic][i] == list)
			return p->length - fixed == seen->bytes[gic][i] ? 0 : -EBADMSG;
	return -ENOENT;
}

static int take_sections(struct image *img, struct seen *seen, const void *data, u64 size, u32 nr)
{
	u64 at = sizeof(struct tern_image);
	s64 n;
	int err;

	for (img->nr = 0; img->nr < nr; img->nr++) {
		n = take_section(&img->part[img->nr], data + at, size - at);
		if (n < 0)
			return n;
		err = see(seen, &img->part[img->nr]);
		if (err)
			return err;
		at += n;
	}
	return at == size ? 0 : -EBADMSG;
}

int image_check(struct image *img, const void *data, u64 size, u32 *failed)
{
	const struct tern_image *h = data;
	struct seen seen = {};
	u32 i;
	int err;

	*failed = TERN_NO_INDEX;
	img->nr = 0;
	err = check_header(h, size);
	if (err)
		return err;
	err = take_sections(img, &seen, data, size, le32_to_cpu(h->nr_sections));
	if (err) {
		*failed = img->nr < le32_to_cpu(h->nr_sections) ? img->nr : TERN_NO_INDEX;
		return err;
	}
	for (i = 0; i < img->nr; i++) {
		if (!has_values(&img->part[i]))
			continue;
		err = check_values(&seen, &img->part[i]);
		if (err) {
			*failed = i;
			return err;
		}
	}
	return 0;
}

void *image_begin(void *at, u32 nr_sections, u64 size)
{
	struct tern_image *h = at;

	memcpy(h->magic, TERN_STATE_MAGIC, sizeof(h->magic));
	h->version = cpu_to_le32(TERN_STATE_VERSION);
	h->nr_sections = cpu_to_le32(nr_sections);
	h->size = cpu_to_le64(size);
	h->reserved = 0;
	h->sum = cpu_to_le32(header_sum(h, sizeof(*h), NULL, 0));
	return h + 1;
}

void *image_section(void *at, u32 kind, u32 index, u64 length)
{
	struct tern_section *s = at;

	s->kind = cpu_to_le32(kind);
	s->index = cpu_to_le32(index);
	s->length = cpu_to_le64(length);
	s->flags = 0;
	s->sum = 0;
	return s + 1;
}

void image_may_skip(void *section)
{
	struct tern_section *s = section;

	s->flags = cpu_to_le32(TERN_SECTION_MAY_SKIP);
}

void image_seal(void *section)
{
	struct tern_section *s = section;

	s->sum = cpu_to_le32(header_sum(s, sizeof(*s), s + 1, le64_to_cpu(s->length)));
}
