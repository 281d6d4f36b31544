// SPDX-License-Identifier: GPL-2.0
/*
 * What one VM had, another has after its image was restored there, whichever
 * of the kernel's ways saved it and whichever restored it.
 */
#include "state/scribble.h"

static enum tern_method best(void)
{
	enum tern_method method;
	struct tern_vm *handle;
	struct vm vm;

	make_machine(&vm, 1);
	handle = handle_of(&vm);
	method = tern_vm_method(handle);
	tern_vm_free(handle);
	vm_fini(&vm);
	return method;
}

static void save_by(enum tern_method method, unsigned int seed,
		    struct image *image)
{
	struct tern_vm *handle;
	struct vm vm;

	make_machine(&vm, 4);
	scribble(&vm, seed);
	handle = handle_of(&vm);
	EXPECT(tern_vm_limit(handle, method), 0);
	EXPECT(tern_vm_threads(handle, method == TERN_METHOD_ONE ? 3 : 1), 0);
	save(handle, image);
	tern_vm_free(handle);
	vm_fini(&vm);
}

static void restore_by(enum tern_method method, const struct image *image)
{
	struct tern_failure failure;
	struct tern_vm *handle;
	struct image again;
	struct vm vm;
	int ret;

	make_machine(&vm, 4);
	scribble(&vm, 77);
	handle = handle_of(&vm);
	EXPECT(tern_vm_limit(handle, method), 0);
	EXPECT(tern_vm_threads(handle, 3), 0);
	ret = tern_restore(handle, image->data, image->size, &failure);
	if (ret)
		fprintf(stderr, "method %d: vcpu %d id %llx: %d\n", method,
			failure.vcpu, (unsigned long long)failure.id, ret);
	EXPECT(ret, 0);
	save(handle, &again);
	expect_same(image, &again);
	free(again.data);
	tern_vm_free(handle);
	vm_fini(&vm);
}

int main(void)
{
	enum tern_method most = best(), from, to;
	struct image image[TERN_METHOD_ALL + 1];

	for (from = TERN_METHOD_ONE; from <= most; from++) {
		save_by(from, 5, &image[from]);
		expect_same(&image[TERN_METHOD_ONE], &image[from]);
		for (to = TERN_METHOD_ONE; to <= most; to++)
			restore_by(to, &image[from]);
	}
	return 0;
}
