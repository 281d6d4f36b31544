// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_SET_GSI_ROUTING (KVM API 4.52): which interrupt of the GIC a GSI means.
 *
 * The arm64 GIC is one irqchip, so a GSI has at most one route and the table
 * is an array. A client may also route a GSI to a message (MSI), which an ITS
 * translates.
 */
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "event.h"

#define ROUTE_NONE	0xffff
#define ROUTE_MSI	0xfffe

/*
 * struct event_route - where a GSI leads
 * @pin: pin of the irqchip (SPI 32 + pin), or ROUTE_*
 * @msi: with ROUTE_MSI
 */
struct event_route {
	u16 pin;
	struct vgic_msi msi;
};

/*
 * struct event_routing - a routing table, immutable once published
 * @nr: GSIs below this have an entry
 */
struct event_routing {
	u32 nr;
	struct event_route route[];
};

static struct event_routing *routing_alloc(u32 nr)
{
	struct event_routing *rt = kvmalloc(struct_size(rt, route, nr), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	u32 gsi;

	if (!rt)
		return NULL;
	rt->nr = nr;
	for (gsi = 0; gsi < nr; gsi++)
		rt->route[gsi].pin = ROUTE_NONE;
	return rt;
}

static const struct event_route *routing_find(struct event_vm *ev, u32 gsi)
{
	struct event_routing *rt = srcu_dereference_check(ev->routing, &ev->srcu,
							  lockdep_is_held(&ev->lock));

	if (!rt || gsi >= rt->nr)
		return NULL;
	return &rt->route[array_index_nospec(gsi, rt->nr)];
}

int routing_pin(struct event_vm *ev, u32 gsi)
{
	const struct event_route *r = routing_find(ev, gsi);

	return r && r->pin < EVENT_PINS ? r->pin : -1;
}

void routing_set(struct event_vm *ev, u32 gsi, bool level)
{
	int idx = srcu_read_lock(&ev->srcu);
	const struct event_route *r = routing_find(ev, gsi);

	/* An interrupt the GIC does not have is lost, as in built-in KVM. A message has no falling edge. */
	if (r && r->pin < EVENT_PINS)
		vgic_set_irq(&ev->vm->vgic, NULL, VGIC_PRIVATE + r->pin, level);
	else if (r && r->pin == ROUTE_MSI && level)
		vgic_msi(&ev->vm->vgic, &r->msi);
	srcu_read_unlock(&ev->srcu, idx);
}

struct event_routing *routing_swap(struct event_vm *ev, struct event_routing *rt)
{
	struct event_routing *old = rcu_dereference_protected(ev->routing,
							      lockdep_is_held(&ev->lock));

	rcu_assign_pointer(ev->routing, rt);
	return old;
}

void routing_free(struct event_routing *rt)
{
	kvfree(rt);
}

static int routing_add(struct event_routing *rt, const struct kvm_irq_routing_entry *e)
{
	struct event_route *r = &rt->route[array_index_nospec(e->gsi, rt->nr)];

	if (r->pin != ROUTE_NONE)
		return -EINVAL;
	switch (e->type) {
	case KVM_IRQ_ROUTING_IRQCHIP:
		if (e->flags || e->u.irqchip.irqchip != 0 || e->u.irqchip.pin >= EVENT_PINS)
			return -EINVAL;
		r->pin = e->u.irqchip.pin;
		return 0;
	case KVM_IRQ_ROUTING_MSI:
		if (e->flags & ~KVM_MSI_VALID_DEVID)
			return -EINVAL;
		r->pin = ROUTE_MSI;
		r->msi.addr = (u64)e->u.msi.address_hi << 32 | e->u.msi.address_lo;
		r->msi.data = e->u.msi.data;
		r->msi.devid = e->u.msi.devid;
		r->msi.has_devid = e->flags & KVM_MSI_VALID_DEVID;
		return 0;
	default:
		return -EINVAL;
	}
}

static struct event_routing *routing_build(const struct kvm_irq_routing_entry *e, u32 n)
{
	struct event_routing *rt;
	u32 i, top = 0;
	int err;

	for (i = 0; i < n; i++) {
		if (e[i].gsi >= EVENT_MAX_ROUTES)
			return ERR_PTR(-EINVAL);
		top = max(top, e[i].gsi);
	}
	rt = routing_alloc(top + 1);
	if (!rt)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i < n; i++) {
		err = routing_add(rt, &e[i]);
		if (err) {
			routing_free(rt);
			return ERR_PTR(err);
		}
	}
	return rt;
}

struct event_routing *routing_from_user(const struct kvm_irq_routing __user *arg)
{
	struct kvm_irq_routing_entry *e = NULL;
	struct event_routing *rt;
	struct kvm_irq_routing head;

	if (copy_from_user(&head, arg, sizeof(head)))
		return ERR_PTR(-EFAULT);
	if (head.nr > EVENT_MAX_ROUTES || head.flags)
		return ERR_PTR(-EINVAL);
	if (head.nr) {
		e = vmemdup_user(arg->entries, array_size(head.nr, sizeof(*e)));
		if (IS_ERR(e))
			return ERR_CAST(e);
	}
	rt = routing_build(e, head.nr);
	kvfree(e);
	return rt;
}

struct event_routing *routing_default(u32 nr_spis)
{
	u32 n = min_t(u32, nr_spis, EVENT_PINS);
	struct event_routing *rt = routing_alloc(n);
	u32 gsi;

	if (!rt)
		return ERR_PTR(-ENOMEM);
	for (gsi = 0; gsi < n; gsi++)
		rt->route[gsi].pin = gsi;
	return rt;
}
