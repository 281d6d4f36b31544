// SPDX-License-Identifier: GPL-2.0
/*
 * Save by register: lists first, which give the image its layout, then values
 * straight into their places, vCPUs in parallel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib.h"

/* One section of values to be, and what is known about it. */
struct part {
	uint32_t kind;
	uint32_t index;			/* the vCPU's id */
	int fd;				/* of the vCPU */
	uint64_t aff;
	uint32_t list;			/* which of the kind's lists */
	uint64_t values;		/* bytes of values */
	struct tern_section *section;	/* where it is */
};

struct lists {
	uint32_t n;
	struct lib_list *list;
};

struct saving {
	const struct tern_vm *vm;
	uint32_t nr_parts;
	struct part *part;
	struct lists regs;
	struct lists gic;
	uint64_t counter;
};

/* Takes the list, or frees it where an equal one is there already. */
static int share_list(struct lists *lists, struct lib_list *list, uint32_t *at)
{
	struct lib_list *more;
	uint32_t i;

	for (i = 0; i < lists->n; i++) {
		if (lib_list_equal(&lists->list[i], list)) {
			lib_list_fini(list);
			*at = i;
			return 0;
		}
	}
	more = realloc(lists->list, (lists->n + 1) * sizeof(*more));
	if (!more) {
		lib_list_fini(list);
		return -ENOMEM;
	}
	more[lists->n] = *list;
	lists->list = more;
	*at = lists->n++;
	return 0;
}

static void lists_fini(struct lists *lists)
{
	while (lists->n)
		lib_list_fini(&lists->list[--lists->n]);
	free(lists->list);
}

static void saving_fini(struct saving *saving)
{
	free(saving->part);
	lists_fini(&saving->regs);
	lists_fini(&saving->gic);
}

static uint64_t room_of(const struct lib_list *list)
{
	uint64_t room = 0;
	uint32_t i;

	for (i = 0; i < list->n; i++)
		room += lib_reg_room(list->id[i]);
	return room;
}

static int plan_vcpu(struct saving *saving, const struct lib_vcpu *vcpu)
{
	struct part *part = &saving->part[saving->nr_parts++];
	struct lib_list list = { 0 };
	int ret;

	part->kind = TERN_SECTION_VCPU;
	part->index = vcpu->id;
	part->fd = vcpu->fd;
	ret = lib_list_regs(&list, vcpu->fd);
	if (ret)
		return ret;
	part->values = room_of(&list);
	return share_list(&saving->regs, &list, &part->list);
}

static int plan_gic(struct saving *saving, uint32_t kind,
		    const struct lib_vcpu *vcpu)
{
	struct part *part = &saving->part[saving->nr_parts++];
	int gic = saving->vm->gic, ret;
	struct lib_list list = { 0 };

	part->kind = kind;
	part->index = kind == TERN_SECTION_GIC_CPU ? vcpu->id : 0;
	ret = lib_affinity(vcpu->fd, &part->aff);
	if (ret)
		return ret;
	if (kind == TERN_SECTION_GIC_CPU)
		ret = lib_list_gic_cpu(&list, gic, part->aff);
	else
		ret = lib_list_gic_dist(&list, gic);
	if (ret)
		return ret;
	part->values = list.n * 8ull;
	return share_list(&saving->gic, &list, &part->list);
}

static bool in_range(uint32_t id, uint32_t first, uint32_t count)
{
	return id >= first && (!count || id - first < count);
}

static int plan(struct saving *saving, uint32_t what, uint32_t first,
		uint32_t count)
{
	const struct tern_vm *vm = saving->vm;
	const struct lib_vcpu *vcpu;
	uint32_t i, named = 0;
	int ret = 0;

	saving->part = calloc(2 * vm->nr_vcpus + 1, sizeof(*saving->part));
	if (!saving->part)
		return -ENOMEM;
	for (i = 0; !ret && i < vm->nr_vcpus; i++) {
		vcpu = &vm->vcpu[i];
		if (!in_range(vcpu->id, first, count))
			continue;
		named++;
		if (what & TERN_SAVE_VCPUS)
			ret = plan_vcpu(saving, vcpu);
		if (!ret && (what & TERN_SAVE_GIC_CPUS))
			ret = plan_gic(saving, TERN_SECTION_GIC_CPU, vcpu);
	}
	if (!ret && !named)
		ret = -EINVAL;
	if (!ret && (what & TERN_SAVE_GIC_DIST))
		ret = plan_gic(saving, TERN_SECTION_GIC_DIST, &vm->vcpu[0]);
	return ret;
}

