// SPDX-License-Identifier: GPL-2.0
/* libtern's parser, which tern_restore() and tern_image_next() believe. */
#include "fuzz.h"
#include "lib.h"

static uint64_t count_values(const void *image)
{
	struct lib_section section = { 0 };
	struct lib_values values;
	uint64_t n = 0;

	while (lib_section_next(image, &section)) {
		fuzz_read(section.payload, section.length);
		if (!lib_has_values(section.kind))
			continue;
		lib_section_values(image, &section, &values);
		n += values.n;
	}
	return n;
}

int fuzz_library(const void *image, size_t size)
{
	struct tern_value value = { 0 };
	int ret = tern_image_check(image, size), more;
	uint64_t n;

	if (ret) {
		fuzz_require(ret < 0 && ret > -4096, "an error is a negative errno");
		fuzz_require(tern_image_next(image, size, &value) == ret,
			     "an image with a fault gives no value");
		return ret;
	}
	for (n = count_values(image);; n--) {
		more = tern_image_next(image, size, &value);
		if (more != 1)
			break;
		fuzz_require(n, "there are no more values than names");
		fuzz_read(value.value, value.size);
	}
	fuzz_require(!more && !n, "every value is given");
	return 0;
}
