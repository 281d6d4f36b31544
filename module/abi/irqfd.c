// SPDX-License-Identifier: GPL-2.0
/*
 * KVM_IRQFD (KVM API 4.75): an eventfd whose signal raises an interrupt.
 *
 * The signal is taken in the eventfd's wake-up, interrupts masked, and goes
 * straight to the GIC, whose words are made for that. A resampling irqfd holds
 * its line up until the guest deactivates the interrupt; then the line falls
 * and a second eventfd asks the device whether it still wants attention.
 *
 * An irqfd dies by KVM_IRQFD_FLAG_DEASSIGN, by the last close of its eventfd
 * (EPOLLHUP) or with the VM. Each takes it off the list under fd_lock, so only
 * one does, and queues its removal on a work queue of our own, which the
 * ioctl and the VM's release flush.
 */
#include <linux/eventfd.h>
#include <linux/file.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "../host/compat.h"
#include "event.h"

/*
 * struct event_resampler - the resampling irqfds of one GSI
 * @irqfds: linked by resample_link; event lock to change, srcu to walk
 * @intid:  what the GIC watches for us, or 0
 */
struct event_resampler {
	struct list_head link;
	struct list_head irqfds;
	u32 gsi;
	u32 intid;
};

/*
 * struct event_irqfd - one irqfd
 * @link: in event_vm.irqfds while active (fd_lock)
 */
struct event_irqfd {
	struct event_vm *ev;
	u32 gsi;
	struct list_head link;
	struct eventfd_ctx *eventfd;
	struct eventfd_ctx *resamplefd;
	struct event_resampler *resampler;
	struct list_head resample_link;
	wait_queue_entry_t wait;
	poll_table pt;
	struct work_struct shutdown;
};

static struct workqueue_struct *irqfd_wq;

/* The GIC's word that the guest has deactivated a watched interrupt; interrupts masked */
void irqfd_acked(void *opaque, u32 intid)
{
	struct event_vm *ev = opaque;
	struct event_resampler *r;
	struct event_irqfd *f;
	int idx = srcu_read_lock(&ev->srcu);

	list_for_each_entry_srcu(r, &ev->resamplers, link, srcu_read_lock_held(&ev->srcu)) {
		if (READ_ONCE(r->intid) != intid)
			continue;
		/* Down first: a device that answers at once raises it again. */
		vgic_set_irq(&ev->vm->vgic, NULL, intid, false);
		list_for_each_entry_srcu(f, &r->irqfds, resample_link,
					 srcu_read_lock_held(&ev->srcu))
			compat_eventfd_signal(f->resamplefd);
	}
	srcu_read_unlock(&ev->srcu, idx);
}

static bool intid_watched(struct event_vm *ev, u32 intid)
{
	struct event_resampler *r;

	list_for_each_entry(r, &ev->resamplers, link)
		if (r->intid == intid)
			return true;
	return false;
}

/* Two GSIs may lead to one interrupt: it is watched as long as either has a resampler. */
static void resampler_watch(struct event_vm *ev, struct event_resampler *r, u32 intid)
{
	u32 old = r->intid;

	if (old == intid)
		return;
	WRITE_ONCE(r->intid, intid);
	if (intid)
		vgic_watch(&ev->vm->vgic, intid, true);
	if (old && !intid_watched(ev, old))
		vgic_watch(&ev->vm->vgic, old, false);
}

static u32 gsi_intid(struct event_vm *ev, u32 gsi)
{
	int pin = routing_pin(ev, gsi);
	u32 intid = VGIC_PRIVATE + pin;

	return pin >= 0 && vgic_valid_spi(&ev->vm->vgic, intid) ? intid : 0;
}

void irqfd_rewatch(struct event_vm *ev)
{
	struct event_resampler *r;

	list_for_each_entry(r, &ev->resamplers, link)
		resampler_watch(ev, r, gsi_intid(ev, r->gsi));
}

static struct event_resampler *resampler_find(struct event_vm *ev, u32 gsi)
{
	struct event_resampler *r;

