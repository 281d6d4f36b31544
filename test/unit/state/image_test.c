// SPDX-License-Identifier: GPL-2.0
/* State images: what is sound is taken, and no damage is (test/fuzz looks for more). */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "../../../uapi/tern.h"
#include "vcpu/image.h"

static struct image img;
static u64 buffer[64];
static u32 failed;

#define HEADER	sizeof(struct tern_image)
#define SECTION	sizeof(struct tern_section)

/* a list of an x register and a vector register, and vCPU 3 with both */
static u64 make(void)
{
	u64 size = HEADER + 2 * SECTION + 16 + sizeof(struct tern_vcpu_values) + 24, *names;
	struct tern_vcpu_values *v;
	void *at, *data;

	memset(buffer, 0, sizeof(buffer));
	at = image_begin(buffer, 2, size);
	names = image_section(at, TERN_SECTION_REG_LIST, 7, 16);
	names[0] = KVM_REG_SIZE_U64 | 1;
	names[1] = KVM_REG_SIZE_U128 | 2;
	image_seal(at);
	at = names + 2;
	data = image_section(at, TERN_SECTION_VCPU, 3, sizeof(*v) + 24);
	v = data;
	v->list = 7;
	image_seal(at);
	return size;
}

static void test_sound(void **state)
{
	u64 size = make();

	assert_int_equal(image_check(&img, buffer, size, &failed), 0);
	assert_int_equal(img.nr, 2);
	assert_int_equal(image_find(&img, TERN_SECTION_REG_LIST, 7)->names, 2);
	assert_null(image_find(&img, TERN_SECTION_REG_LIST, 6));
}

static void test_damage(void **state)
{
	u64 size = make(), bit, n;
	void *copy;

	for (bit = 0; bit < 8 * size; bit++) {
		((u8 *)buffer)[bit / 8] ^= 1 << bit % 8;
		assert_true(image_check(&img, buffer, size, &failed) < 0);
		((u8 *)buffer)[bit / 8] ^= 1 << bit % 8;
	}
	/* in a block of just that size, so that a sanitizer sees every byte too many */
	for (n = 0; n < size; n++) {
		copy = malloc(n ? n : 1);
		memcpy(copy, buffer, n);
		assert_int_equal(image_check(&img, copy, n, &failed), -EBADMSG);
		free(copy);
	}
}

static void test_sections(void **state)
{
	u64 size = make();
	struct tern_section *list = (void *)buffer + HEADER, *vcpu = (void *)(list + 1) + 16;
	struct tern_vcpu_values *v = (void *)(vcpu + 1);

	v->list = 6;
	image_seal(vcpu);
	assert_int_equal(image_check(&img, buffer, size, &failed), -ENOENT);
	assert_int_equal(failed, 1);
	v->list = 7;
	v->serror_pending = 2;
	image_seal(vcpu);
	assert_int_equal(image_check(&img, buffer, size, &failed), -EINVAL);
	v->serror_pending = 0;
	vcpu->index = IMAGE_MAX_IDS;
	image_seal(vcpu);
	assert_int_equal(image_check(&img, buffer, size, &failed), -ENOENT);
	vcpu->kind = 99;
	image_seal(vcpu);
	assert_int_equal(image_check(&img, buffer, size, &failed), -EPROTO);
	vcpu->flags = TERN_SECTION_MAY_SKIP;
	image_seal(vcpu);
	assert_int_equal(image_check(&img, buffer, size, &failed), 0);
	((u64 *)(list + 1))[0] = 0xfULL << KVM_REG_SIZE_SHIFT;
	image_seal(list);
	assert_int_equal(image_check(&img, buffer, size, &failed), -EINVAL);
	assert_int_equal(failed, 0);
}

/* The older form ends before the address; ITSes have few numbers, each once. */
static void test_its(void **state)
{
	u64 size = HEADER + 2 * SECTION + 2 * sizeof(struct tern_its) - 8;
	struct tern_section *first = (void *)buffer + HEADER;
	struct tern_section *second = (void *)(first + 1) + sizeof(struct tern_its) - 8;

	memset(buffer, 0, sizeof(buffer));
	image_begin(buffer, 2, size);
	image_section(first, TERN_SECTION_ITS, 0, sizeof(struct tern_its) - 8);
	image_may_skip(first);
	image_seal(first);
	image_section(second, TERN_SECTION_ITS, 7, sizeof(struct tern_its));
	image_seal(second);
	assert_int_equal(image_check(&img, buffer, size, &failed), -EINVAL);
	image_may_skip(second);
	image_seal(second);
	assert_int_equal(image_check(&img, buffer, size, &failed), 0);
	assert_int_equal(image_find(&img, TERN_SECTION_ITS, 7)->length, sizeof(struct tern_its));
	second->index = TERN_STATE_MAX_ITS;
	image_seal(second);
	assert_int_equal(image_check(&img, buffer, size, &failed), -E2BIG);
	assert_int_equal(failed, 1);
	second->index = 0;
	image_seal(second);
	assert_int_equal(image_check(&img, buffer, size, &failed), -EEXIST);
	second->length = sizeof(struct tern_its) - 16;
	image_seal(second);
	image_begin(buffer, 2, size - 16);
	assert_int_equal(image_check(&img, buffer, size - 16, &failed), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_its),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
