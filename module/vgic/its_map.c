// SPDX-License-Identifier: GPL-2.0
/*
 * The maps of an ITS, and what becomes of a message by them.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "its.h"
#include "queue.h"

/* Values of xarrays have 63 bits; the words of the guest's tables, without their flags, fit. */

bool vgic_its_device(struct vgic_its *its, u32 device, struct its_device *d)
{
	void *val = device < BIT(ITS_ID_BITS) ? xa_load(&its->device, device) : NULL;

	if (!val)
		return false;
	*d = its_word_device(xa_to_value(val));
	return true;
}

bool vgic_its_event(struct vgic_its *its, u32 device, u32 event, struct its_event *e)
{
	void *val;

	if (device >= BIT(ITS_ID_BITS) || event >= BIT(ITS_ID_BITS))
		return false;
	val = xa_load(&its->event, its_key(device, event));
	if (!val)
		return false;
	*e = its_word_event(xa_to_value(val));
	return true;
}

bool vgic_its_has_collection(struct vgic_its *its, u32 icid)
{
	return xa_load(&its->collection, icid);
}

struct vgic_cpu *vgic_its_target(struct vgic_its *its, u32 icid)
{
	void *val = xa_load(&its->collection, icid);
	unsigned long place = val ? xa_to_value(val) : 0;

	return place ? its->g->cpu[place - 1] : NULL;
}

struct vgic_cpu *vgic_its_cpu(struct vgic *g, u32 number)
{
	u32 n = vgic_nr_cpus(g), i;

	if (number < n && g->cpu[number]->id == number)
		return g->cpu[number];
	for (i = 0; i < n; i++)
		if (g->cpu[i]->id == number)
			return g->cpu[i];
	return NULL;
}

static int store(struct xarray *xa, unsigned long index, unsigned long val)
{
	return xa_err(xa_store(xa, index, xa_mk_value(val), GFP_KERNEL_ACCOUNT));
}

/* As the guest's table has it, but for the flag and the way to the next */
int vgic_its_map_device(struct vgic_its *its, u32 device, const struct its_device *d)
{
	return store(&its->device, device, its_device_word(d, 0) & ~DTE_VALID);
}

static void forget_event(struct vgic_its *its, unsigned long key)
{
	void *val = xa_erase(&its->event, key);
	struct vgic_cpu *c;
	struct its_event e;

	if (!val)
		return;
	its->nr_events--;
	vgic_lpi_remapped(its->g);
	e = its_word_event(xa_to_value(val));
	c = vgic_its_target(its, e.icid);
	if (c)
		vgic_lpi_drop(c, e.lpi);
}

static void forget_events(struct vgic_its *its, unsigned long first, unsigned long last)
{
	unsigned long key;
	void *val;

	xa_for_each_range(&its->event, key, val, first, last) {
		forget_event(its, key);
		cond_resched();
	}
}

void vgic_its_unmap_device(struct vgic_its *its, u32 device)
{
	forget_events(its, its_key(device, 0), its_key(device, BIT(ITS_ID_BITS) - 1));
	xa_erase(&its->device, device);
}

int vgic_its_map_event(struct vgic_its *its, u32 device, u32 event, const struct its_event *e)
{
	unsigned long key = its_key(device, event);
	int err;

	forget_event(its, key);
	if (its->nr_events >= ITS_MAX_EVENTS)
		return -ENOSPC;
	err = store(&its->event, key, its_event_word(e, 0));
	if (!err)
		its->nr_events++;
	return err;
}

int vgic_its_redirect_event(struct vgic_its *its, u32 device, u32 event, const struct its_event *e)
{
	int err = store(&its->event, its_key(device, event), its_event_word(e, 0));

	vgic_lpi_remapped(its->g);
	return err;
}

void vgic_its_unmap_event(struct vgic_its *its, u32 device, u32 event)
{
	forget_event(its, its_key(device, event));
}

/* The pending LPIs of a collection that goes to another vCPU */
static void move_collection(struct vgic_its *its, u32 icid, struct vgic_cpu *from, struct vgic_cpu *to)
{
	struct its_event e;
	unsigned long key;
	void *val;

	bitmap_zero(its->scratch, LPI_MAX);
	xa_for_each(&its->event, key, val) {
		e = its_word_event(xa_to_value(val));
		if (e.icid == icid)
			__set_bit(e.lpi - LPI_BASE, its->scratch);
		cond_resched();
	}
	vgic_lpi_move(from, to, its->scratch);
}

int vgic_its_map_collection(struct vgic_its *its, u32 icid, struct vgic_cpu *c)
{
	struct vgic_cpu *old = vgic_its_target(its, icid);
	int err = store(&its->collection, icid, c ? c->index + 1 : 0);

	if (err || old == c || !old)
		return err;
	vgic_lpi_remapped(its->g);
	if (c)
		move_collection(its, icid, old, c);
	return 0;
}

void vgic_its_clear_devices(struct vgic_its *its)
{
	forget_events(its, 0, ULONG_MAX);
	xa_destroy(&its->device);
}

void vgic_its_clear_collections(struct vgic_its *its)
{
	xa_destroy(&its->collection);
	vgic_lpi_remapped(its->g);
}

void vgic_its_abandon(struct vgic_its *its)
{
	xa_destroy(&its->event);
	its->nr_events = 0;
	xa_destroy(&its->device);
	vgic_its_clear_collections(its);
}

/* Where a message goes now */
static int resolve(struct vgic_its *its, u32 device, u32 event, struct vgic_cpu **c, u32 *lpi)
{
	struct its_event e;

	if (!READ_ONCE(its->enabled))
		return -EBUSY;
	if (!vgic_its_event(its, device, event, &e))
		return -ENOENT;
	*c = vgic_its_target(its, e.icid);
	*lpi = e.lpi;
	return *c ? 0 : -ENOENT;
}

int vgic_its_raise(struct vgic_its *its, u32 device, u32 event)
{
	atomic_t *maps = &its->g->lpi_maps;
	struct vgic_cpu *c;
	u32 lpi;
	int err, seen;

	do {
		seen = atomic_read_acquire(maps);
		err = resolve(its, device, event, &c, &lpi);
		if (err)
			return err;
		if (!vgic_lpi_post(c, lpi))	/* ends with a full barrier */
			return -EBUSY;
	} while (unlikely(atomic_read(maps) != seen) && vgic_lpi_unpost(c, lpi));
	vgic_lpi_poke(c, lpi);
	return 0;
}
