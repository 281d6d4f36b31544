// SPDX-License-Identifier: GPL-2.0
/* What the library's calls refuse, and sizes. */
#include "state/scribble.h"

int main(void)
{
	struct tern_vm *handle;
	struct image image;
	struct vm vm;
	ssize_t size;

	make_machine(&vm, 3);
	GOOD(tern_vm_new(&handle, vm.fd));
	EXPECT(tern_vm_add_vcpu(handle, 2, vm.vcpu[2].fd), 0);
	EXPECT(tern_vm_add_vcpu(handle, 0, vm.vcpu[0].fd), 0);
	EXPECT(tern_vm_add_vcpu(handle, 0, vm.vcpu[0].fd), -EEXIST);
	EXPECT(tern_vm_add_vcpu(handle, 1, -1), -EINVAL);
	EXPECT(tern_save_gic(handle, NULL, 0), -ENODEV);
	EXPECT(tern_vm_limit(handle, 0), -EINVAL);
	EXPECT(tern_vm_threads(handle, 0), -EINVAL);
	EXPECT(tern_vm_threads(handle, 257), -EINVAL);
	EXPECT(tern_save(handle, 0, 0, 0, NULL, 0), -EINVAL);
	EXPECT(tern_save(handle, 1u << 30, 0, 0, NULL, 0), -EINVAL);
	EXPECT(tern_save_vcpu(handle, 7, NULL, 0), -EINVAL);
	size = GOOD(tern_save_vcpu(handle, 2, NULL, 0));
	image.data = malloc(size);
	EXPECT(tern_save_vcpu(handle, 2, image.data, size - 1), -E2BIG);
	EXPECT(tern_save_vcpu(handle, 2, image.data, size), size);
	EXPECT(tern_restore(handle, image.data, size, NULL), 0);
	EXPECT(tern_image_check((char *)image.data + 1, size - 1), -EBADMSG);
	free(image.data);
	tern_vm_free(handle);
	handle = handle_of(&vm);
	save(handle, &image);
	EXPECT(tern_restore(handle, image.data, image.size, NULL), 0);
	free(image.data);
	tern_vm_free(handle);
	tern_vm_free(NULL);
	vm_fini(&vm);
	return 0;
}
