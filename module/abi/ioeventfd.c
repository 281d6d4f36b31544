// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_IOEVENTFD (KVM API 4.59): a guest's write to an address signals an
 * eventfd, and the vCPU goes on without leaving the kernel.
 *
 * arm64 guests have memory-mapped I/O only. A client may register for the
 * other buses, as on built-in KVM, but nothing is ever written there.
 */
#include <linux/eventfd.h>
#include <linux/slab.h>
#include "../host/compat.h"
#include "event.h"

#define BUS_FLAGS (KVM_IOEVENTFD_FLAG_PIO | KVM_IOEVENTFD_FLAG_VIRTIO_CCW_NOTIFY)

/*
 * struct event_ioeventfd - one registration
 * @addr:  the exact address
 * @len:   access size, or 0 for any
 * @any:   every value matches; else only @match
 * @bus:   0 for memory-mapped I/O, or the flag of another bus
 */
struct event_ioeventfd {
	struct hlist_node node;
	struct eventfd_ctx *eventfd;
	u64 addr;
	u64 match;
	u32 len;
	u32 bus;
	bool any;
};

static u32 bus_of(u32 flags)
{
	if (flags & KVM_IOEVENTFD_FLAG_PIO)
		return KVM_IOEVENTFD_FLAG_PIO;
	return flags & BUS_FLAGS;
}

static bool ioeventfd_matches(const struct event_ioeventfd *e, u64 addr, unsigned int len, u64 val)
{
	if (e->bus || e->addr != addr)
		return false;
	if (!e->len)
		return true;
	if (e->len != len)
		return false;
	return e->any || e->match == val;
}

bool ioeventfd_write(struct tern_vm *vm, ipa_t ipa, unsigned int len, u64 val)
{
	struct event_vm *ev = vm->event;
	struct event_ioeventfd *e;
	bool taken = false;
	int idx;

	if (len < 8)
		val &= (1ULL << 8 * len) - 1;
	idx = srcu_read_lock(&ev->srcu);
	hash_for_each_possible_rcu(ev->ioeventfds, e, node, ipa.ipa,
				   srcu_read_lock_held(&ev->srcu)) {
		if (!ioeventfd_matches(e, ipa.ipa, len, val))
			continue;
		compat_eventfd_signal(e->eventfd);
		taken = true;
		break;
	}
	srcu_read_unlock(&ev->srcu, idx);
	return taken;
}

/* Could one write mean both? */
static bool ioeventfd_collides(const struct event_ioeventfd *a, const struct event_ioeventfd *b)
{
	if (a->bus != b->bus || a->addr != b->addr)
		return false;
	if (!a->len || !b->len)
		return true;
	return a->len == b->len && (a->any || b->any || a->match == b->match);
}

static int ioeventfd_insert(struct event_vm *ev, struct event_ioeventfd *new)
{
	struct event_ioeventfd *e;
	int err = 0;

	mutex_lock(&ev->lock);
	hash_for_each_possible(ev->ioeventfds, e, node, new->addr)
		if (ioeventfd_collides(e, new))
			err = -EEXIST;
	if (!err)
		hash_add_rcu(ev->ioeventfds, &new->node, new->addr);
	mutex_unlock(&ev->lock);
	return err;
}

static int ioeventfd_check(const struct kvm_ioeventfd *args)
{
	switch (args->len) {
	case 0:
		if (args->flags & KVM_IOEVENTFD_FLAG_DATAMATCH)
			return -EINVAL;
		break;
	case 1:
	case 2:
	case 4:
	case 8:
		break;
	default:
		return -EINVAL;
	}
	if (args->addr + args->len < args->addr)
		return -EINVAL;
	if (args->flags & ~KVM_IOEVENTFD_VALID_FLAG_MASK)
		return -EINVAL;
	return 0;
}

static void ioeventfd_fill(struct event_ioeventfd *e, const struct kvm_ioeventfd *args)
{
	e->addr = args->addr;
	e->len = args->len;
	e->bus = bus_of(args->flags);
	e->any = !(args->flags & KVM_IOEVENTFD_FLAG_DATAMATCH);
	e->match = e->any ? 0 : args->datamatch;
}

static int ioeventfd_assign(struct event_vm *ev, const struct kvm_ioeventfd *args)
{
	struct event_ioeventfd *e;
	struct eventfd_ctx *ctx;
	int err = ioeventfd_check(args);

	if (err)
		return err;
	ctx = eventfd_ctx_fdget(args->fd);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	e = kzalloc(sizeof(*e), GFP_KERNEL_ACCOUNT);
	if (!e) {
		err = -ENOMEM;
		goto put;
	}
	ioeventfd_fill(e, args);
	e->eventfd = ctx;
	err = ioeventfd_insert(ev, e);
	if (!err)
		return 0;
	kfree(e);
put:
	eventfd_ctx_put(ctx);
	return err;
}

static bool ioeventfd_same(const struct event_ioeventfd *a, const struct event_ioeventfd *b)
{
	return a->bus == b->bus && a->addr == b->addr && a->len == b->len &&
	       a->any == b->any && a->match == b->match && a->eventfd == b->eventfd;
}

static struct event_ioeventfd *ioeventfd_remove(struct event_vm *ev, const struct event_ioeventfd *key)
{
	struct event_ioeventfd *e, *found = NULL;

	mutex_lock(&ev->lock);
	hash_for_each_possible(ev->ioeventfds, e, node, key->addr) {
		if (!ioeventfd_same(e, key))
			continue;
		hash_del_rcu(&e->node);
		found = e;
		break;
	}
	mutex_unlock(&ev->lock);
	return found;
}

static int ioeventfd_deassign(struct event_vm *ev, const struct kvm_ioeventfd *args)
{
	struct event_ioeventfd key = { 0 };
	struct event_ioeventfd *e;

	key.eventfd = eventfd_ctx_fdget(args->fd);
	if (IS_ERR(key.eventfd))
		return PTR_ERR(key.eventfd);
	ioeventfd_fill(&key, args);
	e = ioeventfd_remove(ev, &key);
	eventfd_ctx_put(key.eventfd);
	if (!e)
		return -ENOENT;

	synchronize_srcu_expedited(&ev->srcu);
	eventfd_ctx_put(e->eventfd);
	kfree(e);
	return 0;
}

int event_ioeventfd(struct tern_vm *vm, const struct kvm_ioeventfd *args)
{
	if (args->flags & KVM_IOEVENTFD_FLAG_DEASSIGN)
		return ioeventfd_deassign(vm->event, args);
	return ioeventfd_assign(vm->event, args);
}

void ioeventfd_free_all(struct event_vm *ev)
{
	struct event_ioeventfd *e;
	struct hlist_node *next;
	int bucket;

	hash_for_each_safe(ev->ioeventfds, bucket, next, e, node) {
		hash_del(&e->node);
		eventfd_ctx_put(e->eventfd);
		kfree(e);
	}
}
