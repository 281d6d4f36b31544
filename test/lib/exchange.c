// SPDX-License-Identifier: GPL-2.0
/*
 * An image as text, saved on one KVM and restored on another:
 *
 *	exchange save METHOD		prints the image of a machine
 *	exchange restore METHOD FILE	restores it, saves again and compares
 *
 * METHOD: 1 one register a call, 2 many, 3 all; or the best there is below.
 */
#include "state/scribble.h"

#define LINE	32

static struct vm vm;
static struct tern_vm *handle;

static void make(const char *method, unsigned int seed)
{
	make_machine(&vm, 4);
	scribble(&vm, seed);
	handle = handle_of(&vm);
	EXPECT(tern_vm_limit(handle, atoi(method)), 0);
}

static void print(const struct image *image)
{
	const uint8_t *p = image->data;
	size_t i;

	printf("image %zu\n", image->size);
	for (i = 0; i < image->size; i++)
		printf("%02x%s", p[i], i % LINE == LINE - 1 ? "\n" : "");
	putchar('\n');
}

static void read_text(struct image *image, const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned int byte;
	size_t i;

	CHECK(file);
	CHECK(fscanf(file, "image %zu", &image->size) == 1);
	image->data = malloc(image->size);
	CHECK(image->data);
	for (i = 0; i < image->size; i++) {
		CHECK(fscanf(file, "%2x", &byte) == 1);
		((uint8_t *)image->data)[i] = byte;
	}
	fclose(file);
}

static int restore(const struct image *image)
{
	struct tern_failure failure;
	struct image again;
	int ret;

	ret = tern_restore(handle, image->data, image->size, &failure);
	if (ret)
		fprintf(stderr, "vcpu %d id %llx: %s\n", (int)failure.vcpu,
			(unsigned long long)failure.id, strerror(-ret));
	EXPECT(ret, 0);
	save(handle, &again);
	expect_same(image, &again);
	return 0;
}

int main(int argc, char **argv)
{
	struct image image;

	if (argc == 3 && !strcmp(argv[1], "save")) {
		make(argv[2], 5);
		save(handle, &image);
		print(&image);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "restore")) {
		make(argv[2], 6);
		read_text(&image, argv[3]);
		return restore(&image);
	}
	fputs("usage: exchange save METHOD | restore METHOD FILE\n", stderr);
	return 2;
}
