// SPDX-License-Identifier: GPL-2.0
/*
 * An image as text, saved on one KVM and restored on another:
 *
 *	exchange save METHOD		prints the image of a machine
 *	exchange restore METHOD FILE	restores it, saves again and compares
 *
 * With it goes what is in the machine's memory, where the ITS has its tables.
 *
 * METHOD: 1 one register a call, 2 many, 3 all; or the best there is below.
 */
#include <inttypes.h>

#include "state/its_machine.h"

#define LINE	32

static struct its_machine machine;

static void make(const char *method, unsigned int seed)
{
	its_make(&machine);
	scribble(&machine.vm, seed);
	EXPECT(tern_vm_limit(machine.handle, atoi(method)), 0);
}

/* Words that are not 0, and a last line that ends them */
static void print_memory(void)
{
	const uint64_t *word = its_host(&machine, RAM_BASE);
	unsigned int i;

	for (i = 0; i < RAM_SIZE / 8; i++)
		if (word[i])
			printf("%x %" PRIx64 "\n", i, word[i]);
	puts("0 0");
}

static void read_memory(FILE *file)
{
	uint64_t *word = its_host(&machine, RAM_BASE), value;
	unsigned int i;

	do {
		CHECK(fscanf(file, "%x %" SCNx64, &i, &value) == 2);
		CHECK(i < RAM_SIZE / 8);
		word[i] = value;
	} while (value);
}

static void print(const struct image *image)
{
	const uint8_t *p = image->data;
	size_t i;

	printf("image %zu\n", image->size);
	for (i = 0; i < image->size; i++)
		printf("%02x%s", p[i], i % LINE == LINE - 1 ? "\n" : "");
	putchar('\n');
	print_memory();
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
	read_memory(file);
	fclose(file);
}

static int restore(const struct image *image)
{
	struct tern_failure failure;
	struct image again;
	uint32_t event;
	int ret;

	ret = tern_restore(machine.handle, image->data, image->size, &failure);
	if (ret)
		fprintf(stderr, "vcpu %d id %llx: %s\n", (int)failure.vcpu,
			(unsigned long long)failure.id, strerror(-ret));
	EXPECT(ret, 0);
	for (event = 0; event < 5; event++)
		EXPECT(its_pending(&machine, event / 4, LPI + event),
		       event == 2 || event == 4);
	save(machine.handle, &again);
	expect_same(image, &again);
	EXPECT(its_message(&machine, 3), 1);
	CHECK(its_pending(&machine, 0, LPI + 3));
	return 0;
}

int main(int argc, char **argv)
{
	struct image image;

	if (argc == 3 && !strcmp(argv[1], "save")) {
		make(argv[2], 5);
		its_set_up(&machine);
		EXPECT(its_message(&machine, 2), 1);
		EXPECT(its_message(&machine, 4), 1);
		save(machine.handle, &image);
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
