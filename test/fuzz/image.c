// SPDX-License-Identifier: GPL-2.0
/*
 * A state image that comes from anywhere: the kernel's parser and the
 * library's read nothing outside of it, and agree about whether it is one.
 *
 * Sums would keep a fuzzer out, so mutations are of what is in the image, and
 * sums are made right again: but for some, that the sums are looked at.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile unsigned int folded;

void fuzz_require(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz: it does not hold that %s\n", what);
	abort();
}

void fuzz_read(const void *data, size_t size)
{
	const uint8_t *p = data;
	unsigned int sum = 0;

	while (size--)
		sum += *p++;
	folded += sum;
}

/* The library does not know how many ids the kernel has room for. */
static void agree(int kernel, int library)
{
	fuzz_require(kernel == library || (kernel == -ENOENT && !library) ||
		     (kernel && library), "both parsers come to one verdict");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* with nothing behind it that a sanitizer would take for the image */
	void *image = malloc(size ? size : 1);

	if (!image)
		abort();
	memcpy(image, data, size);
	agree(fuzz_kernel(image, size), fuzz_library(image, size));
	free(image);
	return 0;
}

/* Mutations */

struct place {
	size_t at, size;
};

/* Sections as far as they can be followed */
static unsigned int find_sections(const uint8_t *data, size_t size,
				  struct place *place, unsigned int most)
{
	size_t at = sizeof(struct tern_image);
	struct tern_section head;
	unsigned int n = 0;

	while (n < most && at < size && size - at >= sizeof(head)) {
		memcpy(&head, data + at, sizeof(head));
		if (head.length > size - at - sizeof(head))
			break;
		place[n].at = at;
		place[n].size = sizeof(head) + head.length;
		at += place[n++].size;
	}
	return n;
}

#define MOST	64

static void seal(uint8_t *data, size_t size)
{
	struct place place[MOST];
	unsigned int i, n = find_sections(data, size, place, MOST);
	struct tern_image top;
	void *copy;

	for (i = 0; i < n; i++) {
		copy = malloc(place[i].size);
		if (!copy)
			return;
		memcpy(copy, data + place[i].at, place[i].size);
		lib_section_seal(copy);
		memcpy(data + place[i].at, copy, sizeof(struct tern_section));
		free(copy);
	}
	if (size < sizeof(top))
		return;
	memcpy(&top, data, sizeof(top));
	top.size = size;
	lib_image_seal(&top);
	memcpy(data, &top, sizeof(top));
}

/* One more or one less section, and the header knows. */
static void recount(uint8_t *data, size_t size)
{
	struct place place[MOST];
	struct tern_image top;

	memcpy(&top, data, sizeof(top));
	top.nr_sections = find_sections(data, size, place, MOST);
	memcpy(data, &top, sizeof(top));
}

static size_t twice(uint8_t *data, size_t size, size_t max, struct place p)
{
	if (max - size < p.size)
		return size;
	memmove(data + p.at + p.size, data + p.at, size - p.at);
	recount(data, size + p.size);
	return size + p.size;
}

static size_t without(uint8_t *data, size_t size, struct place p)
{
	memmove(data + p.at, data + p.at + p.size, size - p.at - p.size);
	recount(data, size - p.size);
	return size - p.size;
}

static void to_the_end(uint8_t *data, size_t size, struct place p)
{
	uint8_t *copy = malloc(p.size);

	if (!copy)
		return;
	memcpy(copy, data + p.at, p.size);
	memmove(data + p.at, data + p.at + p.size, size - p.at - p.size);
	memcpy(data + size - p.size, copy, p.size);
	free(copy);
}

/* A payload one word longer or shorter, its header in step */
static size_t resize(uint8_t *data, size_t size, size_t max, struct place p,
		     int longer)
{
	struct tern_section head;
	size_t end = p.at + p.size;

	memcpy(&head, data + p.at, sizeof(head));
	if (longer ? max - size < 8 : head.length < 8)
		return size;
	if (longer) {
		memmove(data + end + 8, data + end, size - end);
		memset(data + end, 0, 8);
	} else {
		memmove(data + end - 8, data + end, size - end);
	}
	head.length += longer ? 8 : -8;
	memcpy(data + p.at, &head, sizeof(head));
	return longer ? size + 8 : size - 8;
}

static size_t of_sections(uint8_t *data, size_t size, size_t max,
			  unsigned int seed)
{
	struct place place[MOST], p;
	unsigned int n = find_sections(data, size, place, MOST);

	if (!n)
		return LLVMFuzzerMutate(data, size, max);
	p = place[seed / 64 % n];
	switch (seed / 8 % 8) {
	case 0:
		return twice(data, size, max, p);
	case 1:
		return without(data, size, p);
	case 2:
		to_the_end(data, size, p);
		return size;
	case 3:
	case 4:
		return resize(data, size, max, p, seed / 8 % 2);
	default:
		/* of this section, lengths and the others kept */
		LLVMFuzzerMutate(data + p.at, p.size, p.size);
		return size;
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed)
{
	if (seed % 2)
		size = of_sections(data, size, max, seed);
	else
		size = LLVMFuzzerMutate(data, size, max);
	if (seed / 2 % 4)
		seal(data, size);
	return size;
}
