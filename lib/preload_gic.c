// SPDX-License-Identifier: GPL-2.0
/* Bursts of KVM_GET_DEVICE_ATTR and KVM_SET_DEVICE_ATTR of the GIC. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gic.h"
#include "preload.h"

#define BURST_LEAST	8
#define BURST_WORTH	256
#define QUEUE_MAX	16384

#define LOW(attr)	((uint32_t)(attr))

static int by_attr(const void *a, const void *b)
{
	const struct tern_vgic_reg *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->attr > y->attr) - (x->attr < y->attr);
}

void preload_gic_fini(struct preload_gic *gic)
{
	free(gic->reg);
	free(gic->state);
	free(gic->queue);
	*gic = (struct preload_gic){
		.failed = gic->failed, .ready = gic->ready, .pace = gic->pace,
	};
}

/* Setting up */

static int append(struct preload_gic *gic, struct lib_list *list, uint64_t aff)
{
	struct tern_vgic_reg *more;
	uint32_t i;

	more = realloc(gic->reg, (gic->n + list->n) * sizeof(*more));
	if (!more) {
		lib_list_fini(list);
		return -ENOMEM;
	}
	gic->reg = more;
	for (i = 0; i < list->n; i++)
		gic->reg[gic->n++] = lib_gic_reg(list->id[i], aff, 0);
	lib_list_fini(list);
	return 0;
}

/* Always the same with KVM, so no state; but QEMU reads and writes them. */
static int append_constant(struct preload_gic *gic, uint32_t group,
			   uint32_t low, uint64_t aff)
{
	struct lib_list list = { .n = 1, .id = malloc(sizeof(*list.id)) };

	if (!list.id)
		return -ENOMEM;
	list.id[0] = LIB_GIC_ID(group, low);
	return append(gic, &list, aff);
}

static int list_cpu(struct preload_vm *vm, uint64_t aff)
{
	struct lib_list list = { 0 };
	int ret = lib_list_gic_cpu(&list, vm->gic_fd->fd, aff);

	if (!ret)
		ret = append(&vm->gic, &list, aff);
	if (!ret)
		ret = append_constant(&vm->gic, GIC_REDIST, GICR_STATUSR, aff);
	if (!ret)
		ret = append_constant(&vm->gic, GIC_REDIST, GICR_WAKER, aff);
	return ret;
}

static int list_dist(struct preload_vm *vm)
{
	struct lib_list list = { 0 };
	uint64_t aff = 0;
	int ret = lib_affinity(vm->vcpu[0]->fd, &aff);

	if (!ret)
		ret = lib_list_gic_dist(&list, vm->gic_fd->fd);
	if (!ret)
		ret = append(&vm->gic, &list, aff);
	if (!ret)
		ret = append_constant(&vm->gic, GIC_DIST, GICD_STATUSR, aff);
	return ret;
}

static int list_all(struct preload_vm *vm)
{
	uint64_t aff = 0;
	uint32_t i;
	int ret = vm->nr_vcpus ? 0 : -ENODEV;

	for (i = 0; !ret && i < vm->nr_vcpus; i++) {
		ret = lib_affinity(vm->vcpu[i]->fd, &aff);
		if (!ret)
			ret = list_cpu(vm, aff);
	}
	return ret ? ret : list_dist(vm);
}

static bool set_up(struct preload_vm *vm)
{
	struct preload_gic *gic = &vm->gic;
	int ret;

	if (gic->n || gic->failed)
		return !gic->failed;
	ret = list_all(vm);
	if (!ret) {
		qsort(gic->reg, gic->n, sizeof(*gic->reg), by_attr);
		gic->state = calloc(gic->n, 1);
		gic->queue = calloc(QUEUE_MAX, sizeof(*gic->queue));
	}
	if (ret || !gic->state || !gic->queue ||
	    gic->n > TERN_MAX_VGIC_REGS) {
		gic->failed = true;
		preload_gic_fini(gic);
	}
	return !gic->failed;
}