	list_for_each_entry(r, &ev->resamplers, link)
		if (r->gsi == gsi)
			return r;
	return NULL;
}

static int resampler_join(struct event_irqfd *f)
{
	struct event_vm *ev = f->ev;
	struct event_resampler *r;
	int err = 0;

	mutex_lock(&ev->lock);
	r = resampler_find(ev, f->gsi);
	if (!r) {
		r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
		if (!r) {
			err = -ENOMEM;
			goto unlock;
		}
		r->gsi = f->gsi;
		INIT_LIST_HEAD(&r->irqfds);
		list_add_rcu(&r->link, &ev->resamplers);
		resampler_watch(ev, r, gsi_intid(ev, r->gsi));
	}
	list_add_rcu(&f->resample_link, &r->irqfds);
	f->resampler = r;
unlock:
	mutex_unlock(&ev->lock);
	return err;
}

static void resampler_leave(struct event_irqfd *f)
{
	struct event_vm *ev = f->ev;
	struct event_resampler *r = f->resampler;
	bool last;

	mutex_lock(&ev->lock);
	list_del_rcu(&f->resample_link);
	last = list_empty(&r->irqfds);
	if (last) {
		list_del_rcu(&r->link);
		resampler_watch(ev, r, 0);
	}
	mutex_unlock(&ev->lock);

	synchronize_srcu(&ev->srcu);
	if (last) {
		/* Nobody is left to let the line fall. */
		routing_set(ev, r->gsi, false);
		kfree(r);
	}
}

static void irqfd_free(struct event_irqfd *f)
{
	if (f->resampler)
		resampler_leave(f);
	if (f->resamplefd)
		eventfd_ctx_put(f->resamplefd);
	if (f->eventfd)
		eventfd_ctx_put(f->eventfd);
	kfree(f);
}

static void irqfd_shutdown(struct work_struct *work)
{
	struct event_irqfd *f = container_of(work, struct event_irqfd, shutdown);
	u64 count;

	/* irqfd_assign() may still be between listing it and hooking it up. */
	synchronize_srcu(&f->ev->srcu);
	eventfd_ctx_remove_wait_queue(f->eventfd, &f->wait, &count);
	irqfd_free(f);
}

/* fd_lock held */
static void irqfd_deactivate(struct event_irqfd *f)
{
	list_del_init(&f->link);
	queue_work(irqfd_wq, &f->shutdown);
}

/* The eventfd was signalled or is going away; its wait queue lock held, interrupts masked */
static int irqfd_wakeup(wait_queue_entry_t *wait, unsigned int mode, int sync, void *key)
{
	struct event_irqfd *f = container_of(wait, struct event_irqfd, wait);
	__poll_t events = key_to_poll(key);
	unsigned long flags;
	u64 count;
	int taken = 0;

	if (events & EPOLLIN) {
		eventfd_ctx_do_read(f->eventfd, &count);
		routing_set(f->ev, f->gsi, true);
		taken = 1;
	}
	if (events & EPOLLHUP) {
		spin_lock_irqsave(&f->ev->fd_lock, flags);
		if (!list_empty(&f->link))
			irqfd_deactivate(f);
		spin_unlock_irqrestore(&f->ev->fd_lock, flags);
	}
	return taken;
}

static void irqfd_hook(struct file *file, wait_queue_head_t *wqh, poll_table *pt)
{
	struct event_irqfd *f = container_of(pt, struct event_irqfd, pt);

	/* Before ordinary waiters: a signal we took is not theirs to read. */
	add_wait_queue_priority(wqh, &f->wait);
}

static int irqfd_list(struct event_irqfd *f)
{
	struct event_vm *ev = f->ev;
	struct event_irqfd *other;
	int err = 0;

	spin_lock_irq(&ev->fd_lock);
	list_for_each_entry(other, &ev->irqfds, link)
		if (other->eventfd == f->eventfd)
			err = -EBUSY;
	if (!err)
		list_add_tail(&f->link, &ev->irqfds);
	spin_unlock_irq(&ev->fd_lock);
	return err;
}

