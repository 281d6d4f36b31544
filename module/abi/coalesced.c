// SPDX-License-Identifier: GPL-2.0
/*
 * Coalesced MMIO (KVM API 4.36): a guest's writes to a zone are put into a
 * ring that the client looks at when it pleases, and the vCPU goes on.
 *
 * A VM that never had a zone has no look for one on its MMIO path: vm->io_write
 * becomes coalesced_write() with the first. The client may write anything into
 * the ring's page at any time: what is read of it is read once.
 */
#include <linux/gfp.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event.h"

/* Like built-in KVM's bus */
#define MAX_ZONES 1000

struct coalesced_zone {
	struct list_head node;
	struct list_head gone;
	struct kvm_coalesced_mmio_zone zone;
};

static bool in_zone(const struct kvm_coalesced_mmio_zone *z, u64 addr, u32 len)
{
	return addr + len >= addr && addr >= z->addr && addr + len <= z->addr + z->size;
}

/* Return: false when the ring is full; then the client sees this write as an exit, and the ring with it. */
static bool put(struct event_vm *ev, u64 addr, unsigned int len, u64 val)
{
	struct kvm_coalesced_mmio_ring *ring = ev->ring;
	u32 last, first, max = KVM_COALESCED_MMIO_MAX;
	struct kvm_coalesced_mmio *e;
	bool room;

	spin_lock(&ev->ring_lock);
	last = READ_ONCE(ring->last);
	first = READ_ONCE(ring->first);
	room = last < max && (last + 1) % max != first;
	if (room) {
		e = &ring->coalesced_mmio[last];
		e->phys_addr = addr;
		e->len = len;
		e->pio = 0;
		memcpy(e->data, &val, len);
		smp_store_release(&ring->last, (last + 1) % max);
	}
	spin_unlock(&ev->ring_lock);
	return room;
}

static bool coalesced_write(struct tern_vm *vm, ipa_t ipa, unsigned int len, u64 val)
{
	struct event_vm *ev = vm->event;
	struct coalesced_zone *z;
	bool found = false;
	int idx;

	if (ioeventfd_write(vm, ipa, len, val))
		return true;
	idx = srcu_read_lock(&ev->srcu);
	list_for_each_entry_rcu(z, &ev->zones, node, srcu_read_lock_held(&ev->srcu)) {
		found = !z->zone.pio && in_zone(&z->zone, ipa.ipa, len);
		if (found)
			break;
	}
	srcu_read_unlock(&ev->srcu, idx);
	return found && put(ev, ipa.ipa, len, val);
}

int event_register_zone(struct tern_vm *vm, const struct kvm_coalesced_mmio_zone *zone)
{
	struct event_vm *ev = vm->event;
	struct coalesced_zone *z;
	int err = 0;

	if (zone->pio > 1)
		return -EINVAL;
	z = kzalloc(sizeof(*z), GFP_KERNEL_ACCOUNT);
	if (!z)
		return -ENOMEM;
	z->zone = *zone;
	mutex_lock(&ev->lock);
	if (ev->nr_zones < MAX_ZONES) {
		ev->nr_zones++;
		list_add_tail_rcu(&z->node, &ev->zones);
		WRITE_ONCE(vm->io_write, coalesced_write);
	} else {
		err = -ENOSPC;
	}
	mutex_unlock(&ev->lock);
	if (err)
		kfree(z);
	return err;
}

/* Every zone that the given one lies in goes; that there is none is no error. */
int event_unregister_zone(struct tern_vm *vm, const struct kvm_coalesced_mmio_zone *zone)
{
	struct event_vm *ev = vm->event;
	struct coalesced_zone *z, *next;
	LIST_HEAD(gone);

	if (zone->pio > 1)
		return -EINVAL;
	mutex_lock(&ev->lock);
	list_for_each_entry_safe(z, next, &ev->zones, node) {
		if (z->zone.pio != zone->pio || !in_zone(&z->zone, zone->addr, zone->size))
			continue;
		list_del_rcu(&z->node);
		list_add(&z->gone, &gone);
		ev->nr_zones--;
	}
	mutex_unlock(&ev->lock);
	if (list_empty(&gone))
		return 0;
	synchronize_srcu_expedited(&ev->srcu);
	list_for_each_entry_safe(z, next, &gone, gone)
		kfree(z);
	return 0;
}

int coalesced_init(struct event_vm *ev)
{
	spin_lock_init(&ev->ring_lock);
	INIT_LIST_HEAD(&ev->zones);
	ev->ring = (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	return ev->ring ? 0 : -ENOMEM;
}

void coalesced_fini(struct event_vm *ev)
{
	struct coalesced_zone *z, *next;

	list_for_each_entry_safe(z, next, &ev->zones, node)
		kfree(z);
	free_page((unsigned long)ev->ring);
}
