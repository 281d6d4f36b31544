// SPDX-License-Identifier: GPL-2.0
/*
 * Life of struct event_vm, routing's place in it, and KVM_IRQ_LINE.
 */
#include <linux/err.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include "event.h"

/* HCR_EL2.VI and HCR_EL2.VF: virtual interrupts pended by hand */
#define HCR_VI_SHIFT 7
#define HCR_VF_SHIFT 6

int event_init(void)
{
	return irqfd_init();
}

void event_fini(void)
{
	irqfd_fini();
}

int event_vm_init(struct tern_vm *vm)
{
	struct event_vm *ev = kzalloc(sizeof(*ev), GFP_KERNEL_ACCOUNT);
	int err;

	if (!ev)
		return -ENOMEM;
	err = coalesced_init(ev);
	if (err)
		goto free;
	err = init_srcu_struct(&ev->srcu);
	if (err)
		goto free_ring;
	ev->vm = vm;
	mutex_init(&ev->lock);
	spin_lock_init(&ev->fd_lock);
	INIT_LIST_HEAD(&ev->irqfds);
	INIT_LIST_HEAD(&ev->resamplers);
	hash_init(ev->ioeventfds);
	vgic_set_ack(&vm->vgic, irqfd_acked, ev);
	vm->event = ev;
	vm->io_write = ioeventfd_write;
	return 0;

free_ring:
	coalesced_fini(ev);
free:
	kfree(ev);
	return err;
}

void event_vm_release(struct tern_vm *vm)
{
	irqfd_release(vm->event);
}

void event_vm_fini(struct tern_vm *vm)
{
	struct event_vm *ev = vm->event;

	if (!ev)
		return;
	ioeventfd_free_all(ev);
	coalesced_fini(ev);
	routing_free(rcu_dereference_protected(ev->routing, true));
	cleanup_srcu_struct(&ev->srcu);
	vm->event = NULL;
	kfree(ev);
}

static int event_route(struct event_vm *ev, struct event_routing *rt)
{
	if (IS_ERR(rt))
		return PTR_ERR(rt);
	mutex_lock(&ev->lock);
	rt = routing_swap(ev, rt);
	irqfd_rewatch(ev);
	mutex_unlock(&ev->lock);

	synchronize_srcu_expedited(&ev->srcu);
	routing_free(rt);
	return 0;
}

int event_set_routing(struct tern_vm *vm, const struct kvm_irq_routing __user *arg)
{
	return event_route(vm->event, routing_from_user(arg));
}

int event_default_routing(struct tern_vm *vm)
{
	return event_route(vm->event, routing_default(vm->vgic.nr_spis));
}

static struct tern_vcpu *line_vcpu(struct tern_vm *vm, u32 line)
{
	u32 n = vm_nr_vcpus(vm);
	u32 index = line >> KVM_ARM_IRQ_VCPU_SHIFT & KVM_ARM_IRQ_VCPU_MASK;

	index += (line >> KVM_ARM_IRQ_VCPU2_SHIFT & KVM_ARM_IRQ_VCPU2_MASK) *
		 (KVM_ARM_IRQ_VCPU_MASK + 1);
	if (index >= n)
		return NULL;
	return vm->vcpu[array_index_nospec(index, n)];
}

/* The IRQ or FIQ input of a vCPU, for a client that emulates the interrupt controller itself */
static int line_cpu(struct tern_vm *vm, u32 line, u32 num, bool level)
{
	struct tern_vcpu *v = line_vcpu(vm, line);
	unsigned int bit = num == KVM_ARM_IRQ_CPU_IRQ ? HCR_VI_SHIFT : HCR_VF_SHIFT;

	if (vm->vgic.created)
		return -ENXIO;
	if (!v || num > KVM_ARM_IRQ_CPU_FIQ)
		return -EINVAL;
	if (level)
		set_bit(bit, &v->irq_lines);
	else
		clear_bit(bit, &v->irq_lines);
	smp_mb__after_atomic();
	kick_post(&v->kick);
	return 0;
}

static int line_ppi(struct tern_vm *vm, u32 line, u32 num, bool level)
{
	struct tern_vcpu *v = line_vcpu(vm, line);

	if (!vm->vgic.created)
		return -ENXIO;
	if (!v || num < 16 || num >= VGIC_PRIVATE)
		return -EINVAL;
	return vgic_set_irq(&vm->vgic, &v->vgic, num, level);
}

static int line_spi(struct tern_vm *vm, u32 num, bool level)
{
	if (!vm->vgic.created)
		return -ENXIO;
	if (num < VGIC_PRIVATE)
		return -EINVAL;
	return vgic_set_irq(&vm->vgic, NULL, num, level);
}

/* KVM API 4.25, with its bit layout of the interrupt number on arm64 */
int event_irq_line(struct tern_vm *vm, const struct kvm_irq_level *args)
{
	u32 line = args->irq;
	u32 num = line >> KVM_ARM_IRQ_NUM_SHIFT & KVM_ARM_IRQ_NUM_MASK;

	switch (line >> KVM_ARM_IRQ_TYPE_SHIFT & KVM_ARM_IRQ_TYPE_MASK) {
	case KVM_ARM_IRQ_TYPE_CPU:
		return line_cpu(vm, line, num, args->level);
	case KVM_ARM_IRQ_TYPE_PPI:
		return line_ppi(vm, line, num, args->level);
	case KVM_ARM_IRQ_TYPE_SPI:
		return line_spi(vm, num, args->level);
	default:
		return -EINVAL;
	}
}

/* KVM API 4.71: 1 delivered, 0 the guest has it blocked */
int event_signal_msi(struct tern_vm *vm, const struct kvm_msi *args)
{
	struct vgic_msi msi = {
		.addr = (u64)args->address_hi << 32 | args->address_lo,
		.data = args->data,
		.devid = args->devid,
		.has_devid = args->flags & KVM_MSI_VALID_DEVID,
	};

	if (!vm->vgic.created || args->flags & ~KVM_MSI_VALID_DEVID)
		return -EINVAL;
	return vgic_msi(&vm->vgic, &msi);
}
