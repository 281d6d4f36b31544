/* SPDX-License-Identifier: GPL-2.0 */
/* What the library's files, and libtern-preload.so, know of each other. */
#ifndef TERN_LIB_H
#define TERN_LIB_H

#include <linux/kvm.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../uapi/tern.h"
#include "libtern.h"

#define HIDDEN	__attribute__((visibility("hidden")))

struct lib_vcpu {
	uint32_t id;
	int fd;
};

struct tern_vm {
	int fd;
	int gic;			/* -1 without one */
	enum tern_method best;		/* what the kernel offers */
	enum tern_method method;	/* what is used */
	bool no_undo;
	uint32_t nr_its;
	int its[TERN_STATE_MAX_ITS];
	unsigned int threads;
	uint32_t nr_vcpus;
	struct lib_vcpu *vcpu;		/* in order of id */
};

/* calls.c: system calls */

HIDDEN int lib_ioctl(int fd, unsigned long request, const void *arg);
/* the answer of KVM_CHECK_EXTENSION, 0 when it fails */
HIDDEN int lib_capability(int vm_fd, unsigned int cap);
HIDDEN int lib_get_reg(int vcpu_fd, uint64_t id, void *value);
HIDDEN int lib_gic_attr(int gic_fd, bool write, uint32_t group, uint64_t attr,
			void *value);
/*
 * Reads or writes all n registers, many at once or each alone. When one fails,
 * *failed is its index, or n when it is no register's fault; of those before
 * it the first *failed may have been written when not many.
 */
HIDDEN int lib_regs(int vcpu_fd, bool many, bool write,
		    const struct kvm_one_reg *reg, uint32_t n,
		    uint32_t *failed);
HIDDEN int lib_gic_regs(int gic_fd, bool batch, bool write,
			struct tern_vgic_reg *reg, uint32_t n,
			uint32_t *failed);

/* list.c: which registers there are */

struct lib_list {
	uint32_t n;
	uint64_t *id;
};
HIDDEN void lib_list_fini(struct lib_list *list);
HIDDEN bool lib_list_equal(const struct lib_list *a, const struct lib_list *b);
/* ids of a vCPU's registers, as KVM_GET_REG_LIST gives them */
HIDDEN int lib_list_regs(struct lib_list *list, int vcpu_fd);
/* GIC registers: group in bits 63:32, the low half of the attribute below */
HIDDEN int lib_list_gic_dist(struct lib_list *list, int gic_fd);
HIDDEN int lib_list_gic_cpu(struct lib_list *list, int gic_fd, uint64_t aff);

/* A vCPU's affinities as attributes of the GIC have them, in bits 63:32 */
HIDDEN int lib_affinity(int vcpu_fd, uint64_t *aff);
#define LIB_GIC_ID(group, low)	((uint64_t)(group) << 32 | (low))
#define LIB_GIC_GROUP(id)	((uint32_t)((id) >> 32))
#define LIB_GIC_LOW(id)		((uint32_t)(id))

/* gic_reg.c */

/* Is it state of the distributor, or of a vCPU's part, and does not just act? */
HIDDEN bool lib_gic_is_state(uint64_t id, bool dist);
/* the element that reads or writes this register of this vCPU */
HIDDEN struct tern_vgic_reg lib_gic_reg(uint64_t id, uint64_t aff,
					uint64_t val);
/*
 * Where in the order of writing a GIC register comes, and in *clear the
 * register that is to be written with all ones first, or 0.
 */
HIDDEN unsigned int lib_gic_rank(uint64_t id, uint64_t *clear);
#define LIB_GIC_RANKS	16

/* sum.c */
HIDDEN uint32_t lib_crc32c(uint32_t crc, const void *data, size_t size);

/* image.c: the format */

/* of a register, by its id, and in an image; KVM has none wider than this */
#define LIB_REG_SIZE_MAX	256u
HIDDEN size_t lib_reg_size(uint64_t id);
HIDDEN size_t lib_reg_room(uint64_t id);

struct lib_section {
	const struct tern_section *head;
	const void *payload;
	uint64_t length;
	uint32_t kind;
	uint32_t index;
	uint32_t number;
};
/* a zeroed struct starts; 1, 0 at the end; sums were checked before */
HIDDEN int lib_section_next(const void *image, struct lib_section *section);
HIDDEN bool lib_section_find(const void *image, uint32_t kind, uint32_t index,
			     struct lib_section *section);
HIDDEN bool lib_has_values(uint32_t kind);
/* of the first value in a section of that kind */
HIDDEN size_t lib_values_offset(uint32_t kind);
HIDDEN void lib_section_seal(struct tern_section *head);
HIDDEN void lib_image_seal(struct tern_image *image);

/* value.c */

/* the ids and the values of a section of values, which was checked before */
struct lib_values {
	uint32_t n;
	bool gic;
	const uint64_t *id;
	const void *first;
};
HIDDEN void lib_section_values(const void *image,
			       const struct lib_section *section,
			       struct lib_values *values);

/* its.c: sections at the image's end, all or none */
HIDDEN uint64_t lib_its_size(const struct tern_vm *vm);
HIDDEN int lib_its_save(const struct tern_vm *vm, void *at);
/* of an image that was checked: 0, or why they cannot be restored */
HIDDEN int lib_its_check(const struct tern_vm *vm, const void *image);
/* it has some that are to be restored */
HIDDEN bool lib_its_among(const struct tern_vm *vm, const void *image);
HIDDEN int lib_its_restore(const struct tern_vm *vm, const void *image);

/* work.c: jobs 0 to n - 1 by up to threads threads: the first that failed */
HIDDEN int lib_work(unsigned int threads, uint32_t n,
		    int (*job)(void *arg, uint32_t i), void *arg);

/* save.c, restore*.c: by register */
HIDDEN ssize_t lib_save(const struct tern_vm *vm, uint32_t what,
			uint32_t first, uint32_t count, void *image,
			size_t size);
/* of the same parts as the image like has; to be freed */
HIDDEN int lib_save_like(const struct tern_vm *vm, const void *like,
			 void **image);
HIDDEN int lib_restore(const struct tern_vm *vm, const void *image,
		       struct tern_failure *failure);

HIDDEN const struct lib_vcpu *lib_vcpu(const struct tern_vm *vm, uint32_t id);

#endif
