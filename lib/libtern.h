/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtern: the state of a KVM virtual machine on arm64 as one image, saved
 * from and restored to any /dev/kvm. See libtern(3); tern-state(5) tells the
 * image's format.
 *
 * Functions give 0 or more when they succeed and a negative errno when they
 * fail. None prints, exits, or keeps anything outside of its struct tern_vm.
 */
#ifndef LIBTERN_H
#define LIBTERN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ways to reach state: the best first is what a new struct tern_vm uses. */
enum tern_method {
	TERN_METHOD_ONE = 1,	/* a system call a register: any KVM */
	TERN_METHOD_MANY,	/* a call a vCPU, a call for the GIC */
	TERN_METHOD_ALL,	/* one call */
};

/* What an image is to hold, and of whom */
#define TERN_SAVE_VCPUS		(1u << 0)
#define TERN_SAVE_GIC_DIST	(1u << 1)
#define TERN_SAVE_GIC_CPUS	(1u << 2)
#define TERN_SAVE_GIC		(TERN_SAVE_GIC_DIST | TERN_SAVE_GIC_CPUS)
/* ITSes; what they map, and pending LPIs, go to guest memory */
#define TERN_SAVE_ITS		(1u << 3)
#define TERN_SAVE_VM		(TERN_SAVE_VCPUS | TERN_SAVE_GIC)

#define TERN_NO_VCPU		(~UINT32_C(0))

/*
 * Why a restore failed.
 * @error: negative errno, as returned
 * @vcpu:  the id of the vCPU whose state it was, or TERN_NO_VCPU
 * @id:    KVM's id of the register at fault, or of a GIC register its group
 *         in bits 63:32 and offset, encoding or INTID in bits 31:0; 0 when it
 *         was no register's fault
 */
struct tern_failure {
	int error;
	uint32_t vcpu;
	uint64_t id;
};

struct tern_vm;

/*
 * A handle for the VM with this descriptor. Descriptors stay the caller's.
 * Once vCPUs and the GIC have been told, any number of threads may save and
 * restore through one handle.
 */
int tern_vm_new(struct tern_vm **vm, int vm_fd);
void tern_vm_free(struct tern_vm *vm);

/* id as given to KVM_CREATE_VCPU; -EEXIST when it is known already */
int tern_vm_add_vcpu(struct tern_vm *vm, uint32_t id, int vcpu_fd);
/* a KVM_DEV_TYPE_ARM_VGIC_V3; -1 for none */
int tern_vm_set_gic(struct tern_vm *vm, int gic_fd);

/* KVM_DEV_TYPE_ARM_VGIC_ITS, in the order in which they were made, up to 8 */
int tern_vm_add_its(struct tern_vm *vm, int its_fd);

/* the method in use; tern_vm_limit() forbids better ones than @most */
enum tern_method tern_vm_method(const struct tern_vm *vm);
int tern_vm_limit(struct tern_vm *vm, enum tern_method most);
/* threads that the methods ONE and MANY may use, 1 to 256 */
int tern_vm_threads(struct tern_vm *vm, unsigned int threads);
/*
 * With @undo 0 the methods ONE and MANY leave a restore that failed half done.
 * They need not read then what they are about to overwrite.
 */
int tern_vm_undo(struct tern_vm *vm, int undo);

/*
 * Writes an image of @what (TERN_SAVE_*) of the vCPUs with ids [@first,
 * @first + @count), of all from @first on when @count is 0, to @image, and
 * gives its size. With @size 0 it gives the size alone; -E2BIG means that
 * @size is too little.
 */
ssize_t tern_save(const struct tern_vm *vm, uint32_t what, uint32_t first,
		  uint32_t count, void *image, size_t size);
ssize_t tern_save_vcpu(const struct tern_vm *vm, uint32_t id, void *image,
		       size_t size);
ssize_t tern_save_gic(const struct tern_vm *vm, void *image, size_t size);
ssize_t tern_save_vm(const struct tern_vm *vm, void *image, size_t size);

/* @failure may be NULL */
int tern_restore(const struct tern_vm *vm, const void *image, size_t size,
		 struct tern_failure *failure);

/* 0 when it is an undamaged image that this library understands */
int tern_image_check(const void *image, size_t size);

/*
 * The values of an image, one after another, for programs that read images:
 * start with a zeroed struct. 1: here is one; 0: there are no more.
 */
struct tern_value {
	uint32_t vcpu;		/* its id, TERN_NO_VCPU for the distributor */
	uint32_t size;		/* of @value in bytes: 4, 8, ... */
	uint64_t id;		/* as in struct tern_failure */
	const void *value;	/* little-endian, in the image */
	uint64_t position[2];	/* the library's own */
};
int tern_image_next(const void *image, size_t size, struct tern_value *value);

/*
 * Stop and release all vCPUs, whatever their threads do; -EOPNOTSUPP where
 * the kernel has no such call.
 */
int tern_pause(const struct tern_vm *vm);
int tern_resume(const struct tern_vm *vm);

#ifdef __cplusplus
}
#endif
#endif
