// SPDX-License-Identifier: GPL-2.0
/*
 * An ITS's maps to the guest's tables and back, in the layout that KVM
 * documents (Documentation/virt/kvm/devices/arm-vgic-its.rst, revision 0): an
 * entry says how far the next valid one is, 0 being the end.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched/signal.h>
#include "its.h"
#include "queue.h"
#include "regs.h"

#define ENTRY		8U
#define L2_ENTRIES	(0x10000U / ENTRY)

/* Distance to the next key in @xa up to @last, or 0 */
static u32 distance(struct xarray *xa, unsigned long key, unsigned long last)
{
	unsigned long next = key;

	return xa_find_after(xa, &next, last, XA_PRESENT) ? next - key : 0;
}

/* An event whose collection was unmapped cannot be restored with it: it is saved as not mapped. */
static int save_event(struct vgic_its *its, const struct its_device *d, u32 event, unsigned long word, u32 next)
{
	struct its_event e = its_word_event(word);
	ipa_t ipa;

	if (!vgic_its_itt_entry(its, d, event, &ipa))
		return -EFAULT;
	return vgic_its_write_entry(its, ipa, vgic_its_has_collection(its, e.icid) ? its_event_word(&e, next) : 0);
}

static int save_itt(struct vgic_its *its, u32 device, const struct its_device *d)
{
	unsigned long first = its_key(device, 0), last = its_key(device, BIT(ITS_ID_BITS) - 1), key;
	void *val;
	int err = 0;

	xa_for_each_range(&its->event, key, val, first, last) {
		err = save_event(its, d, key - first, xa_to_value(val), distance(&its->event, key, last));
		if (err)
			break;
		cond_resched();
	}
	return err;
}

static int save_devices(struct vgic_its *its)
{
	struct its_device d;
	unsigned long id;
	void *val;
	ipa_t ipa;
	int err;

	if (!(its->baser[ITS_DEVICES] & BASER_VALID))
		return 0;
	xa_for_each(&its->device, id, val) {
		d = its_word_device(xa_to_value(val));
		if (!vgic_its_entry(its, ITS_DEVICES, id, &ipa))
			return -EINVAL;
		err = save_itt(its, id, &d);
		if (!err)
			err = vgic_its_write_entry(its, ipa, its_device_word(&d, distance(&its->device, id, ULONG_MAX)));
		if (err)
			return err;
	}
	return 0;
}

static u64 collection_word(struct vgic_its *its, u32 icid)
{
	struct vgic_cpu *c = vgic_its_target(its, icid);

	return CTE_VALID | (u64)(c ? c->id : CTE_NO_CPU) << CTE_CPU_SHIFT | icid;
}

/* One after the other, then one that is not valid if there is room */
static int save_collections(struct vgic_its *its)
{
	u64 baser = its->baser[ITS_COLLECTIONS], size = vgic_its_table_size(baser);
	ipa_t ipa = { vgic_its_table_base(baser) };
	u64 end = ipa.ipa + size;
	unsigned long icid;
	void *val;
	int err;

	if (!(baser & BASER_VALID))
		return 0;
	xa_for_each(&its->collection, icid, val) {
		if (ipa.ipa == end)
			return -EINVAL;
		err = vgic_its_write_entry(its, ipa, collection_word(its, icid));
		if (err)
			return err;
		ipa.ipa += ENTRY;
	}
	return ipa.ipa == end ? 0 : vgic_its_write_entry(its, ipa, 0);
}

int vgic_its_save(struct vgic_its *its)
{
	int err;

	mutex_lock(&its->lock);
	err = save_devices(its);
	if (!err)
		err = save_collections(its);
	mutex_unlock(&its->lock);
	return err;
}

/*
 * struct scan - what to do with the entries of a table
 * @entry: Return: distance to the next entry to look at, 0 at the end, or a negative errno
 */
struct scan {
	int (*entry)(struct vgic_its *its, const struct scan *s, u32 id, u64 word);
	struct its_device d;
	u32 device;
};