static bool find(struct preload_gic *gic, uint32_t group, uint64_t attr,
		 uint32_t *at)
{
	struct tern_vgic_reg key = { .group = group, .attr = attr }, *found;

	if (gic->hint < gic->n && !by_attr(&key, &gic->reg[gic->hint])) {
		*at = gic->hint;
	} else {
		found = bsearch(&key, gic->reg, gic->n, sizeof(key), by_attr);
		if (!found)
			return false;
		*at = found - gic->reg;
	}
	gic->hint = *at + 1;
	return true;
}

/* Reading ahead */

size_t preload_attr_size(uint32_t group)
{
	switch (group) {
	case GIC_DIST:
	case GIC_REDIST:
	case GIC_LEVEL:
		return 4;
	case GIC_SYSREGS:
		return 8;
	}
	return 0;
}

static void no_longer_fresh(struct preload_gic *gic)
{
	uint32_t i;

	for (i = 0; gic->fresh && i < gic->n; i++)
		gic->state[i] &= ~PRELOAD_FRESH;
	gic->fresh = false;
}

void preload_gic_forget(struct preload_gic *gic)
{
	if (gic->n)
		memset(gic->state, 0, gic->n);
	gic->pace.gets = 0;
	gic->pace.sets = 0;
}

/* Irqfds are other programs' way to the GIC's state. */
static bool may_serve(const struct preload_fd *f,
		      const struct kvm_device_attr *attr, bool writable)
{
	const struct preload_vm *vm = f->vm;
	size_t size = preload_attr_size(attr->group);

	return vm->gic.ready && !vm->gic.failed && !vm->nr_irqfds && size &&
	       preload_proven(&f->proof, attr->addr, size, writable);
}

static void read_all(struct preload_vm *vm)
{
	struct preload_gic *gic = &vm->gic;
	uint32_t failed;
	int ret;

	ret = lib_gic_regs(vm->gic_fd->fd, true, false, gic->reg, gic->n,
			   &failed);
	if (ret) {
		gic->failed = ret != -EBUSY && ret != -EINTR;
		return;
	}
	atomic_fetch_add(&preload_counts.batches, 1);
	memset(gic->state, PRELOAD_FRESH | PRELOAD_KNOWN, gic->n);
	gic->fresh = true;
}

static bool give(struct preload_gic *gic, uint32_t at,
		 const struct kvm_device_attr *attr)
{
	if (!(gic->state[at] & PRELOAD_FRESH))
		return false;
	gic->state[at] &= ~PRELOAD_FRESH;
	gic->pace.given++;
	memcpy((void *)(uintptr_t)attr->addr, &gic->reg[at].val,
	       preload_attr_size(attr->group));
	atomic_fetch_add(&preload_counts.given, 1);
	return true;
}

enum preload_way preload_get_attr(struct preload_fd *f,
				  const struct kvm_device_attr *attr, int *ret)
{
	struct preload_gic *gic = &f->vm->gic;
	uint32_t at;

	*ret = preload_gic_flush(f->vm);
	if (*ret)
		return PRELOAD_DONE;
	if (!may_serve(f, attr, true))
		return PRELOAD_PASS;
	if (gic->n && find(gic, attr->group, attr->attr, &at) &&
	    give(gic, at, attr))
		return PRELOAD_DONE;
	if (!preload_pace_get(&gic->pace, BURST_LEAST) || !set_up(f->vm) ||
	    !find(gic, attr->group, attr->attr, &at) || !preload_activate(f))
		return PRELOAD_PASS;
	preload_pace_read(&gic->pace, BURST_WORTH, BURST_LEAST);
	read_all(f->vm);
	return give(gic, at, attr) ? PRELOAD_DONE : PRELOAD_PASS;
}

/* Gathering */

static int replay(struct preload_vm *vm)
{
	struct preload_gic *gic = &vm->gic;
	uint32_t i, failed;
	int ret = 0, err;

	for (i = 0; i < gic->queued; i++) {
		err = lib_gic_regs(vm->gic_fd->fd, false, true, &gic->queue[i],
				   1, &failed);
		if (!ret)
			ret = err;
	}
	atomic_fetch_add(&preload_counts.replayed, gic->queued);
	return ret;
}

