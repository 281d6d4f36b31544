/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events between a client's file descriptors and a VM: irqfd, ioeventfd, GSI
 * routing and KVM_IRQ_LINE. One folder, one concern; used by abi/vm.c.
 */
#ifndef TERN_ABI_EVENT_H
#define TERN_ABI_EVENT_H

#include <linux/kvm.h>
#include "../vcpu/vm.h"

/* Module life */
int event_init(void);
void event_fini(void);

/** event_vm_init() - a VM is made; empties the lists, installs vm->io_write. Return: 0, -ENOMEM */
int event_vm_init(struct tern_vm *vm);
/** event_vm_release() - the VM's file was closed: no irqfd fires after this */
void event_vm_release(struct tern_vm *vm);
/** event_vm_fini() - the last reference is gone: free everything; after event_vm_release() */
void event_vm_fini(struct tern_vm *vm);

/* ioctls on the VM, arguments already copied in, flags not yet checked */
int event_irqfd(struct tern_vm *vm, const struct kvm_irqfd *args);
int event_ioeventfd(struct tern_vm *vm, const struct kvm_ioeventfd *args);
int event_set_routing(struct tern_vm *vm, const struct kvm_irq_routing __user *arg);
int event_irq_line(struct tern_vm *vm, const struct kvm_irq_level *args);

/** event_default_routing() - gsi n -> SPI 32 + n; when the GIC is created. Return: 0, -ENOMEM */
int event_default_routing(struct tern_vm *vm);

#endif