/* The parts that an image has which was checked, and whose vCPUs there are */
static int plan_like(struct saving *saving, const void *like)
{
	const struct tern_image *top = like;
	const struct tern_vm *vm = saving->vm;
	struct lib_section section = { 0 };
	int ret = 0;

	saving->part = calloc(top->nr_sections + 1, sizeof(*saving->part));
	if (!saving->part)
		return -ENOMEM;
	while (!ret && lib_section_next(like, &section)) {
		if (section.kind == TERN_SECTION_VCPU)
			ret = plan_vcpu(saving, lib_vcpu(vm, section.index));
		else if (section.kind == TERN_SECTION_GIC_CPU)
			ret = plan_gic(saving, section.kind,
				       lib_vcpu(vm, section.index));
		else if (section.kind == TERN_SECTION_GIC_DIST)
			ret = plan_gic(saving, section.kind, vm->vcpu);
	}
	return ret;
}

/* Layout */

static uint64_t head_size(const struct part *part)
{
	return part->kind == TERN_SECTION_VCPU ?
		sizeof(struct tern_vcpu_values) : sizeof(struct tern_values);
}

static uint64_t lists_size(const struct lists *lists)
{
	uint64_t size = 0;
	uint32_t i;

	for (i = 0; i < lists->n; i++)
		size += sizeof(struct tern_section) + 8ull * lists->list[i].n;
	return size;
}

static uint64_t image_size(const struct saving *saving)
{
	uint64_t size = sizeof(struct tern_image) + lists_size(&saving->regs) +
		lists_size(&saving->gic);
	uint32_t i;

	for (i = 0; i < saving->nr_parts; i++)
		size += sizeof(struct tern_section) +
			head_size(&saving->part[i]) + saving->part[i].values;
	return size;
}

static struct tern_section *put_section(char **at, uint32_t kind,
					uint32_t index, uint64_t length)
{
	struct tern_section *section = (struct tern_section *)*at;

	*section = (struct tern_section){
		.kind = kind, .index = index, .length = length,
	};
	*at += sizeof(*section) + length;
	return section;
}

static void put_lists(char **at, uint32_t kind, const struct lists *lists)
{
	struct tern_section *section;
	uint32_t i;

	for (i = 0; i < lists->n; i++) {
		section = put_section(at, kind, i, 8ull * lists->list[i].n);
		memcpy(section + 1, lists->list[i].id, section->length);
		lib_section_seal(section);
	}
}

static void lay_out(struct saving *saving, void *image)
{
	struct tern_image *top = image;
	char *at = (char *)(top + 1);
	uint32_t i;

	memset(image, 0, image_size(saving));
	*top = (struct tern_image){
		.version = TERN_STATE_VERSION,
		.nr_sections = saving->regs.n + saving->gic.n +
			saving->nr_parts,
		.size = image_size(saving),
	};
	memcpy(top->magic, TERN_STATE_MAGIC, sizeof(top->magic));
	lib_image_seal(top);
	put_lists(&at, TERN_SECTION_REG_LIST, &saving->regs);
	put_lists(&at, TERN_SECTION_GIC_LIST, &saving->gic);
	for (i = 0; i < saving->nr_parts; i++) {
		struct part *part = &saving->part[i];

		part->section = put_section(&at, part->kind, part->index,
					    head_size(part) + part->values);
	}
}

/* Values */

#define CNTP_CTL_ISTATUS	(1ull << 2)

/* Many kernels have no id for the physical timer, and no list has it. */
static void fill_ptimer(int vcpu_fd, struct tern_vcpu_values *head)
{
	uint64_t ctl, cval;

	if (lib_get_reg(vcpu_fd, KVM_REG_ARM_PTIMER_CTL, &ctl) ||
	    lib_get_reg(vcpu_fd, KVM_REG_ARM_PTIMER_CVAL, &cval))
		return;
	head->has_ptimer = 1;
	head->ptimer_ctl = ctl & ~CNTP_CTL_ISTATUS;
	head->ptimer_cval = cval;
}

/* KVM_GET_MP_STATE and KVM_GET_VCPU_EVENTS are beside the registers. */
static int fill_states(const struct part *part, struct tern_vcpu_values *head)
{
	struct kvm_vcpu_events events = { 0 };
	struct kvm_mp_state state = { 0 };
	int ret;

	ret = lib_ioctl(part->fd, KVM_GET_MP_STATE, &state);
	if (ret < 0)
		return ret;
	ret = lib_ioctl(part->fd, KVM_GET_VCPU_EVENTS, &events);
	if (ret < 0)
		return ret;
	head->list = part->list;
	fill_ptimer(part->fd, head);
	head->mp_state = state.mp_state;
	head->serror_pending = events.exception.serror_pending;
	head->serror_has_esr = events.exception.serror_has_esr;
	if (events.exception.serror_has_esr)
		head->serror_esr = events.exception.serror_esr;
	return 0;
}

