// SPDX-License-Identifier: GPL-2.0
/* The handle, and which way its state goes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

#define THREADS_MAX	256

_Static_assert(TERN_SAVE_VCPUS == TERN_STATE_VCPUS &&
	       TERN_SAVE_GIC_DIST == TERN_STATE_GIC_DIST &&
	       TERN_SAVE_GIC_CPUS == TERN_STATE_GIC_CPUS &&
	       TERN_SAVE_ITS == TERN_STATE_ITS,
	       "the kernel's words for it are the library's");

static enum tern_method best_method(int vm_fd)
{
	if (lib_capability(vm_fd, TERN_CAP_MANY) < 1 ||
	    lib_capability(vm_fd, TERN_CAP_VGIC_BATCH) < 1)
		return TERN_METHOD_ONE;
	if (lib_capability(vm_fd, TERN_CAP_STATE) < TERN_STATE_VERSION)
		return TERN_METHOD_MANY;
	return TERN_METHOD_ALL;
}

int tern_vm_new(struct tern_vm **vm, int vm_fd)
{
	struct tern_vm *new = calloc(1, sizeof(*new));

	*vm = NULL;
	if (!new)
		return -ENOMEM;
	new->fd = vm_fd;
	new->gic = -1;
	new->threads = 1;
	new->best = best_method(vm_fd);
	new->method = new->best;
	*vm = new;
	return 0;
}

void tern_vm_free(struct tern_vm *vm)
{
	if (!vm)
		return;
	free(vm->vcpu);
	free(vm);
}

/* Where the vCPU with this id is, or would be */
static uint32_t place(const struct tern_vm *vm, uint32_t id)
{
	uint32_t low = 0, high = vm->nr_vcpus, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (vm->vcpu[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct lib_vcpu *lib_vcpu(const struct tern_vm *vm, uint32_t id)
{
	uint32_t i = place(vm, id);

	return i < vm->nr_vcpus && vm->vcpu[i].id == id ? &vm->vcpu[i] : NULL;
}

int tern_vm_add_vcpu(struct tern_vm *vm, uint32_t id, int vcpu_fd)
{
	struct lib_vcpu *more;
	uint32_t i = place(vm, id);

	if (id == TERN_NO_VCPU || vcpu_fd < 0)
		return -EINVAL;
	if (lib_vcpu(vm, id))
		return -EEXIST;
	more = realloc(vm->vcpu, (vm->nr_vcpus + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	memmove(&more[i + 1], &more[i], (vm->nr_vcpus - i) * sizeof(*more));
	more[i] = (struct lib_vcpu){ .id = id, .fd = vcpu_fd };
	vm->vcpu = more;
	vm->nr_vcpus++;
	return 0;
}

int tern_vm_set_gic(struct tern_vm *vm, int gic_fd)
{
	vm->gic = gic_fd < 0 ? -1 : gic_fd;
	return 0;
}

int tern_vm_add_its(struct tern_vm *vm, int its_fd)
{
	if (its_fd < 0)
		return -EINVAL;
	if (vm->nr_its == TERN_STATE_MAX_ITS)
		return -E2BIG;
	vm->its[vm->nr_its++] = its_fd;
	if (vm->best == TERN_METHOD_ALL &&
	    lib_capability(vm->fd, TERN_CAP_STATE_ITS) < TERN_STATE_MAX_ITS)
		vm->best = TERN_METHOD_MANY;
	if (vm->method > vm->best)
		vm->method = vm->best;
	return 0;
}

enum tern_method tern_vm_method(const struct tern_vm *vm)
{
	return vm->method;
}

int tern_vm_limit(struct tern_vm *vm, enum tern_method most)
{
	if (most < TERN_METHOD_ONE || most > TERN_METHOD_ALL)
		return -EINVAL;
	vm->method = vm->best < most ? vm->best : most;
	return 0;
}

int tern_vm_threads(struct tern_vm *vm, unsigned int threads)
{
	if (!threads || threads > THREADS_MAX)
		return -EINVAL;
	vm->threads = threads;
	return 0;
}

int tern_vm_undo(struct tern_vm *vm, int undo)
{
	vm->no_undo = !undo;
	return 0;
}

/* E2BIG of a size query is the answer; any other is the caller's. */
static ssize_t save_at_once(const struct tern_vm *vm, uint32_t what,
			    uint32_t first, uint32_t count, void *image,
			    size_t size)
{
	struct tern_state state = {
		.what = what, .first = first, .count = count,
		.addr = (uintptr_t)image, .size = size,
	};
	int ret = lib_ioctl(vm->fd, TERN_GET_STATE, &state);

	if (ret == -E2BIG && !size)
		ret = 0;
	return ret < 0 ? ret : (ssize_t)state.size;
}

/* An image of no sections, for others to be added to */
static ssize_t save_nothing(void *image, size_t size)
{
	struct tern_image *top = image;

	if (size && size < sizeof(*top))
		return -E2BIG;
	if (!size)
		return sizeof(*top);
	*top = (struct tern_image){
		.version = TERN_STATE_VERSION, .size = sizeof(*top),
	};
	memcpy(top->magic, TERN_STATE_MAGIC, sizeof(top->magic));
	lib_image_seal(top);
	return sizeof(*top);
}

static ssize_t save_registers(const struct tern_vm *vm, uint32_t what,
			      uint32_t first, uint32_t count, void *image,
			      size_t size)
{
	if (!what)
		return save_nothing(image, size);
	return lib_save(vm, what, first, count, image, size);
}

static ssize_t save_with_its(const struct tern_vm *vm, uint32_t what,
			     uint32_t first, uint32_t count, void *image,
			     size_t size)
{
	uint64_t more = lib_its_size(vm);
	struct tern_image *top = image;
	ssize_t ret;
	int error;

	ret = save_registers(vm, what, first, count, image,
			     size > more ? size - more : 0);
	if (ret < 0 || !size)
		return ret < 0 ? ret : ret + (ssize_t)more;
	if (size < ret + more)
		return -E2BIG;
	error = lib_its_save(vm, (char *)image + ret);
	if (error)
		return error;
	top->nr_sections += vm->nr_its;
	top->size += more;
	lib_image_seal(top);
	return ret + more;
}

ssize_t tern_save(const struct tern_vm *vm, uint32_t what, uint32_t first,
		  uint32_t count, void *image, size_t size)
{
	uint32_t registers = what & TERN_SAVE_VM;

	if (!what || (what & ~(TERN_SAVE_VM | TERN_SAVE_ITS)))
		return -EINVAL;
	if (size && (uintptr_t)image % 8)
		return -EINVAL;
	if ((what & (TERN_SAVE_GIC | TERN_SAVE_ITS)) && vm->gic < 0)
		return -ENODEV;
	if ((what & TERN_SAVE_ITS) && !vm->nr_its)
		return -ENODEV;
	if (vm->method == TERN_METHOD_ALL)
		return save_at_once(vm, what, first, count, image, size);
	if (what & TERN_SAVE_ITS)
		return save_with_its(vm, registers, first, count, image, size);
	return save_registers(vm, registers, first, count, image, size);
}

ssize_t tern_save_vcpu(const struct tern_vm *vm, uint32_t id, void *image,
		       size_t size)
{
	return tern_save(vm, TERN_SAVE_VCPUS, id, 1, image, size);
}

ssize_t tern_save_gic(const struct tern_vm *vm, void *image, size_t size)
{
	return tern_save(vm, TERN_SAVE_GIC, 0, 0, image, size);
}

ssize_t tern_save_vm(const struct tern_vm *vm, void *image, size_t size)
{
	uint32_t what = vm->gic < 0 ? TERN_SAVE_VCPUS : TERN_SAVE_VM;

	if (vm->gic >= 0 && vm->nr_its)
		what |= TERN_SAVE_ITS;
	return tern_save(vm, what, 0, 0, image, size);
}

/* The vCPU whose section has this number */
static uint32_t vcpu_of(const void *image, size_t size, uint32_t number)
{
	struct lib_section section = { 0 };

	if (tern_image_check(image, size))
		return TERN_NO_VCPU;
	while (lib_section_next(image, &section))
		if (section.number == number &&
		    (section.kind == TERN_SECTION_VCPU ||
		     section.kind == TERN_SECTION_GIC_CPU))
			return section.index;
	return TERN_NO_VCPU;
}

static int restore_at_once(const struct tern_vm *vm, const void *image,
			   size_t size, struct tern_failure *failure)
{
	struct tern_state state = {
		.what = vm->nr_its ? TERN_STATE_ITS : 0,
		.addr = (uintptr_t)image, .size = size,
		.failed = TERN_NO_INDEX,
	};
	int ret = lib_ioctl(vm->fd, TERN_SET_STATE, &state);

	if (ret >= 0)
		return 0;
	failure->error = ret;
	failure->id = state.failed_id;
	if (state.failed != TERN_NO_INDEX)
		failure->vcpu = vcpu_of(image, size, state.failed);
	return ret;
}

int tern_restore(const struct tern_vm *vm, const void *image, size_t size,
		 struct tern_failure *failure)
{
	struct tern_failure own;
	int ret;

	if (!failure)
		failure = &own;
	*failure = (struct tern_failure){ .vcpu = TERN_NO_VCPU };
	/* the kernel looks at it itself */
	if (vm->method == TERN_METHOD_ALL)
		return restore_at_once(vm, image, size, failure);
	ret = tern_image_check(image, size);
	if (!ret)
		ret = lib_its_check(vm, image);
	if (ret)
		return failure->error = ret;
	return lib_restore(vm, image, failure);
}

static int pause_ioctl(const struct tern_vm *vm, unsigned long request)
{
	if (lib_capability(vm->fd, TERN_CAP_PAUSE) < 1)
		return -EOPNOTSUPP;
	return lib_ioctl(vm->fd, request, NULL);
}

int tern_pause(const struct tern_vm *vm)
{
	return pause_ioctl(vm, TERN_PAUSE);
}

int tern_resume(const struct tern_vm *vm)
{
	return pause_ioctl(vm, TERN_RESUME);
}
