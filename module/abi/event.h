/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events between a client's file descriptors and a VM: irqfd, ioeventfd, GSI
 * routing and KVM_IRQ_LINE. For abi/ only.
 *
 * Locks of struct event_vm, outermost first:
 *   lock        changes of routing, resamplers and ioeventfds
 *   srcu        read side: routing, resamplers, ioeventfds; any context
 *   ring_lock   the ring of coalesced writes; innermost
 *   fd_lock     the list of irqfds; interrupts masked, nests inside an
 *               eventfd's wait queue lock
 */
#ifndef TERN_ABI_EVENT_H
#define TERN_ABI_EVENT_H

#include <linux/hashtable.h>
#include <linux/kvm.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include "../vcpu/vm.h"

/* As built-in KVM: KVM_CHECK_EXTENSION(KVM_CAP_IRQ_ROUTING) and the pins of its one irqchip */
#define EVENT_MAX_ROUTES	4096
#define EVENT_PINS		(1020 - VGIC_PRIVATE)

struct event_routing;

/**
 * struct event_vm - the events of one VM
 * @routing:    GSI to pin; NULL before the GIC is initialised or the client sets one
 * @irqfds:     active irqfds
 * @resamplers: struct event_resampler, one for each GSI with resampling irqfds
 * @ioeventfds: by address
 * @zones, @nr_zones: of coalesced MMIO; changed under @lock
 * @ring: a page that the client maps
 */
struct event_vm {
	struct tern_vm *vm;
	struct mutex lock;
	struct srcu_struct srcu;
	struct event_routing __rcu *routing;
	spinlock_t fd_lock;
	struct list_head irqfds;
	struct list_head resamplers;
	DECLARE_HASHTABLE(ioeventfds, 6);
	struct list_head zones;
	u32 nr_zones;
	spinlock_t ring_lock;
	struct kvm_coalesced_mmio_ring *ring;
};

/* Module life */
int event_init(void);
void event_fini(void);

/** event_vm_init() - a VM is made: fills vm->event and vm->io_write. Return: 0, -ENOMEM */
int event_vm_init(struct tern_vm *vm);
/** event_vm_release() - the VM's file was closed: no irqfd fires after this */
void event_vm_release(struct tern_vm *vm);
/** event_vm_fini() - the last reference is gone; after event_vm_release(). NULL vm->event is allowed. */
void event_vm_fini(struct tern_vm *vm);

/* The ioctls of these names on a VM, arguments copied in but not checked */
int event_irqfd(struct tern_vm *vm, const struct kvm_irqfd *args);
int event_ioeventfd(struct tern_vm *vm, const struct kvm_ioeventfd *args);
int event_register_zone(struct tern_vm *vm, const struct kvm_coalesced_mmio_zone *zone);
int event_unregister_zone(struct tern_vm *vm, const struct kvm_coalesced_mmio_zone *zone);
int event_irq_line(struct tern_vm *vm, const struct kvm_irq_level *args);
/** event_signal_msi() - KVM_SIGNAL_MSI. Return: 1, 0 or a negative errno */
int event_signal_msi(struct tern_vm *vm, const struct kvm_msi *args);
int event_set_routing(struct tern_vm *vm, const struct kvm_irq_routing __user *arg);

/** event_default_routing() - GSI n to SPI 32 + n; when the GIC has just been initialised (its number of SPIs is known). Return: 0, -ENOMEM */
int event_default_routing(struct tern_vm *vm);

/* Between the files of this folder. Calls go one way: event.c -> irqfd.c coalesced.c -> ioeventfd.c routing.c. */

/* New tables, or an error pointer: -EFAULT, -EINVAL, -ENOMEM */
struct event_routing *routing_from_user(const struct kvm_irq_routing __user *arg);
struct event_routing *routing_default(u32 nr_spis);
/** routing_swap() - publish @rt; lock held. Return: the old table, to be freed after a grace period of srcu */
struct event_routing *routing_swap(struct event_vm *ev, struct event_routing *rt);
void routing_free(struct event_routing *rt);
/** routing_pin() - the pin @gsi goes to, or -1; srcu or lock held */
int routing_pin(struct event_vm *ev, u32 gsi);
/** routing_set() - drive @gsi; any context */
void routing_set(struct event_vm *ev, u32 gsi, bool level);

/** irqfd_rewatch() - the routing changed: have the GIC report the right deactivations; lock held */
void irqfd_rewatch(struct event_vm *ev);
void irqfd_acked(void *opaque, u32 intid);
void irqfd_release(struct event_vm *ev);
int irqfd_init(void);
void irqfd_fini(void);

bool ioeventfd_write(struct tern_vm *vm, ipa_t ipa, unsigned int len, u64 val);
void ioeventfd_free_all(struct event_vm *ev);

int coalesced_init(struct event_vm *ev);
void coalesced_fini(struct event_vm *ev);

#endif
