/* SPDX-License-Identifier: GPL-2.0 */
/* Virtual machines with something in every register, and their images. */
#ifndef TERN_TEST_SCRIBBLE_H
#define TERN_TEST_SCRIBBLE_H

#include "lib.h"
#include "libtern.h"

struct image {
	void *data;
	size_t size;
};

/* different values for every seed, everywhere that takes one */
void scribble(struct vm *vm, unsigned int seed);
struct tern_vm *handle_of(const struct vm *vm);
void save(const struct tern_vm *handle, struct image *image);

/*
 * The values of b are a's: all of a's are in b, but for the virtual counter,
 * which goes on, and for a GIC register that is 0 and that b does not have. Ends
 * the test otherwise.
 */
void expect_same(const struct image *a, const struct image *b);

#endif