static int irqfd_open(struct event_irqfd *f, struct file *file, const struct kvm_irqfd *args)
{
	struct eventfd_ctx *ctx = eventfd_ctx_fileget(file);

	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	f->eventfd = ctx;
	if (!(args->flags & KVM_IRQFD_FLAG_RESAMPLE))
		return 0;

	ctx = eventfd_ctx_fdget(args->resamplefd);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	f->resamplefd = ctx;
	return resampler_join(f);
}

/* List @f and hook it to its eventfd; srcu keeps irqfd_shutdown() away until both are done. */
static int irqfd_activate(struct event_irqfd *f, struct file *file)
{
	struct event_vm *ev = f->ev;
	u32 gsi = f->gsi;
	bool pulse = !f->resampler;
	bool signalled;
	int idx = srcu_read_lock(&ev->srcu);
	int err = irqfd_list(f);

	if (!err) {
		signalled = vfs_poll(file, &f->pt) & EPOLLIN;
		if (signalled) {
			routing_set(ev, gsi, true);
			if (pulse)
				routing_set(ev, gsi, false);
		}
	}
	srcu_read_unlock(&ev->srcu, idx);
	return err;
}

static int irqfd_assign(struct tern_vm *vm, const struct kvm_irqfd *args)
{
	struct event_irqfd *f;
	struct file *file;
	int err;

	if (!vgic_initialized(&vm->vgic))
		return -EAGAIN;
	f = kzalloc(sizeof(*f), GFP_KERNEL_ACCOUNT);
	if (!f)
		return -ENOMEM;
	f->ev = vm->event;
	f->gsi = args->gsi;
	INIT_LIST_HEAD(&f->link);
	INIT_WORK(&f->shutdown, irqfd_shutdown);
	init_waitqueue_func_entry(&f->wait, irqfd_wakeup);
	init_poll_funcptr(&f->pt, irqfd_hook);

	file = fget(args->fd);
	if (!file) {
		err = -EBADF;
		goto free;
	}
	err = irqfd_open(f, file, args);
	if (!err)
		err = irqfd_activate(f, file);
	/* From here on the irqfd may be gone: its eventfd may have been closed already. */
	fput(file);
	if (!err)
		return 0;
free:
	irqfd_free(f);
	return err;
}

static int irqfd_deassign(struct tern_vm *vm, const struct kvm_irqfd *args)
{
	struct event_vm *ev = vm->event;
	struct event_irqfd *f, *next;
	struct eventfd_ctx *ctx = eventfd_ctx_fdget(args->fd);

	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	spin_lock_irq(&ev->fd_lock);
	list_for_each_entry_safe(f, next, &ev->irqfds, link)
		if (f->eventfd == ctx && f->gsi == args->gsi)
			irqfd_deactivate(f);
	spin_unlock_irq(&ev->fd_lock);
	eventfd_ctx_put(ctx);

	/* The client may count on no interrupt from it once we return. */
	flush_workqueue(irqfd_wq);
	return 0;
}

int event_irqfd(struct tern_vm *vm, const struct kvm_irqfd *args)
{
	if (args->flags & ~(KVM_IRQFD_FLAG_DEASSIGN | KVM_IRQFD_FLAG_RESAMPLE))
		return -EINVAL;
	if (args->flags & KVM_IRQFD_FLAG_DEASSIGN)
		return irqfd_deassign(vm, args);
	return irqfd_assign(vm, args);
}

void irqfd_release(struct event_vm *ev)
{
	struct event_irqfd *f, *next;

	spin_lock_irq(&ev->fd_lock);
	list_for_each_entry_safe(f, next, &ev->irqfds, link)
		irqfd_deactivate(f);
	spin_unlock_irq(&ev->fd_lock);
	flush_workqueue(irqfd_wq);
}

int irqfd_init(void)
{
	irqfd_wq = alloc_workqueue("tern-irqfd", 0, 0);
	return irqfd_wq ? 0 : -ENOMEM;
}

void irqfd_fini(void)
{
	destroy_workqueue(irqfd_wq);
}
