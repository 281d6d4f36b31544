/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A VM as "tern bench state" saves and restores it, and what there is to save,
 * in QEMU's order.
 */
#ifndef TERN_CLI_MACHINE_H
#define TERN_CLI_MACHINE_H

#include <stdint.h>

#include "../lib/libtern.h"
#include "../uapi/tern.h"
#include "vm.h"

/* One VM, and where the registers of its vCPUs go */
struct machine {
	struct vm vm;
	struct tern_vm *handle;
	struct kvm_reg_list *list;	/* of every vCPU: they are alike */
	uint64_t (*value)[2];		/* a vCPU's after another's */
	uint64_t *aff;
	struct tern_vgic_reg *gic;	/* what QEMU reads */
	uint32_t nr_gic;
};

/* With a GICv3 and as many vCPUs. 0 or a negative errno; machine_fini() in any case */
int machine_init(struct machine *m, const char *device, uint32_t vcpus);
void machine_fini(struct machine *m);

/* For KVM_{GET,SET}_DEVICE_ATTR of one register of the GIC */
struct kvm_device_attr machine_gic_attr(struct tern_vgic_reg *reg);

/* The register that clears what this one sets, which QEMU writes first; or 0 */
uint64_t machine_gic_clear(const struct tern_vgic_reg *reg);

#endif
