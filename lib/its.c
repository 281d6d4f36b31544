// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupt translation services, by the attributes of any KVM
 * (Documentation/virt/kvm/devices/arm-vgic-its.rst). What they map is in guest
 * memory, where KVM writes it when it is told to, with the LPIs that pend.
 */
#include <errno.h>
#include <string.h>

#include "lib.h"

#define GITS_CTLR	0x0000
#define GITS_IIDR	0x0004
#define GITS_CBASER	0x0080
#define GITS_CWRITER	0x0088
#define GITS_CREADR	0x0090
#define GITS_BASER	0x0100
#define BASERS		8

static int access(int its, bool write, uint64_t offset, void *val)
{
	return lib_gic_attr(its, write, KVM_DEV_ARM_VGIC_GRP_ITS_REGS, offset,
			    val);
}

static int control(int fd, uint64_t what)
{
	return lib_gic_attr(fd, true, KVM_DEV_ARM_VGIC_GRP_CTRL, what, NULL);
}

static int base_of(int its, uint64_t *base)
{
	int ret = lib_gic_attr(its, false, KVM_DEV_ARM_VGIC_GRP_ADDR,
			       KVM_VGIC_ITS_ADDR_TYPE, base);

	return ret < 0 ? ret : 0;
}

uint64_t lib_its_size(const struct tern_vm *vm)
{
	return vm->nr_its *
		(sizeof(struct tern_section) + sizeof(struct tern_its));
}

static int read_all(int its, struct tern_its *to)
{
	uint64_t ctlr = 0, iidr = 0, base = 0;
	unsigned int i;
	int ret;

	ret = access(its, false, GITS_CTLR, &ctlr);
	if (ret >= 0)
		ret = access(its, false, GITS_IIDR, &iidr);
	if (ret >= 0)
		ret = access(its, false, GITS_CBASER, &to->cbaser);
	if (ret >= 0)
		ret = access(its, false, GITS_CWRITER, &to->cwriter);
	if (ret >= 0)
		ret = access(its, false, GITS_CREADR, &to->creadr);
	for (i = 0; ret >= 0 && i < BASERS; i++)
		ret = access(its, false, GITS_BASER + 8 * i, &to->baser[i]);
	if (ret >= 0)
		ret = base_of(its, &base);
	to->ctlr = ctlr;
	to->iidr = iidr;
	to->base = base;
	return ret < 0 ? ret : 0;
}

/* Tables before registers: what is in them is what the registers lead to. */
int lib_its_save(const struct tern_vm *vm, void *at)
{
	struct tern_section *head = at;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < vm->nr_its; i++)
		ret = control(vm->its[i], KVM_DEV_ARM_ITS_SAVE_TABLES);
	if (!ret)
		ret = control(vm->gic, KVM_DEV_ARM_VGIC_SAVE_PENDING_TABLES);
	for (i = 0; !ret && i < vm->nr_its; i++) {
		*head = (struct tern_section){
			.kind = TERN_SECTION_ITS, .index = i,
			.length = sizeof(struct tern_its),
			.flags = TERN_SECTION_MAY_SKIP,
		};
		ret = read_all(vm->its[i], (struct tern_its *)(head + 1));
		lib_section_seal(head);
		head = (void *)((char *)(head + 1) + head->length);
	}
	return ret;
}

/* Disabled while it is written; the queue's base resets its pointers. */
static int write_all(int its, const struct tern_its *from)
{
	uint64_t ctlr = from->ctlr, iidr = from->iidr, off = 0, val;
	unsigned int i;
	int ret;

	ret = access(its, true, GITS_CTLR, &off);
	if (ret >= 0)
		ret = access(its, true, GITS_IIDR, &iidr);
	val = from->cbaser;
	if (ret >= 0)
		ret = access(its, true, GITS_CBASER, &val);
	val = from->creadr;
	if (ret >= 0)
		ret = access(its, true, GITS_CREADR, &val);
	val = from->cwriter;
	if (ret >= 0)
		ret = access(its, true, GITS_CWRITER, &val);
	for (i = 0; ret >= 0 && i < BASERS; i++) {
		val = from->baser[i];
		ret = access(its, true, GITS_BASER + 8 * i, &val);
	}
	if (ret >= 0)
		ret = control(its, KVM_DEV_ARM_ITS_RESTORE_TABLES);
	if (ret >= 0)
		ret = access(its, true, GITS_CTLR, &ctlr);
	return ret < 0 ? ret : 0;
}

/* The one that the section means: its descriptor, or -ENODEV */
static int meant(const struct tern_vm *vm, const struct lib_section *section)
{
	const struct tern_its *its = section->payload;
	uint64_t base;
	uint32_t i;
	int ret;

	if (section->length < sizeof(*its))
		return section->index < vm->nr_its ? vm->its[section->index] :
			-ENODEV;
	for (i = 0; i < vm->nr_its; i++) {
		ret = base_of(vm->its[i], &base);
		if (ret)
			return ret;
		if (base == its->base)
			return vm->its[i];
	}
	return -ENODEV;
}

/* A section before this one means the same ITS. */
static bool meant_before(const struct tern_vm *vm, const void *image,
			 const struct lib_section *last, int its)
{
	struct lib_section section = { 0 };

	while (lib_section_next(image, &section) &&
	       section.number < last->number)
		if (section.kind == TERN_SECTION_ITS &&
		    meant(vm, &section) == its)
			return true;
	return false;
}

int lib_its_check(const struct tern_vm *vm, const void *image)
{
	struct lib_section section = { 0 };
	int its;

	/* who has told of none leaves the image's to others */
	while (vm->nr_its && lib_section_next(image, &section)) {
		if (section.kind != TERN_SECTION_ITS)
			continue;
		its = vm->gic < 0 ? -ENODEV : meant(vm, &section);
		if (its < 0)
			return its;
		if (meant_before(vm, image, &section, its))
			return -EEXIST;
	}
	return 0;
}

bool lib_its_among(const struct tern_vm *vm, const void *image)
{
	struct lib_section section = { 0 };

	while (vm->nr_its && lib_section_next(image, &section))
		if (section.kind == TERN_SECTION_ITS)
			return true;
	return false;
}

/* One that refuses its state is reset, for there is no saying what it maps. */
int lib_its_restore(const struct tern_vm *vm, const void *image)
{
	struct lib_section section = { 0 };
	int its, ret = 0;

	while (!ret && vm->nr_its && lib_section_next(image, &section)) {
		if (section.kind != TERN_SECTION_ITS)
			continue;
		its = meant(vm, &section);
		ret = its < 0 ? its : write_all(its, section.payload);
		if (ret && its >= 0)
			control(its, KVM_DEV_ARM_ITS_CTRL_RESET);
	}
	return ret;
}