/*
 * The virtual counter is the VM's, and goes on while vCPUs are read one after
 * another: all get the one reading.
 */
static int fill_vcpu(const struct saving *saving, const struct part *part)
{
	const struct lib_list *list = &saving->regs.list[part->list];
	bool many = saving->vm->method > TERN_METHOD_ONE;
	struct tern_vcpu_values *head = (void *)(part->section + 1);
	char *at = (char *)(head + 1);
	struct kvm_one_reg *reg;
	uint32_t i, n = 0, failed;
	int ret;

	ret = fill_states(part, head);
	if (ret)
		return ret;
	reg = malloc(list->n * sizeof(*reg) + 1);
	if (!reg)
		return -ENOMEM;
	for (i = 0; i < list->n; i++) {
		if (list->id[i] == KVM_REG_ARM_TIMER_CNT)
			memcpy(at, &saving->counter, 8);
		else
			reg[n++] = (struct kvm_one_reg){
				.id = list->id[i], .addr = (uintptr_t)at,
			};
		at += lib_reg_room(list->id[i]);
	}
	ret = lib_regs(part->fd, many, false, reg, n, &failed);
	free(reg);
	return ret;
}

static int fill_job(void *arg, uint32_t i)
{
	const struct saving *saving = arg;
	const struct part *part = &saving->part[i];
	int ret = 0;

	if (part->kind == TERN_SECTION_VCPU) {
		ret = fill_vcpu(saving, part);
		if (!ret)
			lib_section_seal(part->section);
	}
	return ret;
}

static void seal_gic(const struct part *part, const struct tern_vgic_reg *reg)
{
	struct tern_values *head = (void *)(part->section + 1);
	uint64_t *value = (uint64_t *)(head + 1);
	uint64_t i;

	head->list = part->list;
	for (i = 0; i < part->values / 8; i++)
		value[i] = reg[i].val;
	lib_section_seal(part->section);
}

/* All parts of the GIC in one batch: they are of one moment. */
static int fill_gic(const struct saving *saving)
{
	bool batch = saving->vm->method > TERN_METHOD_ONE;
	const struct part *part, *end = saving->part + saving->nr_parts;
	struct tern_vgic_reg *reg;
	uint32_t i, n = 0, failed;
	int ret;

	for (part = saving->part; part < end; part++)
		if (part->kind != TERN_SECTION_VCPU)
			n += part->values / 8;
	if (!n)
		return 0;
	reg = malloc(n * sizeof(*reg));
	if (!reg)
		return -ENOMEM;
	n = 0;
	for (part = saving->part; part < end; part++) {
		if (part->kind == TERN_SECTION_VCPU)
			continue;
		for (i = 0; i < part->values / 8; i++)
			reg[n++] = lib_gic_reg(
				saving->gic.list[part->list].id[i], part->aff, 0);
	}
	ret = lib_gic_regs(saving->vm->gic, batch, false, reg, n, &failed);
	n = 0;
	for (part = saving->part; !ret && part < end; part++) {
		if (part->kind == TERN_SECTION_VCPU)
			continue;
		seal_gic(part, reg + n);
		n += part->values / 8;
	}
	free(reg);
	return ret;
}

static int read_counter(struct saving *saving)
{
	const struct part *part = saving->part;

	if (!saving->regs.n)
		return 0;
	while (part->kind != TERN_SECTION_VCPU)
		part++;
	return lib_get_reg(part->fd, KVM_REG_ARM_TIMER_CNT, &saving->counter);
}

static int fill(struct saving *saving, void *image)
{
	int ret;

	lay_out(saving, image);
	ret = read_counter(saving);
	if (ret)
		return ret;
	ret = lib_work(saving->vm->threads, saving->nr_parts, fill_job, saving);
	return ret ? ret : fill_gic(saving);
}

ssize_t lib_save(const struct tern_vm *vm, uint32_t what, uint32_t first,
		 uint32_t count, void *image, size_t size)
{
	struct saving saving = { .vm = vm };
	ssize_t ret = plan(&saving, what, first, count);

	if (!ret) {
		ret = image_size(&saving);
		if (size && size < (size_t)ret) {
			ret = -E2BIG;
		} else if (size) {
			int err = fill(&saving, image);

			if (err)
				ret = err;
		}
	}
	saving_fini(&saving);
	return ret;
}

int lib_save_like(const struct tern_vm *vm, const void *like, void **image)
{
	struct saving saving = { .vm = vm };
	int ret = plan_like(&saving, like);

	*image = NULL;
	if (!ret) {
		*image = malloc(image_size(&saving));
		ret = *image ? fill(&saving, *image) : -ENOMEM;
	}
	if (ret) {
		free(*image);
		*image = NULL;
	}
	saving_fini(&saving);
	return ret;
}