/* Return: 0 at the end, 1 when the end was not marked, or a negative errno */
static int scan_table(struct vgic_its *its, const struct scan *s, u64 base, u64 entries, u32 first)
{
	u64 at = 0, word;
	int step;

	while (at < entries) {
		step = vgic_its_read_entry(its, (ipa_t){ base + at * ENTRY }, &word);
		if (!step)
			step = s->entry(its, s, first + at, word);
		if (step <= 0)
			return step;
		at += step;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 1;
}

static int restore_event(struct vgic_its *its, const struct scan *s, u32 event, u64 word)
{
	struct its_event e = its_word_event(word);
	u32 next = word >> ITE_NEXT_SHIFT;
	ipa_t ipa;

	if (!e.lpi)
		return 1;
	if (e.lpi < LPI_BASE || e.lpi >= BIT(LPI_ID_BITS) || event + next >= BIT_ULL(s->d.bits) ||
	    !vgic_its_has_collection(its, e.icid) || !vgic_its_itt_entry(its, &s->d, event, &ipa))
		return -EINVAL;
	return vgic_its_map_event(its, s->device, event, &e) ?: next;
}

static int restore_device(struct vgic_its *its, const struct scan *s, u32 device, u64 word)
{
	struct scan itt = { .entry = restore_event, .d = its_word_device(word), .device = device };
	ipa_t ipa;
	int err;

	if (!(word & DTE_VALID))
		return 1;
	if (!vgic_its_entry(its, ITS_DEVICES, device, &ipa) || itt.d.bits > ITS_ID_BITS)
		return -EINVAL;
	err = vgic_its_map_device(its, device, &itt.d);
	if (!err)
		err = scan_table(its, &itt, itt.d.itt, BIT_ULL(itt.d.bits), 0);
	return err < 0 ? err : word >> DTE_NEXT_SHIFT & DTE_MAX_NEXT;
}

/* The first level of a two-level table */
static int restore_level1(struct vgic_its *its, const struct scan *s, u32 id, u64 word)
{
	struct scan level2 = { .entry = restore_device };

	if (!(word & ITS_L1_VALID))
		return 1;
	return scan_table(its, &level2, word & ITS_L1_ADDR, L2_ENTRIES, id * L2_ENTRIES);
}

static int restore_devices(struct vgic_its *its)
{
	u64 baser = its->baser[ITS_DEVICES];
	struct scan s = { .entry = baser & BASER_INDIRECT ? restore_level1 : restore_device };
	int err;

	if (!(baser & BASER_VALID))
		return 0;
	err = scan_table(its, &s, vgic_its_table_base(baser), vgic_its_table_size(baser) / ENTRY, 0);
	return min(err, 0);
}

static int restore_collection(struct vgic_its *its, const struct scan *s, u32 at, u64 word)
{
	u32 number = word >> CTE_CPU_SHIFT, icid = word & ITE_ICID_MASK;
	struct vgic_cpu *c = NULL;
	ipa_t ipa;

	if (!(word & CTE_VALID))
		return 0;
	if (number != CTE_NO_CPU) {
		c = vgic_its_cpu(its->g, number);
		if (!c)
			return -EINVAL;
	}
	if (vgic_its_has_collection(its, icid))
		return -EEXIST;
	if (!vgic_its_entry(its, ITS_COLLECTIONS, icid, &ipa))
		return -EINVAL;
	return vgic_its_map_collection(its, icid, c) ?: 1;
}

static int restore_collections(struct vgic_its *its)
{
	u64 baser = its->baser[ITS_COLLECTIONS];
	struct scan s = { .entry = restore_collection };
	int err;

	if (!(baser & BASER_VALID))
		return 0;
	err = scan_table(its, &s, vgic_its_table_base(baser), vgic_its_table_size(baser) / ENTRY, 0);
	return min(err, 0);
}

/* Properties and pending bits of what is mapped, as far as LPIs are enabled */
static int load_events(struct vgic_its *its)
{
	struct its_event e;
	struct vgic_cpu *c;
	unsigned long key;
	void *val;
	int err = 0;

	xa_for_each(&its->event, key, val) {
		e = its_word_event(xa_to_value(val));
		c = vgic_its_target(its, e.icid);
		err = vgic_lpi_reread(its->g, c, e.lpi);
		if (!err && c)
			err = vgic_lpi_load_one(c, e.lpi);
		if (err)
			break;
		cond_resched();
	}
	return err;
}

static int restore(struct vgic_its *its, bool load)
{
	int err;

	mutex_lock(&its->lock);
	err = restore_collections(its);
	if (!err)
		err = restore_devices(its);
	if (!err && load)
		err = load_events(its);
	if (err && load) {
		vgic_its_clear_devices(its);
		vgic_its_clear_collections(its);
	} else if (err) {
		vgic_its_abandon(its);
	}
	mutex_unlock(&its->lock);
	return err;
}

int vgic_its_restore(struct vgic_its *its)
{
	return restore(its, true);
}

int vgic_its_restore_maps(struct vgic_its *its)
{
	return restore(its, false);
}

int vgic_its_load(struct vgic_its *its)
{
	int err;

	mutex_lock(&its->lock);
	err = load_events(its);
	mutex_unlock(&its->lock);
	return err;
}