int preload_gic_flush(struct preload_vm *vm)
{
	struct preload_gic *gic = &vm->gic;
	uint32_t failed;
	int ret;

	if (!gic->queued)
		return 0;
	ret = lib_gic_regs(vm->gic_fd->fd, true, true, gic->queue, gic->queued,
			   &failed);
	atomic_fetch_add(&preload_counts.batches, 1);
	if (ret) {
		ret = replay(vm);
		gic->failed = true;
	}
	gic->queued = 0;
	return ret;
}

/* ICENABLER and its like have no state of their own, so are not in the list:
 * the register to look for is the one that sets, one bitmap lower. */
static uint64_t set_register(uint32_t group, uint64_t attr)
{
	uint32_t low = LOW(attr);

	if (group == GIC_REDIST)
		low -= low >= GICR_SGI ? GICR_SGI : low + 1;
	else if (group != GIC_DIST)
		return attr;
	if (low - GICD_ICENABLER < GIC_BITMAP || low - GICD_ICPENDR < GIC_BITMAP ||
	    low - GICD_ICACTIVER < GIC_BITMAP)
		return attr - GIC_BITMAP;
	return attr;
}

/*
 * Takes this value, whatever was before. All in the list do, but for the
 * revision (the registers before STATUSR, CTLR apart), for what LPIs need the
 * guest's memory for, and for fields of the CPU interface that are the host's.
 */
static bool takes(const struct preload_gic *gic, uint32_t at, uint64_t val)
{
	const struct tern_vgic_reg *reg = &gic->reg[at];
	uint32_t low = LOW(reg->attr);

	switch (reg->group) {
	case GIC_DIST:
		return !low || low >= GICD_STATUSR;
	case GIC_REDIST:
		return low != GICR_CTLR || !(val & GICR_CTLR_LPIS);
	case GIC_LEVEL:
		return true;
	}
	low &= 0xffff;
	if (low == ICC_CTLR)
		return !((reg->val ^ val) & ~(uint64_t)ICC_CTLR_CBPR_EOIMODE);
	return low != ICC_SRE || reg->val == val;
}

static bool in_burst(struct preload_fd *f, uint32_t group, uint64_t attr,
		     uint32_t *at)
{
	struct preload_gic *gic = &f->vm->gic;

	if (!preload_pace_set(&gic->pace, BURST_LEAST) || !set_up(f->vm) ||
	    !find(gic, group, set_register(group, attr), at))
		return false;
	if (!gic->queued && !preload_activate(f))
		return false;
	if (!(gic->state[*at] & PRELOAD_KNOWN) && !gic->queued)
		read_all(f->vm);
	if (!gic->queued)
		no_longer_fresh(gic);
	return gic->state[*at] & PRELOAD_KNOWN;
}

static void queue(struct preload_gic *gic, const struct kvm_device_attr *attr,
		  uint64_t val)
{
	gic->queue[gic->queued++] = (struct tern_vgic_reg){
		.group = attr->group, .attr = attr->attr, .val = val,
	};
	atomic_fetch_add(&preload_counts.gathered, 1);
}

enum preload_way preload_set_attr(struct preload_fd *f,
				  const struct kvm_device_attr *attr, int *ret)
{
	struct preload_gic *gic = &f->vm->gic;
	uint64_t val = 0;
	uint32_t at;

	*ret = 0;
	if (may_serve(f, attr, false) &&
	    in_burst(f, attr->group, attr->attr, &at)) {
		memcpy(&val, (const void *)(uintptr_t)attr->addr,
		       preload_attr_size(attr->group));
		if (gic->queued == QUEUE_MAX)
			*ret = preload_gic_flush(f->vm);
		if (*ret)
			return PRELOAD_DONE;
		if (takes(gic, at, val)) {
			queue(gic, attr, val);
			return PRELOAD_DONE;
		}
	}
	*ret = preload_gic_flush(f->vm);
	if (*ret)
		return PRELOAD_DONE;
	if (!preload_attr_size(attr->group))
		return PRELOAD_CHANGE;
	no_longer_fresh(gic);
	return PRELOAD_CHANGE_SELF;
}
